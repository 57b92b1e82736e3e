import {formatAge} from '../../../format/time.ts';
import {dayRange} from '../../../market/day.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Trade} from '../../../market/types.ts';
import {secondMs} from '../../../market/units.ts';
import type {Resource} from '../../../store/resource.ts';
import type {MarketState} from '../../../store/state.ts';
import {hasMarkets, selectedMarket, selectedState, selectedTicker} from '../../../store/state.ts';
import {quietIn, tradeTime} from '../../../store/trade-time.ts';
import type {Writing} from '../../line.ts';
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

export type TickerView = Writing & {readonly now: number};

/** The parts of the market's state that the ticker panel shows. */
export const tickerParts = ['symbol', 'markets', 'tickers', 'depth', 'trades', 'decimals'] as const;
export type TickerState = Pick<MarketState, (typeof tickerParts)[number]>;

/** The input of the ticker panel for the selected market. */
export function tickerInput(state: TickerState, {now, ascii, zone}: TickerView): TickerInput {
	const {symbol, trades: tape, depth, tickers, decimals} = state;
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
		...stateFacts(state, now),
		entryFault: entryFault(state),
		lastTrade,
		quietMs: quietIn(tape)?.ms,
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
		tickerIsOlder: isFarOlder(state),
		bookIsStale: isStale(depth),
		bookIsOlder: isOlderThan(depth, lastTrade, tape),
		// If the trades are stale, the whole header is dimmed and shows the time.
		bookNote: isStale(tape) ? [] : bookNote(depth, zone),
		now,
		ascii,
	};
}

/** Whether the book can have been made before the trade, which may have changed it. */
function isOlderThan(depth: TickerState['depth'], trade: Trade | undefined, tape: TickerState['trades']): boolean {
	return depth.status === 'ready' && trade !== undefined && tradeTime(tape, depth.receivedAt) < trade.time;
}

/** By how much the ticker may be older than what is shown with it without a word. It is polled less often. */
const leastOlderMs = 10 * secondMs;

/** Whether the ticker's answer is much older than trades and book, whose age is shown. */
function isFarOlder({tickers, trades: tape, depth}: TickerState): boolean {
	if (tickers.status !== 'ready' || tape.status !== 'ready') return false;
	const shown = depth.status === 'ready' ? Math.min(tape.receivedAt, depth.receivedAt) : tape.receivedAt;
	return shown - tickers.receivedAt >= leastOlderMs;
}

/** The state with what contradicts it, each with its source, and the age of the older one. */
function stateFacts(state: TickerState, now: number): Pick<TickerFactsInput, 'state' | 'contradiction'> {
	const {state: current, conflict} = selectedState(state, now);
	if (!conflict) return {state: current};
	const [newer, older] = conflict;
	return {
		state: current,
		contradiction: {of: newer.from, state: older.state, from: older.from, age: formatAge(now - older.receivedAt)},
	};
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

/** The interfaces of trades and book, and the older age of both. */
function headerSources({trades: tape, depth}: TickerState, {now, ascii, zone}: TickerView): readonly string[] {
	const statuses = panelStatuses(tape, now, ascii, zone, [depth]).map(lineText);
	if (tape.status !== 'ready') return statuses;
	if (tape.failure) return statuses.filter(text => text.includes(` ${marksFor(ascii).separator} `));
	// An age alone would not name its source.
	return statuses.slice(0, -1);
}
