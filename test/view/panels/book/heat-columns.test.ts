import {describe, expect, test} from 'vitest';
import type {Snapshot} from '../../../../source/market/liquidity.ts';
import {heatColumn} from '../../../../source/view/panels/book/heat-columns.ts';

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

	test('sums the levels of a row, rounding asks up and bids down', () => {
		expect(heatColumn(snapshot, {step: 0.5, top: 22, count: 4})).toEqual([
			{side: 'ask', quantity: 4},
			{side: 'ask', quantity: 3},
			{side: 'bid', quantity: 5, isMid: true},
			{side: 'bid', quantity: 6},
		]);
	});

	test('adds decimals without rounding errors', () => {
		const small = {time: 0, asks: Float64Array.of(10.1, 0.1, 10.2, 0.2), bids: new Float64Array()};

		expect(heatColumn(small, {step: 1, top: 11, count: 1})).toEqual([{side: 'ask', quantity: 0.3}]);
	});

	test('shows the larger side of a row with both', () => {
		const crossed = (ask: number, bid: number) =>
			heatColumn(
				{time: 0, asks: Float64Array.of(10, ask), bids: Float64Array.of(10, bid)},
				{step: 1, top: 10, count: 1},
			);
		expect(crossed(2, 3)).toEqual([{side: 'bid', quantity: 3, isMid: true}]);
		expect(crossed(3, 2)).toEqual([{side: 'ask', quantity: 3, isMid: true}]);
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
