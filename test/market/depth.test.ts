import {describe, expect, test} from 'vitest';
import {
	groupLevels,
	spreadOf,
	stepAt,
	stepDecimals,
	stepOf,
	stepSize,
	stepsFrom,
	totalsOf,
} from '../../source/market/depth.ts';
import type {Level} from '../../source/market/types.ts';

describe('spread', () => {
	test('is open where the prices differ only beyond 15 digits', () => {
		const [bid, ask] = [1.0000000000000002, 1.0000000000000004];
		expect(spreadOf({asks: [[ask, 1]], bids: [[bid, 1]]})).toMatchObject({spread: ask - bid, state: 'open'});
	});

	test('is absent when a side is empty or not shown', () => {
		expect(spreadOf({asks: [[1, 1]], bids: []})).toBeUndefined();
		expect(spreadOf({asks: [], bids: [[1, 1]]})).toBeUndefined();
		expect(spreadOf({asks: [[1, 1]]})).toBeUndefined();
	});
});

describe('totals', () => {
	const asks: readonly Level[] = [
		[101, 1],
		[102, 1],
	];

	test('are absent when a side is empty or not shown', () => {
		expect(totalsOf({asks, bids: []})).toBeUndefined();
		expect(totalsOf({asks: [], bids: asks})).toBeUndefined();
		expect(totalsOf({asks})).toBeUndefined();
	});
});

describe('steps', () => {
	test('the price steps are 1, 2 and 5 times powers of ten, from the last decimal on', () => {
		const sizes = [0, 1, 2, 3, 4, 5, 6, 7].map(index => stepSize(stepAt(2, index)));

		expect(sizes).toEqual([0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]);
	});

	test('are found by size; other sizes are not steps', () => {
		const steps = Array.from({length: 40}, (_, index) => stepAt(20, index));

		expect(steps.map(step => stepOf(stepSize(step)))).toEqual(steps);
		expect([0, 3, 0.15, -1, Number.NaN, 1.1].map(stepOf)).toEqual(Array(6).fill(undefined));
	});

	test('a price step has the decimals that its multiples need', () => {
		expect([0, 3, 6, 9].map(index => stepDecimals(stepAt(2, index)))).toEqual([2, 1, 0, 0]);
	});

	test('end at a tenth of the price', () => {
		expect(stepsFrom(stepAt(1, 1), 61.2).map(stepSize)).toEqual([0.2, 0.5, 1, 2, 5]);
	});

	test('offer the finest one even where it is coarse for the price', () => {
		expect(stepsFrom(stepAt(0, 0), 3).map(stepSize)).toEqual([1]);
	});
});

describe('grouping', () => {
	test('is exact for 1e-10 and for 60,000 with ten decimals', () => {
		const levels: Level[] = [
			[60_000.0000000002, 1],
			[60_000.0000000001, 2],
			[3e-10, 4],
			[1e-10, 8],
		];

		expect(groupLevels(levels, 'bid', stepAt(10, 0))).toEqual(levels);
		expect(groupLevels(levels, 'bid', stepAt(10, 1))).toEqual([
			[60_000.0000000002, 1],
			[60_000, 2],
			[2e-10, 4],
			[0, 8],
		]);
	});

	test('keeps a price alone when doubles are coarser than the step', () => {
		expect(groupLevels([[60_000, 1]], 'ask', stepAt(20, 0))).toEqual([[60_000, 1]]);
	});
});
