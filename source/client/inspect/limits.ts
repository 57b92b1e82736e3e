import type {Candle} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';
import {HttpStatusError, RefusedError} from '../errors.ts';
import {respectsRange} from '../wire/lists.ts';
import {inspectedPeriod, type Probe} from './operations.ts';
import {type DocumentedLimit, documentedLimit} from './specification.ts';

/** What an exchange does with one `limit`. `failed`: apparently for another reason than the limit. */
type LimitAnswer = {
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
	readonly default?: number | undefined;
	/** Ordered by limit. */
	readonly answers: readonly LimitAnswer[];
	/**
	 * The most entries in one answer. A limit beyond that is `refused`, `cut` or served (`more`), or there are no more
	 * entries (`all`), or that is `unknown`. Absent without any answer.
	 */
	readonly most?:
		| {readonly entries: number; readonly beyond: 'refused' | 'cut' | 'more' | 'all' | 'unknown'}
		| undefined;
	/** The first limit that was answered with more entries. */
	readonly exceeded?: {readonly limit: number; readonly entries: number} | undefined;
	/** The default and the maximum beside the documented ones; absent: none are documented. */
	readonly documented?: {readonly default: Compliance; readonly most: Compliance} | undefined;
};

/** `unknown`: the answers show neither. */
export type Compliance = 'ok' | 'differs' | 'unknown';

/** The documented bounds, and one beyond each. */
export const probedLimits: readonly number[] = [0, 1, 1000, 1001];

/** The answer without a limit, and those with one by rising limit. */
export type LimitProbes = {
	readonly standard: Probe | undefined;
	readonly limited: ReadonlyArray<{readonly limit: number; readonly probe: Probe}>;
	/** Absent: none are documented. */
	readonly documented?: DocumentedLimit | undefined;
	/** Whether the exchange has more entries than the longest of these answers; absent: not known. */
	readonly hasMore?: boolean | undefined;
};

export function limitBounds({standard, limited: probes, documented, hasMore}: LimitProbes): LimitBounds {
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
		default: entries,
		answers,
		most: mostOf(answers, entries ?? 0, hasMore),
		exceeded: exceeded && {limit: exceeded.limit, entries: exceeded.entries ?? 0},
		documented: documented && {
			default: complianceOfDefault(entries, answers, documented.default, hasMore),
			most: exceeded ? 'differs' : complianceOfMost(answers, documented.most, hasMore),
		},
	};
}

function complianceOfDefault(
	entries: number | undefined,
	answers: readonly LimitAnswer[],
	documented: number,
	hasMore = false,
): Compliance {
	if (entries === undefined) return 'unknown';
	if (entries === documented) return 'ok';
	// A shorter page may be all that the market has.
	const isCut = hasMore || answers.some(answer => (answer.entries ?? 0) > entries);
	return entries > documented || isCut ? 'differs' : 'unknown';
}

function complianceOfMost(answers: readonly LimitAnswer[], documented: number, hasMore = false): Compliance {
	const within = answers.find(({limit}) => limit === documented);
	const beyond = answers.find(({limit}) => limit === documented + 1);
	if (within?.outcome === 'refused') return 'differs';
	if (within?.outcome !== 'answered') return 'unknown';
	if ((within.entries ?? 0) < documented && hasMore) return 'differs';
	if (!beyond || beyond.outcome === 'failed') return 'unknown';
	if (beyond.outcome === 'refused') return 'ok';
	if ((beyond.entries ?? 0) > documented) return 'differs';
	return within.entries === documented ? 'ok' : 'unknown';
}

/** Whether the exchange refused the request for what it asks. */
export const isRefusal = ({error}: Probe): boolean =>
	error instanceof RefusedError || (error instanceof HttpStatusError && error.status < 500 && error.status !== 429);

function mostOf(answers: readonly LimitAnswer[], standard: number, hasMore?: boolean): LimitBounds['most'] {
	const answered = answers.filter(({outcome}) => outcome === 'answered');
	const largest = answered.at(-1);
	if (!largest) return undefined;
	const entries = Math.max(standard, ...answered.map(answer => answer.entries ?? 0));
	if (hasMore !== undefined && entries < largest.limit) return {entries, beyond: hasMore ? 'cut' : 'all'};
	if (answers.some(({outcome, limit}) => outcome === 'refused' && limit > largest.limit)) {
		return {entries, beyond: entries >= largest.limit ? 'refused' : 'unknown'};
	}

	if (entries >= largest.limit) return {entries, beyond: largest === answers.at(-1) ? 'more' : 'unknown'};
	// A single entry proves nothing.
	const isWhole = entries > 1 && answered.some(({limit}) => limit === entries);
	return {entries, beyond: isWhole ? 'cut' : 'unknown'};
}

/**
 * True if the longest answers, all of one length, show more different entries together than each of them: the oldest made
 * room for new ones. Otherwise not known.
 */
export function hasMoved(probes: readonly Probe[]): true | undefined {
	const most = Math.max(...probes.map(probe => pageLength(probe) ?? 0));
	const longest = probes.filter(probe => pageLength(probe) === most);
	const entries = new Set(longest.flatMap(probe => sentList(probe) ?? []).map(entry => JSON.stringify(entry)));
	return entries.size > most || undefined;
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

/** The documented maximum of candles before the oldest of `candles`, epoch ms; undefined if there is none. */
export function rangeBefore([oldest]: readonly Candle[]): Range | undefined {
	const periodMs = inspectedPeriod * minuteMs;
	return oldest && {from: oldest.time - documentedLimit.most * periodMs, to: oldest.time - periodMs};
}

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
