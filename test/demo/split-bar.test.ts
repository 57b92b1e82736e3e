import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Bar, BarSum, splitBar} from '../../source/demo/bar.ts';
import {Random} from '../../source/demo/random.ts';

const price = fc.integer({min: 1, max: 10_000_000});
const bar = fc
	.record({prices: fc.tuple(price, price, price, price), swap: fc.boolean(), volume: fc.nat({max: 1e12})})
	.map(({prices, swap, volume}): Bar => {
		const [low = 0, one = 0, other = 0, high = 0] = prices.toSorted((a, b) => a - b);
		if (volume === 0) return {open: one, high: one, low: one, close: one, volume};
		return {open: swap ? other : one, high, low, close: swap ? one : other, volume};
	});
const split = fc.record({
	whole: bar,
	count: fc.constantFrom(7, 24, 60),
	tradeVolume: fc.integer({min: 1, max: 1e11}),
	seed: fc.integer(),
});

function sumOf(parts: readonly Bar[]): Bar {
	const sum = new BarSum();
	for (const part of parts) sum.add(part);
	return sum.bar;
}

test('the parts of a bar add up to it exactly', () => {
	fc.assert(
		fc.property(split, ({whole, count, tradeVolume, seed}) => {
			const parts = splitBar(whole, count, tradeVolume, new Random(seed));
			expect(parts.length).toBe(count);
			expect(sumOf(parts)).toEqual(whole);
		}),
	);
});

test('each part is a bar of whole numbers that opens where the one before closed, and moves only with volume', () => {
	fc.assert(
		fc.property(split, ({whole, count, tradeVolume, seed}) => {
			let close = whole.open;
			for (const part of splitBar(whole, count, tradeVolume, new Random(seed))) {
				expect(part.open).toBe(close);
				expect(part.low).toBeLessThanOrEqual(Math.min(part.open, part.close));
				expect(part.high).toBeGreaterThanOrEqual(Math.max(part.open, part.close));
				expect(part.volume).toBeGreaterThanOrEqual(0);
				if (part.volume === 0) expect(part).toEqual({open: close, high: close, low: close, close, volume: 0});
				expect(Object.values(part).every(Number.isInteger)).toBe(true);
				close = part.close;
			}
		}),
	);
});

test('with fewer trades than parts, some parts stay empty; with many, none', () => {
	const whole = {open: 100, high: 130, low: 90, close: 120, volume: 60_000};
	const empty = (tradeVolume: number) =>
		splitBar(whole, 60, tradeVolume, new Random(1)).filter(({volume}) => volume === 0).length;
	expect(empty(10)).toBe(0);
	expect(empty(10_000)).toBeGreaterThan(30);
});
