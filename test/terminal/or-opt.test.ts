import fc from 'fast-check';
import {expect, test} from 'vitest';
import {shortenTour} from '../../source/terminal/or-opt.ts';

const costs = fc
	.integer({min: 1, max: 9})
	.chain(count =>
		fc.array(fc.array(fc.nat(40), {minLength: count, maxLength: count}), {minLength: count, maxLength: count}),
	);

const lengthOf = (tour: readonly number[], table: readonly (readonly number[])[]) =>
	tour.slice(1).reduce((sum, to, index) => sum + (table[tour[index] ?? 0]?.[to] ?? 0), 0);

test('visits every stop once, from the first one on, by a way that is never longer', () => {
	fc.assert(
		fc.property(costs, table => {
			const tour = shortenTour(table.length, (from, to) => table[from]?.[to] ?? 0);
			const given = [...table.keys()];
			expect(tour[0]).toBe(0);
			expect(tour.toSorted((a, b) => a - b)).toEqual(given);
			expect(lengthOf(tour, table)).toBeLessThanOrEqual(lengthOf(given, table));
		}),
	);
});

test('puts stops on a line into their order', () => {
	const places = [0, 5, 1, 4, 2, 3, 9, 6, 8, 7];
	const tour = shortenTour(places.length, (from, to) => Math.abs((places[from] ?? 0) - (places[to] ?? 0)));
	expect(tour.map(stop => places[stop])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});
