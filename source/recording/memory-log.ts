import {type Answers, type Ask, marketOf, type Question} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import type {Tape} from '../market/tape.ts';
import {type Candle, type ExchangeInfo, largestPage, type Market, type Ticker} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {createLogChannel, type Decoded, type Entry, type LogChannel} from './log-channel.ts';
import {
	answerValidMs,
	channelOf,
	compareGaps,
	failingGapMs,
	type Log,
	type Logged,
	leastSetBackMs,
	logTime,
	notRecordedBrief,
	type Outcome,
	plainOutcome,
	RecordedError,
	type RecordedGap,
	type Session,
} from './outcome-log.ts';
import {tapeOfPages} from './trade-pages.ts';

/** How reads of an exchange ended lately, in memory: what a live session can be stepped back to. */
export type MemoryLog = Log & {
	/** `now`: when it became known, epoch ms. Default: now. */
	add(outcome: Outcome, now?: number): void;
	/** In use. */
	bytes(): number;
};

type LogOptions = {
	readonly clock: Clock;
	/** For how long reads are kept. */
	readonly keepMs: number;
	/** Ms between two polls. */
	readonly intervals: Readonly<Record<Ask, number>>;
	/** Where more is in use, the oldest reads are dropped. Default 16 MB. */
	readonly mostBytes?: number | undefined;
};

type Track = {
	/** The last one: until a list names a market, it is in the user's spelling. */
	question: Question;
	readonly log: LogChannel;
	/** When the first of the failures in a row failed that end it. */
	since?: number | undefined;
	/** The kind of the first failure since the last answer. */
	failure?: string | undefined;
	answeredAt?: number | undefined;
};

/** `shiftMs`: by how much its ids are ahead of its times. */
type LogSession = Session & {readonly shiftMs: number; lastId: number};

/** An id tells when its read was known. */
const idsPerMs = 1000;
const trimMs = 10 * secondMs;

export function createMemoryLog({clock, keepMs, intervals, mostBytes = 16_000_000}: LogOptions): MemoryLog {
	/** Least recently read first. */
	const tracks = new Map<string, Track>();
	const decoded: Decoded = new Map();
	let sessions: LogSession[] = [];
	let gaps: readonly RecordedGap[] = [];
	let lastId = 0;
	let lastTime = clock.now();
	let trimmedAt = lastTime;
	/** The id from which on nothing was dropped. */
	let keptFrom = 0;
	/** Begins with the first read: before it nothing was shown. */
	let session: LogSession | undefined;

	/** A clock that is set back begins a session, whose ids follow those before. */
	function begin(from: number): LogSession {
		const shiftMs = Math.max(0, Math.ceil(lastId / idsPerMs) + 1 - from);
		const timeOf = (id: number) => id / idsPerMs - shiftMs;
		const begun: LogSession = {
			...{id: (sessions.at(-1)?.id ?? 0) + 1, shiftMs, lastId: 0},
			get from() {
				return Math.max(from, timeOf(keptFrom));
			},
			get to() {
				return begun === session ? Math.max(clock.now(), lastTime) : timeOf(begun.lastId);
			},
		};
		sessions.push(begun);
		lastTime = from;
		return begun;
	}

	const idAt = (time: number, {shiftMs} = session ?? {shiftMs: 0}) => Math.ceil(time + shiftMs) * idsPerMs;

	function trackOf(question: Question): Track {
		const key = channelOf(question);
		const track = tracks.get(key) ?? {question, log: createLogChannel(decoded)};
		track.question = question;
		tracks.delete(key);
		tracks.set(key, track);
		return track;
	}

	function noteFailures(track: Track, outcome: Outcome, time: number): void {
		if ('failure' in outcome) {
			track.since ??= time;
			track.failure ??= outcome.failure.kind;
			return;
		}

		const {question, answeredAt: from = time, failure: reason = notRecordedBrief} = track;
		Object.assign(track, {since: undefined, failure: undefined, answeredAt: time});
		const [operation, symbol] = [question.ask, marketOf(question)];
		if (symbol === undefined || (operation !== 'depth' && operation !== 'trades')) return;
		const interval = intervals[operation];
		if (time - from > answerValidMs(interval)) gaps = [...gaps, {symbol, operation, from, to: time, reason}];
	}

	const bytes = () => tracks.values().reduce((sum, {log}) => sum + log.bytes(), 0);

	function drop(key: string, {log}: Track): void {
		keptFrom = Math.max(keptFrom, log.dropFirst());
		if (log.newest() === undefined) tracks.delete(key);
	}

	function trim(now: number): void {
		trimmedAt = now;
		const horizon = idAt(lastTime - keepMs);
		for (const [key, track] of [...tracks]) {
			const {log, question} = track;
			while ((log.nextChunk() ?? Infinity) <= horizon) drop(key, track);
			const newest = log.newest() ?? 0;
			if (newest < idAt(lastTime - failingGapMs)) log.rest();
			log.tradeGaps.forget(now - keepMs);
			// The market is not read any more.
			if (marketOf(question) !== undefined && newest < horizon - failingGapMs * idsPerMs) tracks.delete(key);
		}

		while (bytes() > mostBytes) {
			const [first, ...others] = tracks;
			if (!first) return;
			const next = ([, {log}]: typeof first) => log.nextChunk() ?? Infinity;
			drop(...others.reduce((oldest, each) => (next(each) < next(oldest) ? each : oldest), first));
		}

		keptFrom = Math.max(keptFrom, horizon);
		sessions = sessions.filter(each => each === session || each.lastId >= keptFrom);
		gaps = gaps.filter(({to}) => to > now - keepMs);
	}

	const logOf = (question: Question) => tracks.get(channelOf(question))?.log;
	const lastAnswer = (question: Question, id: number) =>
		logOf(question)
			?.back(id)
			.find(entry => 'answer' in entry);

	/** As of an answer. */
	function listAt<T>(question: Question, id: number): readonly T[] {
		return [...((logOf(question)?.state(id) ?? new Map()) as ReadonlyMap<string, T>).values()];
	}

	function tape(market: string, id: number, count: number): Tape {
		const question = {ask: 'trades', market} as const;
		const from = lastAnswer(question, id)?.answer.interface;
		const {trades, gaps: marked} = tapeOfPages(logOf(question)?.pages(id, from) ?? [], count + largestPage).data;
		return {trades: trades.slice(0, count), gaps: marked};
	}

	function dataAt(question: Question, id: number): Answers[Ask] {
		switch (question.ask) {
			case 'info':
				return logOf(question)?.state(id) as ExchangeInfo;
			case 'depth': {
				const entry = lastAnswer(question, id);
				const book = entry && logOf(question)?.book(entry.id);
				if (!book) throw new Error('the book of an answer is missing');
				return {...book, ...(entry.bidsFailure && {bidsFailure: new RecordedError(entry.bidsFailure)})};
			}
			case 'trades':
				return tape(marketOf(question) ?? '', id, question.limit ?? largestPage).trades;
			case 'candles':
				return listAt<Candle>(question, id).toSorted((a, b) => a.time - b.time);
			default:
				return listAt<Market & Ticker>(question, id);
		}
	}

	return {
		bytes,
		add(given, now = clock.now()) {
			const outcome = plainOutcome(given);
			const {question, sentAt} = outcome;
			const time = logTime(outcome, now);
			if (!session || time < lastTime - leastSetBackMs) session = begin(time);
			lastTime = Math.max(time, lastTime);
			lastId = Math.max(lastId + 1, idAt(lastTime));
			session.lastId = lastId;
			const track = trackOf(question);
			noteFailures(track, outcome, lastTime);
			track.log.add(outcome, session.id, {id: lastId, sentAt, endedAt: lastTime, since: track.since});
			if (bytes() > mostBytes || Math.abs(now - trimmedAt) >= trimMs) trim(now);
		},
		sessions: () => sessions,
		gaps: () => [...gaps, ...[...tracks.values()].flatMap(tradeGapsOf)].sort(compareGaps),
		idAt(id, time) {
			const session = sessions.find(each => each.id === id);
			return idAt(Math.floor(time) + 1, session) - 1;
		},
		next(id, question, after) {
			const entry = logOf(question)?.next(id, after);
			return entry && readOf(entry);
		},
		last(id, question, to, {from, count}) {
			const reads: Logged[] = [];
			for (const entry of logOf(question)?.back(to, id) ?? []) {
				if (reads.length === count || entry.endedAt < from) break;
				reads.push(readOf(entry));
			}

			return reads.reverse();
		},
		failingSince: (_, question, id) => logOf(question)?.back(id).next().value?.since ?? 0,
		data: <Wanted extends Question>(question: Wanted, id: number) => dataAt(question, id) as Answers[Wanted['ask']],
		tape,
		trades: (market, id) =>
			logOf({ask: 'trades', market})?.page(id) ?? {trades: [], gaps: [], closed: [], startsOver: false},
		changedCandles(question, id) {
			const before = new Set(listAt<Candle>(question, id - 1));
			const changed = listAt<Candle>(question, id).filter(candle => !before.has(candle));
			return changed.sort((a, b) => a.time - b.time);
		},
		hasCandles: (id, question) => logOf(question)?.isIn(id) ?? false,
		intervals: () => intervals,
	};
}

function tradeGapsOf({question, log}: Track): readonly RecordedGap[] {
	const [operation, symbol] = [question.ask, marketOf(question)];
	if (operation !== 'trades' || symbol === undefined) return [];
	return log.tradeGaps.all().flatMap(gap => (gap.from === -Infinity ? [] : {symbol, operation, ...gap}));
}

function readOf({since: _since, bidsFailure: _ofBook, ...read}: Entry): Logged {
	if (!('answer' in read) || !read.answer.preferredFailure) return read;
	return {...read, answer: {...read.answer, preferredFailure: new RecordedError(read.answer.preferredFailure)}};
}
