import type {Exchange} from '../client/exchange.ts';
import {candlesBuiltFrom, groupCandles, startsOfGaps} from '../market/candle-groups.ts';
import {
	type AddedTrades,
	type CandleSeries,
	candlesFromTrades,
	closedBy,
	withPartial,
	withTrades,
} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import type {Tape} from '../market/tape.ts';
import type {Period} from '../market/types.ts';
import {
	type CandlesAnswer,
	canLoadOlder,
	fetchCandles,
	fetchOlder,
	historyAfter,
	moreHistory,
	type OlderPage,
	withOlder,
} from './candle-feed.ts';
import type {Freshness} from './freshness.ts';
import {createPoller} from './poller.ts';
import type {Source} from './polling.ts';
import {afterAnswer, type Failure, failing, isOlder, mapData, type Resource, ready, waiting} from './resource.ts';
import {selectedSymbol, type WorkingState} from './state.ts';

type LiveCandlesOptions = WorkingState & {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly random: () => number;
	readonly freshness: Freshness;
	/** Called when a page of older candles was requested, received or failed. */
	readonly onOlder: () => void;
};

/** The candles of the selected market and period, which move with its tape. Older ones are loaded page by page. */
export type LiveCandles = Source<CandlesAnswer | 'unavailable'> & {
	/** Call when the tape has changed. `moved`: its trades changed, not only its age or failure. */
	followTape(moved: boolean): void;
	/** Requests a page of older candles, unless one is loading or none can exist. */
	loadOlder(): void;
	/** Aborts the request for older candles. */
	abort(): void;
	/** Forgets everything, for another market or period. */
	reset(): void;
	/** Forgets failures, for another interface; candles stay. */
	forgetFailures(): void;
};

export function createLiveCandles(options: LiveCandlesOptions): LiveCandles {
	const {exchange, clock, random, freshness, state, put, onOlder} = options;
	let source = noCandleSource;

	/** Never started: polls only when `loadOlder` is called. */
	const older = createPoller<OlderPage | undefined>({
		clock,
		intervalMs: Number.POSITIVE_INFINITY,
		random,
		async run(poll) {
			const answer = exchangeCandles();
			const call = {...poll, use: state().choice, priority: 0} as const;
			return answer && fetchOlder(exchange, selectedSymbol(state()), answer, call);
		},
		onAnswer(page) {
			const answer = exchangeCandles();
			if (page && answer) {
				const joined = withOlder(answer, page);
				source = {...source, answer: joined.answer};
				put({history: joined.history});
				show();
			}

			onOlder();
		},
		onFailure({error}, waitMs) {
			put({history: {status: 'failed', error, retryAt: clock.now() + waitMs}});
			onOlder();
		},
	});

	const exchangeCandles = () => (source.answer === 'unavailable' ? undefined : source.answer);

	function show() {
		put({candles: liveCandles(source, state().tape, state().period, state().history.status === 'complete')});
	}

	return {
		fetch(call) {
			const {period} = state();
			const request = {symbol: selectedSymbol(state()), period, last: exchangeCandles(), now: clock.now(), call};
			return fetchCandles(exchange, request);
		},
		onAnswer(answer) {
			const last = exchangeCandles();
			if (answer !== 'unavailable' && last && isOlder(answer, ready(last, last.data), state().choice)) {
				source = {answer: last, failure: afterAnswer(source.failure)};
			} else {
				put({history: historyAfter(state().history, source.answer, answer)});
				source = answer === 'unavailable' ? {answer, failure: undefined} : freshness.candles(answer);
			}

			show();
		},
		onFailure(failure) {
			source = {...source, failure};
			show();
		},
		followTape(moved) {
			if (moved || source.answer === 'unavailable') show();
		},
		loadOlder() {
			if (!canLoadOlder(state().history, clock.now()) || !exchangeCandles()?.data.candles.length) return;
			put({history: {status: 'loading'}});
			older.now();
			onOlder();
		},
		abort: () => older.reset(),
		reset() {
			older.reset();
			source = noCandleSource;
			put({candles: waiting, history: moreHistory});
		},
		forgetFailures() {
			older.reset();
			if (!source.answer) source = noCandleSource;
			put({history: moreHistory});
			show();
		},
	};
}

type CandleSource = {
	/** `unavailable`: the exchange has no candles, so they are built from trades. */
	readonly answer: CandlesAnswer | 'unavailable' | undefined;
	readonly failure: Failure | undefined;
};

const noCandleSource: CandleSource = {answer: undefined, failure: undefined};

/**
 * The candles of `period` to show: the exchange's, moved only by trades newer than its answer, so that no trade counts twice.
 * The last one closes at the last trade, unless the tape is stale. If the exchange has none, they are built from the tape, with the tape's age and interface.
 * `isWhole`: the exchange has no older ones, so that the first candle that is built from them lacks nothing.
 */
export function liveCandles(
	{answer, failure}: CandleSource,
	tape: Resource<Tape>,
	period: Period,
	isWhole = false,
): Resource<CandleSeries> {
	const candles =
		answer === 'unavailable'
			? mapData(tape, data => withPartial(candlesFromTrades(data.trades, period), data, -Infinity))
			: answer
				? movedCandles(answer, tape, period, isWhole)
				: waiting;
	return failure ? failing(candles, failure) : candles;
}

function movedCandles(
	answer: CandlesAnswer,
	tape: Resource<Tape>,
	period: Period,
	isWhole: boolean,
): Resource<CandleSeries> {
	if (tape.status !== 'ready') return builtCandles(answer, period, isWhole);
	const from = answer.serverTime ?? answer.receivedAt;
	const {trades} = tape.data;
	const added = withTrades(answer.data, trades, from);
	const moved = trades[0] && !tape.failure ? closedBy(added, trades[0]) : added;
	const shown = ofPeriod({...moved, added: addedTrades(answer.data, moved)}, period, isWhole);
	return ready(answer, withPartial(shown, tape.data, from));
}

function addedTrades({candles: sent}: CandleSeries, {candles: moved}: CandleSeries): AddedTrades | undefined {
	const index = moved.findLastIndex((candle, at) => candle === sent[at]) + 1;
	const from = moved[index]?.time;
	return from === undefined ? undefined : {from, lastSent: sent.at(-1)?.time ?? -Infinity};
}

/** The exchange's candles, built into candles of `period` if theirs is shorter. */
export const builtCandles = (answer: CandlesAnswer, period: Period, isWhole = false): Resource<CandleSeries> =>
	ready(answer, ofPeriod(answer.data, period, isWhole));

function ofPeriod(series: CandleSeries, period: Period, isWhole: boolean): CandleSeries {
	if (series.period === period || series.candles.length === 0) return {...series, period};
	const groups = groupCandles(series.candles, series.period, period);
	const candles = isWhole ? groups.candles : candlesBuiltFrom(series.candles, series.period, period);
	return {...series, period, candles, builtFrom: series.period, lacking: startsOfGaps(groups)};
}
