import {expect, test} from 'vitest';
import {oneColumn, type Zoom, zoomedBy} from '../../../../source/view/panels/chart/chart-state.ts';

const steps = (by: 1 | -1) => {
	const levels: Array<[number, number]> = [];
	let zoom: Zoom = oneColumn;
	for (let step = 0; step < 9; step++) {
		zoom = zoomedBy(zoom, by);
		levels.push([zoom.columns, zoom.merged]);
	}

	return levels;
};

test('zooming in takes two to five columns a candle', () => {
	expect(steps(1)).toEqual([[2, 1], [3, 1], [4, 1], ...Array.from({length: 6}, () => [5, 1])]);
});

test('zooming out gathers more candles in a column', () => {
	expect(steps(-1)).toEqual([
		[1, 2],
		[1, 3],
		[1, 5],
		[1, 10],
		[1, 20],
		[1, 50],
		[1, 100],
		[1, 100],
		[1, 100],
	]);
});
