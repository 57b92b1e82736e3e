import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import type {QuestionOf} from '../client/question.ts';
import {countOffPeriod} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import {memo} from '../market/memo.ts';
import {type Candle, largestPage, type Period} from '../market/types.ts';
import {type CandlesAnswer, fetchPage, fetchSeries, fullPage, withOlder} from './candle-feed.ts';
import type {Reader, SharedRead} from './shared-read.ts';
import type {SharedReadOf, SharedReads} from './shared-reads.ts';

type SharedCandlesOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly reads: SharedReads;
	/** Of answers as they come. */
	readonly pages: SharedReadOf<QuestionOf<'candles'>, Answer<readonly Candle[]>>;
	/** See `createSharedRead`. */
	readonly leastMs: number;
	readonly keptMs: number;
};

/**
 * Lets viewers read candles together: of each market and period one series is kept, which grows at its end with what one
 * viewer would request, and at its beginning with every page of older candles that somebody wants. Its parts serve all
 * who read again and again, the newest ones or those before others. What is read once, with its own counts of what was
 * dropped or rounded, and other ranges are shared as they are.
 */
export function createSharedCandles(
	options: SharedCandlesOptions,
): (reader: Reader, question: QuestionOf<'candles'>, call: CallOptions) => Promise<Answer<readonly Candle[]>> {
	const {exchange, clock, reads, pages, ...pace} = options;
	const allSeries = reads.add<QuestionOf<'candles'>, Series>({
		...{...pace, operation: 'candles'},
		dated: ({answer}) => answer,
		sizeOf: ({size}) => size,
		entriesOf: ({answer}) => answer.data.candles.length,
		request: ({market, period}, call, last, size) =>
			fetchNewest(exchange, {symbol: market, period, now: clock.now(), call}, last, size),
	});

	return async (reader, question, call) => {
		const {market, period, limit, from, to} = question;
		// Whoever had an outcome of another page has not had this one.
		const readPage = (page: QuestionOf<'candles'>) =>
			pages(page, call.use).read(reader, {...call, newerThan: undefined});
		if (limit === undefined || from !== undefined || call.newerThan === undefined) return readPage(question);
		const series = allSeries({ask: 'candles', market, period}, call.use);
		if (to === undefined) return newest(await series.read(reader, call, limit), limit);
		const shared = await candlesBefore(series, {to, limit}, older =>
			readPage({ask: 'candles', market, period, limit: largestPage, to: older}),
		);
		return shared ?? readPage(question);
	};
}

/** The newest candles, and older ones that were asked for. */
type Series = {
	readonly answer: CandlesAnswer;
	/** How many of the newest can be asked for; there may be fewer. */
	readonly size: number;
	/** The exchange has no older ones. */
	readonly isWhole: boolean;
};

/** The candles that follow the last ones, or the newest `size`, if those were fewer. */
async function fetchNewest(
	exchange: Exchange,
	request: {readonly symbol: string; readonly period: Period; readonly now: number; readonly call: CallOptions},
	last: Series | undefined,
	size: number,
): Promise<Series> {
	const isEnough = last !== undefined && size <= last.size;
	const answer = isEnough
		? await fetchSeries(exchange, {...request, last: last.answer, pageSize: Math.max(size, fullPage)})
		: await fetchPage(exchange, {...request, last: last?.answer, pageSize: size});
	const {candles} = answer.data;
	const isContinued = last !== undefined && candles[0]?.time === last.answer.data.candles[0]?.time;
	return {
		answer,
		size: Math.max(candles.length, isEnough ? 0 : size, isContinued ? last.size : 0),
		isWhole: isContinued && last.isWhole,
	};
}

const newest = memo(({answer}: Series, limit: number) => page(answer, answer.data.candles.slice(-limit)));

const page = (answer: CandlesAnswer, data: readonly Candle[]): Answer<readonly Candle[]> => ({
	...answer,
	data,
	offPeriod: countOffPeriod(data, answer.data.period),
});

/** One page, the empty one at the beginning of history, and the answer. */
const mostTries = 3;

/**
 * The last `limit` candles up to `to` from the series, for which the page before its first one is fetched if need be.
 * Undefined: it does not reach so far.
 */
async function candlesBefore(
	series: SharedRead<Series>,
	{to, limit}: {readonly to: number; readonly limit: number},
	fetch: (to: number) => Promise<Answer<readonly Candle[]>>,
): Promise<Answer<readonly Candle[]> | undefined> {
	for (let tries = 0; tries < mostTries; tries++) {
		const last = series.last();
		const candles = last?.answer.data.candles ?? [];
		const before = candles[0]?.time;
		if (!last || before === undefined || to < before - 1) return undefined;
		const count = candles.findLastIndex(({time}) => time <= to) + 1;
		if (count >= limit || last.isWhole) return page(last.answer, candles.slice(Math.max(count - limit, 0), count));
		const older = await fetch(before - 1);
		const current = series.last();
		if (!current) return undefined;
		const {answer, history} = withOlder(current.answer, {page: older, before});
		const isWhole = current.isWhole || history.status === 'complete';
		series.extend({answer, size: Math.max(current.size, answer.data.candles.length), isWhole});
	}

	return undefined;
}
