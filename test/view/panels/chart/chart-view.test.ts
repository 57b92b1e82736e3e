import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {CandleSeries} from '../../../../source/market/candles.ts';
import {type ChartType, initialChart, zoomLevels} from '../../../../source/view/panels/chart/chart-state.ts';
import {
	type ChartInput,
	type ChartView,
	chartScale,
	createView,
	movedCross,
	pannedPlace,
	wantsOlder,
} from '../../../../source/view/panels/chart/chart-view.ts';
import {createRangeFitter} from '../../../../source/view/plot/price-scale.ts';
import {walk} from '../../../helpers/candles.ts';

const hour = 3_600_000;
const newest = Date.UTC(2026, 10, 20, 12);
const whole = walk({count: 3000, price: 60_000, decimals: 2, volatility: 0.006, newest});
const last = (count: number): CandleSeries => ({...whole, candles: whole.candles.slice(whole.candles.length - count)});

const viewOf = (changes: Partial<ChartInput> = {}): ChartView =>
	createView({
		...initialChart,
		series: last(500),
		size: {columns: 62, rows: 30},
		ascii: false,
		now: newest,
		decimals: 2,
		...changes,
	});
const shown = ({candles, timeScale: {first, last: end}}: ChartView) => candles.slice(Math.max(first, 0), end + 1);

const pannedEdge = (view: ChartView, slots: number) => pannedPlace(view, slots).rightEdge;

test.each(zoomLevels.slice(0, 6))(
	'a candle that lacks some that it is built from is after a gap: $merged a column',
	zoom => {
		const {candles} = last(500);
		const whole = viewOf({zoom}).timeScale.gapColumns;
		const lacking = new Set([candles.at(-4)?.time ?? 0]);
		expect(whole).toEqual([]);
		expect(viewOf({zoom, series: {...last(500), lacking}}).timeScale.gapColumns).toHaveLength(1);
	},
);

test('a VWAP far from the prices widens the scale of candles, and not that of a footprint', () => {
	const [{time: anchor = 0} = {}] = last(500).candles;
	/** With the VWAP, as a multiple of without it. */
	const widened = (type: ChartType, rows: number): number => {
		const [without = 0, beside = 0] = [[], [anchor]].map(anchored => {
			const input: ChartInput = {
				...{...initialChart, series: last(500), ascii: false, now: newest, decimals: 2},
				// The legend takes a row for it.
				...{type, anchored, size: {columns: 62, rows: rows + anchored.length}},
			};
			const {top, bottom} = chartScale(input, createView(input), createRangeFitter());
			return top - bottom;
		});
		return beside / without;
	};
	const heights = [20, 24, 28, 32, 36, 40];
	expect(Math.max(...heights.map(rows => widened('candles', rows)))).toBeGreaterThan(1.2);
	expect(heights.map(rows => widened('footprint', rows))).toEqual(heights.map(() => 1));
});

describe('periods without a trade up to now', () => {
	const quietTo = newest + 3 * hour + 25 * 60_000;
	const startsOf = (changes: Partial<ChartInput>) => viewOf(changes).empty.map(time => (time - newest) / hour);

	test.each<[string, Partial<ChartInput>, readonly number[]]>([
		['follow the newest candle, with the one that is not over', {quietTo}, [1, 2, 3]],
		['are none while its candle is not over', {quietTo: newest + hour - 1}, []],
		['are none where something may have been traded', {}, []],
		[
			'are the last ones, of a quarter of the columns',
			{quietTo: newest + 100.5 * hour, size: {columns: 32, rows: 30}},
			[96, 97, 98, 99, 100],
		],
		['are as long as the candles that share a column', {quietTo, zoom: {columns: 1, merged: 2}}, [2]],
	])('%s', (_, changes, starts) => {
		expect(startsOf(changes)).toEqual(starts);
	});

	test('stand right of the candles, which keep their columns among each other', () => {
		const [before, after] = [viewOf(), viewOf({quietTo})].map(({candles, timeScale}) =>
			timeScale.columnOf(candles.length - 1),
		);
		expect((before ?? 0) - (after ?? 0)).toBe(3);
		const {forming, newer, timeScale, candles} = viewOf({quietTo});
		expect({forming, newer, last: timeScale.last - candles.length}).toEqual({forming: undefined, newer: 0, last: 2});
	});

	test('are panned over and back', () => {
		const input = {quietTo};
		let rightEdge: number | undefined;
		const edges = [1, 1, 1, 1, -1, -1, -1, -1].map(slots => {
			({rightEdge} = pannedPlace(viewOf({...input, rightEdge}), slots));
			return rightEdge === undefined ? undefined : (rightEdge - newest) / hour;
		});
		expect(edges).toEqual([2, 1, 0, -1, 0, 1, 2, undefined]);
	});

	test('are reached by the crosshair, which begins at the newest candle', () => {
		const at = (cross: number | undefined, slots: number) => movedCross(viewOf({quietTo, cross}), slots);
		expect([at(undefined, 0), at(newest, 1), at(newest, 9), at(newest + 3 * hour, -2)].map(({cross}) => cross)).toEqual(
			[0, 1, 3, 1].map(hours => newest + hours * hour),
		);
	});
});

describe('panning', () => {
	test('shows the same candles when older ones arrive and when a new one opens', () => {
		fc.assert(
			fc.property(
				fc.integer({min: 200, max: 1200}),
				fc.integer({min: 130, max: 190}),
				fc.constantFrom(...zoomLevels.filter(({merged}) => merged <= 2)),
				(older, back, zoom) => {
					const rightEdge = newest - back * hour;
					const series = last(500);
					const before = viewOf({series, rightEdge, zoom});
					fc.pre(before.timeScale.first > 1);
					const opened = {
						...series,
						candles: [...last(500 + older).candles, {...whole.candles[0], time: newest + hour}],
					};
					const after = viewOf({series: opened as CandleSeries, rightEdge, zoom});
					expect(shown(after)).toEqual(shown(before));
					expect(after.newer).toBe(before.newer + 1);
				},
			),
		);
	});

	test('goes to older candles and back by as many slots', () => {
		const rightEdge = pannedEdge(viewOf(), 7);
		expect(rightEdge).toBe(newest - 7 * hour);
		expect(pannedEdge(viewOf({rightEdge}), -3)).toBe(newest - 4 * hour);
		expect(pannedEdge(viewOf({rightEdge}), -7)).toBeUndefined();
	});

	test('stops with the oldest candle at the left edge, and continues once older ones are loaded', () => {
		const rightEdge = pannedEdge(viewOf(), 100_000);
		const {timeScale} = viewOf({rightEdge});
		expect([timeScale.first, timeScale.last]).toEqual([0, viewOf().timeScale.last - viewOf().timeScale.first]);
		expect(pannedEdge(viewOf({rightEdge}), 5)).toBe(rightEdge);
		expect(pannedEdge(viewOf({rightEdge, series: last(600)}), 5)).toBe((rightEdge ?? 0) - 5 * hour);
	});
});

test('wants older candles while less than another screen of them is left', () => {
	const count = shown(viewOf()).length;
	const at = (left: number) => wantsOlder(viewOf({rightEdge: newest - (500 - count - left) * hour}));
	expect([at(0), at(count - 1), at(count)]).toEqual([true, true, false]);
	expect(wantsOlder(viewOf({zoom: {columns: 1, merged: 10}}))).toBe(true);
	expect(wantsOlder(viewOf({series: last(0)}))).toBe(true);
});

test('wants older candles back to the start of each session whose mean is shown', () => {
	const minutes = walk({count: 1441, price: 60_000, decimals: 2, volatility: 0.001, newest, period: 1});
	const wanted = (count: number, changes: Partial<ChartInput> = {}): boolean => {
		const series = {...minutes, candles: minutes.candles.slice(-count)};
		return wantsOlder(viewOf({series, indicators: new Set(['vwap']), ...changes}));
	};
	const sinceMidnight = 12 * 60 + 1;
	const yesterday = {rightEdge: newest - sinceMidnight * 60_000};
	expect({
		insideTheDay: wanted(500),
		withoutIt: wanted(500, {indicators: new Set(['sma'])}),
		toTheMinute: [wanted(sinceMidnight - 1), wanted(sinceMidnight)],
		dayBeforeNotInSight: wanted(1000),
		dayBeforeInSight: wanted(1000, yesterday),
		dayBeforeWithoutIt: wanted(1000, {...yesterday, indicators: new Set()}),
	}).toEqual({
		insideTheDay: true,
		withoutIt: false,
		toTheMinute: [true, false],
		dayBeforeNotInSight: false,
		dayBeforeInSight: true,
		dayBeforeWithoutIt: false,
	});
});

describe('merged candles', () => {
	test('point to the last candle that each was made of', () => {
		const view = viewOf({zoom: {columns: 1, merged: 5}});
		const {candles} = last(500);
		for (const [index, {close}] of view.candles.entries()) expect(candles[view.endOf(index)]?.close).toBe(close);
	});
});

describe('the crosshair', () => {
	test('moves candle by candle and takes the view along at its edges', () => {
		const view = viewOf({cross: newest});
		expect(movedCross(view, -1)).toEqual({cross: newest - hour, rightEdge: undefined});
		const {first} = view.timeScale;
		const leftmost = view.candles[first]?.time ?? 0;
		expect(movedCross(viewOf({cross: leftmost}), -1)).toEqual({cross: leftmost - hour, rightEdge: newest - hour});
		const panned = viewOf({cross: newest - 9 * hour, rightEdge: newest - 9 * hour});
		expect(movedCross(panned, 1)).toEqual({cross: newest - 8 * hour, rightEdge: newest - 8 * hour});
		expect(movedCross(view, 5)).toEqual({cross: newest, rightEdge: undefined});
	});

	test('is always visible after a move', () => {
		fc.assert(
			fc.property(fc.integer({min: 0, max: 499}), fc.integer({min: -600, max: 600}), (from, slots) => {
				const moved = movedCross(viewOf({cross: newest - from * hour}), slots);
				const view = viewOf(moved);
				expect(view.cross).toBeGreaterThanOrEqual(view.timeScale.first);
				expect(view.cross).toBeLessThanOrEqual(view.timeScale.last);
			}),
		);
	});
});
