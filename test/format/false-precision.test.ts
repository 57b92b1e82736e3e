import {expect, test} from 'vitest';
import {formatAtLeast, formatPrice, formatSigned, formatUpTo, minusSign} from '../../source/format/number.ts';

test.each([
	[0.9, 15, '0.9'],
	[0, 15, '0'],
	[0.0000137, 15, '0.000013700000000'],
	[0.00137, 15, '0.00137'],
	[9_007_199_254_740_994, 6, '9,007,199,254,740,994'],
	[123_456_789_012.5, 4, '123,456,789,012.5'],
	[0.123456789012345, 15, '0.123456789012345'],
	[0.5, 8, '0.50000000'],
	[1824, 8, '1,824.00000000'],
	[61_824, 8, '61,824'],
	[61_824.01, 2, '61,824.01'],
	[600, 0, '600'],
])('writes %d with %d decimals without zeros that look like precision: %s', (number, decimals, text) => {
	expect(formatAtLeast(number, decimals)).toBe(text);
	expect(formatUpTo(number, decimals)).toBe(text);
	expect(formatPrice(number, {decimals})).toBe(text);
	expect(formatSigned(-number, decimals)).toBe(number === 0 ? text : minusSign + text);
});
