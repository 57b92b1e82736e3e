import fc from 'fast-check';
import {expect, test} from 'vitest';
import {applySgr, defaultStyle, type Style, styleChange} from '../../source/terminal/style.ts';
import {createScreen} from '../helpers/screen.ts';

const code = fc.oneof(
	fc.constantFrom('1', '2', '3', '4', '7', '9', '22', '23', '24', '27', '29', '39', '49', '0'),
	fc.integer({min: 30, max: 37}).map(String),
	fc.integer({min: 100, max: 107}).map(String),
	fc.nat(255).map(index => `38;5;${index}`),
	fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map(rgb => `48;2;${rgb.join(';')}`),
);
const parameters = fc.array(code, {maxLength: 5}).map(codes => codes.join(';'));
const styleOf = (text: string): Style => applySgr(defaultStyle, text) ?? defaultStyle;

async function cellAfter(...sequences: readonly string[]) {
	const screen = createScreen(4, 1);
	await screen.write(`${sequences.join('')}x`);
	return screen.cell(0, 0);
}

test('a change of style leaves a terminal in the style that the whole sequence would', async () => {
	await fc.assert(
		fc.asyncProperty(parameters, parameters, async (before, after) => {
			const [from, to] = [styleOf(before), styleOf(after)];
			const change = styleChange(from, to);
			expect(await cellAfter(`\u001B[${before}m`, change)).toEqual(await cellAfter(`\u001B[${after}m`));
			expect(change.length).toBeLessThanOrEqual(`\u001B[0;${after}m`.length);
		}),
	);
});

test.each([
	['', '', ''],
	['1', '', '\u001B[m'],
	['', '1;31', '\u001B[1;31m'],
	['31', '32', '\u001B[32m'],
	['1;31', '31', '\u001B[22m'],
	['1;31;42', '1', '\u001B[;1m'],
	['1;2', '2', '\u001B[;2m'],
	['38;2;134;142;156;1', '38;2;134;142;156;4', '\u001B[22;4m'],
])('goes from %j to %j by the shortest way, %j', (from, to, change) => {
	expect(styleChange(styleOf(from), styleOf(to))).toBe(change);
});

test('equal styles are the same object, however they were come by', () => {
	expect(styleOf('1;31;4;24')).toBe(styleOf('31;01'));
	expect(styleOf('31;39;1;22')).toBe(defaultStyle);
});

test.each(['53', '21', '38;5', '38;9;1', '4:3', '5'])('does not know %j', text => {
	expect(applySgr(defaultStyle, text)).toBeUndefined();
});
