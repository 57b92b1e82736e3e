/** What an exchange traded and what a recording of it has: each trade is in it, or within a gap that it declares. */
import {DatabaseSync} from 'node:sqlite';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {withMiddleware} from '../../source/client/middleware.ts';
import type {Interface, Trade} from '../../source/market/types.ts';
import {hourMs, secondMs} from '../../source/market/units.ts';
import {createMemoryLog} from '../../source/recording/memory-log.ts';
import type {RecordedGap} from '../../source/recording/outcome-log.ts';
import {readTradeRange} from '../../source/recording/recorded-ranges.ts';
import {recordedIn} from '../../source/recording/recording-exchange.ts';
import {closeRecorded} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {formerGapsView} from '../../source/recording/schema.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeCall} from '../helpers/fake-exchange.ts';
import {timeout, tradePage} from '../store/samples.ts';
import {answered, openSample, query, readSample, recordSample, startedAt, symbol} from './recordings.ts';

/** An exchange of so many trades a second, at random times that are always the same. */
function tradesOf(perSecond: number, seconds: number, seed = 7): readonly Trade[] {
	let state = seed;
	const made: Trade[] = [];
	for (let time = startedAt - 20 * secondMs; time < startedAt + seconds * secondMs; ) {
		state = (state * 48_271) % 2_147_483_647;
		time += (-Math.log(state / 2_147_483_647) * secondMs) / perSecond;
		const id = String(1000 + made.length);
		made.push({id, time: Math.round(time), price: 100, quantity: 1, side: 'buy', sideText: 'buy'});
	}

	return made;
}

/** The newest `most` trades at a time, as an interface sends them. */
function pageAt(all: readonly Trade[], at: number, most: number, from: Interface = 'v2'): readonly Trade[] {
	const end = all.findLastIndex(({time}) => time <= at) + 1;
	const page = all.slice(Math.max(end - most, 0), end).reverse();
	if (from === 'v2') return page;
	return page.map(trade => ({
		...trade,
		id: `${7_000_000 + Number(trade.id)}`,
		time: Math.floor(trade.time / 1000) * 1000,
	}));
}

const ofTrades = ({operation, reason}: RecordedGap): boolean => operation === 'trades' && reason !== 'not recorded';

/** Of the trades that an exchange made between the first and the last recorded ones. */
function compared(path: string, made: readonly Trade[]) {
	const reader = openRecording(path);
	const rows = [...reader.tradesBetween(symbol, 0, Infinity)];
	const ids = new Set(rows.flatMap(({trades}) => trades.map(({id}) => String(Number(id) % 7_000_000))));
	const gaps = reader.gaps();
	reader.close();
	const [first, last] = [made.findIndex(({id}) => ids.has(id)), made.findLastIndex(({id}) => ids.has(id))];
	const lost = made.slice(first, last + 1).filter(({id}) => !ids.has(id));
	const isDeclared = ({time}: Trade) => gaps.some(gap => ofTrades(gap) && gap.from <= time && time <= gap.to);
	return {made: last + 1 - first, lost: lost.length, declared: lost.filter(isDeclared).length, gaps};
}

const gapsInView = 'SELECT market, operation, from_time, to_time, reason FROM gaps';
const rowsOf = (gaps: readonly RecordedGap[]) =>
	gaps.map(({symbol: market, from, to, ...gap}) => ({market, ...gap, from_time: from, to_time: to}));
const sorted = (rows: readonly object[]): readonly object[] =>
	rows.map(row => Object.entries(row).sort()).sort((a, b) => (String(a) < String(b) ? -1 : 1));

test('declares each trade that the pages of a busy market leave out, in the file and in memory, and counts the gaps as it records', async () => {
	const seconds = 20;
	const all = tradesOf(700, seconds);
	const clock = createFakeClock(startedAt);
	function answer({options: {limit = 500}, ...call}: FakeCall<readonly Trade[]>): undefined {
		clock.after(40, () => {
			const page = pageAt(all, clock.now(), Math.min(limit, 100));
			clock.after(40, () => (page.length % 31 === 30 ? call.fail(timeout('trades')) : call.answer(page)));
		});
	}

	const exchange = createFakeExchange(clock, {trades: answer});
	const {path, db, recorder} = openSample(undefined, clock.now());
	const log = createMemoryLog({clock, keepMs: hourMs, intervals: pollIntervals()});
	const store = createMarketStore({
		exchange: withMiddleware(exchange, recordedIn(log, clock), recordedIn(recorder, clock)),
		...{clock, random: () => 0, symbol, period: 1, updateGapMs: 0},
	});
	store.show(new Set(['trades']));
	store.start();
	await clock.advance(seconds * secondMs);
	store.stop();
	recorder.end(clock.now());
	closeRecorded(db);
	const {lost, declared, gaps} = compared(path, all);
	expect(lost).toBeGreaterThan(1000);
	expect([declared, recorder.counts.gaps]).toEqual([lost, gaps.length]);
	expect(sorted(query(path, gapsInView))).toEqual(sorted(rowsOf(gaps)));
	expect(log.gaps()).toEqual(gaps);
});

type Poll = {readonly afterMs: number; readonly most: number; readonly from: Interface; readonly restarts: boolean};

const poll: fc.Arbitrary<Poll> = fc.record({
	afterMs: fc.constantFrom(200, 200, 1000, 3000, 15_000),
	most: fc.constantFrom(1, 20, 20, 100, 1000),
	from: fc.constantFrom('v2', 'v2', 'v2', 'v2', 'legacy'),
	restarts: fc.integer({min: 0, max: 9}).map(number => number === 0),
});

/** What a recorder that is started again at some polls records. Returns the gaps that each counted. */
function recordPolls(polls: readonly Poll[], all: readonly Trade[]): {path: string; counts: readonly number[]} {
	let {path, db, recorder} = openSample();
	const counts: number[] = [];
	let at = startedAt;
	const end = () => {
		recorder.end(at);
		closeRecorded(db);
		counts.push(recorder.counts.gaps);
	};
	for (const {afterMs, most, from, restarts} of polls) {
		if (restarts) {
			end();
			({db, recorder} = openSample(path, at));
		}

		at += afterMs;
		recorder.add(answered.trades(pageAt(all, at, most, from), at, {interface: from}));
	}

	end();
	return {path, counts};
}

test.each([0.3, 60])('declares each trade that is lost at %d trades a second, whatever is polled', perSecond => {
	const all = tradesOf(perSecond, 400, 11);
	fc.assert(
		fc.property(fc.array(poll, {minLength: 1, maxLength: 25}), polls => {
			const {path, counts} = recordPolls(polls, all);
			const {lost, declared, gaps} = compared(path, all);
			expect(declared).toBe(lost);
			expect(sorted(query(path, gapsInView))).toEqual(sorted(rowsOf(gaps)));
			if (counts.length === 1) expect(counts).toEqual([gaps.length]);
		}),
		{numRuns: 12},
	);
});

test('declares nothing where each page shares trades with the one before, also after so many that few are kept', () => {
	const all = tradesOf(60, 200);
	const {path, counts} = recordPolls(
		Array.from({length: 190}, () => ({afterMs: 1000, most: 100, from: 'v2', restarts: false})),
		all,
	);
	const {made, lost, gaps} = compared(path, all);
	expect(made).toBeGreaterThan(10_000);
	expect([lost, gaps, counts]).toEqual([0, [], [0]]);
});

const at = (seconds: number) => startedAt + seconds * secondMs;

test('gives the recorded trades on both sides of a gap, and says what is missing', () => {
	const pages = [tradePage(20, 5, at(20)), tradePage(40, 5, at(40)), tradePage(42, 4, at(42))];
	const reader = readSample(recordSample(pages.map((page, index) => answered.trades(page, at(40 + index)))));
	const {trades, missing} = readTradeRange(reader, symbol, {from: at(19), to: at(42)});
	expect([[...trades].map(({id}) => Number(id)), missing()]).toEqual([
		[19, 20, 36, 37, 38, 39, 40, 41, 42],
		[{from: at(20), to: at(36)}],
	]);
	expect(reader.gaps()).toEqual([
		{symbol, operation: 'trades', from: at(20), to: at(36), reason: 'more trades than a page'},
	]);
});

describe('a recording of an earlier version', () => {
	const page = (newest: number, count: number, from: Interface = 'v2') =>
		answered.trades(tradePage(newest, count, at(newest)), at(newest), {interface: from});
	const gap = (from: number, to: number, reason: string): RecordedGap => ({
		...{symbol, operation: 'trades', from: at(from), to: at(to), reason},
	});
	const inAnswers = gap(20, 40, 'not recorded');
	const inTrades = [
		gap(20, 31, 'more trades than a page'),
		gap(41, 47, 'more trades than a page'),
		gap(50, 50.999, 'other interface'),
	];
	const all = sorted(rowsOf([inAnswers, ...inTrades]));

	function recordEarlier(): string {
		const path = recordSample([
			...[
				page(20, 5),
				page(40, 3),
				page(41, 11),
				page(49, 3),
				page(50, 3),
				page(51, 5, 'legacy'),
				page(52, 3, 'legacy'),
			],
		]);
		const db = new DatabaseSync(path);
		db.exec(
			`UPDATE answer SET notes = nullif(json_remove(notes, '$.missing'), '{}'); DROP VIEW gaps; ${formerGapsView}`,
		);
		db.close();
		return path;
	}

	test('has the gaps that its recorder did not note', () => {
		const path = recordEarlier();
		expect(sorted(rowsOf(readSample(path).gaps()))).toEqual(all);
		expect(query(path, gapsInView)).toEqual(rowsOf([inAnswers]));
	});

	test('has them in its view as soon as it is recorded onto', () => {
		const path = recordEarlier();
		for (const second of [53, 54]) {
			recordSample([page(second, 3, 'legacy')], path, at(second));
			expect(sorted(rowsOf(readSample(path).gaps()))).toEqual(all);
			expect(sorted(query(path, gapsInView))).toEqual(all);
		}
	});

	test('has a gap less as soon as an answer closes it', () => {
		const path = recordEarlier();
		recordSample([page(53, 13), page(53, 3, 'legacy')], path, at(53));
		const gaps = readSample(path).gaps();
		expect(gaps.filter(({reason}) => reason === 'more trades than a page')).toEqual(inTrades.slice(0, 1));
	});
});
