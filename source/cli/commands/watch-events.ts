import {tradeKey} from '../../market/tape.ts';
import {type Candle, interfaceName, type Trade} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {type Condition, printCondition, quantities} from './condition.ts';
import {valuesOf} from './condition-values.ts';
import {candleEntry, depthEntry, provenance, tickerEntry, tradeEntry} from './documents.ts';

/** One line of `watch --json`. `time` is epoch ms: of a trade its own, of a candle its start, else when it came. */
export type WatchEvent = {
	readonly type: 'ticker' | 'depth' | 'trade' | 'candle' | 'error' | 'stale' | 'met';
	readonly symbol: string | null;
	readonly time: number;
};

/** What came between two snapshots of one market. Of the first page of trades, and of candles, only the newest. */
export function eventsBetween(before: MarketState, now: MarketState, time: number): readonly WatchEvent[] {
	return [
		...tickerEvents(before, now),
		...depthEvents(before, now),
		...tradeEvents(before, now),
		...candleEvents(before, now),
		...failureEvents(before, now, time),
	];
}

function tickerEvents(before: MarketState, {symbol, tickers}: MarketState): readonly WatchEvent[] {
	if (tickers.status !== 'ready' || symbol === undefined || !isNewer(tickers, before.tickers)) return [];
	const ticker = tickers.data.get(symbol);
	return ticker ? [{type: 'ticker', time: tickers.receivedAt, ...tickerEntry(ticker), ...provenance(tickers)}] : [];
}

function depthEvents(before: MarketState, {symbol, depth}: MarketState): readonly WatchEvent[] {
	if (depth.status !== 'ready' || !isNewer(depth, before.depth)) return [];
	return [
		{type: 'depth', symbol: symbol ?? null, time: depth.receivedAt, ...depthEntry(depth.data), ...provenance(depth)},
	];
}

/** Oldest first. `gap`: trades before this one may be missing. */
function tradeEvents(before: MarketState, {symbol, tape}: MarketState): readonly WatchEvent[] {
	if (tape.status !== 'ready') return [];
	const known = before.tape.status === 'ready' ? before.tape.data : undefined;
	if (known === tape.data) return [];
	return newTrades(known?.trades, tape.data.trades).map(trade => ({
		type: 'trade',
		symbol: symbol ?? null,
		...tradeEntry(trade),
		gap: tape.data.gaps.has(tradeKey(trade)),
		interface: interfaceName(tape.interface),
		receivedAt: tape.receivedAt,
	}));
}

function newTrades(known: readonly Trade[] | undefined, trades: readonly Trade[]): readonly Trade[] {
	const [newest, oldest] = [known?.[0], known?.at(-1)];
	if (!known || !newest || !oldest) return trades.slice(0, 1);
	const keys = new Set(known.map(tradeKey));
	// The tape was begun anew with the other interface, whose ids for the same trades may be others.
	if (!trades.some(trade => keys.has(tradeKey(trade))))
		return trades.filter(({time}) => time > newest.time).toReversed();
	// A longer page reaches further back than the watch: older trades are no news.
	return trades.filter(trade => !keys.has(tradeKey(trade)) && trade.time >= oldest.time).toReversed();
}

function candleEvents(before: MarketState, {symbol, candles}: MarketState): readonly WatchEvent[] {
	if (candles.status !== 'ready') return [];
	const known = before.candles.status === 'ready' ? before.candles.data : undefined;
	if (known === candles.data) return [];
	const {period, builtFrom, partial} = candles.data;
	return newCandles(known?.candles.at(-1), candles.data.candles).map(candle => ({
		type: 'candle',
		symbol: symbol ?? null,
		period,
		...candleEntry(candle),
		builtFrom,
		partial: partial?.has(candle.time) ?? false,
		interface: interfaceName(candles.interface),
		receivedAt: candles.receivedAt,
	}));
}

function newCandles(known: Candle | undefined, candles: readonly Candle[]): readonly Candle[] {
	if (!known) return candles.slice(-1);
	return candles.filter(candle => candle.time > known.time || (candle.time === known.time && !isSame(candle, known)));
}

const isSame = (a: Candle, b: Candle) => JSON.stringify(candleEntry(a)) === JSON.stringify(candleEntry(b));

/** One `error` for each failed poll; one `stale` when what was known stops being fresh. */
function failureEvents(before: MarketState, now: MarketState, time: number): readonly WatchEvent[] {
	const symbol = now.symbol ?? null;
	return watchedResources.flatMap(name => {
		const [old, resource] = [failureOf(before[name]), now[name]];
		const failure = failureOf(resource);
		if (!failure || failure === old) return [];
		const {operation, kind, message} = failure.error;
		const error = {type: 'error', symbol, time, operation, kind, message, retryAt: failure.retryAt ?? null} as const;
		if (old?.since === failure.since || resource.status !== 'ready') return [error];
		const {receivedAt} = resource;
		return [error, {type: 'stale', symbol, time, operation, since: failure.since, receivedAt} as const];
	});
}

/** The last event of a watch whose condition is met: what it was held against, for a market that satisfies it. */
export function metEvent(condition: Condition, state: MarketState, time: number): WatchEvent {
	const values = valuesOf(state, time);
	const known = Object.fromEntries(quantities.map(name => [name, values[name] ?? null]));
	const text = printCondition(condition);
	const event = {type: 'met', symbol: state.symbol ?? null, time, condition: text, ...known} as const;
	return event;
}

/** What a watch polls for each of its markets. */
export const watchedResources = ['tickers', 'depth', 'tape', 'candles'] as const;

export const failureOf = (resource: Resource<unknown>) =>
	resource.status === 'waiting' ? undefined : resource.failure;

/** Whether an answer came since, be it with the same data. */
function isNewer<T>(resource: Resource<T> & {status: 'ready'}, before: Resource<T>): boolean {
	return before.status !== 'ready' || before.receivedAt !== resource.receivedAt || before.data !== resource.data;
}
