import {tradeKey} from '../../market/tape.ts';
import {type Candle, interfaceName, type Trade} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {type Condition, printCondition, quantities} from './condition.ts';
import {valuesOf} from './condition-values.ts';
import {candleEntry, depthEntry, provenance, tickerEntry, tradeEntry} from './documents.ts';

/** One line of `watch --json`. `time` is epoch ms: a trade's own, a candle's start, else the time of receipt. */
export type WatchEvent = {
	readonly type: 'ticker' | 'depth' | 'trade' | 'candle' | 'error' | 'stale' | 'met';
	readonly symbol: string | null;
	readonly time: number;
};

/** The events between two snapshots of one market. Of the first trades and candles, only the newest is an event. */
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
	if (!ticker) return [];
	// Every event has its own `type`.
	const {type: tickerType, ...entry} = tickerEntry(ticker);
	return [{type: 'ticker', time: tickers.receivedAt, ...{...entry, tickerType}, ...provenance(tickers)}];
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
	const previous = before.tape.status === 'ready' ? before.tape.data : undefined;
	if (previous === tape.data) return [];
	return newTrades(previous?.trades, tape.data.trades).map(trade => ({
		type: 'trade',
		symbol: symbol ?? null,
		...tradeEntry(trade),
		gap: tape.data.gaps.has(tradeKey(trade)),
		interface: interfaceName(tape.interface),
		receivedAt: tape.receivedAt,
	}));
}

function newTrades(previous: readonly Trade[] | undefined, trades: readonly Trade[]): readonly Trade[] {
	const [newest, oldest] = [previous?.[0], previous?.at(-1)];
	if (!previous || !newest || !oldest) return trades.slice(0, 1);
	const keys = new Set(previous.map(tradeKey));
	// The tape restarted with the other interface, which may give the same trades other ids.
	if (!trades.some(trade => keys.has(tradeKey(trade))))
		return trades.filter(({time}) => time > newest.time).toReversed();
	// A longer page can reach back beyond the start of the watch: those trades are not new.
	return trades.filter(trade => !keys.has(tradeKey(trade)) && trade.time >= oldest.time).toReversed();
}

function candleEvents(before: MarketState, {symbol, candles}: MarketState): readonly WatchEvent[] {
	if (candles.status !== 'ready') return [];
	const previous = before.candles.status === 'ready' ? before.candles.data : undefined;
	if (previous === candles.data) return [];
	const {period, builtFrom, partial} = candles.data;
	return newCandles(previous?.candles.at(-1), candles.data.candles).map(candle => ({
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

function newCandles(previous: Candle | undefined, candles: readonly Candle[]): readonly Candle[] {
	if (!previous) return candles.slice(-1);
	return candles.filter(
		candle => candle.time > previous.time || (candle.time === previous.time && !isSame(candle, previous)),
	);
}

const isSame = (a: Candle, b: Candle) => JSON.stringify(candleEntry(a)) === JSON.stringify(candleEntry(b));

/** One `error` for each failed poll; one `stale` when data becomes stale. */
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

/** The last event of a watch whose condition is met, with all values of a market that satisfies it. */
export function metEvent(condition: Condition, state: MarketState, time: number): WatchEvent {
	const values = valuesOf(state, time);
	const entries = quantities.map(name => [name, values[name] ?? null]);
	const met = {type: 'met', symbol: state.symbol ?? null, time, condition: printCondition(condition)} as const;
	return {...met, ...Object.fromEntries(entries)};
}

/** What a watch polls for each of its markets. */
export const watchedResources = ['tickers', 'depth', 'tape', 'candles'] as const;

export const failureOf = (resource: Resource<unknown>) =>
	resource.status === 'waiting' ? undefined : resource.failure;

/** Whether another answer arrived, even with equal data. */
function isNewer<T>(resource: Resource<T> & {status: 'ready'}, before: Resource<T>): boolean {
	return before.status !== 'ready' || before.receivedAt !== resource.receivedAt || before.data !== resource.data;
}
