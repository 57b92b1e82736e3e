import type {Clock} from '../../market/clock.ts';
import type {Interface, Market} from '../../market/types.ts';
import type {Exchange, Observe} from '../exchange.ts';
import {createHttp} from '../http.ts';
import {createPaces} from '../pace.ts';
import {respectsRange} from '../wire/lists.ts';
import {bookAgreement, tickerAgreement} from './agreement.ts';
import {limitBounds, probedLimits, type RangeUnit, rangeUnit, rangeWithin} from './limits.ts';
import {
	createV1Operations,
	createV2Operations,
	type InspectedOperation,
	inspectedPeriod,
	type Probe,
} from './operations.ts';
import type {Inspection} from './reports.ts';
import {connectionReports, operationReport, rateHeaders} from './reports.ts';
import {createSession, hasAnswered, lastAnswer, type Session} from './session.ts';
import {clockSkew, tickerDelay} from './timing.ts';

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
	/**
	 * Called before each request with how many were made, how many there will be if all goes well, and when the next may
	 * start (epoch ms; undefined: now).
	 */
	readonly onProgress?: ((made: number, expected: number, freeAt: number | undefined) => void) | undefined;
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
	const onRequest = (made: number) => options.onProgress?.(made, expected, paces.budget().freeAt);
	const session = createSession({http, baseUrls, clock, signal, observe, onRequest});
	try {
		const symbol = await sampleAll(session, options, {v2, v1}, operations);
		const tickers = v2 && v1 && (await probeAround(session, v2.ticker, v1.ticker));
		const books = v2 && v1 && (await probeAround(session, v1.depth, v2.depth));
		const limits: Inspection['limits'][number][] = [];
		for (const operation of limited.filter(hasAnswered)) limits.push(await probeLimits(session, operation));
		const unit = v2 && (await probeRangeUnit(session, v2));

		const {probes} = session;
		const interfaces = (['v2', 'v1'] as const).filter(name => baseUrls[name]);
		const v2Book = v2 && lastAnswer(v2.depth);
		return {
			symbol,
			requests: probes.length,
			operations: operations.map(operationReport),
			v2Bids: v2Book && v2Book.bids !== undefined,
			clocks: interfaces.flatMap(source => {
				const skew = clockSkew(probes.filter(probe => probe.interface === source));
				return skew ? [{interface: source, ...skew}] : [];
			}),
			limits,
			rangeUnit: unit,
			tickerDelays: tickerDelays({v2, v1}, symbol),
			agreement: {tickers: tickers && tickerAgreement(tickers), book: books && bookAgreement(books)},
			connections: connectionReports(probes, interfaces),
			rateLimit: rateLimitOf(probes, paces.budget()),
		};
	} finally {
		session.close();
		await http.close();
	}
}

type Interfaces = {
	readonly v2: ReturnType<typeof createV2Operations> | undefined;
	readonly v1: ReturnType<typeof createV1Operations> | undefined;
};

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

/** Probes one interface, the other, and the first again, so that unchanged values can be compared. */
async function probeAround<T>({probe}: Session, outer: InspectedOperation<T>, inner: InspectedOperation<T>) {
	if (!hasAnswered(outer) || !hasAnswered(inner)) return undefined;
	const probes = [await probe(outer), await probe(inner), await probe(outer)];
	const [before, between, after] = probes.map(({answer}) => answer?.data);
	return before && between && after && {before, between, after};
}

async function probeLimits({probe}: Session, operation: InspectedOperation): Promise<Inspection['limits'][number]> {
	const probes: {limit: number; probe: Probe}[] = [];
	for (const limit of probedLimits) probes.push({limit, probe: await probe(operation, {limit})});
	const standard = operation.samples.findLast(({answer}) => answer);
	return {interface: operation.interface, operation: operation.operation, ...limitBounds(standard, probes)};
}

async function probeRangeUnit(
	{probe}: Session,
	{candles}: NonNullable<Interfaces['v2']>,
): Promise<RangeUnit | undefined> {
	const range = rangeWithin(lastAnswer(candles) ?? []);
	if (!range) return undefined;
	const understands = async (unitMs: number) => {
		const {answer} = await probe(candles, {startTime: range.from / unitMs, endTime: range.to / unitMs});
		return answer !== undefined && respectsRange(answer.data, {...range, period: inspectedPeriod});
	};
	return rangeUnit({ms: await understands(1), s: await understands(1000)});
}

/** The delay of each ticker against the trades of its own interface that were probed in the same round. */
function tickerDelays({v2, v1}: Interfaces, symbol: string): Inspection['tickerDelays'] {
	const compared = [
		...(v2 ? [v2.ticker, v2.summary].map(tickers => ({tickers, trades: v2.trades})) : []),
		...(v1 ? [{tickers: v1.ticker, trades: v1.trades}] : []),
	];
	return compared.flatMap(({tickers, trades}) => {
		const pairs = tickers.samples.flatMap((ticker, round) => {
			const after = trades.samples[round];
			return after ? [{ticker, trades: after}] : [];
		});
		const delay = tickerDelay(pairs, symbol);
		return delay ? [{interface: tickers.interface, operation: tickers.operation, ...delay}] : [];
	});
}

const rateLimitOf = (probes: readonly Probe[], {allowed}: ReturnType<Exchange['budget']>): Inspection['rateLimit'] => ({
	refusals: probes.filter(({status}) => status === 429).length,
	allowed,
	headers: rateHeaders(probes),
});
