import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {centredOffset, createTimeScale, type TimeScaleInput} from '../../../source/view/plot/time-scale.ts';

const anyInput: fc.Arbitrary<TimeScaleInput> = fc
	.record({
		count: fc.integer({min: 0, max: 120}),
		gaps: fc.uniqueArray(fc.integer({min: 1, max: 119})),
		columns: fc.integer({min: 0, max: 130}),
		zoom: fc.integer({min: 1, max: 5}),
		offset: fc.integer({min: -5, max: 130}),
	})
	.map(({gaps, ...input}) => ({...input, isGap: index => gaps.includes(index)}));

const inSight = ({first, last}: {first: number; last: number}): number[] =>
	Array.from({length: last - first + 1}, (_, index) => first + index);

describe('createTimeScale', () => {
	test('a candle is found again at each column of its slot', () => {
		fc.assert(
			fc.property(anyInput, input => {
				const scale = createTimeScale(input);
				for (const index of inSight(scale)) {
					const left = scale.columnOf(index) - Math.floor((input.zoom - 1) / 2);
					const found = Array.from({length: input.zoom}, (_, column) => scale.indexAt(left + column));
					expect(found).toEqual(found.map(() => index));
				}
			}),
		);
	});

	test('candles and gaps are in rising order, one slot apart, inside the plot', () => {
		fc.assert(
			fc.property(anyInput, input => {
				const scale = createTimeScale(input);
				const columns = inSight(scale).map(index => scale.columnOf(index));
				const taken = [...columns, ...scale.gapColumns].sort((a, b) => a - b);
				for (const [index, column] of taken.entries()) {
					expect(column - scale.bodyReach).toBeGreaterThanOrEqual(0);
					expect(column + scale.bodyReach).toBeLessThan(input.columns);
					if (index > 0) expect(column - (taken[index - 1] ?? 0)).toBe(input.zoom);
				}

				expect(columns).toEqual([...columns].sort((a, b) => a - b));
			}),
		);
	});

	test('a gap takes the slot before the candle that follows it', () => {
		const scale = createTimeScale({count: 5, isGap: index => index === 3, columns: 20, zoom: 2, offset: 0});
		expect({
			columns: inSight(scale).map(index => scale.columnOf(index)),
			gaps: scale.gapColumns,
			inTheGap: scale.indexAt(14),
		}).toEqual({columns: [8, 10, 12, 16, 18], gaps: [14], inTheGap: undefined});
	});

	test('panning to the left brings older candles to the right edge', () => {
		const at = (offset: number) => {
			const {first, last} = createTimeScale({count: 100, isGap: () => false, columns: 11, zoom: 1, offset});
			return {first, last};
		};

		expect([at(0), at(30), at(500)]).toEqual([
			{first: 90, last: 99},
			{first: 60, last: 69},
			{first: 0, last: 0},
		]);
	});
});

test('a centred candle is in the middle, or as near to it as the ends of the series allow', () => {
	fc.assert(
		fc.property(anyInput, fc.nat(119), (input, at) => {
			fc.pre(input.count > 0 && input.columns > input.zoom);
			const index = Math.min(at, input.count - 1);
			const offset = centredOffset(index, input);
			const scale = createTimeScale({...input, offset});
			const column = scale.columnOf(index);
			expect(column).toBeGreaterThanOrEqual(0);
			// A gap beside it takes a slot.
			const isNear = Math.abs(column - input.columns / 2) <= 2 * input.zoom + 1;
			expect(isNear || scale.last === input.count - 1 || scale.first === 0).toBe(true);
			if (input.count > input.columns) expect(scale.columnOf(scale.first)).toBeLessThan(3 * input.zoom);
		}),
		{numRuns: 200},
	);
});
