import type {Clock} from '../../market/clock.ts';
import type {Interface, Market, Trade} from '../../market/types.ts';
import type {Exchange, Observe} from '../exchange.ts';
import {createHttp} from '../http.ts';
import {createPaces} from '../pace.ts';
import {
	bookAgreement,
	compareAround,
	compareTrades,
	type Interfaces,
	shortListsOf,
	stateAgreementsOf,
	summaryAgreement,
	tickerAgreement,
	tickerDelays,
	tradeClocksOf,
} from './comparisons.ts';
import type {Inspection} from './inspection.ts';
import {hasMoved, hasOlder, hasOlderElsewhere, probedLimits, probeLimits, probeRangeUnit} from './limits.ts';
import {createV1Operations, createV2Operations, type InspectedOperation, type Probe} from './operations.ts';
import {cacheReports, connectionReports, operationReport, rateHeaders} from './reports.ts';
import {createSession, lastAnswer, type Session} from './session.ts';
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
	/** Maximum size of an answer's body. Default: by operation. */
	readonly maxBytes?: number | undefined;
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
	const {baseUrl, legacyBaseUrl, timeoutMs, rate, maxBytes, samples, clock, random, signal, observe} = options;
	const baseUrls: Partial<Record<Interface, URL>> = {
		...(baseUrl !== undefined && {v2: new URL(baseUrl)}),
		...(legacyBaseUrl !== undefined && {legacy: new URL(legacyBaseUrl)}),
	};
	const v2 = baseUrls.v2 && createV2Operations();
	const legacy = baseUrls.legacy && createV1Operations();
	const operations: readonly InspectedOperation[] = [...Object.values(v2 ?? {}), ...Object.values(legacy ?? {})];
	const limited = operations.filter(({limit}) => limit);
	const expected =
		operations.length * samples + (v2 && legacy ? 6 : 0) + limited.length * probedLimits.length + (v2 ? 5 : 0);

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
	const session: Session = createSession({
		...{http, baseUrls, maxBytes, clock, random, signal, observe, onRequest, onRetry},
	});
	try {
		const symbol = await sampleAll(session, options, {v2, legacy}, operations);
		const summary = v2 && (await compareAround(session, [v2.ticker, v2.summary], summaryAgreement));
		const both = v2 && legacy && {v2, legacy};
		const compared = both && {
			tickers: await compareAround(session, [both.v2.ticker, both.legacy.ticker], tickerAgreement),
			book: await compareAround(session, [both.legacy.depth, both.v2.depth], bookAgreement),
			trades: compareTrades(both.v2.trades, both.legacy.trades),
		};
		const unit = v2 && (await probeRangeUnit(session, v2.candles));
		const probeTrades = (own: Interfaces[Interface], other: Interfaces[Interface]) => {
			const hasMore = (pages: readonly Probe<readonly Trade[]>[]) =>
				hasMoved(pages) ?? (other && hasOlderElsewhere(pages, other.trades, compared?.trades));
			return own && probeLimits(session, own.trades, hasMore);
		};
		const limits = [
			await probeTrades(v2, legacy),
			v2 && (await probeLimits(session, v2.candles, pages => hasOlder(session, {candles: v2.candles, pages, unit}))),
			await probeTrades(legacy, v2),
		].filter(bounds => bounds !== undefined);

		const {probes} = session;
		const interfaces = (['v2', 'legacy'] as const).filter(name => baseUrls[name]);
		const v2Book = v2 && lastAnswer(v2.depth)?.data;
		const clocks = interfaces.flatMap(source =>
			interfaceClocks(
				source,
				probes.filter(probe => probe.interface === source),
			),
		);
		const frozen = clocks.flatMap(clock => (clock.frozenAt === undefined ? [] : clock.interface));
		return {
			symbol,
			requests: probes.length,
			operations: operations.map(operation => operationReport(operation, probes, symbol)),
			v2Bids: v2Book && v2Book.bids !== undefined,
			clocks,
			tradeClocks: tradeClocksOf({v2, legacy}),
			tickerDelays: tickerDelays({v2, legacy}, symbol, compared?.trades),
			limits,
			rangeUnit: unit,
			shortLists: shortListsOf({v2, legacy}),
			summary,
			states: stateAgreementsOf({v2, legacy}),
			agreement: compared,
			caches: cacheReports(probes, interfaces, frozen),
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
	{v2, legacy}: Interfaces,
	operations: readonly InspectedOperation[],
): Promise<string> {
	const marketList = v2?.markets ?? legacy?.ticker;
	if (marketList) await session.sample(marketList);
	const markets: readonly Market[] | undefined = (v2 ? lastAnswer(v2.markets) : legacy && lastAnswer(legacy.ticker))
		?.data;
	const symbol = choose(markets);
	session.choose(symbol, markets?.find(market => market.symbol === symbol)?.name);
	// A ticker is read before the trades that it is compared with.
	for (let round = 0; round < samples; round++) {
		for (const operation of operations) {
			if (round > 0 || operation !== marketList) await session.sample(operation);
		}
	}

	return symbol;
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
