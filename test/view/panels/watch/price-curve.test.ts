import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {zoneNamed} from '../../../../source/format/zone.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type PriceCurveInput, priceCurve} from '../../../../source/view/panels/watch/price-curve.ts';
import {makeTape} from '../tape/tapes.ts';

const rows = (input: Partial<PriceCurveInput>): readonly string[] =>
	priceCurve({tape: makeTape(), decimals: 2, size: {columns: 40, rows: 2}, ascii: false, ...input}).map(lineText);

const tapeOf = (...trades: ReadonlyArray<readonly [time: number, price: number]>) => ({
	trades: trades.map(([time, price], index) => ({id: String(-index), time, price, quantity: 1, sideText: undefined})),
	gaps: new Set<string>(),
});
const noon = Date.UTC(2026, 10, 20, 12);

describe('a curve shows', () => {
	test('its highest and lowest price, and its times at the left where rows are few', () => {
		const [upper = '', lower = ''] = rows({});
		expect(upper).toMatch(/^ 23:54:21 [\u2800-\u28ff ]+ ├ 61,845\.04$/);
		expect(lower).toMatch(/^ 23:54:59 [\u2800-\u28ff ]+ ├ 61,793\.10$/);
	});

	test('its times and how long it is in a row below where there are more rows', () => {
		const lines = rows({size: {columns: 44, rows: 5}});
		expect(lines.map(line => /[├│].*/.exec(line)?.[0]).slice(0, -1)).toEqual([
			...['├ 61,845.04', '│', '│', '├ 61,793.10'],
		]);
		expect(lines.at(-1)).toBe(' 23:54:21     37 s      23:54:59');
	});

	test('days where it crosses one, in the time zone that is set', () => {
		const tape = tapeOf([noon, 3], [noon - 15 * 3_600_000, 2]);
		const size = {columns: 60, rows: 4};
		expect(rows({tape, size}).at(-1)).toMatch(/^ 11-19 21:00 +15 h +11-20 12:00$/);
		const zone = zoneNamed('Asia/Tokyo');
		if ('fault' in zone) throw new Error(zone.fault);
		expect(rows({tape, size, zone: zone.value}).at(-1)).toMatch(/^ 06:00:00 +15 h +21:00:00$/);
	});

	test('one price once, beside the curve', () => {
		expect(rows({tape: tapeOf([noon, 7]), size: {columns: 22, rows: 2}})).toEqual([
			...['                │', ' ⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉⠉ ├ 7.00'],
		]);
	});

	test('nothing before the first trade', () => {
		expect(rows({tape: tapeOf()})).toEqual(['', '']);
	});
});

test('a curve is never wider than its place, and has only ASCII characters where that is wanted', () => {
	const anyPrice = fc.double({min: 1e-9, max: 1e9, noNaN: true});
	const anyTrades = fc.array(fc.tuple(fc.nat(200_000_000), anyPrice), {minLength: 1, maxLength: 30});
	const anySize = fc.record({columns: fc.integer({min: 12, max: 160}), rows: fc.integer({min: 2, max: 20})});
	fc.assert(
		fc.property(anyTrades, anySize, fc.boolean(), (trades, size, ascii) => {
			const newestFirst = trades.toSorted(([a], [b]) => b - a).map(([age, price]) => [noon + age, price] as const);
			const lines = priceCurve({tape: tapeOf(...newestFirst), decimals: 9, size, ascii});
			expect(lines.length).toBe(size.rows);
			expect(Math.max(...lines.map(lineWidth))).toBeLessThanOrEqual(size.columns);
			if (ascii) expect(lines.map(lineText).join('')).toMatch(/^[ -~]*$/);
		}),
	);
});
