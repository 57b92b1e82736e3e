import fc from 'fast-check';
import {expect, test} from 'vitest';
import {
	formatAmount,
	formatAtLeast,
	formatBasisPoints,
	formatCompact,
	formatExact,
	formatFixed,
	formatPercent,
	formatSigned,
} from '../../source/format/number.ts';

test('only zero reads as zero, and never has a sign', () => {
	const forms = [
		(number: number) => formatFixed(number, 2),
		(number: number) => formatSigned(number, 2),
		(number: number) => formatAtLeast(number, 2),
		(number: number) => formatPercent(number, {unit: false}),
		(number: number) => formatBasisPoints(number, {unit: false}),
		formatExact,
		formatAmount,
		formatCompact,
	];
	const looksZero = (text: string) => /^[^1-9]*$/.test(text);
	fc.assert(
		fc.property(
			fc.oneof(fc.double({min: -10, max: 10, noNaN: true}), fc.double({noDefaultInfinity: true, noNaN: true})),
			number => {
				for (const form of forms) expect(looksZero(form(number)), form(number)).toBe(number === 0);
			},
		),
	);
	for (const form of forms) expect(form(-0)).toMatch(/^0/);
});
