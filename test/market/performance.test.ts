import fc from 'fast-check';
import {expect, test} from 'vitest';
import {performances} from '../../source/market/performance.ts';
import type {Candle} from '../../source/market/types.ts';

const candles = (...points: ReadonlyArray<readonly [time: number, close: number]>): readonly Candle[] =>
	points.map(([time, close]) => ({time, open: close, high: close, low: close, close, volume: 1}));
const of = (lists: Readonly<Record<string, readonly Candle[]>>, most = 100) =>
	performances(new Map(Object.entries(lists)), 10, most);

test('each market starts from its own price at the first common step', () => {
	const a = candles([0, 50], [10, 100], [20, 110], [30, 90]);
	const b = candles([10, 4], [20, 4], [30, 5]);
	const {changes, ...span} = of({a, b}) ?? {};
	expect(span).toEqual({from: 10, to: 30});
	expect(changes?.get('a')?.map(Math.round)).toEqual([0, 10, -10]);
	expect(changes?.get('b')).toEqual([0, 0, 25]);
});

test('a market that does not trade keeps its last price', () => {
	const {changes} = of({a: candles([0, 1], [30, 2]), b: candles([0, 1], [10, 1], [20, 1], [30, 1], [40, 1])}) ?? {};
	expect(changes?.get('a')).toEqual([0, 0, 0, 100, 100]);
});

test('changes start at the first step that fits', () => {
	const {from, changes} = of({a: candles([0, 1], [10, 2], [20, 4])}, 2) ?? {};
	expect(from).toBe(10);
	expect(changes?.get('a')).toEqual([0, 100]);
});

test('markets without candles are left out', () => {
	expect([...(of({a: candles([0, 1]), b: []})?.changes.keys() ?? [])]).toEqual(['a']);
	expect(of({a: []})).toBeUndefined();
});

test('all lines are equally long, begin at 0 and end at the newest price', () => {
	const anyList = fc
		.uniqueArray(fc.nat({max: 60}), {minLength: 1, maxLength: 40})
		.chain(steps =>
			fc
				.array(fc.integer({min: 1, max: 1000}), {minLength: steps.length, maxLength: steps.length})
				.map(prices =>
					candles(...steps.sort((a, b) => a - b).map((step, index) => [step * 10, prices[index] ?? 1] as const)),
				),
		);
	fc.assert(
		fc.property(fc.array(anyList, {minLength: 1, maxLength: 6}), fc.integer({min: 1, max: 80}), (lists, most) => {
			const {
				from = 0,
				to = 0,
				changes = new Map<string, readonly number[]>(),
			} = of(Object.fromEntries(lists.entries()), most) ?? {};
			const steps = (to - from) / 10 + 1;
			expect(steps).toBeLessThanOrEqual(most);
			for (const [index, list] of lists.entries()) {
				const line = changes.get(String(index)) ?? [];
				expect(line.length).toBe(steps);
				expect(line[0]).toBe(0);
				const base = list.findLast(({time}) => time <= from)?.close ?? 0;
				expect(line.at(-1)).toBeCloseTo(((list.at(-1)?.close ?? 0) / base - 1) * 100, 9);
			}
		}),
	);
});
