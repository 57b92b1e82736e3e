import type {Candle} from '../../market/types.ts';
import {inspectedPeriod} from './operations.ts';

/** What `startTime` and `endTime` count; `both`: either is understood; `neither`: candles outside the range, or none. */
export type RangeUnit = 'ms' | 's' | 'both' | 'neither';

/** Epoch ms: two of the candles known that have others on both sides; undefined where there are too few. */
export function knownRange(candles: readonly Candle[]): {readonly from: number; readonly to: number} | undefined {
	const middle = Math.floor(candles.length / 2);
	const from = candles[middle - 1]?.time;
	const to = candles[middle]?.time;
	return candles.length < 6 || from === undefined || to === undefined ? undefined : {from, to};
}

/** Whether the answer has candles, all of which at least reach into the range. */
export function liesIn(candles: readonly Candle[], {from, to}: {readonly from: number; readonly to: number}): boolean {
	const slackMs = inspectedPeriod * 60_000;
	return candles.length > 0 && candles.every(({time}) => time > from - slackMs && time < to + slackMs);
}

export function rangeUnit(understood: {readonly ms: boolean; readonly s: boolean}): RangeUnit {
	if (understood.ms) return understood.s ? 'both' : 'ms';
	return understood.s ? 's' : 'neither';
}
