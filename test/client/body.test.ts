import fc from 'fast-check';
import {expect, test} from 'vitest';
import {longNumber, parseJson} from '../../source/client/body.ts';

/** The parsed value with `{long: token}` in place of long numbers. */
function withTokens(value: unknown): unknown {
	const long = longNumber(value);
	if (long !== undefined) return {long};
	if (Array.isArray(value)) return value.map(withTokens);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTokens(inner)]));
}

const parsed = (text: string): unknown => withTokens(parseJson(text));

test.each([
	// The last digit fits, or does not.
	['9007199254740991', 9_007_199_254_740_991],
	['9007199254740992', 9_007_199_254_740_992],
	['9007199254740993', {long: '9007199254740993'}],
	['-9007199254740993', {long: '-9007199254740993'}],
	['90071992547409931234', {long: '90071992547409931234'}],
	['100000000000000000000', 100_000_000_000_000_000_000],
	['100000000000000000000000', 1e23],
	['1.000000000000000001', {long: '1.000000000000000001'}],
	['1.000000000000000000', 1],
	['0.30000000000000004', 0.1 + 0.2],
	['0.1000000000000000055511151231257827', {long: '0.1000000000000000055511151231257827'}],
	['12345678.123456789', {long: '12345678.123456789'}],
	['00012345678901234567', SyntaxError],
	['[1.0000000000000000000000001,2]', [{long: '1.0000000000000000000000001'}, 2]],
	['0.000000000000000000000000000012', 1.2e-29],
	['1e+10000000000000000001', Infinity],
	['1e-10000000000000000001', {long: '1e-10000000000000000001'}],
	['1e+00000000000000000001', 10],
	['9.9999999999999999999', {long: '9.9999999999999999999'}],
	// Exponents.
	['1.000000000000000001E+2', {long: '1.000000000000000001E+2'}],
	['1.5e-7', 1.5e-7],
	['5e-324', 5e-324],
	['4.94e-324', {long: '4.94e-324'}],
	['1e-400', {long: '1e-400'}],
	['0e-400', 0],
	['1e400', Infinity],
	[`1${'0'.repeat(400)}`, Infinity],
	['-0', -0],
	['-0.00000000000000000000', -0],
	// Not a number of its own.
	['"9007199254740993"', '9007199254740993'],
	['"\\"9007199254740993"', '"9007199254740993'],
	['"\\\\",9007199254740993', SyntaxError],
	['["\\\\",9007199254740993]', ['\\', {long: '9007199254740993'}]],
	['{"9007199254740993":9007199254740993}', {'9007199254740993': {long: '9007199254740993'}}],
	['{9007199254740993:1}', SyntaxError],
	['9007199254740993.', SyntaxError],
	['--9007199254740993', SyntaxError],
	['9007199254740993 1', SyntaxError],
	['9007199254740993"', SyntaxError],
	['["9007199254740993', SyntaxError],
])('reads %s', (text, expected) => {
	if (expected === SyntaxError) expect(() => parsed(text)).toThrow(SyntaxError);
	else expect(parsed(text)).toEqual(expected);
});

test.each([{'long number': 'x'}, {'long number': 1}, {'long number': '1"'}])('%j is no long number', value => {
	expect(longNumber(value)).toBeUndefined();
});

/** Texts of JSON with numbers of any length, and strings that look like them. */
const digits = fc.stringMatching(/^\d{1,25}$/);
const numberText = fc
	.tuple(fc.constantFrom('', '-'), fc.bigInt({min: 0n, max: 10n ** 25n}), fc.option(digits), fc.option(fc.integer()))
	.map(([sign, whole, fraction, exponent]) => {
		const tail = exponent === null ? '' : `e${exponent % 340}`;
		return `${sign}${whole}${fraction === null ? '' : `.${fraction}`}${tail}`;
	});
const stringText = fc
	.array(fc.oneof(digits, fc.constantFrom('"', '\\', ',', '[', 'é', '\u2028', '{', 'e-320'), fc.string()))
	.map(parts => JSON.stringify(parts.join('')));
const space = fc.constantFrom('', ' ', '\n');
const jsonText = fc.letrec<{value: string}>(tie => ({
	value: fc.oneof(
		{depthSize: 'small', withCrossShrink: true},
		numberText,
		stringText,
		fc.constantFrom('null', 'true', 'false'),
		fc.tuple(space, fc.array(tie('value'))).map(([gap, values]) => `[${gap}${values.join(`${gap},`)}${gap}]`),
		fc
			.tuple(space, fc.array(fc.tuple(stringText, tie('value'))))
			.map(([gap, fields]) => `{${gap}${fields.map(([key, value]) => `${key}${gap}:${value}`).join()}}`),
	),
})).value;

/** What JSON.parse gives, with `{long: token}` where its number is written with other digits. */
const reference = (text: string): unknown =>
	JSON.parse(text, (_, value: unknown, context?: {readonly source?: string}) => {
		if (typeof value !== 'number' || !Number.isFinite(value)) return value;
		const source = context?.source ?? '';
		return sizeOf(source) === sizeOf(String(value)) ? value : {long: source};
	});

/** A decimal number as a fraction of a power of ten in lowest terms. */
function sizeOf(token: string): string {
	const [, sign = '', whole = '', fraction = '', exponent = '0'] =
		/^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(token) ?? [];
	let units = BigInt(whole + fraction);
	let power = Number(exponent) - fraction.length;
	if (units === 0n) return '0';
	for (; units % 10n === 0n; units /= 10n) power++;
	return `${sign}${units}e${power}`;
}

test('keeps the digits of every number that a double cannot hold, and gives what JSON.parse gives for all else', () => {
	fc.assert(
		fc.property(jsonText, text => {
			expect(parsed(text)).toEqual(reference(text));
		}),
		{numRuns: 200},
	);
});

test('accepts a spoiled text only where JSON.parse does', () => {
	const spoiled = fc
		.tuple(jsonText, fc.nat(), fc.constantFrom('"', '\\', '1', '.', '-', 'e', '{', ',', ''))
		.map(([text, at, inserted]) => {
			const index = at % (text.length + 1);
			return text.slice(0, index) + inserted + text.slice(index + (inserted ? 0 : 1));
		});
	fc.assert(
		fc.property(fc.oneof(spoiled, fc.string()), text => {
			const outcome = (parse: (text: string) => unknown) => {
				try {
					return {value: parse(text)};
				} catch (error) {
					return error instanceof SyntaxError ? 'invalid' : error;
				}
			};
			expect(outcome(parsed)).toEqual(outcome(reference));
		}),
		{numRuns: 200},
	);
});
