import type {Clock} from '../market/clock.ts';
import {largestPage, mostRangeCandles} from '../market/types.ts';
import {candleCount, readCandleRange} from './candle-range.ts';
import {UnavailableError} from './errors.ts';
import type {CallOptions, Exchange} from './exchange.ts';
import {readBy, withMiddleware} from './middleware.ts';
import type {CandleSelection, QuestionOf} from './question.ts';

/**
 * Candles of a range or a limit of any length up to 100,000, read page by page, and again by their time where the newest are
 * missing; `incomplete` says why candles may be missing. Where the exchange has trades, but sends no candles, they are built from the
 * trades. Rejects with an `UnavailableError`, and sends nothing, where the period, the limit or the range is none that an exchange
 * can answer.
 */
export function withWholeRanges(exchange: Exchange, clock: Clock): Exchange {
	async function candles({ask, market, ...range}: QuestionOf<'candles'>, call: CallOptions) {
		const now = clock.now();
		const fault = faultOf(range, now);
		if (fault) throw refused(exchange, fault);
		const {period, limit, from, to} = range;
		const {answer, incomplete} = await readCandleRange(part => exchange.read({ask, market, period, ...part}, call), {
			...range,
			now,
			readTrades: () => exchange.read({ask: 'trades', market, limit: largestPage}, call),
		});
		const isEmpty = answer.data.length === 0 && (from ?? to ?? limit) === undefined;
		const reason = incomplete ?? (isEmpty ? 'the exchange has neither candles nor trades' : undefined);
		return reason === undefined ? answer : {...answer, incomplete: reason};
	}

	return withMiddleware(exchange, next => readBy({candles}, next));
}

type Fault = {readonly brief: string; readonly remedy: string};

function faultOf({period, limit, from, to}: CandleSelection, now: number): Fault | undefined {
	const most = `at most ${mostRangeCandles} candles are read`;
	if (!(Number.isSafeInteger(period) && period > 0))
		return {brief: `no candles have a period of ${period} minutes`, remedy: 'give a whole number of minutes, from 1'};
	if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0 && limit <= mostRangeCandles))
		return {brief: `no read has a limit of ${limit}`, remedy: `give a whole number from 1 to ${mostRangeCandles}`};
	for (const [name, time] of Object.entries({from, to})) {
		if (time !== undefined && !(Number.isFinite(time) && time >= 0))
			return {brief: `${name} is no time: ${time}`, remedy: 'give epoch milliseconds'};
	}

	if (from === undefined) return undefined;
	const end = to ?? Math.max(now, from);
	if (end < from) return {brief: 'the range ends before it begins', remedy: 'give from and to in order'};
	const count = Math.min(candleCount({from, to: end}, period), limit ?? Infinity);
	return count > mostRangeCandles
		? {brief: `the range has ${count} candles`, remedy: `${most}: give a longer period or a shorter range`}
		: undefined;
}

const refused = ({interfaces}: Exchange, fault: Fault): UnavailableError =>
	new UnavailableError({operation: 'candles', interface: interfaces[0] ?? 'v2', url: '', ...fault});
