import type {Condition} from '../../alerts/condition.ts';
import type {Met} from '../../alerts/condition-watch.ts';
import {printCondition} from '../../alerts/print-condition.ts';
import {marketValues} from '../../alerts/quantity-values.ts';
import {createNewTrades, type NewTrades} from '../../market/new-trades.ts';
import {tradeKey} from '../../market/tape.ts';
import type {ReadFailure} from '../../market/types.ts';
import type {found} from '../../schema/event-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {lastTradeTime} from '../../store/trade-time.ts';
import {depthEntry, failureEntry, listProvenance, periodEntry, tickerEntry, tradeEntry} from './documents.ts';
import {type AnyEvent, tradeEventKey} from './event-ids.ts';
import {type ChangedCandles, createChangedCandles} from './watch-candles.ts';
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

/** The last event of a watch whose condition is met, with all values of a market that satisfies it and those compared. */
export function metEvent(condition: Condition, state: MarketState, {values, trade}: Met, time: number): WatchEvent {
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
