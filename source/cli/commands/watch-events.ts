import type {Condition} from '../../alerts/condition.ts';
import {printCondition} from '../../alerts/condition.ts';
import type {Alert} from '../../alerts/judged-rule.ts';
import {marketValues} from '../../alerts/quantity-values.ts';
import type {Answer} from '../../client/exchange.ts';
import {type CandleSeries, candleEnd} from '../../market/candles.ts';
import {createNewTrades, type NewTrades} from '../../market/new-trades.ts';
import {tradeKey} from '../../market/tape.ts';
import type {Candle, ReadFailure} from '../../market/types.ts';
import type {candleEvent, found} from '../../schema/event-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import type {Ready, Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {completeTo, lastTradeTime, madeAfter, tradeTime} from '../../store/trade-time.ts';
import {
	candleEntry,
	depthEntry,
	failureEntry,
	listProvenance,
	periodEntry,
	tickerEntry,
	tradeEntry,
} from './documents.ts';
import {type AnyEvent, tradeEventKey} from './event-lines.ts';
import {createFailureChanges, type FailureChange} from './watch-failures.ts';

/** One line of `watch --json`. */
export type WatchEvent = Of<typeof found> & Pick<AnyEvent, 'key'>;

const unanswered = {receivedAt: null, serverTime: null, gap: false} as const;

/** Of an event that is of no single answer. */
export const ofNoAnswer = {interface: null, ...unanswered} as const;

/**
 * Finds the events of one market: call it with each of its snapshots. Of the first trades and candles, only the newest is
 * an event; with `backfill` all are.
 */
export function createMarketEvents({backfill = false} = {}): (now: MarketState, time: number) => readonly WatchEvent[] {
	let before: MarketState | undefined;
	const tradeEvents = createTradeEvents(createNewTrades(backfill ? Infinity : 1));
	const changedCandles = createChangedCandles({backfill});
	const failureChanges = createFailureChanges();
	const reported = new WeakSet<ReadFailure>();
	return (now, time) => {
		const events = [
			...tickerEvents(before, now),
			...depthEvents(before, now),
			...tradeEvents(now),
			...candleEvents(before, now, changedCandles),
			...failureChanges(now, time).flatMap(each => failureEvents(each, now.symbol ?? null, time, reported)),
		];
		before = now;
		return events;
	};
}

function tickerEvents(
	before: MarketState | undefined,
	{symbol, tickers, trades: tape}: MarketState,
): readonly WatchEvent[] {
	if (tickers.status !== 'ready' || symbol === undefined) return [];
	const ticker = tickers.data.get(symbol);
	// An answer that stores share can come twice, as two maps of the same entries.
	if (!ticker || !isNewer(tickers, before?.tickers, data => data.get(symbol))) return [];
	// Every event has its own `type`.
	const {type: tickerType, ...entry} = tickerEntry(ticker);
	const gap = hasFailed(before?.tickers);
	const shown = {...entry, tickerType, lastTradeAt: lastTradeTime(tape) ?? null};
	return [{type: 'ticker', time: tickers.receivedAt, ...shown, gap, ...listProvenance(tickers)}];
}

function depthEvents(before: MarketState | undefined, {symbol, depth}: MarketState): readonly WatchEvent[] {
	if (depth.status !== 'ready' || !isNewer(depth, before?.depth, data => data)) return [];
	return [
		{
			type: 'depth',
			symbol: symbol ?? null,
			time: depth.receivedAt,
			...depthEntry(depth.data),
			gap: hasFailed(before?.depth),
			...listProvenance(depth),
		},
	];
}

function createTradeEvents(newTrades: NewTrades): (now: MarketState) => readonly WatchEvent[] {
	let gapsBefore: ReadonlySet<string> | undefined;
	/** Trades are missing since the last event, though not between it and the next one by time, as the exchange has set its clock. */
	let hasGap = false;
	return ({symbol, trades: tape}) => {
		if (tape.status !== 'ready') return [];
		const {trades, gaps} = tape.data;
		const added = newTrades(trades, tape.interface);
		if (gapsBefore && gaps !== gapsBefore) {
			// Below its end, a tape lacks trades that were reported before it started over.
			const others = new Set([...added, ...trades.slice(-1)].map(tradeKey));
			hasGap ||= gaps.difference(gapsBefore).difference(others).size > 0;
		}

		gapsBefore = gaps;
		return added.map(trade => {
			const gap = hasGap || gaps.has(tradeKey(trade));
			hasGap = false;
			return {
				...{type: 'trade', symbol: symbol ?? null, ...tradeEntry(trade), gap},
				...{key: tradeEventKey(trade, tape.interface), ...listProvenance(tape)},
			};
		});
	};
}

function candleEvents(
	before: MarketState | undefined,
	now: MarketState,
	changedCandles: ChangedCandles,
): readonly WatchEvent[] {
	const {symbol, period} = now;
	const isAfterFailure = hasFailed(before?.candles);
	return changedCandles(now).map((candle, index) => ({
		type: 'candle',
		symbol: symbol ?? null,
		period: periodEntry(period),
		...candle,
		gap: isAfterFailure && index === 0,
	}));
}

/**
 * One `error` for each failed request and each missing ticker, one `stale` when an answer is late or data becomes stale, one
 * `recovered`, with the interface that answers, when that has ended.
 */
function failureEvents(
	failure: FailureChange,
	symbol: string | null,
	time: number,
	reported: WeakSet<ReadFailure>,
): readonly WatchEvent[] {
	const {change, operation, error, since, retryAt, kept, left, hasWaited} = failure;
	const source = change === 'ended' ? kept?.interface : (error?.interface ?? kept?.interface);
	const dated = {
		...{symbol, time, operation, interface: source ? source : null},
		...{since, receivedAt: kept?.receivedAt ?? null, serverTime: kept?.serverTime ?? null, gap: false},
	} as const;
	if (change === 'ended') return [{type: 'recovered', ...dated}];
	if (!error) return [{type: 'stale', ...dated, ...{cause: 'waiting', waiting: time - since}}];
	// What the end of a failure leaves can have failed with it.
	const errors = [error, ...(error.other ? [error.other] : [])].filter(each => !reported.has(each));
	const failed = errors.map(each => {
		reported.add(each);
		return {type: 'error', symbol, time, ...failureEntry(each), retryAt: retryAt ?? null, ...unanswered} as const;
	});
	const isStale = change === 'began' && kept && left === 'nothing' && !hasWaited;
	return isStale ? [...failed, {type: 'stale', ...dated, ...{cause: error.kind, waiting: null}}] : failed;
}

/** What met the condition, and the markets that did. */
export type Met = Pick<Alert, 'time' | 'trade' | 'values' | 'gap'> & {readonly states: readonly MarketState[]};

/** The last event of a watch whose condition is met, with all values of a market that satisfies it and those compared. */
export function metEvent(condition: Condition, state: MarketState, {time, values, trade}: Met): WatchEvent {
	const met = {type: 'met', symbol: state.symbol ?? null, time, condition: printCondition(condition)} as const;
	const why = {values, ...(trade && {trade: tradeEntry(trade)})};
	return {
		...met,
		...marketValues(state, time),
		lastTradeAt: lastTradeTime(state.trades) ?? null,
		...why,
		...ofNoAnswer,
	};
}

/** Whether a request has failed since the last good answer. One that waits for the rate limit has not. */
function hasFailed(resource: Resource<unknown> | undefined): boolean {
	if (!resource || resource.status === 'waiting') return false;
	return resource.failure !== undefined && resource.failure.error.kind !== 'held';
}

/** Whether another answer arrived, even with equal data. `partOf` is what the event shows. */
function isNewer<T>(
	resource: Resource<T> & {status: 'ready'},
	before: Resource<T> | undefined,
	partOf: (data: T) => unknown,
): boolean {
	if (before?.status !== 'ready' || before.receivedAt !== resource.receivedAt) return true;
	return partOf(before.data) !== partOf(resource.data);
}

type Status = {
	readonly candle: Candle;
	/** Trades may be missing from it. */
	readonly partial: boolean;
	/** It has all its trades: the known ones go on beyond its end. */
	readonly closed: boolean;
};

/** The fields of a candle event that describe the candle. */
type ChangedCandle = Omit<Of<typeof candleEvent>, 'type' | 'symbol' | 'period' | 'gap'>;

type ChangedCandles = (state: MarketState) => readonly ChangedCandle[];

/**
 * Finds the candles that changed since the last state of a market, oldest first: values, `partial` or `closed`. Of the first
 * candles only the newest is a change, and none that a later answer adds before it; with `backfill` all are.
 */
function createChangedCandles({backfill}: {readonly backfill: boolean}): ChangedCandles {
	let series: CandleSeries | undefined;
	let previous: ReadonlyMap<number, Status> = new Map();
	/** Start of the newest of the first candles; with `backfill` of none. */
	let first = backfill ? -Infinity : Infinity;
	/** End of the first open candle. */
	let nextEnd = Infinity;

	return state => {
		const {candles} = state;
		if (candles.status !== 'ready') return [];
		const {period, partial} = candles.data;
		const time = completeToOf(candles, state.trades);
		if (candles.data === series && time < nextEnd) return [];
		series = candles.data;
		first = Math.min(first, series.candles.at(-1)?.time ?? Infinity);
		const statuses = series.candles.map(candle => ({
			candle,
			partial: partial?.has(candle.time) ?? false,
			closed: candleEnd(candle, period) <= time,
		}));
		const changed = statuses.filter(status => {
			const before = previous.get(status.candle.time);
			return before ? !isSame(status, before) : status.candle.time >= first;
		});
		previous = new Map(statuses.map(status => [status.candle.time, status]));
		const open = statuses.filter(({closed}) => !closed);
		nextEnd = Math.min(...open.map(({candle}) => candleEnd(candle, period)));
		return changed.map(({candle, ...status}) => ({
			...candleEntry(candle),
			...sourceOf(candle, candles, state.trades),
			...status,
		}));
	};
}

function isSame(status: Status, before: Status): boolean {
	if (status.closed !== before.closed || status.partial !== before.partial) return false;
	return status.candle === before.candle || textOf(status.candle) === textOf(before.candle);
}

const textOf = (candle: Candle): string => JSON.stringify(candleEntry(candle));

/** Up to when all trades are known that the candles are made of, epoch ms by their clock. That of another interface may differ. */
function completeToOf(candles: Ready<CandleSeries>, tape: MarketState['trades']): number {
	const isOfTape = tape.status === 'ready' && tape.interface === candles.interface;
	return Math.max(tradeTime(candles, madeAfter(candles)), isOfTape ? completeTo(tape) : -Infinity);
}

/** What a candle is built from, and the interface, time of receipt and counts of the last part of it. */
function sourceOf(candle: Candle, candles: Answer<CandleSeries>, tape: MarketState['trades']) {
	const {builtFrom, period, added} = candles.data;
	const name = candles.interface;
	if (!added || tape.status !== 'ready' || candleEnd(candle, period) <= added.from) {
		return {builtFrom, ...listProvenance(candles)};
	}

	const newest = listProvenance(tape);
	const tapeName = tape.interface;
	if (candle.time > added.lastSent) return {builtFrom: 'trades', ...newest} as const;
	const both = name === tapeName ? name : name === 'v2' ? 'v2+legacy' : 'legacy+v2';
	const parts = builtFrom === 'trades' ? builtFrom : (`${builtFrom}+trades` as const);
	return {builtFrom: parts, ...newest, interface: both} as const;
}
