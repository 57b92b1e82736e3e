import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Question} from '../../source/client/question.ts';
import {mergeCandles} from '../../source/market/candles.ts';
import {emptyTape, mergeTape, type Tape, tradeKey} from '../../source/market/tape.ts';
import type {Candle, Interface, Level, Market, Ticker, Trade} from '../../source/market/types.ts';
import {answerTo, channelOf, type Logged, type Outcome, RecordedError} from '../../source/recording/outcome-log.ts';
import {openRecording, type RecordingReader} from '../../source/recording/recording-reader.ts';
import {tradePage} from '../store/samples.ts';
import {answered, failed, openSample, query, readSample, recordSample, startedAt, symbol} from './recordings.ts';

const symbols = [symbol, 'ETHUSDT', 'LTCBTC'];

/** One read of an exchange that changes. `size`: of its answer; `pick`: which entries that has. */
type Step = {
	readonly waitMs: number;
	readonly read: keyof ReturnType<typeof outcomesOf>;
	readonly of: string;
	readonly from: Interface;
	/** Of an answer from a cache; 0: there is none. */
	readonly ageMs: number;
	readonly size: number;
	readonly pick: number;
	/** Before it, the clock is set back by an hour. */
	readonly isSetBack: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
	waitMs: fc.constantFrom(0, 200, 1000, 1000, 70_000),
	read: fc.constantFrom('depth', 'depth', 'trades', 'trades', 'ticker', 'markets', 'candles', 'noBook', 'noTicker'),
	of: fc.constantFrom(...symbols),
	from: fc.constantFrom('v2', 'v2', 'v2', 'legacy'),
	ageMs: fc.constantFrom(0, 0, 30, 1400),
	size: fc.integer({min: 0, max: 12}),
	pick: fc.integer({min: 0, max: 7}),
	isSetBack: fc.integer({min: 0, max: 15}).map(number => number === 0),
});

/** What became known in one session, in order. */
type Session = readonly Outcome[];

/** Plays the steps of each recorder, and records what is read. */
function recordSteps(recorders: readonly (readonly Step[])[]): {path: string; sessions: readonly Session[]} {
	let path: string | undefined;
	let time = startedAt;
	let asked = 0;
	const sessions: Outcome[][] = [];
	for (const steps of recorders) {
		const outcomes: Outcome[] = [];
		for (const [index, each] of steps.entries()) {
			if (index === 0 || each.isSetBack) sessions.push([]);
			time += each.isSetBack ? -3_600_000 : each.waitMs;
			const outcome = outcomesOf(each, asked++, time)[each.read]();
			outcomes.push(outcome);
			sessions.at(-1)?.push(outcome);
		}

		const [first] = outcomes;
		path = recordSample(outcomes, path, first ? first.endedAt : time);
	}

	return {path: path ?? recordSample([]), sessions};
}

function outcomesOf({of, from, ageMs, size, pick}: Step, asked: number, at: number) {
	const more = {interface: from, ...(ageMs > 0 && agedTo(ageMs, at))};
	const listed = symbols.filter((_, index) => (pick & (1 << index)) === 0);
	const levels = (sign: number): Level[] =>
		Array.from({length: size}, (_, level) => [100 + sign * (level + 1 + (pick % 3)), 1 + ((level + asked) % 4)]);
	return {
		depth: () => answered.depth({asks: levels(1), ...(pick > 0 && {bids: levels(-1)})}, at, more, of),
		trades: () => answered.trades(page(asked, size, from), at, more, of),
		ticker: () =>
			answered.ticker(
				listed.map(name => ticker(name, size)),
				at,
			),
		markets: () => answered.markets(listed.map(market), at),
		candles: () => answered.candles(candles(asked, size), at),
		noBook: () => failed({ask: 'depth', market: of}, at),
		noTicker: () => failed({ask: 'tickers'}, at),
	};
}

const agedTo = (ageMs: number, at: number) => ({
	receivedAt: at - ageMs,
	cache: {ageMs, isHit: true, isSaid: ageMs > 1000},
});

const ticker = (name: string, last: number): Ticker => ({symbol: name, ...(last > 0 && {last}), state: 'active'});
const market = (name: string): Market => ({symbol: name, id: String(name.length), state: 'active'});

/** The newest `size` trades of an exchange that has five new ones for each answer. */
function page(asked: number, size: number, from: Interface): readonly Trade[] {
	const newest = asked * 5;
	return Array.from({length: Math.min(size, newest)}, (_, age) => {
		const id = newest - age;
		const [side, time] = [id % 2 === 0 ? 'buy' : 'sell', startedAt + id * 10] as const;
		return {
			id: String(id + (from === 'legacy' ? 7000 : 0)),
			time,
			price: 100 + (id % 3),
			quantity: 1,
			side,
			sideText: side,
		};
	});
}

const candles = (asked: number, size: number): readonly Candle[] =>
	Array.from({length: size}, (_, index) => {
		const time = startedAt + (Math.floor(asked / 4) + index - size) * 60_000;
		const close = index === size - 1 ? 100 + asked : 100;
		return {time, open: 100, high: close, low: 100, close, volume: 1};
	});

const isOf = (question: Question) => (outcome: Outcome) => channelOf(outcome.question) === channelOf(question);

const readOf = (outcome: Outcome, id: number): Logged => {
	const ended = {id, sentAt: outcome.sentAt, endedAt: outcome.endedAt};
	if ('failure' in outcome) return {...ended, failure: outcome.failure};
	const {data: _data, ...answer} = outcome.answer;
	return {...ended, answer};
};

/** The data of an answer, from all outcomes before it. */
function dataOf(reader: RecordingReader, id: number, outcome: Outcome): unknown {
	if ('failure' in outcome) return undefined;
	const {question} = outcome;
	if (question.ask === 'trades') return reader.tape(String(question.market), id, 40);
	return question.ask === 'tickers' ? byName(reader.data(question, id)) : reader.data(question, id);
}

const byName = (tickers: readonly Ticker[]) => tickers.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));

/** What `dataOf` must be after `outcomes`, of all sessions, and `session`, of this one: the last of both is the answer's. */
function knownData(outcomes: readonly Outcome[], session: Session): unknown {
	const outcome = outcomes.at(-1);
	if (!outcome || 'failure' in outcome) return undefined;
	const tickers = answerTo('tickers', outcome)?.data;
	if (tickers) return byName(tickers);
	const alike = (all: readonly Outcome[]) => all.filter(isOf(outcome.question));
	if (outcome.question.ask === 'trades') {
		const pages = alike(outcomes).flatMap(each => answerTo('trades', each) ?? []);
		const own = pages.filter(page => page.interface === outcome.answer.interface);
		const tape = own.reduce<Tape>((before, {data}) => mergeTape(before, data), emptyTape);
		const trades = tape.trades.slice(0, 40);
		return {trades, gaps: tape.gaps.intersection(new Set(trades.map(tradeKey)))};
	}

	if (outcome.question.ask === 'candles') {
		return alike(session)
			.flatMap(each => [answerTo('candles', each)?.data ?? []])
			.reduce(mergeCandles, []);
	}

	return outcome.answer.data;
}

/** All that can be asked about the reads around the answer `id`, the one at `place` in its session. */
function expectReads(reader: RecordingReader, session: number, outcomes: Session, place: number, id: number): void {
	const outcome = outcomes[place];
	if (!outcome) return;
	const channel = outcome.question;
	const reads = outcomes.map((each, other) => ({read: readOf(each, id - place + other), outcome: each}));
	const before = reads.slice(0, place + 1).filter(each => isOf(channel)(each.outcome));
	const after = reads.slice(place + 1).filter(each => isOf(channel)(each.outcome));
	const lastAnswered = before.findLast(({read}) => 'answer' in read);
	const answeredPlace = before.findLastIndex(({read}) => 'answer' in read);
	const newest = outcomes.findLastIndex(each => each.endedAt <= outcome.endedAt);
	expect(reader.last(session, channel, id, {from: -Infinity, count: 3})).toEqual(
		before.slice(-3).map(({read}) => read),
	);
	expect(reader.last(session, channel, id, {from: outcome.endedAt - 1000, count: 9})).toEqual(
		before.flatMap(({read}) => (read.endedAt >= outcome.endedAt - 1000 ? [read] : [])).slice(-9),
	);
	expect(reader.next(session, channel, id)).toEqual(after[0]?.read);
	expect(reader.lastAnswer(session, channel, id)).toEqual(lastAnswered?.read);
	expect(reader.idAt(session, outcome.endedAt)).toBe(id - place + newest);
	if ('failure' in outcome) {
		expect(reader.failingSince(session, channel, id)).toBe(before[answeredPlace + 1]?.read.endedAt);
	}
}

/** Some begin at one time. */
const inOrder = (gaps: readonly object[]) => gaps.map(gap => JSON.stringify(Object.entries(gap).toSorted())).toSorted();

const gapsInView = `SELECT market AS symbol, operation, from_time AS "from", to_time AS "to", reason FROM gaps
	ORDER BY from_time, to_time`;

test('reads at each answer what was known then, whatever was recorded', () => {
	fc.assert(
		fc.property(fc.array(fc.array(step, {maxLength: 40}), {minLength: 1, maxLength: 3}), recorders => {
			const {path, sessions} = recordSteps(recorders);
			const reader = openRecording(path);
			try {
				const recorded = reader.sessions();
				expect(recorded.map(({firstId, lastId}) => lastId - firstId + 1)).toEqual(sessions.map(({length}) => length));
				expect(inOrder(reader.gaps())).toEqual(inOrder(query(path, gapsInView)));
				expect(inOrder([...reader.gapPages(3)].flat())).toEqual(inOrder(reader.gaps()));
				const all: Outcome[] = [];
				for (const [index, {id: session, firstId}] of recorded.entries()) {
					const outcomes = sessions[index] ?? [];
					for (const [place, outcome] of outcomes.entries()) {
						all.push(outcome);
						const known = knownData(all, outcomes.slice(0, place + 1));
						expect(dataOf(reader, firstId + place, outcome)).toEqual(known);
						expectReads(reader, session, outcomes, place, firstId + place);
					}
				}
			} finally {
				reader.close();
			}
		}),
		{numRuns: 12},
	);
});

const timedOut = failed({ask: 'depth', market: symbol}, startedAt).failure;

test('reads what few answers have', () => {
	const few = {rounded: 1, cut: 2, misdated: 3, offPeriod: 4, outside: {before: true, after: false}, dropped: 5};
	const more = {...few, serverTime: startedAt + 7, preferredFailure: new RecordedError(timedOut)};
	const bidsFailure = new RecordedError({...timedOut, other: timedOut});
	const reader = readSample(recordSample([answered.depth({asks: [[1, 2]], bidsFailure}, startedAt, more)]));
	expect(reader.last(1, {ask: 'depth', market: symbol}, 1, {from: 0, count: 1})).toEqual([
		{id: 1, sentAt: startedAt - 40, endedAt: startedAt, answer: {interface: 'v2', receivedAt: startedAt, ...more}},
	]);
	expect(reader.data({ask: 'depth', market: symbol}, 1)).toEqual({asks: [[1, 2]], bidsFailure});
	expect(reader.data({ask: 'depth', market: symbol}, 1).bidsFailure).toBeInstanceOf(RecordedError);
});

test('reads what is being recorded, up to the last flush', () => {
	const {path, recorder} = openSample();
	const book = (at: number) => answered.depth({asks: [[at, 1]], bids: []}, startedAt + at);
	recorder.add(book(1));
	recorder.flush(startedAt + 1);
	const reader = readSample(path);
	const asks = (...ids: readonly number[]) =>
		ids.map(id => reader.data({ask: 'depth', market: symbol}, id).asks[0]?.[0]);
	expect(asks(reader.idAt(1, Infinity))).toEqual([1]);
	recorder.add(book(2));
	recorder.add(book(3));
	expect(reader.sessions()).toMatchObject([{firstId: 1, lastId: 1, isOpen: true}]);
	recorder.flush(startedAt + 3);
	expect(reader.sessions()).toMatchObject([{firstId: 1, lastId: 3, isOpen: true}]);
	expect(asks(reader.idAt(1, Infinity), 2, 1)).toEqual([3, 2, 1]);
	// Begins another chunk.
	for (const later of [120_000, 120_001, 120_002]) recorder.add(book(later));
	recorder.flush(startedAt + 120_002);
	expect(asks(5, 4, 2)).toEqual([120_001, 120_000, 2]);
	recorder.end(startedAt + 120_003);
	expect(asks(5, 2)).toEqual([120_001, 2]);
	expect(reader.sessions()).toMatchObject([{to: startedAt + 120_003, isOpen: false}]);
});

test('a tape has no gap that a later answer closed, and any other one', () => {
	const at = (seconds: number) => startedAt + seconds * 1000;
	const pages = [
		tradePage(20, 5, at(20)),
		tradePage(40, 5, at(40)),
		tradePage(41, 30, at(41)),
		tradePage(60, 5, at(60)),
	];
	const reader = readSample(recordSample(pages.map((page, index) => answered.trades(page, at(20 * index + 20)))));
	const gapsAt = (id: number) => [...reader.tape(symbol, id, 1000).gaps];
	expect([1, 2, 3, 4].map(gapsAt)).toEqual([[], ['36'], [], ['56']]);
	expect(reader.tape(symbol, 3, 2).trades.map(({id}) => id)).toEqual(['41', '40']);
});

test('tickers are in the same order, read one after the other or anew', () => {
	const path = recordSample([
		answered.markets([market(symbol), market('ETHUSDT'), market('LTCBTC')], startedAt),
		answered.ticker([ticker('LTCBTC', 1), ticker(symbol, 2)], startedAt + 1),
		answered.ticker([ticker('ETHUSDT', 3), ticker('LTCBTC', 1), ticker(symbol, 2)], startedAt + 2),
	]);
	const reader = readSample(path);
	const symbolsAt = (id: number) => reader.data({ask: 'tickers'}, id).map(each => each.symbol);
	expect([symbolsAt(2), symbolsAt(3)]).toEqual([
		[symbol, 'LTCBTC'],
		[symbol, 'ETHUSDT', 'LTCBTC'],
	]);
});

test('strips control characters that somebody has put into a file', () => {
	const evil = '\x1b]0;title\x07BTC\x1b[2JUSDT';
	const trade = {id: '1', time: startedAt, price: 1, quantity: 1, sideText: '\x1b[31mbuy'};
	const reader = readSample(
		recordSample([
			answered.ticker([{symbol: evil, state: '\x1b[1mactive'}], startedAt),
			answered.trades([trade], startedAt, {}, evil),
			{...failed({ask: 'depth', market: evil}, startedAt), failure: {...timedOut, message: 'a\x1b[2Jb'}},
		]),
	);
	expect(reader.symbols()).toEqual(['BTCUSDT']);
	expect(reader.data({ask: 'tickers'}, 1)).toEqual([{symbol: 'BTCUSDT', state: 'active'}]);
	expect(reader.trades(symbol, 2).trades).toEqual([{...trade, sideText: 'buy'}]);
	expect(reader.last(1, {ask: 'depth', market: symbol}, 3, {from: 0, count: 1})).toMatchObject([
		{failure: {message: 'ab'}},
	]);
});
