import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type BookHistory,
	createBookHistories,
	emptyHistory,
	interrupted,
	reachOf,
	remember,
} from '../../source/market/liquidity.ts';
import type {DepthBook} from '../../source/market/types.ts';

const second = 1000;
const bookAt = (mid: number): DepthBook => ({asks: [[mid + 1, 2]], bids: [[mid - 1, 3]]});
const times = ({snapshots}: BookHistory) => snapshots.map(({time}) => time / second);

/** One book a second. */
const seenFor = (seconds: number): BookHistory => {
	let history = emptyHistory;
	for (let at = 0; at < seconds; at++) history = remember(history, bookAt(at), at * second);
	return history;
};

describe('the history of a book', () => {
	test('keeps the previous book, and one snapshot per second', () => {
		const history = seenFor(3);

		expect([history.previous, history.current, times(history)]).toEqual([bookAt(1), bookAt(2), [0, 1, 2]]);
		expect(history.snapshots[2]).toEqual({
			time: 2000,
			asks: Float64Array.of(3, 2),
			bids: Float64Array.of(1, 3),
		});
	});

	test('keeps the newest of several books within a second', () => {
		const history = remember(remember(emptyHistory, bookAt(5), 100), bookAt(6), 900);

		expect(history.snapshots.map(({asks}) => asks[0])).toEqual([7]);
	});

	test('thins out what is older than ten minutes when it is full, and drops what is older than an hour', () => {
		expect(times(seenFor(2200)).length).toBe(2200);
		const full = seenFor(2201);
		expect([times(full).slice(0, 3), times(full).at(-1), full.thinned]).toEqual([
			[1, 3, 5],
			2200,
			{until: 1600 * second, intervalMs: 2000},
		]);
		expect(times(full).slice(800)).toEqual(Array.from({length: 601}, (_, index) => 1600 + index));
		const hours = seenFor(3 * 3600);
		expect(times(hours)[0]).toBeGreaterThanOrEqual(2 * 3600 - 1);
		expect(times(hours)[0]).toBeLessThanOrEqual(2 * 3600 + 1);
	});

	test('is bounded however long the session and deep the book, and never drops the newest', () => {
		const deep: DepthBook = {
			asks: Array.from({length: 5000}, (_, index) => [100 + index, 1] as const),
			bids: [],
		};
		fc.assert(
			fc.property(fc.array(fc.nat({max: 100_000}), {minLength: 1, maxLength: 600}), waits => {
				let time = 0;
				let history = emptyHistory;
				for (const wait of waits) {
					time += wait;
					history = remember(history, deep, time);
				}

				expect(history.snapshots.length).toBeLessThanOrEqual(2200);
				expect(history.snapshots.at(-1)?.time).toBe(time);
				expect(history.snapshots[0]?.time).toBeGreaterThanOrEqual(time - 3_600_000);
				expect(history.snapshots[0]?.asks.length).toBe(400);
				expect(times(history)).toEqual(times(history).toSorted((a, b) => a - b));
			}),
			{numRuns: 8},
		);
	});

	test('takes at most 20 MB for all markets, an hour of the deepest books of each', () => {
		const levels = Array.from({length: 300}, (_, index) => [1000 + index, 1] as const);
		const deep: DepthBook = {asks: levels, bids: levels};
		const histories = createBookHistories();
		const markets = ['AUSDT', 'BUSDT', 'CUSDT', 'DUSDT'];
		for (const [hour, market] of markets.entries()) {
			for (let at = 0; at < 3600; at++) histories.add(market, deep, (hour * 3600 + at) * second);
		}

		const bytesOf = ({snapshots}: BookHistory) =>
			snapshots.reduce((sum, {asks, bids}) => sum + asks.byteLength + (bids?.byteLength ?? 0), 0);
		const megabytes = markets.toReversed().map(market => bytesOf(histories.resume(market)) / 1e6);
		expect(megabytes[0]).toBeGreaterThan(12);
		expect(megabytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(20);
	});

	test('does not compare with a book from before a market switch', () => {
		const history = interrupted(seenFor(3));

		expect(history).toEqual({snapshots: seenFor(3).snapshots});
		expect(remember(history, bookAt(9), 9000).previous).toBeUndefined();
	});
});

test('the reach of a side is its best and its worst price', () => {
	expect(reachOf(Float64Array.of(10.3, 1, 10.4, 2, 10.7, 4))).toEqual({best: 10.3, worst: 10.7});
	expect(reachOf(new Float64Array())).toBeUndefined();
});
