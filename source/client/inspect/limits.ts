import type {Candle} from '../../market/types.ts';
import {HttpStatusError, RefusedError} from '../errors.ts';
import {respectsRange} from '../wire/lists.ts';
import {inspectedPeriod, type Probe} from './operations.ts';
import type {DocumentedLimit} from './specification.ts';

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
	/** The first limit that was answered with more entries. */
	readonly exceeded?: {readonly limit: number; readonly entries: number} | undefined;
	/** The default and the maximum beside the documented ones; absent: none are documented. */
	readonly documented?: {readonly standard: Compliance; readonly most: Compliance} | undefined;
};

/** `unknown`: the answers show neither. */
export type Compliance = 'ok' | 'differs' | 'unknown';

/** The documented bounds, and one beyond each. */
export const probedLimits: readonly number[] = [0, 1, 1000, 1001];

export function limitBounds(
	standard: Probe | undefined,
	probes: ReadonlyArray<{readonly limit: number; readonly probe: Probe}>,
	documented?: DocumentedLimit,
): LimitBounds {
	const answers = probes.map(
		({limit, probe}): LimitAnswer => ({
			limit,
			outcome: probe.answer ? 'answered' : isRefusal(probe) ? 'refused' : 'failed',
			entries: pageLength(probe),
			status: probe.status,
		}),
	);
	const entries = standard && pageLength(standard);
	const exceeded = answers.find(answer => answer.limit > 0 && (answer.entries ?? 0) > answer.limit);
	return {
		standard: entries,
		answers,
		most: mostOf(answers, entries ?? 0),
		...(exceeded && {exceeded: {limit: exceeded.limit, entries: exceeded.entries ?? 0}}),
		...(documented && {
			documented: {
				standard: complianceOfDefault(entries, answers, documented.standard),
				most: exceeded ? 'differs' : complianceOfMost(answers, documented.most),
			},
		}),
	};
}

function complianceOfDefault(
	entries: number | undefined,
	answers: readonly LimitAnswer[],
	documented: number,
): Compliance {
	if (entries === undefined) return 'unknown';
	if (entries === documented) return 'ok';
	// A shorter page may be all that the market has.
	const hasMore = answers.some(answer => (answer.entries ?? 0) > entries);
	return entries > documented || hasMore ? 'differs' : 'unknown';
}

function complianceOfMost(answers: readonly LimitAnswer[], documented: number): Compliance {
	const within = answers.find(({limit}) => limit === documented);
	const beyond = answers.find(({limit}) => limit === documented + 1);
	if (within?.outcome === 'refused') return 'differs';
	if (within?.outcome !== 'answered' || !beyond || beyond.outcome === 'failed') return 'unknown';
	if (beyond.outcome === 'refused') return 'ok';
	if ((beyond.entries ?? 0) > documented) return 'differs';
	return within.entries === documented ? 'ok' : 'unknown';
}

/** Whether the exchange refused the request for what it asks. */
export const isRefusal = ({error}: Probe): boolean =>
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

/** Number of entries in the answer's list as sent, or of levels in its book; undefined if it has neither. */
export function entriesOf(probe: Probe): number | undefined {
	const sent = sentList(probe);
	if (sent) return sent.length;
	const {answer} = probe;
	if (typeof answer?.data !== 'object' || answer.data === null) return undefined;
	if (Array.isArray(answer.data)) return answer.data.length + answer.dropped;
	return 'asks' in answer.data ? levelsOf(answer.data) + answer.dropped : undefined;
}

/** As `entriesOf`, but entries that come at least twice, as a rule, count once: that is a fault of its own. */
function pageLength(probe: Probe): number | undefined {
	const sent = sentList(probe) ?? [];
	const distinct = new Set(sent.map(entry => JSON.stringify(entry))).size;
	return sent.length > 0 && distinct <= sent.length / 2 ? distinct : entriesOf(probe);
}

/** Decoding drops entries. */
function sentList({json, answer}: Probe): readonly unknown[] | undefined {
	const data = answer && typeof json === 'object' && json !== null && 'data' in json ? json.data : undefined;
	return Array.isArray(data) ? data : undefined;
}

function levelsOf(book: object): number {
	return Object.values(book).reduce((sum: number, side: unknown) => sum + (Array.isArray(side) ? side.length : 0), 0);
}

/**
 * The unit of `startTime` and `endTime`. `both`: either is understood. `neither`: they are ignored, the answer is the newest
 * candles. `other`: the answer is neither the range nor the newest candles.
 */
export type RangeUnit = 'ms' | 's' | 'both' | 'neither' | 'other';

/** What an exchange does with a range in one unit. */
export type RangeAnswer = 'understood' | 'ignored' | 'other';

type Range = {readonly from: number; readonly to: number};

/** The times (epoch ms) of two neighbouring candles in the middle; undefined if there are too few. */
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
