import {percentile} from '../../market/numbers.ts';
import type {Interface} from '../../market/types.ts';
import type {Operation} from '../errors.ts';
import type {BookAgreement, ShortList, StateAgreement, SummaryAgreement, TickerAgreement} from './agreement.ts';
import {clean, deviationsOf} from './deviations.ts';
import type {Flaw} from './flaws.ts';
import {type LimitBounds, sentEntries} from './limits.ts';
import type {InspectedOperation, Obstacle, Probe} from './operations.ts';
import type {RangeUnit} from './ranges.ts';
import type {Deviation} from './shape.ts';
import type {InterfaceClock, TickerDelay} from './timing.ts';
import type {TradeAgreement} from './trade-agreement.ts';

/** What the probes of an exchange found. An absent field could not be determined: see the operations' errors. */
export type Inspection = {
	/** The inspected market. */
	readonly symbol: string;
	/** Number of all requests. */
	readonly requests: number;
	readonly operations: readonly OperationReport[];
	/** Whether the v2 book shows bids. */
	readonly v2Bids?: boolean | undefined;
	/** None of an interface whose answers have no plausible time. */
	readonly clocks: readonly InterfaceClock[];
	/** How far the stamps of answers are ahead of the trades' own times; absent: less than 2 s, or unknown. */
	readonly tradeClocks: ReadonlyArray<{
		readonly interface: Interface;
		readonly serverTimeAheadMs?: number | undefined;
	}>;
	readonly limits: ReadonlyArray<LimitBounds & {readonly interface: Interface; readonly operation: Operation}>;
	/** Only where v2 is configured. */
	readonly rangeUnit?: RangeUnit | Obstacle | undefined;
	readonly tickerDelays: ReadonlyArray<{
		readonly interface: Interface;
		readonly operation: Operation;
		readonly delay: TickerDelay | Obstacle;
	}>;
	/** Lists of markets that lack markets of the others. */
	readonly shortLists: readonly ShortList[];
	/** Of v2's ticker and summary; only where v2 is configured. */
	readonly summary?: SummaryAgreement | Obstacle | undefined;
	/** Of v2's list of markets and each list of tickers; none where nothing can be compared. */
	readonly states: readonly StateAgreement[];
	/** Only where both interfaces are configured. */
	readonly agreement?: Agreements | undefined;
	/** None of an interface where no cache is known. */
	readonly caches: readonly CacheReport[];
	readonly connections: ReadonlyArray<{
		readonly interface: Interface;
		readonly requests: number;
		/** Connections opened for these requests, and how many of them right after an answer, whose connection could be kept. */
		readonly opened: number;
		readonly reopened: number;
	}>;
	readonly rateLimit: {
		/** Requests answered 429. */
		readonly refusals: number;
		/** The longest wait that the exchange asked for; absent: none. */
		readonly longestWaitMs?: number | undefined;
		/** Requests per second that the budget allowed in the end. */
		readonly allowed: number;
		/** Rate-limit headers with their last values. */
		readonly headers: ReadonlyArray<{readonly interface: Interface; readonly name: string; readonly value: string}>;
	};
};

type CacheReport = {
	readonly interface: Interface;
	/** Good answers, and how many of them a cache had kept. */
	readonly answers: number;
	readonly hits: number;
	/** The age of the oldest of these when it came. */
	readonly oldestMs: number;
	/** Whether headers tell of the cache; otherwise an answer came twice. */
	readonly isSaid: boolean;
	/** The last `Via`. */
	readonly via?: string | undefined;
};

/** Of v2 and legacy. */
export type Agreements = {
	readonly tickers: TickerAgreement | Obstacle;
	readonly book: BookAgreement | Obstacle;
	readonly trades: TradeAgreement | Obstacle;
};

export type OperationReport = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Samples of the operation, and how many of them failed. */
	readonly requests: number;
	readonly failures: number;
	/** Requests of all kinds that failed other than by the rate limit, and were sent again. */
	readonly repeats: number;
	/** How the last of those failed. */
	readonly repeatedAfter?: string | undefined;
	/** HTTP status of the last answer; absent if there was none. */
	readonly status?: number | undefined;
	/** The last failure. */
	readonly error?: {readonly brief: string; readonly message: string; readonly advice: string} | undefined;
	/** Duration of good answers to the last byte; only of those on reused connections, if there are any. */
	readonly p50Ms?: number | undefined;
	readonly p95Ms?: number | undefined;
	/** Size of the last good answer, as sent and decompressed. */
	readonly sentBytes?: number | undefined;
	readonly bytes?: number | undefined;
	/** The `Content-Encoding` of the last good answer. */
	readonly encoding?: string | undefined;
	/** Entries or levels of the last good answer, and how many could not be read. */
	readonly entries?: number | undefined;
	readonly dropped: number;
	/** How many entries were not read, because the list is too long. */
	readonly cut: number;
	readonly deviations: readonly Deviation[];
	/** Of the last good answer. */
	readonly flaws: readonly Flaw[];
};

/** `probes`: all of the inspection. */
export function operationReport(
	inspected: InspectedOperation,
	probes: readonly Probe[],
	symbol: string,
): OperationReport {
	const {samples} = inspected;
	const isOwn = (probe: Probe) => probe.interface === inspected.interface && probe.operation === inspected.operation;
	const repeated = probes.filter(probe => isOwn(probe) && probe.repeated && probe.status !== 429);
	const good = samples.filter(({answer}) => answer);
	const last = good.at(-1);
	const failed = samples.findLast(({error}) => error)?.error;
	const quick = good.filter(({connected}) => !connected);
	const durations = (quick.length > 0 ? quick : good).map(({durationMs}) => durationMs);
	return {
		operation: inspected.operation,
		interface: inspected.interface,
		requests: samples.length,
		failures: samples.length - good.length,
		repeats: repeated.length,
		repeatedAfter: repeated.at(-1)?.error?.brief,
		status: samples.at(-1)?.status,
		error: failed && {brief: failed.brief, message: failed.message, advice: failed.words.advice},
		p50Ms: percentile(durations, 0.5),
		p95Ms: percentile(durations, 0.95),
		sentBytes: last?.sentBytes,
		bytes: last?.bytes,
		encoding: last && headerText(last, 'content-encoding'),
		entries: last && sentEntries(last)?.length,
		dropped: last?.answer?.dropped ?? 0,
		cut: last?.answer?.cut ?? 0,
		deviations: deviationsOf(inspected),
		flaws: last?.answer ? inspected.examine(last.answer.data, symbol) : [],
	};
}

const headerText = ({headers}: Probe, name: string): string | undefined => {
	const header = headers[name];
	return header === undefined ? undefined : shortened(header);
};

/** A name or value of a header, which can be as long as all headers together. */
const shortened = (text: string): string => clean(text).slice(0, 100);

export const connectionReports = (
	probes: readonly Probe[],
	interfaces: readonly Interface[],
): Inspection['connections'] =>
	interfaces.map(source => {
		const own = probes.filter(probe => probe.interface === source);
		const opened = own.filter(({connected}) => connected);
		const reopened = opened.filter(probe => probes[probes.indexOf(probe) - 1]?.answer);
		return {interface: source, requests: own.length, opened: opened.length, reopened: reopened.length};
	});

/** `frozen`: interfaces whose clock does not run, so that answers may be alike without a cache. */
export const cacheReports = (
	probes: readonly Probe[],
	interfaces: readonly Interface[],
	frozen: readonly Interface[],
): Inspection['caches'] =>
	interfaces.flatMap(source => {
		const own = probes.filter(probe => probe.interface === source);
		const uses = own.flatMap(({answer}) => answer?.cache ?? []);
		const isSaid = uses.some(use => use.isSaid);
		if (uses.length === 0 || (!isSaid && frozen.includes(source))) return [];
		const last = own.findLast(({answer, headers}) => answer?.cache && headers.via);
		return [
			{
				interface: source,
				answers: own.filter(({answer}) => answer).length,
				hits: uses.filter(({isHit}) => isHit).length,
				oldestMs: Math.max(...uses.map(({ageMs}) => ageMs)),
				isSaid,
				via: last && headerText(last, 'via'),
			},
		];
	});

/** Names that exchanges commonly use. */
const isRateHeader = /rate-?limit|^retry-after$|^x-mbx-used-weight|^x-.*-quota/;

/** The last value of each rate-limit header, by interface and name. */
export function rateHeaders(probes: readonly Probe[]): Inspection['rateLimit']['headers'] {
	const found = new Map<string, Inspection['rateLimit']['headers'][number]>();
	for (const probe of probes) {
		for (const name of Object.keys(probe.headers).filter(key => isRateHeader.test(key))) {
			const value = headerText(probe, name) ?? '';
			found.set(`${probe.interface} ${name}`, {interface: probe.interface, name: shortened(name), value});
		}
	}

	return [...found.values()];
}
