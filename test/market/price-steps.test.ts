import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {groupLevels, type PriceStep, stepAt, stepOf, stepSize} from '../../source/market/depth.ts';
import {groupSteps, ownStep} from '../../source/market/price-steps.ts';
import type {DepthBook, Level} from '../../source/market/types.ts';

const bookOf = (asks: readonly number[], bids: readonly number[] = []): DepthBook => ({
	asks: asks.map((price): Level => [price, 1]),
	bids: bids.map((price): Level => [price, 1]),
});

describe('the step of a book itself', () => {
	test.each([
		['of one unit', bookOf([61.2, 61.3], [61.1]), 1, 0.1],
		['coarser than the decimals that the market has shown', bookOf([61.5, 62], [60.5]), 8, 0.5],
		['a quarter', bookOf([1.25, 1.5], [1]), 2, 0.05],
		['far below 1', bookOf([0.0000000059], [0.0000000058]), 10, 1e-10],
		['whole thousands', bookOf([62_000], [61_000]), 2, 1000],
		['of an empty book', bookOf([]), 2, 0.01],
		['too long for whole numbers', bookOf([61_824.5], [61_824]), 20, 1e-20],
	])('is %s', (_, book, decimals, size) => {
		expect(ownStep(book, decimals)).toEqual(stepOf(size));
	});
});

describe('the steps to group a book by', () => {
	test('begin with its own, leave out those that join no levels, and end where ten rows remain', () => {
		const apart = Array.from({length: 20}, (_, index) => index * 3);
		const book = bookOf(
			apart.map(units => (10_001 + units) / 100),
			apart.map(units => (10_000 - units) / 100),
		);

		expect(groupSteps(book, 4).map(stepSize)).toEqual([0.01, 0.05, 0.1]);
	});

	test('are its own alone where it has fewer than ten levels', () => {
		expect(groupSteps(bookOf([101, 102, 103], [99, 98]), 0).map(stepSize)).toEqual([1]);
	});

	const anyBook = fc
		.record({
			decimals: fc.integer({min: 0, max: 10}),
			unit: fc.constantFrom(1, 2, 3, 5, 25, 40, 1000),
			best: fc.integer({min: 1000, max: 5_000_000}),
			asks: fc.array(fc.integer({min: 1, max: 60}), {maxLength: 40}),
			bids: fc.array(fc.integer({min: 1, max: 60}), {maxLength: 40}),
		})
		.map(({decimals, unit, best, asks, bids}) => {
			const side = (distances: readonly number[], sign: 1 | -1) => {
				let units = best;
				return distances
					.map(distance => {
						units += sign * distance;
						return (units * unit) / 10 ** decimals;
					})
					.filter(price => price > 0);
			};
			return {book: bookOf(side(asks, 1), side(bids, -1)), decimals};
		});
	const rowsBy = ({asks, bids = []}: DepthBook, step: PriceStep) => [
		...groupLevels(asks, 'ask', step),
		...groupLevels(bids, 'bid', step),
	];

	test('rise from one in which every level of any book keeps its row and price, and leave ten rows', () => {
		fc.assert(
			fc.property(anyBook, ({book, decimals}) => {
				const [own = stepAt(0, 0), ...coarser] = groupSteps(book, decimals);
				const levels = [...book.asks, ...(book.bids ?? [])];
				expect(rowsBy(book, own)).toEqual(levels);
				const rows = coarser.map(step => rowsBy(book, step).length);
				for (const count of rows) {
					expect(count).toBeGreaterThanOrEqual(10);
					expect(count).toBeLessThan(levels.length);
				}

				const sizes = [own, ...coarser].map(stepSize);
				expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
			}),
		);
	});

	test('begin with the largest step that all prices of any book are multiples of', () => {
		fc.assert(
			fc.property(anyBook, ({book, decimals}) => {
				const prices = [...book.asks, ...(book.bids ?? [])].map(([price]) =>
					BigInt(Math.round(price * 10 ** decimals)),
				);
				if (prices.length === 0) return;
				const own = ownStep(book, decimals);
				const inUnits = ({mantissa, exponent}: PriceStep) => BigInt(mantissa) * 10n ** BigInt(exponent + decimals);
				const fits = (step: PriceStep) => prices.every(price => price % inUnits(step) === 0n);
				expect(fits(own)).toBe(true);
				const coarser = Array.from({length: 12}, (_, index) => stepAt(decimals, index)).filter(
					step => inUnits(step) > inUnits(own),
				);
				expect(coarser.filter(fits)).toEqual([]);
			}),
		);
	});
});
