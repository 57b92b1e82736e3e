import {UnavailableError} from '../client/errors.ts';
import {exchangeOf, operationOf} from '../client/middleware.ts';
import {type Ask, keyOf, type Question} from '../client/question.ts';
import {buildingPeriods} from '../market/candle-groups.ts';
import {countOffPeriod, mergeCandles} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import {isFormer} from '../market/continued-tape.ts';
import {compareTrades, mostTapeTrades, type Tape} from '../market/tape.ts';
import type {Candle, Period, Trade} from '../market/types.ts';
import {createMarketStore, type MarketStoreOptions} from '../store/market-store.ts';
import {type CreatePolling, resourceNames, type Sources} from '../store/polling.ts';
import {isUnanswered} from '../store/resource.ts';
import type {MarketStore} from '../store/state.ts';
import {
	answerValidMs,
	type Log,
	type Logged,
	type LoggedAnswer,
	type LoggedFailure,
	type Moment,
	notRecordedBrief,
	RecordedError,
	validMs,
} from './outcome-log.ts';
import type {AddedTrades} from './trade-codec.ts';
import {setClock} from './trade-pages.ts';

export type PlaybackOptions = {
	readonly log: Log;
	readonly clock: Clock;
	/** Where the clock is in the log. */
	readonly moment: () => Moment;
	/** What is brought of it. Default: all. */
	readonly names?: readonly Ask[];
	/** How far a tape must reach back, ms. Default: as far as that of the screen. */
	readonly tapeMs?: () => number;
};

/** A question that is followed from what is known of it at first. */
type Followed = {
	/** Oldest first. */
	readonly earlier: readonly Logged[];
	show(read: Logged): void;
	/** Waits for the next outcome. */
	begin(): void;
	stop(): void;
};

type Repeated = {readonly count: number; readonly ms: number};

/**
 * The reads that a seek repeats: as much as fills histories, of the tape those that show whether the exchange's clock runs, and of
 * candles those that show which trades the last one has. Of others only the last answer counts, and how often it failed since.
 */
const repeated: Partial<Readonly<Record<Ask, Repeated>>> = {
	depth: {count: 240, ms: 240_000},
	tickers: {count: 24, ms: Infinity},
	trades: {count: 240, ms: 20_000},
	candles: {count: 6, ms: 60_000},
};
const mostFailures = 240;
/** Maximum tickers in all lists that a seek repeats: more would delay the answer to a key. */
const mostTickers = 30_000;

/** A request is reported as pending when it was checked for the second time, which happens each second. */
const pendingMs = 2000;

/** What is shown of the past at first. */
export type PastView = Partial<Pick<MarketStoreOptions, 'symbol' | 'period' | 'choice'>>;

/** A store of what a log knows of a market at its clock's time. No request is sent. */
export const createPastStore = (options: PlaybackOptions, shown: PastView): MarketStore =>
	createMarketStore({
		...{exchange: silentExchange, clock: options.clock, polling: createPlayback(options), updateGapMs: 0},
		...shown,
	});

/** Answers nothing: what is shown or judged comes from a recording. */
export const silentExchange = exchangeOf(
	async () => {
		const remedy = 'go to another time';
		throw new UnavailableError({operation: 'info', interface: 'v2', url: '', brief: notRecordedBrief, remedy});
	},
	{
		interfaces: ['v2', 'legacy'],
		budget: () => ({used: 0, allowed: 0}),
		retryNow() {},
		close: async () => {},
	},
);

/**
 * Brings each outcome of a log to its source at its time, and at the start those that were known then. What was not recorded is
 * forgotten: it must not look like the present. No request is sent.
 */
const createPlayback =
	({log, clock, moment, names = resourceNames, tapeMs}: PlaybackOptions): CreatePolling =>
	({sources, state, onChange, onPending, forget}) => {
		const followed = new Map<Ask, {readonly key: string} & Followed>();
		let started = false;

		function questionOf(ask: Ask): Question | undefined {
			const {symbol: market, period} = state();
			if (ask === 'info' || ask === 'markets' || ask === 'tickers') return {ask};
			if (market === undefined) return undefined;
			return ask === 'candles' ? {ask, market, period: recordedPeriod(market, period)} : {ask, market};
		}

		/** The period itself or, if it was not recorded, the longest that it can be built from. */
		function recordedPeriod(market: string, period: Period): Period {
			const {session} = moment();
			const isRecorded = (each: Period) => log.hasCandles(session.id, {ask: 'candles', market, period: each});
			return [period, ...buildingPeriods(period)].find(isRecorded) ?? period;
		}

		function unfollow(name: Ask) {
			followed.get(name)?.stop();
			followed.delete(name);
		}

		/** Follows what the state now asks for: first what is known of it, in the order in which it was received. */
		function sync() {
			const begun: Followed[] = [];
			const {session, time} = moment();
			let id: number | undefined;
			for (const name of names) {
				const question = started ? questionOf(name) : undefined;
				const key = question && keyOf(question);
				if (followed.get(name)?.key === key) continue;
				unfollow(name);
				if (!question || key === undefined) continue;
				id ??= log.idAt(session.id, time);
				const each = follow(name, question, id);
				followed.set(name, {key, ...each});
				begun.push(each);
			}

			const earlier = begun.flatMap(({earlier: reads, show}) => reads.map(read => ({read, show})));
			for (const {read, show} of earlier.sort((one, other) => one.read.id - other.read.id)) show(read);
			for (const {begin} of begun) begin();
		}

		function earlierReads(name: Ask, question: Question, id: number): readonly Logged[] {
			const {session, time} = moment();
			const lastReads = ({count, ms}: Repeated) => log.last(session.id, question, id, {from: time - ms, count});
			const reads = repeated[name] && lastReads(repeated[name]);
			const newest = name === 'tickers' ? reads?.at(-1) : undefined;
			const most = newest ? Math.ceil(mostTickers / log.data({ask: 'tickers'}, newest.id).length) : Infinity;
			const history = reads?.slice(-most);
			if (history?.some(read => 'answer' in read)) return history;
			// It was polled rarely, or has failed for long.
			const rare = lastReads({count: mostFailures, ms: Infinity});
			return rare.slice(
				Math.max(
					rare.findLastIndex(read => 'answer' in read),
					0,
				),
			);
		}

		/** `id`: the newest answer that is known. */
		function follow(name: Ask, question: Question, id: number): Followed {
			const {session} = moment();
			const intervalMs = log.intervals(session.id)[name];
			const answers = createAnswers(log, sources, tapeMs);
			let timers: (() => void)[] = [];
			const at = (when: number, act: () => void) => timers.push(clock.after(when - clock.now(), act));
			const stop = () => {
				for (const cancel of timers) cancel();
				timers = [];
			};

			/** When the first request was sent that no answer came to, nor to one after it. */
			let unansweredSince: number | undefined;
			let failingSince: number | undefined;

			function fail(read: LoggedFailure, next: Logged | undefined) {
				const {failure, id, sentAt} = read;
				const error = new RecordedError(failure);
				failingSince ??= log.failingSince(session.id, question, id);
				const since = failingSince;
				if (name === 'candles' && failure.kind === 'unavailable') sources.candles.onAnswer('unavailable');
				else sources[name].onFailure({error, since, retryAt: next?.sentAt});
				unansweredSince = isUnanswered(error) ? (unansweredSince ?? sentAt) : undefined;
			}

			function show(read: Logged, next: Logged | undefined) {
				if ('failure' in read) fail(read, next);
				else {
					unansweredSince = undefined;
					failingSince = undefined;
					answers(question, read);
				}

				if (state().pending[name] !== unansweredSince) onPending(name, unansweredSince);
			}

			function lose(since: number) {
				forget(name);
				const why = {brief: notRecordedBrief, remedy: 'go to another time'};
				const error = new UnavailableError({operation: operationOf(name), interface: 'v2', url: '', ...why});
				sources[name].onFailure({error, since});
				onChange();
			}

			/** Waits for the next read. */
			function expect(last: Logged | undefined, next: Logged | undefined) {
				// At the beginning, what was not read yet was waited for.
				const validUntil = last
					? Math.min(last.endedAt + validMs(last, intervalMs), session.to)
					: session.from + answerValidMs(intervalMs);
				const wait = () => {
					forget(name);
					onChange();
				};
				if (next && next.sentAt > validUntil && next.sentAt <= clock.now()) wait();
				else if (!next || next.sentAt > validUntil) {
					const isLost = clock.now() > validUntil || last === undefined;
					if (isLost) lose(validUntil);
					else at(validUntil + 1, () => lose(validUntil));
					if (next) at(next.sentAt, wait);
				}

				if (!next) return;
				const reportAt = next.sentAt + pendingMs;
				const report = () => onPending(name, unansweredSince ?? next.sentAt);
				if (reportAt <= clock.now()) report();
				else if (reportAt < next.endedAt) at(reportAt, report);
				at(next.endedAt, () => {
					stop();
					const following = log.next(session.id, question, next.id);
					show(next, following);
					expect(next, following);
					sync();
					onChange();
				});
			}

			const earlier = earlierReads(name, question, id);
			const next = log.next(session.id, question, id);
			return {earlier, show: read => show(read, next), begin: () => expect(earlier.at(-1), next), stop};
		}

		return {
			isStarted: () => started,
			polls: name => followed.has(name),
			start() {
				started = true;
				sync();
				// The market list may have named a market.
				sync();
				onChange();
			},
			stop() {
				started = false;
				sync();
			},
			show() {},
			sync,
			restart(restarted) {
				for (const name of restarted) unfollow(name);
				sync();
			},
			refresh() {},
			relist: () => false,
		};
	};

/** Trades that a tape begins with. */
const firstTrades = 4000;

/**
 * Gives a recorded answer with its data to the source of a resource. `tapeMs`: how far a tape must reach back from the newest trade
 * that it had before an answer.
 */
function createAnswers(log: Log, sources: Sources, tapeMs: () => number = () => Infinity) {
	let tape: {readonly interface: string; readonly data: Tape} | undefined;
	let series: readonly Candle[] | undefined;
	/** The next answer to the question that is followed. */
	return (question: Question, read: LoggedAnswer): void => {
		const {id, answer} = read;
		switch (question.ask) {
			case 'info':
				return sources.info.onAnswer({...answer, data: log.data(question, id)});
			case 'markets':
				return sources.markets.onAnswer({...answer, data: log.data(question, id)});
			case 'tickers':
				return sources.tickers.onAnswer({...answer, data: log.data(question, id)});
			case 'depth':
				return sources.depth.onAnswer({...answer, data: log.data(question, id)});
			case 'trades': {
				const market = String(question.market);
				const data =
					tape?.interface === answer.interface
						? extended(tape.data, log.trades(market, id), tapeMs())
						: log.tape(market, id, firstTrades);
				tape = {interface: answer.interface, data};
				return sources.trades.onAnswer({...sent(read), data, rate: 0, lost: false, sinceMs: 0, wantedMs: Infinity});
			}
			case 'candles': {
				const {period} = question;
				series = series ? mergeCandles(series, log.changedCandles(question, id)) : log.data(question, id);
				const data = {period, candles: series, builtFrom: 'exchange'} as const;
				return sources.candles.onAnswer({...sent(read), data, offPeriod: countOffPeriod(series, period)});
			}
		}
	};
}

/** The answer with the time of its request. */
const sent = ({answer, sentAt}: LoggedAnswer): LoggedAnswer['answer'] =>
	answer.cache?.isHit ? answer : {...answer, sentAt};

/** Adds the trades of an answer to a tape; `before` itself if there is nothing new. `ms`: how far it must reach back from its newest trade. */
function extended(before: Tape, {trades, gaps, closed, startsOver, ...clock}: AddedTrades, ms: number): Tape {
	const {former} = clock;
	const added = (former ? trades.filter(trade => !isFormer(trade, former)) : trades).toReversed();
	if (startsOver) return {trades: added, gaps: new Set(gaps)};
	const tape = setClock(before, clock);
	if (trades.length + closed.length + gaps.length === 0) return tape;
	const [newest] = tape.trades;
	const oldestAdded = added.at(-1);
	const isInOrder = !newest || !oldestAdded || compareTrades(oldestAdded, newest) < 0;
	// Lists are joined as a whole: a day has tens of thousands of answers, and a tape thousands of trades.
	const joined = added.concat(tape.trades);
	if (!isInOrder) joined.sort(compareTrades);
	joined.length = keptOf(joined, (newest?.time ?? 0) - ms);
	const isSame = gaps.length + closed.length === 0;
	const after = isSame ? tape.gaps : new Set([...tape.gaps, ...gaps]).difference(new Set(closed));
	return {trades: joined, gaps: after};
}

/** How many trades a tape keeps. `from`: of the time that it must reach back to. */
function keptOf(trades: readonly Trade[], from: number): number {
	let count = Math.min(trades.length, mostTapeTrades);
	while (count > firstTrades && (trades[count - 1]?.time ?? 0) < from) count--;
	return count;
}
