import type {Candle, Interface, Market, Ticker} from '../../market/types.ts';
import type {Exchange} from '../exchange.ts';
import {bookAgreement, tickerAgreement} from './agreement.ts';
import {clockSkew} from './clock-skew.ts';
import type {Inspection} from './inspection.ts';
import {limitBounds, limitsAsked} from './limits.ts';
import type {Look, LookAt} from './look.ts';
import {type InspectedOperation, v1Operations, v2Operations} from './operations.ts';
import {knownRange, liesIn, type RangeUnit, rangeUnit} from './range-unit.ts';
import {connectionReports, operationReport, rateHeaders} from './reports.ts';
import {tickerDelay} from './ticker-delay.ts';

export type InspectRequest = {
	/** Looks at each operation; at least 1. */
	readonly samples: number;
	/** The symbol to ask about, of the markets that the exchange names; of none when it names none. What it throws ends all. */
	readonly choose: (markets: readonly Market[] | undefined) => string;
	/** Told before each request: how many were made, and how many it will be if all goes well. */
	readonly onProgress?: ((made: number, expected: number) => void) | undefined;
};

type Surroundings = {
	readonly lookAt: LookAt;
	/** Those that are configured. */
	readonly interfaces: readonly Interface[];
	readonly budget: Exchange['budget'];
};

/** So often a failing operation is asked before it is left alone. */
const mostFailures = 2;

/**
 * Asks every operation of every configured interface `samples` times in turn, then the questions that the specification
 * leaves open. One request at a time. Rejects with an AbortedError, or what `choose` throws.
 */
export async function askAll(request: InspectRequest, around: Surroundings): Promise<Inspection> {
	const {samples, choose, onProgress} = request;
	const {lookAt, interfaces, budget} = around;
	const looks: Look[] = [];
	const byOperation = new Map<InspectedOperation, Look[]>();
	const has = (source: Interface) => interfaces.includes(source);
	const both = has('v2') && has('v1');
	// A ticker comes before the trades that it is compared with.
	const operations: readonly InspectedOperation[] = [
		...(has('v2') ? Object.values(v2Operations) : []),
		...(has('v1') ? Object.values(v1Operations) : []),
	];
	const limited = operations.filter(({operation}) => operation === 'trades' || operation === 'candles');
	const expected =
		operations.length * samples + limited.length * limitsAsked.length + (both ? 6 : 0) + (has('v2') ? 2 : 0);
	let symbol = '';

	async function ask<T>(asked: InspectedOperation<T>, query: Record<string, number> = {}): Promise<Look<T>> {
		onProgress?.(looks.length, expected);
		const look = await lookAt(asked.interface, asked.request(symbol, query), asked.decode);
		looks.push(look);
		return look;
	}

	const looksOf = <T>(asked: InspectedOperation<T>): Look<T>[] => {
		// The map holds under each operation only what that operation answered.
		const known = byOperation.get(asked) as Look<T>[] | undefined;
		if (known) return known;
		const fresh: Look<T>[] = [];
		byOperation.set(asked, fresh);
		return fresh;
	};
	const answers = (asked: InspectedOperation) => looksOf(asked).some(look => look.answer);
	const isLeftAlone = (asked: InspectedOperation) =>
		!answers(asked) && looksOf(asked).filter(look => look.error).length >= mostFailures;

	async function sample(asked: InspectedOperation): Promise<void> {
		if (!isLeftAlone(asked)) looksOf(asked).push(await ask(asked));
	}

	async function chooseMarket(): Promise<InspectedOperation> {
		const lists = has('v2') ? v2Operations.markets : v1Operations.ticker;
		await sample(lists);
		const listed: readonly (Market | Ticker)[] | undefined =
			looksOf<readonly (Market | Ticker)[]>(lists)[0]?.answer?.data;
		symbol = choose(listed);
		return lists;
	}

	async function boundsOf(asked: InspectedOperation): Promise<Inspection['limits'][number]> {
		const found: {limit: number; look: Look}[] = [];
		for (const limit of limitsAsked) found.push({limit, look: await ask(asked, {limit})});
		const standard = looksOf(asked).findLast(look => look.answer);
		return {interface: asked.interface, operation: asked.operation, ...limitBounds(standard, found)};
	}

	async function unitOfRange(): Promise<RangeUnit | undefined> {
		const known = looksOf(v2Operations.candles).findLast(look => look.answer)?.answer?.data;
		const range = known && knownRange(known);
		if (!range) return undefined;
		const understands = async (unitMs: number) => {
			const query = {startTime: range.from / unitMs, endTime: range.to / unitMs};
			const {answer} = await ask(v2Operations.candles, query);
			return liesIn(answer?.data ?? ([] as readonly Candle[]), range);
		};
		return rangeUnit({ms: await understands(1), s: await understands(1000)});
	}

	/** One interface, the other, and the first again: what did not change meanwhile can be compared. */
	async function aroundAsk<T>(outer: InspectedOperation<T>, inner: InspectedOperation<T>) {
		if (!both || !answers(outer) || !answers(inner)) return undefined;
		const [before, between, after] = [await ask(outer), await ask(inner), await ask(outer)].map(
			look => look.answer?.data,
		);
		return before && between && after && {before, between, after};
	}

	const first = await chooseMarket();
	for (let round = 0; round < samples; round++) {
		for (const asked of operations) if (round > 0 || asked !== first) await sample(asked);
	}

	const tickers = await aroundAsk(v2Operations.ticker, v1Operations.ticker);
	const books = await aroundAsk(v1Operations.depth, v2Operations.depth);
	const limits: Inspection['limits'][number][] = [];
	for (const asked of limited.filter(answers)) limits.push(await boundsOf(asked));
	const unit = await unitOfRange();
	onProgress?.(looks.length, looks.length);

	const delays = ([v2Operations.ticker, v2Operations.summary, v1Operations.ticker] as const).flatMap(asked => {
		const {trades} = asked.interface === 'v2' ? v2Operations : v1Operations;
		const pairs = looksOf(asked).flatMap((ticker, index) => {
			const after = looksOf(trades)[index];
			return after ? [{ticker, trades: after}] : [];
		});
		const delay = tickerDelay(pairs, symbol);
		return delay ? [{interface: asked.interface, operation: asked.operation, ...delay}] : [];
	});
	const v2Book = looksOf(v2Operations.depth).findLast(look => look.answer)?.answer?.data;
	return {
		symbol,
		requests: looks.length,
		operations: operations.map(asked => operationReport(asked, looksOf(asked))),
		v2Bids: v2Book && v2Book.bids !== undefined,
		clocks: interfaces.flatMap(source => {
			const skew = clockSkew(looks.filter(look => look.interface === source));
			return skew ? [{interface: source, ...skew}] : [];
		}),
		limits,
		rangeUnit: unit,
		tickerDelays: delays,
		agreement: {tickers: tickers && tickerAgreement(tickers), book: books && bookAgreement(books)},
		connections: connectionReports(looks, interfaces),
		rateLimit: {
			refusals: looks.filter(look => look.status === 429).length,
			allowed: budget().allowed,
			headers: rateHeaders(looks),
		},
	};
}
