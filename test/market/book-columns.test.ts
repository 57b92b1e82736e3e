import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type BookColumns, bookColumns} from '../../source/market/book-columns.ts';
import type {Snapshot} from '../../source/market/liquidity.ts';

const snapshotAt = (seconds: number): Snapshot => ({time: seconds * 1000, asks: Float64Array.of(seconds + 1, 1)});
const historyOf = (...seconds: readonly number[]) => ({snapshots: seconds.map(snapshotAt), intervalMs: 1000});
const range = (from: number, count: number) => Array.from({length: count}, (_, index) => from + index);

/** The second of the snapshot of each column, `.` where there is none. */
const drawn = (columns: BookColumns | undefined): string =>
	(columns?.snapshots ?? []).map(snapshot => (snapshot ? snapshot.time / 1000 : '.')).join(' ');

describe('the books of a session', () => {
	test('have a column each where there is room', () => {
		const columns = bookColumns(historyOf(5, 6, 7, 8), 10);

		expect(drawn(columns)).toBe('5 6 7 8');
		expect(columns).toMatchObject({columnMs: 1000, from: 5000, to: 8000});
	});

	test('share columns of equal time where there is less, the newest of each standing for it', () => {
		const columns = bookColumns(historyOf(...range(0, 10)), 4);

		expect(drawn(columns)).toBe('2 5 8 9');
		expect(columns?.columnMs).toBe(3000);
	});

	test('leave the columns of a pause empty', () => {
		expect(drawn(bookColumns(historyOf(0, 1, 2, 3, 7, 8, 9), 20))).toBe('0 1 2 3 . . . 7 8 9');
	});

	test('leave them empty in wider columns too', () => {
		const columns = bookColumns(historyOf(...range(0, 20), ...range(30, 10)), 20);

		expect(drawn(columns)).toBe('1 3 5 7 9 11 13 15 17 19 . . . . . 31 33 35 37 39');
	});

	test('have no gap where an answer was late', () => {
		expect(drawn(bookColumns(historyOf(0, 1, 2.1, 3.9, 5, 6), 20))).toBe('0 1 2.1 3.9 3.9 5 6');
	});

	test('have columns as long as the polls are apart', () => {
		const columns = bookColumns(historyOf(0, 5.1, 10, 15, 20.1, 25), 20);

		expect(drawn(columns)).toBe('0 5.1 10 15 20.1 25');
		expect(columns?.columnMs).toBe(5000);
	});

	test('begin anew after an absence that would leave most columns empty', () => {
		const columns = bookColumns(historyOf(...range(0, 60), ...range(30_000, 5)), 40);

		expect(drawn(columns)).toBe('30000 30001 30002 30003 30004');
		expect(columns?.from).toBe(30_000_000);
	});

	test('of a clock that was set back are those until now', () => {
		expect(drawn(bookColumns(historyOf(10, 11, 12, 11.5), 10))).toBe('10 11.5');
	});

	test('are none where nothing was seen, or where there is no room', () => {
		expect(bookColumns(historyOf(), 10)).toBeUndefined();
		expect(bookColumns(historyOf(1), 0)).toBeUndefined();
	});
});

test('columns of any books are no more than there is room for, in the order of time, with the newest last', () => {
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
