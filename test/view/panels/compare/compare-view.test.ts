import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Candle} from '../../../../source/market/types.ts';
import {monthMinutes} from '../../../../source/market/units.ts';
import {zoomLevels} from '../../../../source/view/panels/chart/chart-state.ts';
import {
	type CompareState,
	type CompareView,
	columnOfStep,
	createCompareView,
	initialCompare,
	movedCompareCross,
	pannedCompare,
	stepAt,
	wantsOlderOf,
} from '../../../../source/view/panels/compare/compare-view.ts';

const hourMs = 3_600_000;
const start = Date.UTC(2026, 10, 1);
const hour = (index: number) => start + index * hourMs;
/** Candles of the hours from `from` to before `to`. */
const candles = (from: number, to: number): readonly Candle[] =>
	Array.from({length: to - from}, (_, index) => ({
		time: hour(from + index),
		...{open: 1, high: 1, low: 1, close: 1, volume: 1},
	}));
const viewOf = (
	series: ReadonlyArray<readonly Candle[]>,
	state: Partial<CompareState> = {},
	columns = 50,
): CompareView => {
	const view = createCompareView(series, 60, {...initialCompare, ...state}, columns);
	if (!view) throw new Error('there are candles');
	return view;
};
const hours = ({from, to}: Pick<CompareView, 'from' | 'to'>) => [from, to].map(time => (time - start) / hourMs);

test('shows the newest steps, and begins no earlier than all markets have candles', () => {
	expect(hours(viewOf([candles(0, 200), candles(20, 200)]))).toEqual([150, 199]);
	expect(hours(viewOf([candles(0, 200), candles(180, 200)]))).toEqual([180, 199]);
	expect(createCompareView([[], []], 60, initialCompare, 50)).toBeUndefined();
});

test('panning left first fills the room at the left, then moves as far as the oldest candle of any market', () => {
	const series = [candles(0, 200), candles(180, 200)];
	const first = pannedCompare(viewOf(series), 5);
	expect(hours(viewOf(series, first))).toEqual([150, 199]);
	const second = pannedCompare(viewOf(series, first), 5);
	expect(hours(viewOf(series, second))).toEqual([145, 194]);
	expect(hours(viewOf(series, pannedCompare(viewOf(series, second), 1000)))).toEqual([0, 49]);
	expect(pannedCompare(viewOf(series, second), -5)).toEqual({edge: undefined});
});

test('a held edge of another period is not one of this', () => {
	const edge = {time: hour(50), period: 15};
	expect(hours(viewOf([candles(0, 200)], {edge}))).toEqual([150, 199]);
});

test('merged steps begin at round times, and their base is the step of the time', () => {
	const view = viewOf([candles(1, 200)], {zoom: {columns: 1, merged: 10}, base: hour(57)});
	expect([hours(view), view.count, (view.base - start) / hourMs, view.period]).toEqual([[-2, 198], 21, 48, 600]);
});

const anyState = fc.record({
	zoom: fc.constantFrom(...zoomLevels),
	edge: fc.option(fc.record({time: fc.integer({min: -50, max: 400}).map(hour), period: fc.constant(60)}), {
		nil: undefined,
	}),
	cross: fc.option(fc.integer({min: -50, max: 400}).map(hour), {nil: undefined}),
	base: fc.option(fc.integer({min: 0, max: 300}).map(hour), {nil: undefined}),
});
const anySeries = fc.array(
	fc.tuple(fc.nat({max: 250}), fc.nat({max: 60})).map(([from, count]) => candles(from, from + count)),
	{minLength: 1, maxLength: 4},
);

test('every view fits its columns, lies within the candles, and moves keep the crosshair in it', () => {
	fc.assert(
		fc.property(
			anySeries,
			anyState,
			fc.integer({min: 1, max: 120}),
			fc.integer({min: -30, max: 30}),
			(series, state, columns, by) => {
				const view = createCompareView(series, 60, state, columns);
				expect(view === undefined).toBe(series.every(({length}) => length === 0));
				if (!view) return;
				const check = (shown: CompareView) => {
					expect(shown.from).toBeGreaterThanOrEqual(shown.oldest);
					expect(shown.to).toBeLessThanOrEqual(shown.newest);
					expect(shown.count).toBeGreaterThan(0);
					expect(shown.count).toBeLessThanOrEqual(shown.room);
					expect(columnOfStep(shown.count - 1, shown)).toBeLessThan(Math.max(columns, shown.columns));
					expect(stepAt(shown.to, shown)).toBe(shown.count - 1);
					if (shown.cross !== undefined)
						expect([stepAt(shown.cross, shown) >= 0, shown.cross <= shown.to]).toEqual([true, true]);
				};
				check(view);
				const panned = viewOf(series, {...state, ...pannedCompare(view, by)}, columns);
				check(panned);
				const moved = viewOf(series, {...state, ...movedCompareCross(view, by)}, columns);
				check(moved);
				expect(moved.cross).toBe(movedCompareCross(view, by).cross);
			},
		),
	);
});

test('older candles are wanted where a market has none at the base, or for another screen to the left', () => {
	const view = viewOf([candles(0, 200), candles(120, 200)]);
	expect([candles(0, 200), candles(120, 200), []].map(each => wantsOlderOf(each, view))).toEqual([false, true, false]);
	const based = viewOf([candles(0, 200), candles(40, 200)], {base: hour(20)});
	expect([candles(0, 200), candles(40, 200)].map(each => wantsOlderOf(each, based))).toEqual([false, true]);
});

test('more steps than there are end at the first and the last step, also of merged months', () => {
	const months = Array.from({length: 400}, (_, index) => ({
		time: Date.UTC(1990, index),
		...{open: 1, high: 1, low: 1, close: 1, volume: 1},
	}));
	for (const zoom of zoomLevels) {
		const viewAt = (state: Partial<CompareState>) => {
			const view = createCompareView([months], monthMinutes, {...initialCompare, zoom, ...state}, 10);
			if (!view) throw new Error('there are candles');
			return view;
		};
		const view = viewAt({});
		const first = viewAt(pannedCompare(view, 1_000_000));
		expect([first.from, viewAt(pannedCompare(first, -1_000_000)).to]).toEqual([view.oldest, view.newest]);
		const crosses = [-1_000_000, 1_000_000].map(steps => movedCompareCross(view, steps).cross);
		expect(crosses).toEqual([view.oldest, view.newest]);
	}
});
