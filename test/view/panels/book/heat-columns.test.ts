import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../../source/market/liquidity.ts';
import {heatColumn} from '../../../../source/view/panels/book/heatmap-model.ts';

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

	test('marks the mid where rows are too coarse for the spread', () => {
		expect(heatColumn(snapshot, {step: 1, top: 12, count: 4})).toEqual([
			undefined,
			{side: 'ask', quantity: 7},
			{side: 'bid', quantity: 5, isMid: true},
			{side: 'bid', quantity: 6},
		]);
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
