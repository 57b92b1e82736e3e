import {ExchangeError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {type CandleSeries, candlesFromTrades, mergeCandles, withTrades} from '../market/candles.ts';
import type {Tape} from '../market/tape.ts';
import type {Candle, Period} from '../market/types.ts';
import {type Failure, failing, mapData, type Resource, ready, waiting} from './resource.ts';

type CandlesAnswer = Answer<CandleSeries>;

type CandlesRequest = {
	readonly symbol: string;
	readonly period: Period;
	/** The last answer for this symbol and period; absent: none yet. */
	readonly last: CandlesAnswer | undefined;
	/** Epoch ms. */
	readonly now: number;
	readonly call: CallOptions;
};

/** What is known of the candles' own requests. */
type CandleSource = {
	/** `unavailable`: the exchange offers no candles, they are built from trades. */
	readonly answer: CandlesAnswer | 'unavailable' | undefined;
	readonly failure: Failure | undefined;
};

export const noCandleSource: CandleSource = {answer: undefined, failure: undefined};

const fullPage = 500;
const mostCandles = 1000;
/** The candle that was forming, the one that forms now, and one against late trades. */
const overlap = 3;

/**
 * All candles at first; afterwards only those that can have changed, put over the last answer. All again when they
 * do not meet the last answer or come from the other interface. Rejects like `exchange.candles`, but for
 * `unavailable`, which is an answer here.
 */
export async function fetchCandles(
	exchange: Exchange,
	{symbol, period, last, now, call}: CandlesRequest,
): Promise<CandlesAnswer | 'unavailable'> {
	try {
		const missed = last ? tailSize(last, now) : fullPage;
		if (last && missed < fullPage) {
			const tail = await exchange.candles(symbol, {...call, period, limit: missed});
			if (meets(last, tail)) {
				return series(tail, period, mergeCandles(last.data.candles, tail.data).slice(-mostCandles));
			}
		}

		const full = await exchange.candles(symbol, {...call, period, limit: fullPage});
		return series(full, period, full.data);
	} catch (error) {
		if (error instanceof ExchangeError && error.kind === 'unavailable') return 'unavailable';
		throw error;
	}
}

function series(answer: Answer<unknown>, period: Period, candles: readonly Candle[]): CandlesAnswer {
	return {...answer, data: {period, candles, builtFrom: 'exchange'}};
}

function tailSize(last: CandlesAnswer, now: number): number {
	if (last.data.candles.length === 0) return fullPage;
	const periodMs = last.data.period * 60_000;
	return Math.ceil(Math.max(now - last.receivedAt, 0) / periodMs) + overlap;
}

function meets(last: CandlesAnswer, tail: Answer<readonly Candle[]>): boolean {
	const [first] = tail.data;
	const end = last.data.candles.at(-1);
	return tail.interface === last.interface && first !== undefined && end !== undefined && first.time <= end.time;
}

/**
 * The candles to show: the exchange's, moved by the trades that are newer than its answer, so that no trade is
 * counted twice; or, where it has none, those of the tape, with the tape's age and interface.
 */
export function liveCandles(
	{answer, failure}: CandleSource,
	tape: Resource<Tape>,
	period: Period,
): Resource<CandleSeries> {
	const candles =
		answer === 'unavailable' ? mapData(tape, ({trades}) => candlesFromTrades(trades, period)) : fetched(answer, tape);
	return failure ? failing(candles, failure) : candles;
}

function fetched(answer: CandlesAnswer | undefined, tape: Resource<Tape>): Resource<CandleSeries> {
	if (!answer) return waiting;
	if (tape.status !== 'ready') return ready(answer, answer.data);
	return ready(answer, withTrades(answer.data, tape.data.trades, answer.serverTime ?? answer.receivedAt));
}
