import {formatAge} from '../../../format/time.ts';
import type {Zone} from '../../../format/zone.ts';
import {dayRange} from '../../../market/day.ts';
import {pairName} from '../../../market/symbol.ts';
import {stateOf, type Trade} from '../../../market/types.ts';
import type {Resource} from '../../../store/resource.ts';
import type {MarketState} from '../../../store/state.ts';
import {hasMarkets, selectedMarket, selectedTicker} from '../../../store/state.ts';
import {tradeTime} from '../../../store/trade-time.ts';
import {type Line, lineText} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {bookNote, isStale, panelStatuses} from '../../resource-panel.ts';
import type {TickerFactsInput} from './facts.ts';

export type TickerInput = TickerFactsInput & {
	/** `BTC/USDT`. */
	readonly pair: string;
	/** Source and age of the numbers, e.g. `v2 · 0.4 s`, from long to short, for the end of the last row. */
	readonly sources: readonly string[];
	/** Why bid, ask and spread are not current; empty if they are. */
	readonly bookNote: Line;
};

export type TickerView = {readonly now: number; readonly ascii: boolean; readonly zone?: Zone | undefined};

/** The parts of the market's state that the ticker panel shows. */
export const tickerParts = ['symbol', 'markets', 'tickers', 'depth', 'tape', 'decimals'] as const;
export type TickerState = Pick<MarketState, (typeof tickerParts)[number]>;

/** The input of the ticker panel for the selected market. */
export function tickerInput(state: TickerState, {now, ascii, zone}: TickerView): TickerInput {
	const {symbol, tape, depth, tickers, decimals} = state;
	const market = selectedMarket(state);
	const ticker = selectedTicker(state);
	const trades = tape.status === 'ready' ? tape.data.trades : [];
	const [lastTrade] = trades;
	// Most trades repeat the previous price; the arrow shows which way the price last moved.
	const previousTrade = trades.find(trade => trade.price !== lastTrade?.price);
	return {
		pair: market ? pairName(market) : (symbol ?? ''),
		base: market?.base,
		quote: market?.quote,
		state: stateOf(market, ticker),
		entryFault: entryFault(state),
		lastTrade,
		previousTrade,
		ticker,
		range: dayRange(ticker, trades, tradeTime(tape, now)),
		tickerReceivedAt: tickers.status === 'ready' ? tickers.receivedAt : undefined,
		book: depth.status === 'ready' ? depth.data : undefined,
		decimals,
		sources: headerSources(state, {now, ascii, zone}),
		absences: {
			trades: whyAbsent(tape),
			book: whyAbsent(depth),
			ticker: whyAbsent(tickers) ?? (ticker ? undefined : 'not in the ticker list'),
		},
		tickerIsStale: isStale(tickers),
		bookIsStale: isStale(depth),
		bookIsOlder: isOlderThan(depth, lastTrade, tape),
		// If the trades are stale, the whole header is dimmed and shows the time.
		bookNote: isStale(tape) ? [] : bookNote(depth, zone),
		now,
		ascii,
	};
}

/** Whether the book can have been made before the trade, which may have changed it. */
function isOlderThan(depth: TickerState['depth'], trade: Trade | undefined, tape: TickerState['tape']): boolean {
	return depth.status === 'ready' && trade !== undefined && tradeTime(tape, depth.receivedAt) < trade.time;
}

/** The trades as old as the older of trades and book, for what shows both. Stale trades stay: their border says since when. */
export function withAgeOfBook(tape: TickerState['tape'], depth: TickerState['depth']): TickerState['tape'] {
	if (tape.status !== 'ready' || tape.failure || depth.status !== 'ready') return tape;
	return depth.receivedAt < tape.receivedAt ? {...tape, receivedAt: depth.receivedAt} : tape;
}

function entryFault(state: TickerState): string | undefined {
	const market = selectedMarket(state);
	if (market) return market.unreadable ? 'entry unreadable' : undefined;
	return state.symbol !== undefined && hasMarkets(state.markets) ? 'not listed' : undefined;
}

/** Why there is no answer yet; undefined: there is one. */
export function whyAbsent(resource: Resource<unknown>): string | undefined {
	if (resource.status === 'waiting') return resource.held?.error.brief ?? 'still loading';
	return resource.status === 'failed' ? resource.failure.error.brief : undefined;
}

/** Interface of the trades, which the price comes from, and the older age of trades and book. If the book has another interface, both. */
function headerSources({tape, depth}: TickerState, {now, ascii, zone}: TickerView): readonly string[] {
	const statuses = panelStatuses(withAgeOfBook(tape, depth), now, ascii, zone).map(lineText);
	if (tape.status !== 'ready') return statuses;
	const withReason = statuses.filter(text => text.includes(` ${marksFor(ascii).separator} `));
	if (tape.failure) return withReason;
	// An age alone would not name its source.
	const ofTrades = statuses.slice(0, -1);
	if (depth.status !== 'ready' || depth.failure) return ofTrades;
	if (tape.interface === depth.interface) return ofTrades;
	const names = [tape.interface, depth.interface].join('+');
	const age = formatAge(now - Math.min(tape.receivedAt, depth.receivedAt));
	return [`${names} ${marksFor(ascii).separator} ${age}`, ...ofTrades];
}
