import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {linePriceAt, lineThrough, type TrendLine} from '../../source/market/trend-line.ts';

const hour = 3_600_000;
const line = (log: boolean, first: number, second: number): TrendLine => ({
	...{from: {time: 10 * hour, price: first}, to: {time: 12 * hour, price: second}, log},
});

const anyPrice = fc.double({min: 1e-12, max: 1e12, noNaN: true});
const anyTime = fc.integer({min: 0, max: 4e12});
const anyLine = fc
	.tuple(anyTime, anyTime, anyPrice, anyPrice, fc.boolean())
	.filter(([a, b]) => a !== b)
	.map(([a, b, first, second, log]) => lineThrough({time: a, price: first}, {time: b, price: second}, log))
	.filter(each => each !== undefined);

describe('linePriceAt', () => {
	test('is straight in the price, through both points and on to the right', () => {
		const prices = [10, 11, 12, 14, 20].map(time => linePriceAt(line(false, 100, 110), time * hour));
		expect(prices).toEqual([100, 105, 110, 120, 150]);
	});

	test('is straight in the logarithm of the price if drawn so: equal times are equal ratios', () => {
		const prices = [10, 11, 12, 14, 16].map(time => linePriceAt(line(true, 100, 400), time * hour));
		expect(prices).toEqual([100, expect.closeTo(200, 9), 400, expect.closeTo(1600, 8), expect.closeTo(6400, 7)]);
	});

	test('is unknown before its first point, and where it would be at 0 or below', () => {
		const falling = line(false, 100, 50);
		const prices = [9.999, 10, 13.9, 14, 15, Number.NaN].map(time => linePriceAt(falling, time * hour));
		expect(prices).toEqual([undefined, 100, expect.closeTo(2.5, 9), undefined, undefined, undefined]);
	});

	test('never leaves the numbers', () => {
		const steep = lineThrough({time: 0, price: 1e-300}, {time: 1, price: 1e300}, true);
		expect(steep && [0, 1, 2].map(time => linePriceAt(steep, time))).toEqual([1e-300, 1e300, undefined]);
	});

	test('passes exactly through both points', () => {
		fc.assert(
			fc.property(anyLine, each => {
				expect(linePriceAt(each, each.from.time)).toBe(each.from.price);
				expect(linePriceAt(each, each.to.time)).toBe(each.to.price);
			}),
		);
	});

	test('goes one way: later is never on the other side of earlier, but for rounding', () => {
		fc.assert(
			fc.property(anyLine, anyTime, anyTime, (each, a, b) => {
				const [earlier, later] = [a, b].sort((x, y) => x - y).map(time => linePriceAt(each, time));
				if (earlier === undefined || later === undefined) return;
				const sign = Math.sign(each.to.price - each.from.price);
				expect(sign * (later - earlier)).toBeGreaterThanOrEqual(-1e-12 * Math.max(earlier, later));
			}),
		);
	});

	test('between its points a logarithmic line is never above a straight one, and both stay between the prices', () => {
		fc.assert(
			fc.property(anyLine, fc.double({min: 0, max: 1, noNaN: true}), ({from, to}, share) => {
				const time = from.time + (to.time - from.time) * share;
				const straight = linePriceAt({from, to, log: false}, time) ?? Number.NaN;
				const log = linePriceAt({from, to, log: true}, time) ?? Number.NaN;
				const [low, high] = [from.price, to.price].sort((a, b) => a - b);
				expect(log).toBeLessThanOrEqual(straight * (1 + 1e-9));
				expect(log).toBeGreaterThanOrEqual((low ?? 0) * (1 - 1e-9));
				expect(straight).toBeLessThanOrEqual((high ?? 0) * (1 + 1e-9));
			}),
		);
	});
});

test('lineThrough takes the points in either order, and none of one time', () => {
	const [a, b] = [
		{time: 1, price: 5},
		{time: 2, price: 3},
	];
	expect(lineThrough(b, a, true)).toEqual({from: a, to: b, log: true});
	expect(lineThrough(a, b, false)).toEqual({from: a, to: b, log: false});
	expect(lineThrough(a, {time: 1, price: 9}, false)).toBeUndefined();
});
