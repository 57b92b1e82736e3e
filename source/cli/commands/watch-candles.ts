import type {Answer} from '../../client/exchange.ts';
import {type CandleSeries, candleEnd} from '../../market/candles.ts';
import type {Candle} from '../../market/types.ts';
import type {candleEvent} from '../../schema/event-schemas.ts';
import type {Of} from '../../schema/parts.ts';
import type {Ready} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import {completeTo, madeAfter, tradeTime} from '../../store/trade-time.ts';
import {candleEntry, listProvenance} from './documents.ts';

type Status = {
	readonly candle: Candle;
	/** Trades may be missing from it. */
	readonly partial: boolean;
	/** It has all its trades: the known ones go on beyond its end. */
	readonly closed: boolean;
};

/** The fields of a candle event that describe the candle. */
type ChangedCandle = Omit<Of<typeof candleEvent>, 'type' | 'symbol' | 'period' | 'gap'>;

export type ChangedCandles = (state: MarketState) => readonly ChangedCandle[];

/**
 * Finds the candles that changed since the last state of a market, oldest first: values, `partial` or `closed`. Of the first
 * candles only the newest is a change, and none that a later answer adds before it; with `backfill` all are.
 */
export function createChangedCandles({backfill}: {readonly backfill: boolean}): ChangedCandles {
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
