import type {Interface, Market} from '../../market/types.ts';
import type {Exchange} from '../exchange.ts';
import {bookAgreement, tickerAgreement} from './agreement.ts';
import {clockSkew} from './clock-skew.ts';
import type {Inspection} from './inspection.ts';
import {createInterview, hasAnswered, type Interview, lastAnswer} from './interview.ts';
import {limitBounds, limitsAsked} from './limits.ts';
import type {Look, LookAt} from './look.ts';
import {createV1Operations, createV2Operations, type InspectedOperation} from './operations.ts';
import {knownRange, liesIn, type RangeUnit, rangeUnit} from './range-unit.ts';
import {connectionReports, operationReport, rateHeaders} from './reports.ts';
import {tickerDelay} from './ticker-delay.ts';

export type InspectRequest = {
	/** Looks at each operation; at least 1. */
	readonly samples: number;
	/** The symbol to ask about, of the markets that the exchange names; of none when it names none. What it throws ends all. */
	readonly choose: (markets: readonly Market[] | undefined) => string;
	/**
	 * Told before each request: how many were made, how many it will be if all goes well, and until when (epoch ms) the
	 * budget lets none start; absent: one may start now.
	 */
	readonly onProgress?: ((made: number, expected: number, freeAt: number | undefined) => void) | undefined;
};

type Surroundings = {
	readonly lookAt: LookAt;
	/** Those that are configured; at least one. */
	readonly interfaces: readonly Interface[];
	readonly budget: Exchange['budget'];
};

type V2 = ReturnType<typeof createV2Operations>;
type V1 = ReturnType<typeof createV1Operations>;

/**
 * Asks every operation of every configured interface `samples` times in turn, then the questions that the specification
 * leaves open. One request at a time. Rejects with an AbortedError, or what `choose` throws.
 */
export async function askAll(request: InspectRequest, around: Surroundings): Promise<Inspection> {
	const {samples, choose, onProgress} = request;
	const {lookAt, interfaces, budget} = around;
	const v2 = interfaces.includes('v2') ? createV2Operations() : undefined;
	const v1 = interfaces.includes('v1') ? createV1Operations() : undefined;
	const operations: readonly InspectedOperation[] = [...Object.values(v2 ?? {}), ...Object.values(v1 ?? {})];
	const limited = operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	const expected =
		operations.length * samples + (v2 && v1 ? 6 : 0) + limited.length * limitsAsked.length + (v2 ? 2 : 0);
	const interview = createInterview({lookAt, onRequest: made => onProgress?.(made, expected, budget().freeAt)});

	const lists = v2?.markets ?? v1?.ticker;
	if (lists) await interview.sample(lists);
	const symbol = choose(v2 ? lastAnswer(v2.markets) : v1 && lastAnswer(v1.ticker));
	interview.about(symbol);
	// A ticker comes before the trades that it is compared with.
	for (let round = 0; round < samples; round++) {
		for (const asked of operations) if (round > 0 || asked !== lists) await interview.sample(asked);
	}

	const tickers = v2 && v1 && (await askAround(interview, v2.ticker, v1.ticker));
	const books = v2 && v1 && (await askAround(interview, v1.depth, v2.depth));
	const limits: Inspection['limits'][number][] = [];
	for (const asked of limited.filter(hasAnswered)) limits.push(await boundsOf(interview, asked));
	const unit = v2 && (await unitOfRange(interview, v2));

	const {looks} = interview;
	const v2Book = v2 && lastAnswer(v2.depth);
	return {
		symbol,
		requests: looks.length,
		operations: operations.map(operationReport),
		v2Bids: v2Book && v2Book.bids !== undefined,
		clocks: interfaces.flatMap(source => {
			const skew = clockSkew(looks.filter(look => look.interface === source));
			return skew ? [{interface: source, ...skew}] : [];
		}),
		limits,
		rangeUnit: unit,
		tickerDelays: tickerDelays(v2, v1, symbol),
		agreement: {tickers: tickers && tickerAgreement(tickers), book: books && bookAgreement(books)},
		connections: connectionReports(looks, interfaces),
		rateLimit: {
			refusals: looks.filter(look => look.status === 429).length,
			allowed: budget().allowed,
			headers: rateHeaders(looks),
		},
	};
}

/** One interface, the other, and the first again: what did not change meanwhile can be compared. */
async function askAround<T>({ask}: Interview, outer: InspectedOperation<T>, inner: InspectedOperation<T>) {
	if (!hasAnswered(outer) || !hasAnswered(inner)) return undefined;
	const looks = [await ask(outer), await ask(inner), await ask(outer)];
	const [before, between, after] = looks.map(look => look.answer?.data);
	return before && between && after && {before, between, after};
}

async function boundsOf({ask}: Interview, asked: InspectedOperation): Promise<Inspection['limits'][number]> {
	const found: {limit: number; look: Look}[] = [];
	for (const limit of limitsAsked) found.push({limit, look: await ask(asked, {limit})});
	const standard = asked.looks.findLast(look => look.answer);
	return {interface: asked.interface, operation: asked.operation, ...limitBounds(standard, found)};
}

async function unitOfRange({ask}: Interview, {candles}: V2): Promise<RangeUnit | undefined> {
	const range = knownRange(lastAnswer(candles) ?? []);
	if (!range) return undefined;
	const understands = async (unitMs: number) => {
		const {answer} = await ask(candles, {startTime: range.from / unitMs, endTime: range.to / unitMs});
		return answer !== undefined && liesIn(answer.data, range);
	};
	return rangeUnit({ms: await understands(1), s: await understands(1000)});
}

/** Of each ticker, against the trades of its own interface that were asked for in the same round. */
function tickerDelays(v2: V2 | undefined, v1: V1 | undefined, symbol: string): Inspection['tickerDelays'] {
	const compared = [
		...(v2
			? [
					{tickers: v2.ticker, trades: v2.trades},
					{tickers: v2.summary, trades: v2.trades},
				]
			: []),
		...(v1 ? [{tickers: v1.ticker, trades: v1.trades}] : []),
	];
	return compared.flatMap(({tickers, trades}) => {
		const pairs = tickers.looks.flatMap((ticker, round) => {
			const after = trades.looks[round];
			return after ? [{ticker, trades: after}] : [];
		});
		const delay = tickerDelay(pairs, symbol);
		return delay ? [{interface: tickers.interface, operation: tickers.operation, ...delay}] : [];
	});
}
