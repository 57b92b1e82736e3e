import type {Candle} from '../../market/types.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import {respectsRange} from '../wire/lists.ts';
import {
	type Compliance,
	isObstacle,
	type LimitBounds,
	type LimitReport,
	type Obstacle,
	type RangeUnit,
	type TradeAgreement,
} from './inspection.ts';
import {type InspectedOperation, inspectedPeriod, type Probe, sentEntries} from './operations.ts';
import {hasBadTimes} from './reports.ts';
import {hasAnswered, isRefusal, lastAnswer, type Session} from './session.ts';
import {type DocumentedLimit, documentedLimit} from './specification.ts';

/** The documented bounds, and one beyond each. */
export const probedLimits: readonly number[] = [0, 1, 1000, 1001];

type Dated = ReadonlyArray<{readonly time: number}>;

/** The answer without a limit, and those with one by rising limit. */
export type LimitProbes = {
	readonly standard: Probe<Dated> | undefined;
	readonly limited: ReadonlyArray<{readonly limit: number; readonly probe: Probe<Dated>}>;
	/** Absent: none are documented. */
	readonly documented?: DocumentedLimit | undefined;
	/** Whether the exchange has more entries than the longest of these answers; absent: not known. */
	readonly hasMore?: boolean | undefined;
};

/**
 * Undefined if the operation has never answered. `hasMore`: whether the exchange has more entries than the longest of the
 * answers; asked only where it matters.
 */
export async function probeLimits<T extends Dated>(
	{probe}: Session,
	operation: InspectedOperation<T>,
	hasMore: (answers: readonly Probe<T>[]) => Promise<boolean | undefined> | boolean | undefined,
): Promise<LimitReport | undefined> {
	if (!hasAnswered(operation)) return undefined;
	const limited: {limit: number; probe: Probe<T>}[] = [];
	for (const limit of probedLimits) limited.push({limit, probe: await probe(operation, {query: {limit}})});
	const {interface: source, operation: name, samples, limit: {documented} = {}} = operation;
	const probes = {standard: samples.findLast(({answer}) => answer), limited, documented};
	const bounds = limitBounds(probes);
	const made = {interface: source, operation: name};
	if (bounds.most?.beyond !== 'unknown') return {...made, ...bounds};
	const more = await hasMore([...samples, ...limited.map(each => each.probe)]);
	return {...made, ...limitBounds({...probes, hasMore: more})};
}

export function limitBounds({standard, limited, documented, hasMore}: LimitProbes): LimitBounds {
	const answers = limited.map(({limit, probe}) => ({
		...{limit, outcome: outcomeOf(probe), entries: probe.answer && pageLength(probe), status: probe.status},
	}));
	const entries = standard && pageLength(standard);
	const longest = Math.max(entries ?? 0, ...answers.map(answer => answer.entries ?? 0));
	// A list may also have grown meanwhile.
	const isCut = limited.some(({probe}) => oldestOf(probe) < (standard && entries ? oldestOf(standard) : -Infinity));
	const exceeded = answers.find(answer => answer.limit > 0 && (answer.entries ?? 0) > answer.limit);
	return {
		default: entries,
		answers,
		most: mostOf(answers, longest, hasMore),
		exceeded: exceeded && {limit: exceeded.limit, entries: exceeded.entries ?? 0},
		documented: documented && {
			default: complianceOfDefault(entries, documented.default, hasMore || isCut),
			most: exceeded ? 'differs' : complianceOfMost(answers, documented.most, hasMore),
		},
	};
}

const oldestOf = ({answer}: Probe<Dated>): number =>
	answer?.data.reduce((oldest, {time}) => Math.min(oldest, time), Infinity) ?? Infinity;

const outcomeOf = (probe: Probe): LimitBounds['answers'][number]['outcome'] =>
	probe.answer ? 'answered' : isRefusal(probe) ? 'refused' : 'failed';

/** A shorter page may be all that the market has. */
function complianceOfDefault(entries: number | undefined, documented: number, hasMore: boolean): Compliance {
	if (entries === undefined) return 'unknown';
	if (entries === documented) return 'ok';
	return entries > documented || hasMore ? 'differs' : 'unknown';
}

function complianceOfMost(answers: LimitBounds['answers'], documented: number, hasMore = false): Compliance {
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

function mostOf(answers: LimitBounds['answers'], entries: number, hasMore?: boolean): LimitBounds['most'] {
	const answered = answers.filter(({outcome}) => outcome === 'answered');
	const largest = answered.at(-1);
	if (!largest) return undefined;
	const isServed = entries >= largest.limit;
	if (hasMore !== undefined && !isServed) return {entries, beyond: hasMore ? 'cut' : 'all'};
	if (answers.some(({outcome, limit}) => outcome === 'refused' && limit > largest.limit)) {
		return {entries, beyond: isServed ? 'refused' : 'unknown'};
	}

	if (isServed) return {entries, beyond: largest === answers.at(-1) ? 'more' : 'unknown'};
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
	return distinctOf(longest.flatMap(probe => sentEntries(probe) ?? [])) > most || undefined;
}

/**
 * True if the other interface has sent trades older than all of these answers, and the trades of both agree (`agreement`):
 * the market has more. Otherwise not known.
 */
export function hasOlderElsewhere(
	pages: readonly Probe<Dated>[],
	{samples}: InspectedOperation<Dated>,
	agreement: TradeAgreement | Obstacle | undefined,
): true | undefined {
	if (!agreement || isObstacle(agreement) || agreement.agreeing === 0) return undefined;
	const oldest = Math.min(...pages.map(oldestOf));
	// One interface may write whole seconds.
	return samples.some(sample => oldestOf(sample) <= oldest - secondMs) || undefined;
}

/** Number of entries; those that all come at least twice, a fault of its own, count once. */
function pageLength(probe: Probe): number | undefined {
	const sent = sentEntries(probe);
	const distinct = sent && distinctOf(sent);
	return sent && distinct && distinct <= sent.length / 2 ? distinct : sent?.length;
}

const distinctOf = (entries: readonly unknown[]): number => new Set(entries.map(entry => JSON.stringify(entry))).size;

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
