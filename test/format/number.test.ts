import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	amountColumn,
	formatAmount,
	formatAtLeast,
	formatBasisPoints,
	formatCompact,
	formatExact,
	formatFixed,
	formatPercent,
	formatPlain,
	formatPrice,
	formatSigned,
	formatUpTo,
	minusSign,
} from '../../source/format/number.ts';
import {decimalsOf} from '../../source/market/precision.ts';

/** Any size from 1e-20 to 1e21, either sign. */
const value = fc
	.tuple(fc.double({min: 1, max: 10, maxExcluded: true, noNaN: true}), fc.integer({min: -20, max: 20}), fc.boolean())
	.map(([mantissa, exponent, negative]) => Number(`${mantissa}e${exponent}`) * (negative ? -1 : 1));
/** As exchanges quote them: at most ten digits. */
const price = fc
	.tuple(fc.nat({max: 10 ** 10}), fc.nat({max: 14}))
	.map(([ticks, decimals]) => Number(`${ticks}e-${decimals}`));

/** Reads back what was formatted, by the rules a person reads it with. */
function readBack(text: string): number {
	const plain = text.replaceAll(',', '').replace(minusSign, '-');
	const digitOf = (character: string) => '₀₁₂₃₄₅₆₇₈₉'.indexOf(character);
	return Number(
		plain.replace(/0\.0(?:\((\d+)\)|([₀-₉]+))/, (_, ascii: string | undefined, subscript: string | undefined) => {
			const count = ascii ?? [...(subscript ?? '')].map(digitOf).join('');
			return `0.${'0'.repeat(Number(count))}`;
		}),
	);
}

test.each([
	[61824.01, 2, '61,824.01'],
	[61824, 2, '61,824.00'],
	[-13.62, 2, '−13.62'],
	[999.999, 2, '1,000.00'],
	[0, 0, '0'],
	[-0, 1, '0.0'],
	[-0.001, 2, '>−0.01'],
	[0.006, 2, '0.01'],
	[0.3, 0, '<1'],
	[1e-20, 20, '0.00000000000000000001'],
	[0.1, 20, '0.10000000000000000000'],
	[1e21, 0, '1,000,000,000,000,000,000,000'],
	[1.5e21, 1, '1,500,000,000,000,000,000,000.0'],
	[undefined, 2, '–'],
	[Number.NaN, 2, '–'],
	[Infinity, 2, '–'],
])('writes %d with %d decimals as %s', (number, decimals, text) => {
	expect(formatFixed(number, decimals)).toBe(text);
});

test('writes every digit of a number and no more', () => {
	expect([0.1 + 0.2, 1234567.125, 1e-10, -2.5e-9, 6.1e21, 100, undefined].map(number => formatExact(number))).toEqual([
		'0.30000000000000004',
		'1,234,567.125',
		'0.0000000001',
		'−0.0000000025',
		'6,100,000,000,000,000,000,000',
		'100',
		'–',
	]);
});

test('writes plain ASCII on request', () => {
	const ascii = {ascii: true};
	expect([
		formatFixed(-1, 1, ascii),
		formatExact(-1, ascii),
		formatSigned(-1, 1, ascii),
		formatPercent(-1, ascii),
		formatAmount(-1, ascii),
		formatAmount(1e-9, ascii),
		formatPrice(-1.371e-5, {decimals: 8, width: 11, ascii: true}),
		formatPrice(-1.371e-9, {decimals: 12, width: 12, ascii: true}),
		formatFixed(undefined, 1, ascii),
		formatExact(undefined, ascii),
		formatSigned(undefined, 1, ascii),
		formatPercent(undefined, ascii),
		formatAmount(undefined, ascii),
		formatPrice(undefined, {decimals: 1, ascii: true}),
	]).toEqual(
		['-1.0', '-1', '-1.0', '-1.00 %', '-1', '0.0(8)1', '-0.00001371', '-0.0(8)1371'].concat(Array<string>(6).fill('-')),
	);
});

test('never writes an exponent, and groups by three', () => {
	fc.assert(
		fc.property(value, fc.nat({max: 25}), (number, decimals) => {
			const whole = /^−?\d{1,3}(,\d{3})*$/;
			const [integer, fraction = ''] = formatFixed(number, decimals).split('.');
			expect(integer?.replace(/^[<>]/, '')).toMatch(whole);
			expect(fraction).toMatch(new RegExp(`^\\d{${decimals}}$`));
			expect(formatExact(number).split('.')[0]).toMatch(whole);
		}),
	);
});

test('writes numbers with very many digits', () => {
	expect(formatFixed(5e-324, 324)).toBe(`0.${'0'.repeat(323)}5`);
	expect(formatFixed(5e-324, 120)).toBe(`<0.${'0'.repeat(119)}1`);
	expect(formatPrice(5e-324, {decimals: 2, width: 9})).toBe('0.0₃₂₃5');
});

test('reads back as the same number when no digit was rounded away', () => {
	fc.assert(
		fc.property(value, fc.nat({max: 5}), (number, more) => {
			expect(readBack(formatExact(number))).toBe(number);
			expect(readBack(formatFixed(number, decimalsOf(number) + more))).toBe(number);
			expect(readBack(formatAtLeast(number, more))).toBe(number);
		}),
	);
});

test('rounds by at most one unit of the last digit', () => {
	fc.assert(
		fc.property(fc.double({min: -1e9, max: 1e9, noNaN: true}), fc.nat({max: 4}), (number, decimals) => {
			const read = readBack(formatFixed(number, decimals).replace(/^[<>]/, ''));
			expect(Math.abs(read - number)).toBeLessThanOrEqual(10 ** -decimals);
		}),
	);
});

test.each([
	[61824.01, 2, 9, '61,824.01'],
	[61824.01, 2, 8, '61824.01'],
	[61824.5, 2, 8, '61824.50'],
	[61824.5, 2, 7, '61824.5'],
	[61824.5, 2, 3, '61824.5'],
	[0.00001371, 8, 10, '0.00001371'],
	[0.00001371, 8, 9, '0.0₄1371'],
	[0.0000137, 8, 9, '0.0₄1370'],
	[0.0000137, 8, 7, '0.0₄137'],
	[0.000000000123, 12, 8, '0.0₉123'],
	[1.23e-13, 15, 8, '0.0₁₂123'],
	[1.371e-5, 2, 20, '0.00001371'],
	[0.000964, 6, 8, '0.000964'],
	[0, 8, 4, '0'],
	[undefined, 2, 9, '–'],
])('writes the price %d of a column with %d decimals and %d cells as %s', (number, decimals, width, text) => {
	expect(formatPrice(number, {decimals, width})).toBe(text);
});

test('keeps every digit of a price at any width, and fits the width where any form does', () => {
	const width = fc.integer({min: 1, max: 30});
	fc.assert(
		fc.property(price, fc.nat({max: 12}), width, fc.boolean(), (number, decimals, cells, ascii) => {
			const text = formatPrice(number, {decimals, width: cells, ascii});
			expect(readBack(text)).toBe(number);
			expect(text).not.toMatch(/e/);
			if (text.length > cells) {
				for (const wider of [text.length - 1, text.length]) {
					expect(formatPrice(number, {decimals, width: wider, ascii}).length).toBeGreaterThanOrEqual(text.length);
				}
			}
		}),
	);
});

test('signs changes, but not zero, and bounds those that would round to it', () => {
	expect([1234.5, -13.62, 0.001, -0.001, 0, -0, undefined, Infinity].map(number => formatSigned(number, 2))).toEqual([
		'+1,234.50',
		'−13.62',
		'<0.01',
		'>−0.01',
		'0.00',
		'0.00',
		'–',
		'–',
	]);
});

test('writes a change in percent of any size', () => {
	const changes = [-0.02, 0.001, -0.001, -0, 1.2, 0, 999.99, 999.996, 19675.4, -99999, 999999.6, 2.5e9, undefined];
	expect(changes.map(number => formatPercent(number))).toEqual([
		'−0.02 %',
		'<0.01 %',
		'>−0.01 %',
		'0.00 %',
		'+1.20 %',
		'0.00 %',
		'+999.99 %',
		'+1,000 %',
		'+19,675 %',
		'−99,999 %',
		'+1.00 M %',
		'+2.50 B %',
		'–',
	]);
	expect([1.2, -19675, undefined].map(number => formatPercent(number, {unit: false}))).toEqual([
		'+1.20',
		'−19,675',
		'–',
	]);
});

test.each([
	[0, '0'],
	[48201.37, '48,201'],
	[99999.4, '99,999'],
	[99999.5, '100 k'],
	[312345, '312 k'],
	[999499, '999 k'],
	[999500, '1.00 M'],
	[2.97e9, '2.97 B'],
	[31.2e6, '31.2 M'],
	[1.5e12, '1.50 T'],
	[1e21, '1,000 E'],
	[12.345678, '12.346'],
	[0.5, '0.5'],
	[0.001234567, '0.0012346'],
	[0.00000123, '0.0₅123'],
	[-1500, '−1,500'],
	[undefined, '–'],
])('writes the amount %d as %s', (number, text) => {
	expect(formatAmount(number)).toBe(text);
});

test.each([
	[1.254, '1.25 bp'],
	[0, '0.00 bp'],
	[0.0016, '<0.01 bp'],
	[-0.0016, '>−0.01 bp'],
	[-12.5, '−12.50 bp'],
	[12_345.678, '12,345.68 bp'],
	[undefined, '–'],
])('writes %d hundredths of a percent as %s', (value, text) => {
	expect(formatBasisPoints(value)).toBe(text);
	expect(formatBasisPoints(value, {unit: false, ascii: true})).toBe(text.replace(' bp', '').replaceAll(/[−–]/g, '-'));
});

test('is never off by more than half a percent in an amount', () => {
	const sizes: Readonly<Record<string, number>> = {k: 1e3, M: 1e6, B: 1e9, T: 1e12, P: 1e15, E: 1e18};
	fc.assert(
		fc.property(value, number => {
			const [count = '', unit = ''] = formatAmount(number).split(' ');
			const read = readBack(count) * (sizes[unit] ?? 1);
			expect(Math.abs(read - number)).toBeLessThanOrEqual(Math.abs(number) * 0.005);
		}),
	);
});

test('pads a changing amount to five digits', () => {
	const amounts = [1, 1.7, 20.08, 20.904, 999.99, 1000, 48_201, 123_456, 0.25];
	expect(amounts.map(amount => formatAmount(amount, {padded: true}))).toEqual([
		'1.0000',
		'1.7000',
		'20.080',
		'20.904',
		'999.99',
		'1,000.0',
		'48,201',
		'123 k',
		'0.25',
	]);
});

test.each([
	[[9_007_199_254_740_992, 2.5e18, 1.912e9, 84e6, 3784, 999.6], '9.01 P|2.50 E|1.91 B|84.0 M|3.78 k|1.00 k'],
	[[982.54, 64.2, 1.5, 0.25, 0.0125, 0.00123, 1.26e-9], '983  |64.2  |1.50  |0.250 |0.0125|0.0012|0.0₈13'],
	[[0, undefined], '0  |–'],
])('writes amounts of every size in six cells: %j', (amounts, expected) => {
	expect(amounts.map(amount => formatCompact(amount)).join('|')).toBe(expected);
});

describe('a column of amounts', () => {
	test.each<[number, Parameters<typeof amountColumn>[1], readonly (readonly [number, string])[]]>([
		[
			3.92,
			{mostDecimals: 2},
			[
				[3.92, '3.92'],
				[0.32, '0.32'],
				[0.004, '<0.01'],
				[0, '0.00'],
			],
		],
		[
			65_407.2,
			{},
			[
				[65_407.2, '65,407'],
				[6091.9, '6,092'],
				[0.2, '<1'],
			],
		],
		[99_999.4, {}, [[99_999.4, '99,999']]],
		[
			99_999.6,
			{},
			[
				[99_999.6, '100.0 k'],
				[24_255, '24.3 k'],
				[49, '<0.1 k'],
				[50, '0.1 k'],
			],
		],
		[
			1_973_400_000,
			{},
			[
				[1_973_400_000, '1,973 M'],
				[117_753_220, '118 M'],
				[1, '<1 M'],
				[0, '0 M'],
			],
		],
		[
			2e-9,
			{},
			[
				[2e-9, '0.0000000020'],
				[1e-11, '<0.0000000001'],
			],
		],
	])('up to %d (%j) has one unit and one number of decimals', (largest, options, expected) => {
		const text = amountColumn(largest, options);
		expect(expected.map(([amount]) => [amount, text(amount)])).toEqual(expected);
	});

	test('aligns all points, and never shows a positive amount as zero', () => {
		const shape = (text: string) => text.replace(/^<?[\d,]+/, '').replaceAll(/\d/g, '0');
		fc.assert(
			fc.property(fc.array(fc.double({min: 1e-12, max: 1e15, noNaN: true}), {minLength: 1}), amounts => {
				const texts = amounts.map(amountColumn(Math.max(...amounts)));
				expect(new Set(texts.map(shape)).size).toBe(1);
				for (const text of texts) expect(text).toMatch(/[1-9]/);
				for (const [index, text] of texts.entries()) {
					if (!text.startsWith('<')) continue;
					expect(amounts[index]).toBeLessThan(readBack(text.slice(1).split(' ')[0] ?? '') * unitOf(text));
				}
			}),
		);
	});
});

const unitOf = (text: string): number => ({k: 1e3, M: 1e6, B: 1e9, T: 1e12})[text.at(-1) ?? ''] ?? 1;

test.each([
	[7e24, '7000000000000000000000000'],
	[-1.5e-10, '-0.00000000015'],
	[70_000, '70000'],
	[0, '0'],
	[1e60, `1${'0'.repeat(60)}`],
])('%s is typed as %s', (number, text) => {
	expect(formatPlain(number)).toBe(text);
});

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
