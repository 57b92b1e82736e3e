import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type BookHistory, emptyHistory, interrupted, reachOf, remember} from '../../source/market/liquidity.ts';
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

	test('does not compare with a book from before a market switch', () => {
		const history = interrupted(seenFor(3));

		expect(history).toEqual({snapshots: seenFor(3).snapshots, intervalMs: 1000});
		expect(remember(history, bookAt(9), 9000).previous).toBeUndefined();
	});
});

test('the reach of a side is its best and its worst price', () => {
	expect(reachOf(Float64Array.of(10.3, 1, 10.4, 2, 10.7, 4))).toEqual({best: 10.3, worst: 10.7});
	expect(reachOf(new Float64Array())).toBeUndefined();
});
