import {expect, test} from 'vitest';
import {volumeProfile} from '../../source/market/volume-profile.ts';

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

test('the value area reaches to the lowest stretch where its share needs that', () => {
	const {control, area} = volumeProfile([bar(1.5, 1.5, 6), bar(0.5, 0.5, 5)], [2, 1, 0]);
	expect([control, area]).toEqual([0, {first: 0, last: 1}]);
});
