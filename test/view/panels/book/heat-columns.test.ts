import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../../source/market/liquidity.ts';
import {type BookColumns, bookColumns, heatColumn} from '../../../../source/view/panels/book/heat-columns.ts';

const snapshotAt = (seconds: number): Snapshot => ({time: seconds * 1000, asks: Float64Array.of(seconds + 1, 1)});
const historyOf = (...seconds: readonly number[]) => ({snapshots: seconds.map(snapshotAt), intervalMs: 1000});
const range = (from: number, count: number) => Array.from({length: count}, (_, index) => from + index);

/** The second of the snapshot of each column, `.` where there is none. */
const drawn = (columns: BookColumns | undefined): string =>
	(columns?.snapshots ?? []).map(snapshot => (snapshot ? snapshot.time / 1000 : '.')).join(' ');

describe('book columns', () => {
	test('give each snapshot a column where there is room', () => {
		const columns = bookColumns(historyOf(5, 6, 7, 8), 10);

		expect(drawn(columns)).toBe('5 6 7 8');
		expect(columns).toMatchObject({columnMs: 1000, from: 5000, to: 8000});
	});

	test('show the newest snapshot per column where room is short', () => {
		const columns = bookColumns(historyOf(...range(0, 10)), 4);

		expect(drawn(columns)).toBe('2 5 8 9');
		expect(columns?.columnMs).toBe(3000);
	});

	test('leave a pause empty', () => {
		expect(drawn(bookColumns(historyOf(0, 1, 2, 3, 7, 8, 9), 20))).toBe('0 1 2 3 . . . 7 8 9');
	});

	test('leave a pause empty in wider columns', () => {
		const columns = bookColumns(historyOf(...range(0, 20), ...range(30, 10)), 20);

		expect(drawn(columns)).toBe('1 3 5 7 9 11 13 15 17 19 . . . . . 31 33 35 37 39');
	});

	test('leave no gap for a late answer', () => {
		expect(drawn(bookColumns(historyOf(0, 1, 2.1, 3.9, 5, 6), 20))).toBe('0 1 2.1 3.9 3.9 5 6');
	});

	test('span the interval between polls', () => {
		const columns = bookColumns(historyOf(0, 5.1, 10, 15, 20.1, 25), 20);

		expect(drawn(columns)).toBe('0 5.1 10 15 20.1 25');
		expect(columns?.columnMs).toBe(5000);
	});

	test('start after an absence that would leave most columns empty', () => {
		const columns = bookColumns(historyOf(...range(0, 60), ...range(30_000, 5)), 40);

		expect(drawn(columns)).toBe('30000 30001 30002 30003 30004');
		expect(columns?.from).toBe(30_000_000);
	});

	test('ignore snapshots from the future after the clock was set back', () => {
		expect(drawn(bookColumns(historyOf(10, 11, 12, 11.5), 10))).toBe('10 11.5');
	});

	test('are absent without snapshots or room', () => {
		expect(bookColumns(historyOf(), 10)).toBeUndefined();
		expect(bookColumns(historyOf(1), 0)).toBeUndefined();
	});
});

test('book columns fit the room, are in time order and end with the newest snapshot', () => {
	const times = fc.array(fc.nat(100_000), {minLength: 1, maxLength: 240});
	fc.assert(
		fc.property(times, fc.integer({min: 1, max: 100}), (seconds, most) => {
			const columns = bookColumns(historyOf(...seconds), most);
			const shown = columns?.snapshots ?? [];
			const known = shown.flatMap(snapshot => (snapshot ? snapshot.time : []));

			expect(shown.length).toBeGreaterThan(0);
			expect(shown.length).toBeLessThanOrEqual(most);
			expect(known).toEqual(known.toSorted((a, b) => a - b));
			expect(shown.at(-1)?.time).toBe((seconds.at(-1) ?? 0) * 1000);
			for (const [index, snapshot] of shown.entries()) {
				if (!snapshot || !columns) continue;
				const start = columns.from + index * columns.columnMs;
				// Its own column, or a later one that no other book came in.
				expect(snapshot.time).toBeLessThan(start + columns.columnMs);
			}
		}),
	);
});

describe('a heatmap column', () => {
	const snapshot: Snapshot = {
		time: 0,
		asks: Float64Array.of(10.3, 1, 10.4, 2, 10.7, 4),
		bids: Float64Array.of(10, 5, 9.9, 6),
	};

	test('distinguishes quantities, empty prices, the spread and unknown prices', () => {
		expect(heatColumn(snapshot, {step: 0.1, top: 108, count: 11})).toEqual([
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

	test('shows the mid where rows are too coarse for the spread', () => {
		expect(heatColumn(snapshot, {step: 1, top: 12, count: 4})).toEqual([
			undefined,
			{side: 'ask', quantity: 7},
			'spread',
			{side: 'bid', quantity: 6},
		]);
	});

	test('sums the levels of a row, rounding asks up and bids down', () => {
		expect(heatColumn(snapshot, {step: 0.5, top: 22, count: 4})).toEqual([
			{side: 'ask', quantity: 4},
			{side: 'ask', quantity: 3},
			'spread',
			{side: 'bid', quantity: 6},
		]);
	});

	test('adds decimals without rounding errors', () => {
		const small = {time: 0, asks: Float64Array.of(10.1, 0.1, 10.2, 0.2), bids: new Float64Array()};

		expect(heatColumn(small, {step: 1, top: 11, count: 1})).toEqual([{side: 'ask', quantity: 0.3}]);
	});

	test('leaves a missing side unknown', () => {
		const asksOnly = {time: 0, asks: Float64Array.of(10, 1)};
		expect(heatColumn(asksOnly, {step: 1, top: 11, count: 3})).toEqual([
			undefined,
			{side: 'ask', quantity: 1},
			undefined,
		]);
	});
});
