import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatExact, formatFixed, formatPlain} from '../../source/format/number.ts';
import {decimalsOf} from '../../source/market/precision.ts';
import {splitNumber, typedNumber} from '../../source/market/typed-number.ts';

describe('a typed number', () => {
	test.each([
		[' .5 ', 0.5],
		['5.', 5],
		['-3', -3],
		['−3', -3],
		['-0', 0],
		['1,000', 1000],
		['-1,234,567.5', -1_234_567.5],
		['1_000', 1000],
		['1.0000000000000000000', 1],
		['0.30000000000000004', 0.30000000000000004],
	])('%j is %d', (text, value) => {
		expect(typedNumber(text)).toEqual({value});
	});

	const separators = 'a dot separates decimals (2.5), a comma thousands (1,000)';
	test.each([
		['2,5', separators],
		['12,34', separators],
		['1,000,00', separators],
		[',5', separators],
		['1,000_000', separators],
		['1,', separators],
		['', 'a number is missing'],
		[',', ', is not a number'],
		['1.2.3', '1.2.3 is not a number'],
		['0x10', '0x10 is not a number'],
		['Infinity', 'Infinity is not a number'],
		['70k', '70k is not a number'],
		['1e3', '1e3 has an exponent: write the number in full'],
		['-1.5E-3', '-1.5E-3 has an exponent: write the number in full'],
		[`1${'0'.repeat(999)}`, `1${'0'.repeat(999)} is too large`],
		['1.000000000000000001', '1.000000000000000001 has more digits than a number holds'],
		['9,007,199,254,740,993', '9,007,199,254,740,993 has more digits than a number holds'],
		['-.1234567890123456789', '-.1234567890123456789 has more digits than a number holds'],
		[`0.${'0'.repeat(400)}1`, `0.${'0'.repeat(400)}1 has more digits than a number holds`],
	])('%j is refused', (text, fault) => {
		expect(typedNumber(text)).toEqual({fault});
	});

	test('is the number that was printed', () => {
		const anyNumber = fc.double({noNaN: true, noDefaultInfinity: true}).map(value => value + 0);
		const prices = fc
			.tuple(fc.integer({min: -1e9, max: 1e9}), fc.integer({min: 0, max: 12}))
			.map(([units, places]) => Number(`${units}e${-places}`) + 0);
		const printers = [
			formatPlain,
			formatExact,
			(value: number) => formatExact(value, {ascii: true}),
			(value: number) => formatFixed(value, decimalsOf(value)),
		];
		fc.assert(
			fc.property(fc.oneof(anyNumber, prices), fc.constantFrom(...printers), (value, print) => {
				expect(typedNumber(print(value))).toEqual({value});
			}),
		);
	});
});

test.each([
	['5,000 usdt', '5,000', 'usdt'],
	['2e3btc', '2e3', 'btc'],
	['2e', '2', 'e'],
	['-1', '-1', ''],
	[' e3 ', '', 'e3'],
])('%j begins with its number', (text, number, rest) => {
	expect(splitNumber(text)).toEqual([number, rest]);
});
