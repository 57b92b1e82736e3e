import {isDeepStrictEqual} from 'node:util';
import type {Ask} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import {findMarket} from '../market/symbol.ts';
import {type Candle, type ExchangeInfo, largestPage, type Market, type Ticker} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {compareGaps, type RecordedGap} from './answer-gaps.ts';
import {answerKnownMs, failingGapMs, notRecordedBrief} from './known-time.ts';
import {createLogChannel, type Entry, type LogChannel} from './log-channel.ts';
import type {Channel, PlaybackReader, RecordedRead} from './playback-reader.ts';
import type {Session} from './player.ts';
import {endOf, plainOutcome, type ReadOutcome} from './read-outcome.ts';
import {type Columns, requiredTime} from './recorded-columns.ts';
import {RecordedError} from './recorded-error.ts';
import {leastKeptBackMs, leastSetBackMs} from './recorder.ts';
import {createTradeGaps} from './trade-gaps.ts';
import {addedIn, tapeOfRows} from './trade-rows.ts';

/** How reads of an exchange ended lately, in memory: what a live session can be stepped back to. */
export type MemoryLog = PlaybackReader & {
	/** `now`: when it became known, epoch ms. Default: now. */
	add(outcome: ReadOutcome, now?: number): void;
	/** Those with answers, in order. Their ends move: the last one lasts until now, and what is dropped is no part of them. */
	sessions(): readonly Session[];
	/**
	 * Stretches of more than 10 s between two books, or two pages of trades, of a market, and those between trades that are not proven
	 * whole; in order of time.
	 */
	gaps(): readonly RecordedGap[];
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
	readonly channel: Channel;
	readonly log: LogChannel;
	/** When the first of the failures in a row failed that end it. */
	since?: number | undefined;
	/** The kind of the first failure since the last answer. */
	failure?: string | undefined;
	answeredAt?: number | undefined;
};

/** `shiftMs`: by how much its ids are ahead of its times. */
type LogSession = Session & {readonly shiftMs: number; lastId: number};

type ByName<T> = Readonly<Record<string, T>>;

/** An id tells when its read was known. */
const idsPerMs = 1000;
const trimMs = 10 * secondMs;

export function createMemoryLog({clock, keepMs, intervals, mostBytes = 16_000_000}: LogOptions): MemoryLog {
	/** Least recently read first. */
	const tracks = new Map<string, Track>();
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

	function trackOf(outcome: ReadOutcome): Track {
		const {operation} = outcome;
		const symbol = 'symbol' in outcome ? outcome.symbol : undefined;
		const channel = {operation, symbol, period: 'period' in outcome ? outcome.period : undefined};
		const track = tracks.get(keyOf(channel)) ?? {channel, log: createLogChannel()};
		tracks.delete(keyOf(channel));
		tracks.set(keyOf(channel), track);
		return track;
	}

	/** A market is asked for as the user spells it until a list names it. */
	function spellAsListed(markets: readonly Market[]): void {
		for (const [key, {channel, ...track}] of [...tracks]) {
			const symbol = channel.symbol === undefined ? undefined : findMarket(markets, channel.symbol)?.symbol;
			const listed = keyOf({...channel, symbol});
			if (symbol === undefined || tracks.has(listed)) continue;
			tracks.delete(key);
			tracks.set(listed, {...track, channel: {...channel, symbol}});
		}
	}

	function noteFailures(track: Track, outcome: ReadOutcome, time: number): void {
		if ('failure' in outcome) {
			track.since ??= time;
			track.failure ??= outcome.failure.kind;
			return;
		}

		const {channel, answeredAt: from = time, failure: reason = notRecordedBrief} = track;
		Object.assign(track, {since: undefined, failure: undefined, answeredAt: time});
		const {operation, symbol} = channel;
		if (symbol === undefined || (operation !== 'depth' && operation !== 'trades')) return;
		const interval = intervals[operation];
		if (time - from > answerKnownMs(interval)) gaps = [...gaps, {symbol, operation, from, to: time, reason}];
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
			const {log, channel} = track;
			while ((log.nextChunk() ?? Infinity) <= horizon) drop(key, track);
			const newest = log.newest() ?? 0;
			if (newest < idAt(lastTime - failingGapMs)) log.rest();
			// The market is not read any more.
			if (channel.symbol !== undefined && newest < horizon - failingGapMs * idsPerMs) tracks.delete(key);
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

	const logOf = (channel: Channel) => tracks.get(keyOf(channel))?.log;
	/** The newest reads up to `id`, newest first. */
	function entriesAt(channel: Channel, id: number, count = 1): readonly (Entry | undefined)[] {
		return [...(logOf(channel)?.back(id).take(count) ?? [])];
	}

	/** As of an answer. */
	function listAt<T>(channel: Channel, id: number): readonly T[] {
		return Object.values((entriesAt(channel, id)[0]?.data ?? {}) as ByName<T>);
	}

	return {
		bytes,
		add(given, now = clock.now()) {
			const outcome = plainOutcome(given);
			const endedAt = endOf(outcome);
			const time = now - endedAt >= leastKeptBackMs ? now : endedAt;
			if (!session || time < lastTime - leastSetBackMs) session = begin(time);
			lastTime = Math.max(time, lastTime);
			lastId = Math.max(lastId + 1, idAt(lastTime));
			session.lastId = lastId;
			if (outcome.operation === 'markets' && 'answer' in outcome) spellAsListed(outcome.answer.data);
			const track = trackOf(outcome);
			noteFailures(track, outcome, lastTime);
			const {sentAt} = outcome;
			track.log.add(outcome, session.id, {id: lastId, sentAt, endedAt: lastTime, since: track.since});
			if (bytes() > mostBytes || Math.abs(now - trimmedAt) >= trimMs) trim(now);
		},
		sessions: () => sessions,
		gaps: () => [...gaps, ...[...tracks.values()].flatMap(tradeGapsOf)].sort(compareGaps),
		idAt(id, time) {
			return (
				idAt(
					Math.floor(time) + 1,
					sessions.find(each => each.id === id),
				) - 1
			);
		},
		next(id, channel, after) {
			const entry = logOf(channel)?.next(id, after);
			return entry && readOf(entry);
		},
		last(id, channel, to, {from, count}) {
			const reads: RecordedRead[] = [];
			for (const entry of logOf(channel)?.back(to, id) ?? []) {
				if (reads.length === count || entry.endedAt < from) break;
				reads.push(readOf(entry));
			}

			return reads.reverse();
		},
		failingSince: (_, channel, id) => entriesAt(channel, id)[0]?.since ?? 0,
		info: id => entriesAt({operation: 'info'}, id)[0]?.data as ExchangeInfo,
		markets: id => listAt<Market>({operation: 'markets'}, id),
		tickers: id => listAt<Ticker>({operation: 'ticker'}, id),
		hasTicker(symbol, id) {
			const [after, before] = entriesAt({operation: 'ticker'}, id, 2).map(
				entry => (entry?.data as ByName<Ticker> | undefined)?.[symbol],
			);
			return !isDeepStrictEqual(after, before);
		},
		book(symbol, id) {
			const book = logOf({operation: 'depth', symbol})?.book(id);
			if (!book) throw new Error('the book of an answer is missing');
			return book;
		},
		tape(symbol, id, count) {
			const channel = {operation: 'trades', symbol} as const;
			const [entry] = entriesAt(channel, id);
			const from = entry && 'answer' in entry ? entry.answer.interface : 'v2';
			const {trades, gaps: marked} = tapeOfRows(logOf(channel)?.rows(id, from) ?? [], count + largestPage).data;
			return {trades: trades.slice(0, count), gaps: marked};
		},
		trades(symbol, id) {
			const [row] = listAt<Columns>({operation: 'trades', symbol}, id);
			return row ? addedIn(row) : {trades: [], gaps: [], closed: [], startsOver: false};
		},
		candles: (symbol, period, id) =>
			listAt<Candle>({operation: 'candles', symbol, period}, id).toSorted((a, b) => a.time - b.time),
		changedCandles(symbol, period, id) {
			const [after, before] = entriesAt({operation: 'candles', symbol, period}, id, 2).map(
				entry => entry?.data as ByName<Candle>,
			);
			const changed = Object.values(after ?? {}).filter(candle => before?.[candle.time] !== candle);
			return changed.sort((a, b) => a.time - b.time);
		},
		intervals: () => intervals,
		hasCandles: (id, symbol, period) => logOf({operation: 'candles', symbol, period})?.isIn(id) ?? false,
	};
}

function tradeGapsOf({channel: {operation, symbol}, log}: Track): readonly RecordedGap[] {
	if (operation !== 'trades' || symbol === undefined) return [];
	const gaps = createTradeGaps();
	for (const {interface: from, row} of [...log.pages(Infinity)].reverse()) {
		const {from_time: first, to_time: last, first_id: firstId} = row;
		const isPlain = (row.gaps ?? row.closed_gaps ?? row.starts_over ?? row.notes) === null && firstId !== '';
		if (isPlain) gaps.addPlain(from, requiredTime(first), requiredTime(last));
		else gaps.add({...addedIn(row), interface: from});
	}

	return gaps.all().flatMap(gap => (gap.from === -Infinity ? [] : {symbol, operation, ...gap}));
}

const keyOf = ({operation, symbol, period}: Channel): string => JSON.stringify([operation, symbol, period]);

function readOf({data: _data, since: _since, ...read}: Entry): RecordedRead {
	if (!('answer' in read) || !read.answer.preferredFailure) return read;
	return {...read, answer: {...read.answer, preferredFailure: new RecordedError(read.answer.preferredFailure)}};
}
