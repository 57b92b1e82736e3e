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
import {lineText} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {bookNote, isStale, panelStatuses} from '../../resource-panel.ts';

export type TickerInput = Readonly<ReturnType<typeof tickerInput>>;

export type TickerView = Writing & {readonly now: number};

/** The parts of the market's state that the ticker panel shows. */
export const tickerParts = ['symbol', 'markets', 'tickers', 'depth', 'trades', 'decimals'] as const;
export type TickerState = Pick<MarketState, (typeof tickerParts)[number]>;

/** Why numbers are unknown, by where they come from; undefined: that answered, without the number. */
type Absences = Readonly<Partial<Record<'trades' | 'book' | 'ticker', string | undefined>>>;

/** What the ticker panel shows of the selected market. */
export function tickerInput(state: TickerState, {now, ascii, zone}: TickerView) {
	const {symbol, trades: tape, depth, tickers, decimals} = state;
	const market = selectedMarket(state);
	const ticker = selectedTicker(state);
	const trades = tape.status === 'ready' ? tape.data.trades : [];
	const lastTrade: Trade | undefined = trades[0];
	const absences: Absences = {
		trades: whyAbsent(tape),
		book: whyAbsent(depth),
		ticker: whyAbsent(tickers) ?? (ticker ? undefined : 'not in the ticker list'),
	};
	return {
		/** `BTC/USDT`. */
		pair: market ? pairName(market) : (symbol ?? ''),
		base: market?.base,
		quote: market?.quote,
		...stateFacts(state, now),
		/** What is wrong with the market's entry in the list; undefined: nothing. */
		entryFault: entryFault(state),
		/** The newest trade: its price is the current one. */
		lastTrade,
		/** How long nothing was traded after it, ms; undefined: less than a minute, or unknown. */
		quietMs: quietIn(tape)?.ms,
		/** The newest trade at another price, for the arrow: most repeat the previous price. */
		previousTrade: trades.find(trade => trade.price !== lastTrade?.price),
		/** The exchange's delayed 24 h summary. */
		ticker,
		/** The ticker's, with the trades since. */
		range: dayRange(ticker, trades, tradeTime(tape, now)),
		/** Epoch ms; undefined: the ticker's age is not shown. */
		tickerReceivedAt: tickers.status === 'ready' ? tickers.receivedAt : undefined,
		book: depth.status === 'ready' ? depth.data : undefined,
		decimals,
		/** Source and age of the numbers, e.g. `v2 · 0.4 s`, from long to short, for the end of the last row. */
		sources: headerSources(state, {now, ascii, zone}),
		absences,
		/** Refreshes of the ticker fail, so its numbers are muted. */
		tickerIsStale: isStale(tickers),
		/** The ticker's answer is much older than trades and book. */
		tickerIsOlder: isFarOlder(state),
		/** Refreshes of the book fail, so its numbers are muted. */
		bookIsStale: isStale(depth),
		/** The book was received before the last trade was made. */
		bookIsOlder: isOlderThan(depth, lastTrade, tape),
		/** Why bid, ask and spread are not current; empty if they are. If the trades are stale, the whole header is dimmed and shows the time. */
		bookNote: isStale(tape) ? [] : bookNote(depth, zone),
		/** Epoch ms. */
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

/** The exchange's own word for the state, shown unless it is `active`, and the older of two sources of it, where that says another. */
function stateFacts(state: TickerState, now: number) {
	const {state: current, conflict: [newer, older] = []} = selectedState(state, now);
	const age = older && formatAge(now - older.receivedAt);
	const contradiction = newer && older && {of: newer.from, state: older.state, from: older.from, age: age ?? ''};
	return {state: current, contradiction};
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
