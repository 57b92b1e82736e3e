import fc from 'fast-check';
import {expect, test} from 'vitest';
import {valueShare, volumeProfile} from '../../source/market/volume-profile.ts';

const bar = (high: number, low: number, volume: number) => ({high, low, volume});

test('gives a candle of a single price to one stretch, also at an edge', () => {
	const edges = [4, 3, 2, 1, 0];
	const of = (price: number) => volumeProfile([bar(price, price, 1)], edges).volumes;
	expect([4, 3, 2.5, 0].map(of)).toEqual([
		[1, 0, 0, 0],
		[1, 0, 0, 0],
		[0, 1, 0, 0],
		[0, 0, 0, 1],
	]);
});

test('more than any number can say has no point of control', () => {
	const candle = {high: 3, low: 1, volume: Number.MAX_VALUE};
	expect(volumeProfile([candle, candle, candle], [3, 2, 1])).toEqual({volumes: [0, 0]});
});

test('nothing traded has no point of control', () => {
	expect(volumeProfile([bar(3, 1, 0)], [4, 0])).toEqual({volumes: [0]});
	expect(volumeProfile([], [])).toEqual({volumes: []});
});

const anyCandles = fc.array(
	fc
		.tuple(
			fc.double({min: 1, max: 99, noNaN: true}),
			fc.double({min: 1, max: 99, noNaN: true}),
			fc.integer({max: 1000, min: 0}),
		)
		.map(([a, b, volume]) => bar(Math.max(a, b), Math.min(a, b), volume)),
	{minLength: 1, maxLength: 30},
);
const anyEdges = fc
	.uniqueArray(fc.double({min: 2, max: 98, noNaN: true}), {maxLength: 20})
	.map(inner => [100, ...inner.toSorted((a, b) => b - a), 0]);

test('no volume is lost or counted twice, and the value area has its share', () => {
	fc.assert(
		fc.property(anyCandles, anyEdges, (candles, edges) => {
			const {volumes, control, area} = volumeProfile(candles, edges);
			const total = candles.reduce((sum, {volume}) => sum + volume, 0);
			const sumOf = (part: readonly number[]) => part.reduce((sum, volume) => sum + volume, 0);
			expect(volumes.length).toBe(edges.length - 1);
			expect(Math.abs(sumOf(volumes) - total)).toBeLessThanOrEqual(total * 1e-9);
			if (control === undefined || !area) {
				expect(total).toBe(0);
				return;
			}

			expect(volumes[control]).toBe(Math.max(...volumes));
			expect(area.first <= control && control <= area.last).toBe(true);
			const held = sumOf(volumes.slice(area.first, area.last + 1));
			expect(held).toBeGreaterThanOrEqual(total * valueShare * (1 - 1e-9));
			// Without the larger of its ends it has less.
			const ends = [area.first, area.last].map(index => volumes[index] ?? 0);
			if (area.first < area.last) expect(held - Math.max(...ends)).toBeLessThan(total * valueShare * (1 + 1e-9));
		}),
	);
});
