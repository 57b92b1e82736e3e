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
import {type ContainedTrades, createContainedTrades, type Growth} from '../market/contained-trades.ts';
import {decimalsOfAll} from '../market/precision.ts';
import type {Tape} from '../market/tape.ts';
import type {Candle, Period} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {
	type CandlesAnswer,
	canLoadOlder,
	endsBefore,
	fetchCandles,
	fetchOlder,
	fetchSeries,
	historyAfter,
	moreHistory,
	type OlderPage,
	withOlder,
} from './candle-feed.ts';
import type {Freshness} from './freshness.ts';
import {createPoller} from './poller.ts';
import type {Source} from './polling.ts';
import {
	afterAnswer,
	arrivedAt,
	type Failure,
	failing,
	isOlder,
	mapData,
	type Ready,
	type Resource,
	ready,
	waiting,
} from './resource.ts';
import {selectedSymbol, type WorkingState} from './state.ts';
import {lastTradeTime, madeAfter, tradeTime} from './trade-time.ts';

type LiveCandlesOptions = WorkingState & {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly random: () => number;
	readonly freshness: Freshness;
	/** How many candles are requested at first. Default 500. */
	readonly pageSize: number | undefined;
	/** No trades are polled that candles could be built from. */
	readonly isAlone: boolean;
	/** Called when a page of older candles was requested, received or failed. */
	readonly onOlder: () => void;
};

export type LiveCandles = ReturnType<typeof createLiveCandles>;

/** The candles of the selected market and period, which move with its tape. Older ones are loaded page by page. */
export function createLiveCandles(options: LiveCandlesOptions) {
	const {exchange, clock, random, freshness, state, put, onOlder, pageSize, isAlone} = options;
	let source = noCandleSource;
	let contained = createContainedTrades();
	/** Whether the tape has every trade that the last answer has. */
	let isReached = false;
	/** Whether the next answer is wanted at once, as it will show which trades the last one has; it is only once. */
	let wants: 'no' | 'next' | 'taken' = 'no';

	/** Never started: polls only when `loadOlder` is called. */
	const older = createPoller<OlderPage | undefined>({
		clock,
		operation: 'candles',
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
		const {trades: tape, period, history} = state();
		const answer = exchangeCandles();
		isReached = answer !== undefined && reaches(tape, answer);
		const growth = answer && growthOf(answer, tape, contained);
		put({candles: liveCandles(source, tape, {period, growth, isWhole: history.status === 'complete'})});
		const isBehind = answer !== undefined && lacksNewest(answer, tape);
		if ((growth?.isAmbiguous || isBehind) && wants === 'no') wants = 'next';
		else if (growth?.isCertain && !isBehind) wants = 'no';
	}

	return {
		fetch(call) {
			const {period, trades: tape} = state();
			const request = {
				symbol: selectedSymbol(state()),
				period,
				last: exchangeCandles(),
				now: clock.now(),
				call,
				pageSize,
			};
			return (isAlone ? fetchSeries : fetchCandles)(exchange, {...request, tradedAt: lastTradeTime(tape)});
		},
		onAnswer(answer) {
			const last = exchangeCandles();
			if (answer !== 'unavailable' && last && isOlder(answer, ready(last, last.data), state().choice)) {
				source = {answer: last, failure: afterAnswer(source.failure)};
			} else {
				put({history: historyAfter(state().history, source.answer, answer)});
				source = answer === 'unavailable' ? {answer} : freshness.checked('candles', answer);
			}

			show();
		},
		wantsNext() {
			if (wants !== 'next') return false;
			wants = 'taken';
			return true;
		},
		onFailure(failure) {
			source = {...source, failure};
			show();
		},
		/** Call when the tape has changed. `moved`: its trades changed, not only its age or failure. */
		followTape(moved: boolean) {
			const answer = exchangeCandles();
			const isReachedNow = !isReached && answer !== undefined && reaches(state().trades, answer);
			// Candles that are built from trades are as old as these.
			const isBuilt = source.answer === 'unavailable' || answer?.data.candles.length === 0;
			if (moved || isReachedNow || isBuilt) show();
		},
		/** Requests a page of older candles, unless one is loading or none can exist. */
		loadOlder() {
			if (!canLoadOlder(state().history, clock.now()) || !exchangeCandles()?.data.candles.length) return;
			put({history: {status: 'loading'}});
			older.now();
			onOlder();
		},
		/** Aborts the request for older candles. */
		abort() {
			older.reset();
			if (state().history.status !== 'loading') return;
			put({history: moreHistory});
			onOlder();
		},
		/** Forgets everything, for another market or period. */
		reset() {
			older.reset();
			source = noCandleSource;
			contained = createContainedTrades();
			wants = 'no';
			put({candles: waiting, history: moreHistory});
		},
		/** Forgets failures, for another interface; candles stay. */
		forgetFailures() {
			older.reset();
			if (!source.answer) source = noCandleSource;
			put({history: moreHistory});
			show();
		},
	} satisfies Source<CandlesAnswer | 'unavailable'> & Readonly<Record<string, unknown>>;
}

/** Whether a trade before the answer shows that the exchange left newer candles out of it. */
const lacksNewest = (answer: CandlesAnswer, tape: Resource<Tape>): boolean =>
	endsBefore(answer.data, Math.min(lastTradeTime(tape) ?? -Infinity, tradeTime(tape, madeAfter(answer))));

type CandleSource = {
	/** `unavailable`: the exchange has no candles, so they are built from trades. */
	readonly answer: CandlesAnswer | 'unavailable' | undefined;
	readonly failure?: Failure | undefined;
};

const noCandleSource: CandleSource = {answer: undefined};

/**
 * The candles of `period` to show: the exchange's, with those trades added that its last one has not, so that each counts once.
 * If the exchange has none, or sends none although there are trades, they are built from the tape, with the tape's age and interface.
 */
export function liveCandles(
	{answer, failure}: CandleSource,
	tape: Resource<Tape>,
	{period, growth, isWhole}: Shown,
): Resource<CandleSeries> {
	// An answer without candles says nothing about trades that are there.
	const hasNone = answer !== undefined && answer !== 'unavailable' && answer.data.candles.length === 0;
	const isTraded = tape.status === 'ready' && tape.data.trades.length > 0;
	const candles =
		answer === 'unavailable' || (hasNone && isTraded)
			? mapData(tape, data => withPartial(candlesFromTrades(data.trades, period), data))
			: answer
				? growth && tape.status === 'ready'
					? movedCandles(answer, tape, {period, growth, isWhole})
					: builtCandles(answer, period, isWhole)
				: waiting;
	return failure ? failing(candles, failure) : candles;
}

type Shown = {
	readonly period: Period;
	/** Which trades the last candle has not; absent: unknown, as there is no tape. */
	readonly growth?: Growth | undefined;
	/** The exchange has no older candles, so that the first one that is built from them lacks nothing. */
	readonly isWhole?: boolean | undefined;
};

function movedCandles(
	answer: CandlesAnswer,
	{data: tape, failure, tradeClock}: Ready<Tape>,
	{period, growth: {volume, later, isCertain}, isWhole}: Shown & {readonly growth: Growth},
): Resource<CandleSeries> {
	const [newest] = tape.trades;
	const last = answer.data.candles.at(-1);
	const before = last && volume !== last.volume ? replacingLast(answer.data, {...last, volume}) : answer.data;
	const added = withTrades(before, tape.trades, later);
	const moved = newest && !isCertain && !failure ? closedBy(added, newest) : added;
	const series = withPartial(moved, tape, later, last?.time);
	const partial = isCertain || !last ? series.partial : new Set([last.time, ...(series.partial ?? [])]);
	const shown = {...series, ...(partial && {partial}), added: addedTrades(answer.data, moved)};
	return ready({...answer, tradeClock}, ofPeriod(shown, period, isWhole));
}

const replacingLast = (series: CandleSeries, last: Candle): CandleSeries => ({
	...series,
	candles: [...series.candles.slice(0, -1), last],
});

/** An exchange makes its candles from its trades within this time. */
const mostLagMs = 10 * secondMs;

function growthOf(answer: CandlesAnswer, tape: Resource<Tape>, contained: ContainedTrades): Growth | undefined {
	if (tape.status !== 'ready') return undefined;
	const {candles, period} = answer.data;
	const candle = candles.at(-1);
	if (!candle) return {volume: 0, later: tape.data.trades.length, isCertain: true};
	const from = tradeTime(tape, madeAfter(answer)) - mostLagMs;
	const decimals = decimalsOfAll(candles.slice(-fewCandles).map(({volume}) => volume));
	return contained.find({candle, period, from, isReached: reaches(tape, answer), decimals}, tape.data);
}

/** Whether the tape was requested after the answer came. */
function reaches(tape: Resource<Tape>, answer: CandlesAnswer): boolean {
	return tape.status === 'ready' && madeAfter(tape) >= arrivedAt(answer);
}

/** Candles that are enough to show how exact volumes are. */
const fewCandles = 50;

function addedTrades({candles: sent}: CandleSeries, {candles: moved}: CandleSeries): AddedTrades | undefined {
	const index = moved.findLastIndex((candle, at) => candle === sent[at]) + 1;
	const from = moved[index]?.time;
	return from === undefined ? undefined : {from, lastSent: sent.at(-1)?.time ?? -Infinity};
}

/** The exchange's candles, built into candles of `period` if theirs is shorter. */
const builtCandles = (answer: CandlesAnswer, period: Period, isWhole = false): Resource<CandleSeries> =>
	ready(answer, ofPeriod(answer.data, period, isWhole));

function ofPeriod(series: CandleSeries, period: Period, isWhole = false): CandleSeries {
	if (series.period === period || series.candles.length === 0) return {...series, period};
	const groups = groupCandles(series.candles, series.period, period);
	const candles = isWhole ? groups.candles : candlesBuiltFrom(series.candles, series.period, period);
	return {...series, period, candles, builtFrom: series.period, lacking: startsOfGaps(groups)};
}
