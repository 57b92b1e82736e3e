import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../../source/market/liquidity.ts';
import {type BookColumns, bookColumns} from '../../../../source/view/panels/book/book-columns.ts';

const snapshotAt = (seconds: number): Snapshot => ({time: seconds * 1000, asks: Float64Array.of(seconds + 1, 1)});
const historyOf = (...seconds: readonly number[]) => ({snapshots: seconds.map(snapshotAt)});
const range = (from: number, count: number) => Array.from({length: count}, (_, index) => from + index);

/** The second of the snapshot of each column, `.` where there is none. */
const drawn = (columns: BookColumns | undefined): string =>
	(columns?.snapshots ?? []).map(snapshot => (snapshot ? snapshot.time / 1000 : '.')).join(' ');

describe('book columns', () => {
	test('give each snapshot a column where there is room', () => {
		const columns = bookColumns(historyOf(5, 6, 7, 8), 10);

		expect(drawn(columns)).toBe('5 6 7 8');
		expect(columns).toMatchObject({columnMs: 1000, from: 5000});
	});

	test('show the newest snapshot per column where room is short', () => {
		const columns = bookColumns(historyOf(...range(0, 10)), 4);

		expect(drawn(columns)).toBe('2 5 8 9');
		expect(columns?.columnMs).toBe(3000);
		expect(drawn(bookColumns(historyOf(...range(1, 9)), 3))).toBe('3 7 9');
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

	test('leave a pause empty, but not what was thinned out', () => {
		const thinned = {until: 9000, intervalMs: 4000};
		const history = historyOf(1, 5, 9, 10, 11, 12, 13, 14, 20, 21, 22, 23);

		expect(drawn(bookColumns({...history, thinned}, 40))).toBe(
			'1 1 1 1 5 5 5 5 9 10 11 12 13 14 . . . . . 20 21 22 23',
		);
	});

	test('show the newest part in columns of a chosen time, and the part before a chosen one', () => {
		const history = historyOf(...range(0, 60));

		expect(drawn(bookColumns(history, 4, {columnMs: 1000}))).toBe('56 57 58 59');
		expect(drawn(bookColumns(history, 4, {columnMs: 5000, until: 27_000}))).toBe('14 19 24 29');
		expect(drawn(bookColumns(history, 4, {until: 27_000, columnMs: 1000}))).toBe('24 25 26 27');
		expect(drawn(bookColumns(history, 4, {columnMs: 5000, until: 7000}))).toBe('4 9');
		expect(bookColumns(historyOf(0, 5, 10, 15), 4, {columnMs: 1000})?.columnMs).toBe(5000);
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
				expect(columns.from % columns.columnMs).toBe(0);
				const start = columns.from + index * columns.columnMs;
				// Its own column, or a later one that no other book came in.
				expect(snapshot.time).toBeLessThan(start + columns.columnMs);
			}
		}),
	);
});
