import {expect, test} from 'vitest';
import {
	alignPoint,
	formatAtLeast,
	formatPrice,
	formatSigned,
	formatUpTo,
	minusSign,
} from '../../source/format/number.ts';

test.each([
	[0.9, 15, '0.9', '0.9              '],
	[0, 15, '0', '0                '],
	[9_007_199_254_740_994, 6, '9,007,199,254,740,994', '9,007,199,254,740,994       '],
	[0.123456789012345, 15, '0.123456789012345', '0.123456789012345'],
	[0.5, 12, '0.500000000000', '0.500000000000'],
	[0.0000137, 15, '0.000013700000000', '0.000013700000000'],
	[61_824, 8, '61,824.00000000', '61,824.00000000'],
])('writes %d with %d decimals without zeros that look like precision: %s', (number, decimals, text, aligned) => {
	expect(formatAtLeast(number, decimals)).toBe(text);
	expect(formatUpTo(number, decimals)).toBe(text);
	expect(formatPrice(number, {decimals})).toBe(text);
	expect(formatSigned(-number, decimals)).toBe(number === 0 ? text : minusSign + text);
	expect(alignPoint(text, decimals)).toBe(aligned);
});
