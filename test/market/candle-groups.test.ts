import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	buildingPeriods,
	candlesBuiltFrom,
	groupCandles,
	heikinAshi,
	indexAtTime,
} from '../../source/market/candle-groups.ts';
import type {Candle} from '../../source/market/types.ts';
import {anySeries} from '../helpers/candles.ts';

const minute = 60_000;

const bar = (
	time: number,
	[open, high, low, close]: readonly [number, number, number, number],
	volume = 1,
): Candle => ({
	time,
	open,
	high,
	low,
	close,
	volume,
});

/** Lists as they come one after the other: the newest candle moves, others open, some change, older ones come and go. */
const following: fc.Arbitrary<ReadonlyArray<readonly Candle[]>> = fc
	.tuple(
		anySeries,
		fc.array(fc.record({does: fc.constantFrom('move', 'open', 'change', 'older', 'newer'), at: fc.nat(60)}), {
			maxLength: 8,
		}),
	)
	.map(([{candles: all}, moves]) => {
		let [from, to] = [Math.floor(all.length / 4), Math.ceil(all.length / 2)];
		let edits = new Map<number, Candle>();
		const shown = () => all.slice(from, to).map((candle, index) => edits.get(from + index) ?? candle);
		return [
			shown(),
			...moves.map(({does, at}) => {
				if (does === 'open') to = Math.min(to + (at % 4), all.length);
				if (does === 'older') from = Math.max(from - (at % 4), 0);
				if (does === 'newer') from = Math.min(from + (at % 4), to);
				const index = does === 'move' ? to - 1 : from + at;
				const candle = all[index];
				const isEdit = (does === 'move' || does === 'change') && candle !== undefined;
				if (isEdit) edits = new Map(edits).set(index, {...candle, close: candle.low, volume: at});
				return shown();
			}),
		];
	});

describe('groupCandles', () => {
	test('lists groups with missing candles before or in them', () => {
		const candles = [0, 1, 2, 4, 5, 9].map(index => bar(index * minute, [1, 1, 1, 1]));
		expect(groupCandles(candles, 1, 3)).toMatchObject({ends: [2, 4, 5], gaps: [1, 2]});
	});
});

test('groups a continued list like a new one', () => {
	fc.assert(
		fc.property(following, fc.constantFrom(1, 7, 60), fc.constantFrom(2, 3, 10), (lists, period, count) => {
			for (const list of lists) {
				// Nothing is kept for candles that were never seen.
				const alone = structuredClone(list);
				expect(groupCandles(list, period, period * count)).toEqual(groupCandles(alone, period, period * count));
			}
		}),
	);
});

test('a longer candle is built only from its beginning on', () => {
	const candles = [1, 2, 3, 4, 5, 6].map(index => bar(index * minute, [index, index, index, index]));
	expect(candlesBuiltFrom(candles, 1, 3)).toEqual([bar(3 * minute, [3, 5, 3, 5], 3), bar(6 * minute, [6, 6, 6, 6])]);
	expect(candlesBuiltFrom(candles.slice(2), 1, 3).map(({time}) => time)).toEqual([3 * minute, 6 * minute]);
	expect(candlesBuiltFrom([], 1, 3)).toEqual([]);
});

test('a period is built from the common ones that divide it, longest first', () => {
	expect([buildingPeriods(45), buildingPeriods(7), buildingPeriods(1)]).toEqual([[15, 5, 3, 1], [1], []]);
});

describe('heikinAshi', () => {
	const averagesOf = (candles: readonly Candle[]) => {
		const averages = heikinAshi(candles);
		return Array.from({length: averages.length}, (_, index) => averages.at(index) ?? bar(-1, [0, 0, 0, 0]));
	};

	test('computes a continued list like a new one', () => {
		fc.assert(
			fc.property(following, lists => {
				const fresh = lists.map(list => averagesOf(list.map(candle => ({...candle}))));
				expect(lists.map(averagesOf)).toEqual(fresh);
			}),
		);
	});
});

test('finds the last candle that starts at or before a time', () => {
	fc.assert(
		fc.property(anySeries, fc.double({min: -0.2, max: 1.2, noNaN: true}), ({candles}, at) => {
			const first = candles[0]?.time ?? 0;
			const time = first + at * ((candles.at(-1)?.time ?? 0) - first);
			expect(indexAtTime(candles, time)).toBe(candles.findLastIndex(candle => candle.time <= time));
		}),
	);
});
