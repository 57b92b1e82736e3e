import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Rgb} from '../../../source/format/style.ts';
import {barTones, heatLevels, type Line, seriesTones, type Tone} from '../../../source/view/line.ts';
import {contrastOf, nearestBasic, oklabOf, rgb, withContrast} from '../../../source/view/theme/color.ts';
import {paletteNames, type ThemeName, themeNames, toneNames} from '../../../source/view/theme/names.ts';
import {isLight, schemeOf} from '../../../source/view/theme/schemes.ts';
import {createTheme} from '../../../source/view/theme/theme.ts';

const tones: readonly Tone[] = [
	...toneNames.map((name): Tone => (name === 'up-bar' ? 'upBar' : name === 'down-bar' ? 'downBar' : name)),
	...seriesTones,
	...barTones,
];

/** What is drawn as a line and not read as text, as the name of a curve is. */
const isLine = (tone: Tone) => tone === 'border' || /Bar/.test(tone);

/** The 24-bit colour, or the known one of 256, in SGR parameters. */
function colorOf(parameters: string): Rgb {
	const [, kind, ...values] = parameters.split(';').map(Number);
	if (kind === 2) return [values[0] ?? 0, values[1] ?? 0, values[2] ?? 0];
	const [number = 0] = values;
	if (number >= 232) return [8 + (number - 232) * 10, 8 + (number - 232) * 10, 8 + (number - 232) * 10];
	const step = (unit: number) => [0, 95, 135, 175, 215, 255][Math.floor((number - 16) / unit) % 6] ?? 0;
	return [step(36), step(6), step(1)];
}

/** Backgrounds that users of each theme have: what it is made for, and what is further from its colours. */
const backgrounds: Readonly<Record<Exclude<ThemeName, 'auto'>, readonly string[]>> = {
	dark: ['#000000', '#1e1e1e', '#1d1f21', '#282c34'],
	light: ['#ffffff', '#fafafa', '#fdf6e3', '#eee8d5'],
	'catppuccin-mocha': ['#1e1e2e', '#11111b'],
	'gruvbox-dark': ['#282828', '#1d2021'],
	'solarized-light': ['#fdf6e3', '#ffffff'],
};

const line: Line = tones.map(tone => ({text: 'x', tone}));

/** Tones that stand out too little from `background`, with their contrast. */
function faint(name: ThemeName, background: string | undefined, seen: string, color: 2 | 3): readonly string[] {
	return paletteNames.flatMap(palette => {
		const look = {theme: name, palette, color, background: background === undefined ? undefined : rgb(background)};
		const theme = createTheme(look);
		return [false, true].flatMap(stale =>
			theme.paint(line, stale).flatMap(({style}, index) => {
				const tone = tones[index] ?? 'plain';
				const contrast = style.foreground === '' ? 21 : contrastOf(colorOf(style.foreground), rgb(seen));
				const isReadable = contrast >= (isLine(tone) ? 3 : 4.5) && style.attributes !== '2';
				return isReadable ? [] : [`${palette} ${tone}${stale ? ', stale' : ''}: ${contrast.toFixed(2)}`];
			}),
		);
	});
}

describe('on the backgrounds that it is made for, every tone stands out: text by 4.5:1, curves, bars and borders by 3:1', () => {
	test.each(themeNames.filter(name => name !== 'auto'))('%s', theme => {
		for (const background of backgrounds[theme]) {
			expect(faint(theme, undefined, background, 3), background).toEqual([]);
			expect(faint(theme, undefined, background, 2), background).toEqual([]);
		}
	});

	test('auto, on any background that the terminal reports', () => {
		const channel = fc.integer({min: 0, max: 255});
		fc.assert(
			fc.property(fc.tuple(channel, channel, channel), color => {
				const text = `#${color.map(each => each.toString(16).padStart(2, '0')).join('')}`;
				expect(faint('auto', text, text, 3)).toEqual([]);
				expect(faint('auto', text, text, 2)).toEqual([]);
			}),
			{numRuns: 4, examples: [[[118, 118, 118]], [[117, 117, 117]], [[0, 0, 255]]]},
		);
	});
});

test("text is the terminal's own in the themes dark and light, and that of the scheme in the others", () => {
	const text: Line = (['plain', 'strong', 'title'] as const).map(tone => ({text: 'x', tone}));
	const colorsIn = (theme: ThemeName, color: 1 | 3) =>
		new Set(
			createTheme({theme, palette: 'classic', color})
				.paint(text)
				.map(({style}) => style.foreground),
		);
	const shown = Object.fromEntries(themeNames.map(theme => [theme, [...colorsIn(theme, 3)].join()]));
	expect(shown).toEqual({
		...{auto: '', dark: '', light: '', 'catppuccin-mocha': '38;2;205;214;244'},
		...{'gruvbox-dark': '38;2;235;219;178', 'solarized-light': '38;2;88;110;117'},
	});
	// Of the 16 colours the text is the user's own in any theme.
	expect(themeNames.flatMap(theme => [...colorsIn(theme, 1)])).toEqual(themeNames.map(() => ''));
});

test('auto is dark until the background is known, and light on a light one', () => {
	const schemeAt = (background: string | undefined) =>
		schemeOf('auto', background === undefined ? undefined : rgb(background));
	const greens = [undefined, '#101010', '#ffffff'].map(background => schemeAt(background).green);
	expect(greens).toEqual(['dark', 'dark', 'light'].map(name => schemeOf(name as ThemeName, undefined).green));
	expect(['#000000', '#1e1e2e', '#4d4d4d', '#b0b0b0', '#fdf6e3'].map(each => isLight(rgb(each)))).toEqual([
		...[false, false, false, true, true],
	]);
});

test.each(themeNames)('%s tells rises, falls, warnings and errors apart at every number of colours', theme => {
	const meanings: Line = (['up', 'down', 'warn', 'error', 'muted'] as const).map(tone => ({text: 'x', tone}));
	for (const color of [1, 2, 3] as const) {
		for (const palette of paletteNames) {
			const painted = createTheme({theme, palette, color}).paint(meanings);
			const [up, down, warn, error, muted] = painted.map(({style}) => style.foreground);
			const apart = palette === 'blue-orange' && color === 1 ? [up, down] : [up, down, warn, error, muted];
			expect(new Set(apart).size, `${palette} ${color}`).toBe(apart.length);
			const bars = createTheme({theme, palette, color}).paint([
				{text: 'x', tone: 'upBar'},
				{text: 'x', tone: 'downBar'},
			]);
			expect(bars[0]?.style, `${palette} ${color}`).not.toBe(bars[1]?.style);
		}
	}
});

test.each(themeNames)('the six curves of %s look different', theme => {
	for (const color of [2, 3] as const) {
		const curves = createTheme({theme, palette: 'classic', color}).paint(seriesTones.map(tone => ({text: 'x', tone})));
		const looks = curves.map(({style}) => oklabOf(colorOf(style.foreground)));
		for (const [index, [lightness, a, b]] of looks.entries()) {
			const apart = looks.slice(index + 1).map(other => Math.hypot(lightness - other[0], a - other[1], b - other[2]));
			expect(Math.min(...apart), `${seriesTones[index]} ${color}`).toBeGreaterThan(0.085);
		}
	}
});

test('heat begins near a light background as near a dark one, with text that stands out from it by 4.5:1', () => {
	const levels: Line = (['up', 'down'] as const).flatMap(side =>
		Array.from({length: heatLevels}, (_, level) => ({text: ' ', heat: {side, level}})),
	);
	for (const theme of themeNames) {
		const styles = createTheme({theme, palette: 'classic', color: 3})
			.paint(levels)
			.map(({style}) => style);
		for (const {foreground, background} of styles)
			expect(contrastOf(colorOf(foreground), colorOf(background))).toBeGreaterThan(4.5);
		const screen = schemeOf(theme, undefined).background;
		const [first, last] = [styles[0], styles[heatLevels - 1]].map(style =>
			contrastOf(colorOf(style?.background ?? ''), screen),
		);
		expect(first).toBeLessThan(2.5);
		expect(last).toBeGreaterThan(8);
	}
});

test('a colour that is given replaces that of its tone in any theme, and what follows from it', () => {
	const paint = (color: 1 | 2 | 3, ...spans: Line) =>
		createTheme({theme: 'light', palette: 'swapped', color, colors: {up: '#ff8800', 'down-bar': '#123456'}})
			.paint(spans)
			.map(({style}) => style.foreground);
	const tonesGiven = (['up', 'downBar'] as const).map(tone => ({text: 'x', tone}));
	expect(paint(3, {text: 'x', tone: 'rose'}, {text: 'x', tone: 'upBar'})).toEqual(Array(2).fill('38;2;255;136;0'));
	expect(paint(3, ...tonesGiven)).toEqual(['38;2;255;136;0', '38;2;18;52;86']);
	expect(paint(2, ...tonesGiven)).toEqual(['38;5;208', '38;5;17']);
	expect(paint(1, ...tonesGiven)).toEqual(['91', '34']);
});

test('one of the 16 colours that is given by name stays the one that the user of the terminal chose', () => {
	for (const color of [1, 2, 3] as const) {
		const theme = createTheme({palette: 'classic', color, colors: {up: 'red', warn: 'bright-cyan'}});
		const painted = theme.paint((['up', 'warn'] as const).map(tone => ({text: 'x', tone})));
		expect(painted.map(({style}) => style.foreground)).toEqual(['31', '96']);
	}
	const [hot] = createTheme({palette: 'classic', color: 3, colors: {up: 'blue'}}).paint([
		{text: ' ', heat: {side: 'up', level: 3}},
	]);
	const [red = 0, green = 0, blue = 0] = colorOf(hot?.style.background ?? '');
	expect(blue).toBeGreaterThan(Math.max(red, green));
});

test('a colour keeps its hue when it is made to stand out, and changes no more than it must', () => {
	const channel = fc.integer({min: 0, max: 255});
	const anyColor: fc.Arbitrary<Rgb> = fc.tuple(channel, channel, channel);
	fc.assert(
		fc.property(anyColor, anyColor, (color, background) => {
			const changed = withContrast(color, background, 4.5);
			expect(contrastOf(changed, background)).toBeGreaterThanOrEqual(4.5);
			if (contrastOf(color, background) >= 4.5) expect(changed).toBe(color);
		}),
	);
});

test('contrast is that of WCAG', () => {
	expect(contrastOf([0, 0, 0], [255, 255, 255])).toBe(21);
	expect(contrastOf(rgb('#767676'), [255, 255, 255])).toBeCloseTo(4.54, 2);
	expect(contrastOf(rgb('#26c281'), [255, 255, 255])).toBeCloseTo(2.3, 1);
});

test('the 16 colours are nearest to themselves', () => {
	const hues = ['#cd0000', '#00cd00', '#cdcd00', '#0000ee', '#cd00cd', '#00cdcd', '#7f7f7f', '#ffffff'];
	expect(hues.map(each => nearestBasic(rgb(each)))).toEqual([1, 2, 3, 4, 5, 6, 8, 15]);
});
