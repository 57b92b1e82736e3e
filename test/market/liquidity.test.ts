import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	type BookHistory,
	emptyHistory,
	heatColumn,
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
	test('keeps the book before the current one, and a snapshot of each second', () => {
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

	test('halves its detail when it is full, so that the whole session fits', () => {
		expect([times(seenFor(240)).length, seenFor(240).intervalMs]).toEqual([240, 1000]);
		const full = seenFor(241);
		expect([full.intervalMs, times(full).slice(0, 3), times(full).at(-1), times(full).length]).toEqual([
			2000,
			[1, 3, 5],
			240,
			121,
		]);
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

				expect(history.snapshots.length).toBeLessThanOrEqual(240);
				expect(history.snapshots.at(-1)?.time).toBe(time);
				expect(history.snapshots[0]?.asks.length).toBe(400);
				expect(times(history)).toEqual(times(history).toSorted((a, b) => a - b));
			}),
			{numRuns: 20},
		);
	});

	test('compares with no book from before the market was left', () => {
		const history = interrupted(seenFor(3));

		expect(history).toEqual({snapshots: seenFor(3).snapshots, intervalMs: 1000});
		expect(remember(history, bookAt(9), 9000).previous).toBeUndefined();
	});
});

describe('a column of the heatmap', () => {
	const [snapshot] = remember(
		emptyHistory,
		{
			asks: [
				[10.3, 1],
				[10.4, 2],
				[10.7, 4],
			],
			bids: [
				[10, 5],
				[9.9, 6],
			],
		},
		0,
	).snapshots;

	test('says of each price what lay there, that nothing did, that it is in the spread or not known', () => {
		expect(snapshot && heatColumn(snapshot, {step: 0.1, top: 108, count: 11})).toEqual([
			undefined,
			{side: 'ask', quantity: 4},
			'empty',
			'empty',
			{side: 'ask', quantity: 2},
			{side: 'ask', quantity: 1},
			'spread',
			'spread',
			{side: 'bid', quantity: 5},
			{side: 'bid', quantity: 6},
			undefined,
		]);
	});

	test('has the mid where no row is left for the spread', () => {
		expect(snapshot && heatColumn(snapshot, {step: 1, top: 12, count: 4})).toEqual([
			undefined,
			{side: 'ask', quantity: 7},
			'spread',
			{side: 'bid', quantity: 6},
		]);
	});

	test('adds up what falls into a row, asks upwards and bids downwards', () => {
		expect(snapshot && heatColumn(snapshot, {step: 0.5, top: 22, count: 4})).toEqual([
			{side: 'ask', quantity: 4},
			{side: 'ask', quantity: 3},
			'spread',
			{side: 'bid', quantity: 6},
		]);
	});

	test('adds decimals up as they are written', () => {
		const small = {time: 0, asks: Float64Array.of(10.1, 0.1, 10.2, 0.2), bids: new Float64Array()};

		expect(heatColumn(small, {step: 1, top: 11, count: 1})).toEqual([{side: 'ask', quantity: 0.3}]);
	});

	test('of a side that the interface does not show is unknown', () => {
		const asksOnly = {time: 0, asks: Float64Array.of(10, 1)};
		expect(heatColumn(asksOnly, {step: 1, top: 11, count: 3})).toEqual([
			undefined,
			{side: 'ask', quantity: 1},
			undefined,
		]);
	});

	test('knows how far a side reaches', () => {
		expect(snapshot && reachOf(snapshot.asks)).toEqual({best: 10.3, worst: 10.7});
		expect(reachOf(new Float64Array())).toBeUndefined();
	});
});
