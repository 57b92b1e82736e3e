import type {Candle} from '../../market/types.ts';
import {HttpStatusError, RefusedError} from '../errors.ts';
import type {Probe} from './operations.ts';

/** What an exchange does with one `limit`. `failed`: apparently for another reason than the limit. */
export type LimitAnswer = {
	readonly limit: number;
	readonly outcome: 'answered' | 'refused' | 'failed';
	/** Entries in the answer. */
	readonly entries?: number | undefined;
	/** HTTP status; absent without an answer. */
	readonly status?: number | undefined;
};

/** The bounds of `limit`, as far as a few probes can show. */
export type LimitBounds = {
	/** Entries when no limit is sent; absent if that failed. */
	readonly standard?: number | undefined;
	/** Ordered by limit. */
	readonly answers: readonly LimitAnswer[];
	/**
	 * The most entries in one answer. A limit beyond that is `refused`, `cut` or served (`more`), or that is `unknown`
	 * because the market may have no more entries. Absent without any answer.
	 */
	readonly most?: {readonly entries: number; readonly beyond: 'refused' | 'cut' | 'more' | 'unknown'} | undefined;
};

/** The documented bounds, and one beyond each. */
export const probedLimits: readonly number[] = [0, 1, 1000, 1001];

export function limitBounds(
	standard: Probe | undefined,
	probes: ReadonlyArray<{readonly limit: number; readonly probe: Probe}>,
): LimitBounds {
	const answers = probes.map(
		({limit, probe}): LimitAnswer => ({
			limit,
			outcome: probe.answer ? 'answered' : isRefusal(probe) ? 'refused' : 'failed',
			entries: entriesOf(probe),
			status: probe.status,
		}),
	);
	const entries = standard && entriesOf(standard);
	return {standard: entries, answers, most: mostOf(answers, entries ?? 0)};
}

const isRefusal = ({error}: Probe): boolean =>
	error instanceof RefusedError || (error instanceof HttpStatusError && error.status < 500 && error.status !== 429);

function mostOf(answers: readonly LimitAnswer[], standard: number): LimitBounds['most'] {
	const answered = answers.filter(({outcome}) => outcome === 'answered');
	const largest = answered.at(-1);
	if (!largest) return undefined;
	const entries = Math.max(standard, ...answered.map(answer => answer.entries ?? 0));
	if (answers.some(({outcome, limit}) => outcome === 'refused' && limit > largest.limit)) {
		return {entries, beyond: entries >= largest.limit ? 'refused' : 'unknown'};
	}

	if (entries >= largest.limit) return {entries, beyond: largest === answers.at(-1) ? 'more' : 'unknown'};
	// A single entry proves nothing.
	const isWhole = entries > 1 && answered.some(({limit}) => limit === entries);
	return {entries, beyond: isWhole ? 'cut' : 'unknown'};
}

/** Number of entries in the answer's list, or of levels in its book; undefined if it has neither. */
export function entriesOf({json, answer}: Probe): number | undefined {
	if (!answer) return undefined;
	// Counted as sent, because decoding drops duplicates.
	const sent = typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
	if (Array.isArray(sent)) return sent.length;
	const {data, dropped} = answer;
	if (Array.isArray(data)) return data.length + dropped;
	return typeof data === 'object' && data !== null && 'asks' in data ? levelsOf(data) + dropped : undefined;
}

function levelsOf(book: object): number {
	return Object.values(book).reduce((sum: number, side: unknown) => sum + (Array.isArray(side) ? side.length : 0), 0);
}

/** The unit of `startTime` and `endTime`. `both`: either is understood; `neither`: candles outside the range, or none. */
export type RangeUnit = 'ms' | 's' | 'both' | 'neither';

type Range = {readonly from: number; readonly to: number};

/** The times (epoch ms) of two neighbouring candles in the middle; undefined if there are too few. */
export function rangeWithin(candles: readonly Candle[]): Range | undefined {
	const middle = Math.floor(candles.length / 2);
	const from = candles[middle - 1]?.time;
	const to = candles[middle]?.time;
	return candles.length < 6 || from === undefined || to === undefined ? undefined : {from, to};
}

export function rangeUnit(understood: {readonly ms: boolean; readonly s: boolean}): RangeUnit {
	if (understood.ms) return understood.s ? 'both' : 'ms';
	return understood.s ? 's' : 'neither';
}
