import {describe, expect, test} from 'vitest';
import type {Run} from '../../../source/format/style.ts';
import type {Line, Span, Tone} from '../../../source/view/line.ts';
import {paletteNames} from '../../../source/view/theme/names.ts';
import {createTheme} from '../../../source/view/theme/theme.ts';
import {type Color, createScreen} from '../../helpers/screen.ts';

const tones = [
	'plain',
	'muted',
	'strong',
	'up',
	'down',
	'upBar',
	'downBar',
	'title',
	'focus',
	'border',
	'accent',
	'good',
	'warn',
	'error',
] as const satisfies readonly Tone[];

const rainbow: Line = tones.map(tone => ({text: 'x', tone}));

/** What a terminal makes of the tones: a cell each. */
async function cellsOf(runs: readonly Run[]) {
	const screen = createScreen(tones.length, 1);
	for (const {text, style} of runs) {
		const parameters = [style.attributes, style.foreground].filter(part => part !== '');
		await screen.write(`\u001B[${['', ...parameters].join(';')}m${text}`);
	}

	return Object.fromEntries(tones.map((tone, column) => [tone, screen.cell(0, column)]));
}

/** As terminals commonly mix the 256 colours' cube. */
const cubeSteps = [0, 95, 135, 175, 215, 255];
const basicHues = ['grey', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'grey'];

function hue(color: Color | undefined): string | undefined {
	if (color === 'default' || color === undefined) return undefined;
	if (typeof color === 'number' && color < 16) return basicHues[color % 8];
	const [red = 0, green = 0, blue = 0] =
		typeof color === 'number'
			? [36, 6, 1].map(unit => cubeSteps[Math.floor((color - 16) / unit) % 6])
			: [1, 3, 5].map(at => Number.parseInt(color.slice(at, at + 2), 16));
	if (green > red && green > blue) return 'green';
	if (blue > red && blue > green) return 'blue';
	return green - blue > 40 ? 'orange' : 'red';
}

describe('without colours', () => {
	test.each(paletteNames)('%s sets none, and keeps bold, dim and inverse', palette => {
		const theme = createTheme({palette, color: 0});
		const attributesOf = (span: Span, stale = false) => theme.paint([span], stale)[0]?.style.attributes;
		expect(new Set(theme.paint(rainbow).map(({style}) => style.foreground))).toEqual(new Set(['']));
		expect(attributesOf({text: 'a', tone: 'up'})).toBe('');
		expect(attributesOf({text: 'a', tone: 'strong'})).toBe('1');
		expect(attributesOf({text: 'a', inverse: true})).toBe('7');
		expect(attributesOf({text: 'a', tone: 'up'}, true)).toBe('2');
	});
});

test.each([
	['classic', 'green', 'red'],
	['swapped', 'red', 'green'],
	['blue-orange', 'blue', 'orange'],
] as const)('%s draws rises %s and falls %s', async (palette, rise, fall) => {
	for (const color of [2, 3] as const) {
		const cells = await cellsOf(createTheme({palette, color}).paint(rainbow));
		const hues = ['up', 'upBar', 'down', 'downBar'].map(tone => hue(cells[tone]?.foreground));
		expect(hues).toEqual([rise, rise, fall, fall]);
	}
});

test.each(['dark', 'light'] as const)(
	'the palette of %s for colour-blind eyes has no green and no red at any level',
	async theme => {
		for (const color of [1, 2, 3] as const) {
			const cells = await cellsOf(createTheme({theme, palette: 'blue-orange', color}).paint(rainbow));
			const hues = ['up', 'upBar', 'down', 'downBar'].map(tone => hue(cells[tone]?.foreground));
			expect(hues.filter(name => name === 'green' || name === 'red')).toEqual([]);
		}
	},
);

test('stale rows are grey, dim where there is no colour, except warnings', async () => {
	for (const color of [1, 2, 3] as const) {
		const theme = createTheme({palette: 'classic', color});
		const cells = await cellsOf(theme.paint(rainbow, true));
		const {muted} = await cellsOf(theme.paint(rainbow));
		expect(tones.filter(tone => cells[tone]?.foreground !== muted?.foreground)).toEqual(['warn', 'error']);
		expect(tones.filter(tone => cells[tone]?.dim)).toEqual([]);
	}

	const cells = await cellsOf(createTheme({palette: 'classic', color: 0}).paint(rainbow, true));
	expect(tones.filter(tone => !cells[tone]?.dim)).toEqual(['warn', 'error']);
});
