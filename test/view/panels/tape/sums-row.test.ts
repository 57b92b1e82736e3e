import {describe, expect, test} from 'vitest';
import type {TapeSums} from '../../../../source/market/tape-sums.ts';
import {lineText} from '../../../../source/view/line.ts';
import {marksFor} from '../../../../source/view/marks.ts';
import {paceTexts, sumsRow} from '../../../../source/view/panels/tape/sums-row.ts';

const since = Date.UTC(2024, 7, 8, 23, 50);
const whole: TapeSums = {
	bought: 3,
	sold: 1,
	unknown: 0,
	delta: 2,
	since,
	hasGaps: false,
	perMinute: 40,
	perMinutePartial: false,
};
const gap: TapeSums = {...whole, hasGaps: true};
const unsaid: TapeSums = {...whole, unknown: 2};

const rowOf = (sums: TapeSums, columns: number, ascii = false) =>
	lineText(sumsRow(sums, columns, marksFor(ascii))).trimEnd();
const paceOf = (sums: TapeSums, ascii = false) => paceTexts(sums, 2, ascii, marksFor(ascii));

const widths = [34, 24, 14];

describe('what was bought and sold', () => {
	test('is exact on a whole tape', () => {
		expect(widths.map(columns => rowOf(whole, columns))).toMatchInlineSnapshot(`
			[
			  " buy 3.0000 ███████▒▒ 1.0000 sell",
			  " buy 75 % ██████▒▒ sell",
			  " 75 % █████▒▒",
			]
		`);
	});

	test('is at least that across a gap, and where sides are not said', () => {
		expect(widths.map(columns => rowOf(gap, columns))).toMatchInlineSnapshot(`
			[
			  " buy ≥3.0000 █████▒▒ ≥1.0000 sell",
			  " buy ≈75 % █████▒▒ sell",
			  " ≈75 % █████▒",
			]
		`);
		expect(widths.map(columns => rowOf(unsaid, columns))).toEqual(widths.map(columns => rowOf(gap, columns)));
	});

	test('keeps its marks in ASCII', () => {
		expect(widths.map(columns => rowOf(gap, columns, true))).toMatchInlineSnapshot(`
			[
			  " buy ~75 % #############==== sell",
			  " buy ~75 % #####== sell",
			  " ~75 % #####=",
			]
		`);
	});

	test('has no sides to tell apart where none is said', () => {
		const sides = {...gap, bought: 0, sold: 0, unknown: 4, delta: 0};
		expect([rowOf(sides, 40), rowOf({...sides, hasGaps: false}, 40)]).toMatchInlineSnapshot(`
			[
			  " ≥4.0000 traded, sides not said",
			  " 4.0000 traded, sides not said",
			]
		`);
	});
});

describe('delta and pace', () => {
	test('are named partial across a gap, the pace only where it lies in the last minute', () => {
		expect(paceOf(whole)).toEqual(['Δ +2.00 · 40/min · since 23:50:00', 'Δ +2.00 · 40/min', '40/min']);
		expect(paceOf(gap)).toEqual([
			'partial · Δ +2.00 · 40/min · since 23:50:00',
			'partial · Δ +2.00 · 40/min',
			'partial · 40/min',
		]);
		expect(paceOf({...gap, perMinutePartial: true}).at(-1)).toBe('partial · ≥40/min');
	});

	test('group the thousands of the pace', () => {
		expect(paceOf({...whole, perMinute: 1234, perMinutePartial: true}).at(-1)).toBe('≥1,234/min');
	});

	test('keep that mark in ASCII', () => {
		expect(paceOf({...gap, perMinutePartial: true}, true).at(-1)).toBe('partial - >=40/min');
	});
});
