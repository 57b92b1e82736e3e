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
import {countsOf, depthEntry, failureEntry, listProvenance, periodEntry, tickerEntry, tradeEntry} from './documents.ts';
import {type ChangedCandles, createChangedCandles} from './watch-candles.ts';
import {createFailureChanges, type FailureChange} from './watch-failures.ts';

/** One line of `watch --json`. */
export type WatchEvent = Of<typeof found>;

/**
 * Finds the events of one market: call it with each of its snapshots. Of the first trades and candles, only the newest is
 * an event.
 */
export function createMarketEvents(): (now: MarketState, time: number) => readonly WatchEvent[] {
	let before: MarketState | undefined;
	const newTrades = createNewTrades();
	const changedCandles = createChangedCandles();
	const failureChanges = createFailureChanges();
	const reported = new WeakSet<ReadFailure>();
	return (now, time) => {
		const events = [
			...tickerEvents(before, now),
			...depthEvents(before, now),
			...tradeEvents(now, newTrades),
			...candleEvents(now, changedCandles),
			...failureChanges(now, time).flatMap(each => failureEvents(each, now.symbol ?? null, time, reported)),
		];
		before = now;
		return events;
	};
}

function tickerEvents(before: MarketState | undefined, {symbol, tickers}: MarketState): readonly WatchEvent[] {
	if (tickers.status !== 'ready' || symbol === undefined) return [];
	const ticker = tickers.data.get(symbol);
	// An answer that stores share can come twice, as two maps of the same entries.
	if (!ticker || !isNewer(tickers, before?.tickers, data => data.get(symbol))) return [];
	// Every event has its own `type`.
	const {type: tickerType, ...entry} = tickerEntry(ticker);
	return [{type: 'ticker', time: tickers.receivedAt, ...{...entry, tickerType}, ...listProvenance(tickers)}];
}

function depthEvents(before: MarketState | undefined, {symbol, depth}: MarketState): readonly WatchEvent[] {
	if (depth.status !== 'ready' || !isNewer(depth, before?.depth, data => data)) return [];
	return [
		{
			type: 'depth',
			symbol: symbol ?? null,
			time: depth.receivedAt,
			...depthEntry(depth.data),
			...listProvenance(depth),
		},
	];
}

/** `gap`: trades before this one may be missing. */
function tradeEvents({symbol, tape}: MarketState, newTrades: NewTrades): readonly WatchEvent[] {
	if (tape.status !== 'ready') return [];
	return newTrades(tape.data.trades, tape.interface).map(trade => ({
		type: 'trade',
		symbol: symbol ?? null,
		...tradeEntry(trade),
		gap: tape.data.gaps.has(tradeKey(trade)),
		interface: tape.interface,
		receivedAt: tape.receivedAt,
		...countsOf(tape),
	}));
}

function candleEvents(now: MarketState, changedCandles: ChangedCandles): readonly WatchEvent[] {
	const {symbol, period} = now;
	return changedCandles(now).map(candle => ({
		type: 'candle',
		symbol: symbol ?? null,
		period: periodEntry(period),
		...candle,
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
		...{since, receivedAt: kept?.receivedAt ?? null},
	} as const;
	if (change === 'ended') return [{type: 'recovered', ...dated}];
	if (!error) return [{type: 'stale', ...dated, ...{cause: 'waiting', waiting: time - since}}];
	// What the end of a failure leaves can have failed with it.
	const errors = [error, ...(error.other ? [error.other] : [])].filter(each => !reported.has(each));
	const failed = errors.map(each => {
		reported.add(each);
		return {type: 'error', symbol, time, ...failureEntry(each), retryAt: retryAt ?? null} as const;
	});
	const isStale = change === 'began' && kept && left === 'nothing' && !hasWaited;
	return isStale ? [...failed, {type: 'stale', ...dated, ...{cause: error.kind, waiting: null}}] : failed;
}

/** The last event of a watch whose condition is met, with all values of a market that satisfies it and those compared. */
export function metEvent(condition: Condition, state: MarketState, {values, trade}: Met, time: number): WatchEvent {
	const met = {type: 'met', symbol: state.symbol ?? null, time, condition: printCondition(condition)} as const;
	const why = {values, ...(trade && {trade: tradeEntry(trade)})};
	return {...met, ...marketValues(state, time), ...why};
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
