import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type InkOperation, isStyledRows, joinPieces, keepsShape, widestRow} from '../../source/terminal/ink-text.ts';
import {createScreen} from '../helpers/screen.ts';

/** Ink's own, which its package does not export. */
const inkModule = async (name: string): Promise<unknown> =>
	(await import(new URL(`../../node_modules/ink/build/${name}.js`, import.meta.url).href)).default;
type Output = {
	write(x: number, y: number, text: string, options: {transformers: readonly []}): void;
	get(): {output: string; height: number};
};
const InkOutput = (await inkModule('output')) as new (size: {width: number; height: number}) => Output;
const sanitizeAnsi = (await inkModule('sanitize-ansi')) as (text: string) => string;
const measureText = (await inkModule('measure-text')) as (text: string) => {width: number; height: number};

const characters = fc.constantFrom('a', 'Z', '7', ' ', '─', '█', '▲', '市', 'é', '😀', '₉');
const styles = fc.constantFrom('', '1', '2', '7', '31', '1;38;5;203', '38;2;38;194;129');
const span = fc
	.tuple(styles, fc.array(characters, {minLength: 1, maxLength: 6}))
	.map(([style, text]) => (style ? `\u001B[${style}m${text.join('')}\u001B[0m` : text.join('')));
const row = fc.array(span, {maxLength: 3}).map(spans => spans.join(''));
const block = fc.array(row, {minLength: 1, maxLength: 3}).map(rows => rows.join('\n'));

const [width, height] = [40, 4];
const write = (x: number, y: number, text: string): InkOperation => ({type: 'write', x, y, text, transformers: []});

async function cells(output: string): Promise<unknown> {
	const screen = createScreen(width, height);
	await screen.write(output.replaceAll('\n', '\r\n'));
	return Array.from({length: height}, (_, y) => Array.from({length: width}, (_, x) => screen.cell(y, x)));
}

describe('what is done in the place of Ink is what Ink does', () => {
	test('pieces side by side make the same screen', async () => {
		const blocks = fc.array(fc.tuple(fc.nat(2), fc.nat(6), block), {minLength: 1, maxLength: 3});
		await fc.assert(
			fc.asyncProperty(blocks, async placed => {
				const ink = new InkOutput({width, height});
				const operations: InkOperation[] = [];
				let end = 0;
				for (const [y, gap, text] of placed) {
					const x = end + gap;
					end = x + widestRow(text);
					if (text === '') continue;
					ink.write(x, y, text, {transformers: []});
					operations.push(write(x, y, text));
				}

				const joined = joinPieces({width, height, operations});
				const fits = end <= width && placed.every(([y, , text]) => y + text.split('\n').length <= height);
				if (fits) expect(joined).toBeDefined();
				if (joined) expect(await cells(joined.output)).toEqual(await cells(ink.get().output));
			}),
			{numRuns: 150},
		);
	});

	test('styled rows need not be made harmless, and are as wide as Ink measures', () => {
		fc.assert(
			fc.property(block, text => {
				expect(isStyledRows(text)).toBe(!/\p{M}/u.test(text));
				if (isStyledRows(text)) expect(sanitizeAnsi(text)).toBe(text);
				expect(widestRow(text)).toBe(measureText(text).width);
			}),
		);
	});
});

describe('a text is laid out as the one before it', () => {
	test.each([
		['other characters in other styles', 'BTC\n61,824', '\u001B[31mETH\u001B[0m\n 2,682', true],
		['a wide character in the place of two', 'ab', '市', true],
		['a row that is longer', 'BTC\n61,824', 'BTC\n161,824', false],
		['rows in another order', 'ab\nc', 'c\nab', false],
		['a row more', 'BTC', 'BTC\n', false],
		['rows too long for the columns, which break elsewhere', 'ab cdefgh', 'abcdef gh', false],
	])('%s', (_, before, after, keeps) => {
		expect(keepsShape(before, after, 8)).toBe(keeps);
	});
});

test.each([
	'\u001B[2J',
	'\u001B]8;;https://example.com\u0007link',
	'a\tb',
	'\u009B31m',
	'\u001B[4:3mcurly',
	'\u0007',
	'e\u0301',
])('what is more than styled rows is left to Ink: %j', text => {
	expect(isStyledRows(text)).toBe(false);
	expect(joinPieces({width, height, operations: [write(0, 0, text)]})).toBeUndefined();
});

test.each([
	['a piece over another', [write(0, 0, 'abc'), write(2, 0, 'd')]],
	['a piece before another', [write(5, 0, 'abc'), write(0, 0, 'd')]],
	['a piece beyond the last column', [write(38, 0, 'abc')]],
	['a piece below the last row', [write(0, 3, 'a\nb')]],
	['a style that a row leaves on', [write(0, 0, '\u001B[31ma\nb\u001B[0m')]],
	['a clipped area', [{type: 'clip'}, write(0, 0, 'a'), {type: 'unclip'}]],
] satisfies ReadonlyArray<readonly [string, readonly InkOperation[]]>)('%s is left to Ink', (_, operations) => {
	expect(joinPieces({width, height, operations})).toBeUndefined();
});

test('what the components around a text make of each row is drawn', () => {
	const shout = (text: string, index: number) => `${index}${text.toUpperCase()}`;
	const operations: InkOperation[] = [{type: 'write', x: 1, y: 0, text: 'a\nb', transformers: [shout]}];
	expect(joinPieces({width: 4, height: 2, operations})).toEqual({output: ' 0A\n 1B', height: 2});
});
