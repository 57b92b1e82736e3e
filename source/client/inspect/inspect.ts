import type {Clock} from '../../market/clock.ts';
import type {Candle, Interface, Market} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import type {Exchange, Observe} from '../exchange.ts';
import {createHttp} from '../http.ts';
import {createPaces} from '../pace.ts';
import {type Agreement, bookAgreement, shortLists, type Three, tickerAgreement} from './agreement.ts';
import {compareTrades, type Interfaces, marketLists, pairObstacle, tickerDelays} from './comparisons.ts';
import {
	hasMoved,
	isRefusal,
	limitBounds,
	probedLimits,
	type RangeAnswer,
	type RangeUnit,
	rangeAnswer,
	rangeBefore,
	rangeUnit,
	rangeWithin,
} from './limits.ts';
import {
	createV1Operations,
	createV2Operations,
	type InspectedOperation,
	isObstacle,
	type Obstacle,
	type Probe,
} from './operations.ts';
import type {Inspection} from './reports.ts';
import {connectionReports, operationReport, rateHeaders} from './reports.ts';
import {createSession, hasAnswered, lastAnswer, type Session} from './session.ts';
import {documentedLimit} from './specification.ts';
import {interfaceClocks} from './timing.ts';

export type Progress = {
	/** Requests made, and how many there will be if all goes well from here on. */
	readonly made: number;
	readonly expected: number;
	/** When the next may start, epoch ms, and what holds it: the rate of requests, a 429 or another failure; absent: now. */
	readonly wait?: {readonly until: number; readonly for: 'rate' | 'rate-limited' | 'failure'} | undefined;
};

export type InspectOptions = {
	/** One of the two addresses is needed. Both have been validated. */
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
	/** Limit for a whole request. */
	readonly timeoutMs: number;
	/** Maximum requests per second. */
	readonly rate: number;
	/** Number of probes of each operation, at least 1. */
	readonly samples: number;
	/** Chooses the symbol to inspect from the exchange's markets (undefined if it lists none). If it throws, the inspection ends. */
	readonly choose: (markets: readonly Market[] | undefined) => string;
	/** Called before each request and each wait. */
	readonly onProgress?: ((progress: Progress) => void) | undefined;
	readonly clock: Clock;
	/** In [0, 1), for jitter. */
	readonly random: () => number;
	readonly signal?: AbortSignal | undefined;
	readonly observe?: Observe | undefined;
};

/**
 * Probes every operation of every configured interface `samples` times in turn, then what the specification leaves open,
 * one request at a time. Failures become part of the report. Rejects only with an AbortedError or the error of `choose`.
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
	const {baseUrl, legacyBaseUrl, timeoutMs, rate, samples, clock, random, signal, observe} = options;
	const baseUrls: Partial<Record<Interface, URL>> = {
		...(baseUrl !== undefined && {v2: new URL(baseUrl)}),
		...(legacyBaseUrl !== undefined && {v1: new URL(legacyBaseUrl)}),
	};
	const v2 = baseUrls.v2 && createV2Operations();
	const v1 = baseUrls.v1 && createV1Operations();
	const operations: readonly InspectedOperation[] = [...Object.values(v2 ?? {}), ...Object.values(v1 ?? {})];
	const limited = operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	const expected =
		operations.length * samples + (v2 && v1 ? 6 : 0) + limited.length * probedLimits.length + (v2 ? 2 : 0);

	const paces = createPaces(Object.values(baseUrls), {rate, maxRate: rate, clock, random});
	const http = createHttp({timeoutMs, paceOf: paces.of, clock});
	const report = (wait: Progress['wait']) => {
		const {length: made} = session.probes;
		const repeated = session.probes.filter(probe => probe.repeated).length;
		options.onProgress?.({made, expected: Math.max(expected + repeated, made + 1), wait});
	};
	const onRequest = () => {
		const {freeAt} = paces.budget();
		const cause = session.probes.at(-1)?.status === 429 ? 'rate-limited' : 'rate';
		report(freeAt === undefined ? undefined : {until: freeAt, for: cause});
	};
	const onRetry = (until: number) => report({until, for: 'failure'});
	const session: Session = createSession({http, baseUrls, clock, random, signal, observe, onRequest, onRetry});
	try {
		const symbol = await sampleAll(session, options, {v2, v1}, operations);
		const both = v2 && v1 && {v2, v1};
		const tickers = both && (await compareAround(session, [both.v2.ticker, both.v1.ticker], tickerAgreement));
		const book = both && (await compareAround(session, [both.v1.depth, both.v2.depth], bookAgreement));
		const unit = v2 && (await probeRangeUnit(session, v2));
		const limits = [
			v2 && (await probeLimits(session, v2.trades, hasMoved)),
			v2 && (await probeLimits(session, v2.candles, pages => hasOlder(session, {candles: v2.candles, pages, unit}))),
			v1 && (await probeLimits(session, v1.trades, hasMoved)),
		].filter(bounds => bounds !== undefined);

		const {probes} = session;
		const interfaces = (['v2', 'v1'] as const).filter(name => baseUrls[name]);
		const v2Book = v2 && lastAnswer(v2.depth);
		const reports = operations.map(operation => operationReport(operation, probes, symbol));
		const trades = both && compareTrades(both, reports);
		return {
			symbol,
			requests: probes.length,
			operations: reports,
			v2Bids: v2Book && v2Book.bids !== undefined,
			clocks: interfaces.flatMap(source =>
				interfaceClocks(
					source,
					probes.filter(probe => probe.interface === source),
				),
			),
			tickerDelays: tickerDelays({v2, v1}, {symbol, reports, trades}),
			limits,
			rangeUnit: unit,
			shortLists: shortLists(marketLists({v2, v1}, reports)),
			agreement: trades && {
				tickers: pairObstacle(reports, 'ticker') ?? tickers ?? 'failed',
				book: pairObstacle(reports, 'depth') ?? book ?? 'failed',
				trades,
			},
			connections: connectionReports(probes, interfaces),
			rateLimit: rateLimitOf(probes, paces.budget()),
		};
	} finally {
		session.close();
		await http.close();
	}
}

/** Samples every operation in rounds. Resolves with the symbol, which is chosen after the first answer. */
async function sampleAll(
	session: Session,
	{samples, choose}: InspectOptions,
	{v2, v1}: Interfaces,
	operations: readonly InspectedOperation[],
): Promise<string> {
	const marketList = v2?.markets ?? v1?.ticker;
	if (marketList) await session.sample(marketList);
	const symbol = choose(v2 ? lastAnswer(v2.markets) : v1 && lastAnswer(v1.ticker));
	session.choose(symbol);
	// A ticker is read before the trades that it is compared with.
	for (let round = 0; round < samples; round++) {
		for (const operation of operations) {
			if (round > 0 || operation !== marketList) await session.sample(operation);
		}
	}

	return symbol;
}

const mostComparisons = 3;

/** Compares two interfaces, and again while they differ; undefined if a request failed. */
async function compareAround<T, A extends object>(
	session: Session,
	[outer, inner]: readonly [InspectedOperation<T>, InspectedOperation<T>],
	compare: (three: Three<T>, earlier?: A) => A,
): Promise<A | undefined> {
	let found: A | undefined;
	for (let made = 0; made < mostComparisons; made++) {
		const three = await probeAround(session, outer, inner);
		if (!three) return undefined;
		found = compare(three, found);
		const parts: readonly (Agreement | undefined)[] = Object.values(found);
		if (parts.every(part => !part || part.differing.length === 0)) return found;
	}

	return found;
}

/** Probes one interface, the other, and the first again, so that unchanged values can be compared. */
async function probeAround<T>({probe}: Session, outer: InspectedOperation<T>, inner: InspectedOperation<T>) {
	if (!hasAnswered(outer) || !hasAnswered(inner)) return undefined;
	const probes = [await probe(outer), await probe(inner), await probe(outer)];
	const [before, between, after] = probes.map(({answer}) => answer?.data);
	return before && between && after && {before, between, after};
}

/** Undefined if the operation has never answered. `hasMore`: whether the exchange has more than the longest of the pages. */
async function probeLimits<T>(
	{probe}: Session,
	operation: InspectedOperation<T>,
	hasMore: (pages: readonly Probe<T>[]) => Promise<boolean | undefined> | boolean | undefined,
): Promise<Inspection['limits'][number] | undefined> {
	if (!hasAnswered(operation)) return undefined;
	const limited: {limit: number; probe: Probe<T>}[] = [];
	for (const limit of probedLimits) limited.push({limit, probe: await probe(operation, {limit})});
	const {interface: source, operation: name, samples} = operation;
	const probes = {
		standard: samples.findLast(({answer}) => answer),
		limited,
		documented: source === 'v2' && name === 'trades' ? undefined : documentedLimit,
	};
	const bounds = limitBounds(probes);
	const isOpen = bounds.most?.beyond === 'unknown';
	const pages = [...samples, ...limited.map(each => each.probe)];
	const more = isOpen ? await hasMore(pages) : undefined;
	return {interface: source, operation: name, ...(isOpen ? limitBounds({...probes, hasMore: more}) : bounds)};
}

type Older = {
	readonly candles: InspectedOperation<readonly Candle[]>;
	readonly pages: readonly Probe<readonly Candle[]>[];
	readonly unit: RangeUnit | Obstacle | undefined;
};

/** Whether there are candles before those of the pages; undefined if the exchange does not tell. */
async function hasOlder({probe}: Session, {candles, pages, unit}: Older): Promise<boolean | undefined> {
	const range = rangeBefore(pages.flatMap(({answer}) => answer?.data ?? []).toSorted((a, b) => a.time - b.time));
	const unitMs = unit === 's' ? secondMs : unit === 'ms' || unit === 'both' ? 1 : undefined;
	if (!range || unitMs === undefined) return undefined;
	const {answer} = await probe(candles, {startTime: range.from / unitMs, endTime: range.to / unitMs});
	if (answer?.data.length === 0) return false;
	return answer?.data.some(({time}) => time <= range.to) || undefined;
}

async function probeRangeUnit(
	{probe}: Session,
	{candles}: NonNullable<Interfaces['v2']>,
): Promise<RangeUnit | Obstacle> {
	const newest = lastAnswer(candles);
	if (!newest) return 'failed';
	const range = rangeWithin(newest);
	if (!range) return 'too-few';
	const answerIn = async (unitMs: number): Promise<RangeAnswer | Obstacle> => {
		const made = await probe(candles, {startTime: range.from / unitMs, endTime: range.to / unitMs});
		if (made.answer) return rangeAnswer(made.answer.data, range, newest);
		return isRefusal(made) ? 'other' : 'failed';
	};
	const [ms, s] = [await answerIn(1), await answerIn(1000)];
	return isObstacle(ms) || isObstacle(s) ? 'failed' : rangeUnit({ms, s});
}

function rateLimitOf(probes: readonly Probe[], {allowed}: ReturnType<Exchange['budget']>): Inspection['rateLimit'] {
	const refused = probes.filter(({status}) => status === 429);
	return {
		refusals: refused.length,
		longestWaitMs: Math.max(...refused.map(({error}) => error?.retryAfterMs ?? 0), 0) || undefined,
		allowed,
		headers: rateHeaders(probes),
	};
}
