import {describe, expect, test} from 'vitest';
import type {TapeSums} from '../../../../source/market/tape-sums.ts';
import {lineText} from '../../../../source/view/line.ts';
import {marksFor} from '../../../../source/view/marks.ts';
import {sumsRow} from '../../../../source/view/panels/tape/delta-rows.ts';
import {paceTexts} from '../../../../source/view/panels/tape/model.ts';

const now = Date.UTC(2024, 7, 8, 23, 55);

describe('sums', () => {
	const since = Date.UTC(2024, 7, 8, 23, 50);
	const whole: TapeSums = {
		...{bought: 3, sold: 1, unknown: 0, delta: 2, since},
		...{hasGaps: false, perMinute: 40, perMinutePartial: false},
	};
	const gap: TapeSums = {...whole, hasGaps: true};
	const noSides: TapeSums = {...whole, bought: 0, sold: 0, unknown: 4, delta: 0};

	test.each([
		[
			'are exact on a whole tape',
			whole,
			false,
			[' buy 3.0000 ███████▒▒ 1.0000 sell', ' buy 75 % ██████▒▒ sell', ' 75 % █████▒▒'],
		],
		[
			'are lower bounds across a gap',
			gap,
			false,
			[' buy ≥3.0000 █████▒▒ ≥1.0000 sell', ' buy ≈75 % █████▒▒ sell', ' ≈75 % █████▒'],
		],
		[
			'are lower bounds where sides are unknown',
			{...whole, unknown: 2},
			false,
			[' buy ≥3.0000 █████▒▒ ≥1.0000 sell', ' buy ≈75 % █████▒▒ sell', ' ≈75 % █████▒'],
		],
		[
			'keep their marks in ASCII',
			gap,
			true,
			[' buy ~75 % #############==== sell', ' buy ~75 % #####== sell', ' ~75 % #####='],
		],
		[
			'name no sides where none is known',
			noSides,
			false,
			[' 4.0000 traded, sides unknown', ' sides unknown', ' sides unknown'],
		],
		[
			'name a lower bound of the volume without sides',
			{...noSides, hasGaps: true},
			false,
			[' ≥4.0000 traded, sides unknown', ' sides unknown', ' sides unknown'],
		],
	])('%s', (_, sums, ascii, rows) => {
		expect([34, 24, 14].map(columns => lineText(sumsRow(sums, columns, marksFor(ascii))).trimEnd())).toEqual(rows);
	});

	test.each([
		['whole', whole, false, ['Δ +2.00 · 40/min · since 23:50:00', 'Δ +2.00 · 40/min', '40/min']],
		['old', whole, false, ['Δ +2.00 · 40/min at 23:55:00', 'Δ +2.00 · since 23:50:00', 'Δ +2.00'], now],
		[
			'partial across a gap',
			gap,
			false,
			['partial · Δ +2.00 · 40/min · since 23:50:00', 'partial · Δ +2.00 · 40/min', 'partial · 40/min'],
		],
		[
			'partial where some sides are unknown',
			{...whole, unknown: 1},
			false,
			['partial · Δ +2.00 · 40/min · since 23:50:00', 'partial · Δ +2.00 · 40/min', 'partial · 40/min'],
		],
		[
			'a pace alone where no side is known',
			{...whole, bought: 0, sold: 0, delta: 0, unknown: 4},
			false,
			['40/min · since 23:50:00', '40/min', '40/min'],
		],
		[
			'lower bounds where the gap lies in the last minute',
			{...gap, perMinute: 1234, perMinutePartial: true},
			true,
			[
				'partial - delta +2.00 - >=1,234/min - since 23:50:00',
				'partial - delta +2.00 - >=1,234/min',
				'partial - >=1,234/min',
			],
		],
	])('delta and pace are %s', (_, sums, ascii, pace, at?: number) => {
		expect(paceTexts(sums, 2, ascii, at)).toEqual(pace);
	});
});
