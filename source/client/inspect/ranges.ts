import type {Candle} from '../../market/types.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import {respectsRange} from '../wire/lists.ts';
import {isObstacle, type Obstacle, type RangeUnit} from './inspection.ts';
import {type InspectedOperation, inspectedPeriod, type Probe} from './operations.ts';
import {hasBadTimes} from './reports.ts';
import {isRefusal, lastAnswer, type Session} from './session.ts';
import {documentedLimit} from './specification.ts';

/** What an exchange does with a range in one unit. */
type RangeAnswer = 'understood' | 'ignored' | 'other';

/** Epoch ms. */
type Range = {readonly from: number; readonly to: number};

type Candles = InspectedOperation<readonly Candle[]>;

/** Probes a range within the newest candles in both units. */
export async function probeRangeUnit({probe}: Session, candles: Candles): Promise<RangeUnit | Obstacle> {
	const newest = lastAnswer(candles)?.data;
	if (!newest) return 'failed';
	if (hasBadTimes(candles)) return 'bad-times';
	const range = rangeWithin(newest);
	if (!range) return 'too-few';
	const answerIn = async (unitMs: number): Promise<RangeAnswer | Obstacle> => {
		const made = await probe(candles, {query: queryOf(range, unitMs)});
		if (made.answer) return rangeAnswer(made.answer.data, range, newest);
		return isRefusal(made) ? 'other' : 'failed';
	};
	const [ms, s] = [await answerIn(1), await answerIn(secondMs)];
	return isObstacle(ms) || isObstacle(s) ? 'failed' : rangeUnit({ms, s});
}

/** Whether there are candles before those of the pages; undefined if the exchange does not tell. */
export async function hasOlder({probe}: Session, {candles, pages, unit}: Pages): Promise<boolean | undefined> {
	const times = pages.flatMap(({answer}) => answer?.data ?? []).map(({time}) => time);
	const unitMs = unit === 's' ? secondMs : unit === 'ms' || unit === 'both' ? 1 : undefined;
	if (unitMs === undefined) return undefined;
	const oldest = times.reduce((least, time) => Math.min(least, time), Infinity);
	const periodMs = inspectedPeriod * minuteMs;
	const before = {from: oldest - documentedLimit.most * periodMs, to: oldest - periodMs};
	const {answer} = await probe(candles, {query: queryOf(before, unitMs)});
	if (answer?.data.length === 0) return false;
	return answer?.data.some(({time}) => time < oldest) || undefined;
}

type Pages = {
	readonly candles: Candles;
	readonly pages: readonly Probe<readonly Candle[]>[];
	readonly unit: RangeUnit | Obstacle | undefined;
};

const queryOf = ({from, to}: Range, unitMs: number) => ({startTime: from / unitMs, endTime: to / unitMs});

/** The times of two neighbouring candles in the middle; undefined if there are too few. */
export function rangeWithin(candles: readonly Candle[]): Range | undefined {
	const middle = Math.floor(candles.length / 2);
	const from = candles[middle - 1]?.time;
	const to = candles[middle]?.time;
	return candles.length < 6 || from === undefined || to === undefined ? undefined : {from, to};
}

/** `newest`: the candles without a range. */
export function rangeAnswer(candles: readonly Candle[], range: Range, newest: readonly Candle[]): RangeAnswer {
	if (respectsRange(candles, {...range, period: inspectedPeriod})) return 'understood';
	return candles.at(-1)?.time === newest.at(-1)?.time ? 'ignored' : 'other';
}

export function rangeUnit(answers: {readonly ms: RangeAnswer; readonly s: RangeAnswer}): RangeUnit {
	if (answers.ms === 'understood') return answers.s === 'understood' ? 'both' : 'ms';
	if (answers.s === 'understood') return 's';
	return answers.ms === 'ignored' && answers.s === 'ignored' ? 'neither' : 'other';
}
