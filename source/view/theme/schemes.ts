import type {Rgb} from '../../format/style.ts';
import {lightnessOf, rgb} from './color.ts';
import type {PaletteName, ThemeName} from './names.ts';

/** The colours of a theme, before they are made to stand out from the background. */
export type Scheme = Readonly<ReturnType<typeof scheme>>;

/**
 * The background is what the colours are seen on: of what the theme is for, the one nearest to them. The text is that which means
 * nothing else; absent: the terminal's own. `series`: of six curves.
 */
function scheme([background = '', text]: readonly string[], colors: string, series: string) {
	const [green = '', red = '', blue = '', orange = '', yellow = '', pink = '', cyan = '', grey = '', border = ''] =
		colors.split(' ');
	return {
		...(text !== undefined && {text: rgb(text)}),
		...{background: rgb(background), green: rgb(green), red: rgb(red), blue: rgb(blue), orange: rgb(orange)},
		...{yellow: rgb(yellow), pink: rgb(pink), cyan: rgb(cyan), grey: rgb(grey), border: rgb(border)},
		series: series.split(' ').map(rgb),
	};
}

const schemes: Readonly<Record<Exclude<ThemeName, 'auto'>, Scheme>> = {
	dark: scheme(
		['#282c34'],
		'#26c281 #f05454 #5aa9f5 #e69a14 #f0c85a #f06ebe #5ccfe6 #868e9c #545c6a',
		'#c594ff #f0c85a #5ccfe6 #d0d0d0 #56a0f0 #8cd782',
	),
	light: scheme(
		['#eee8d5'],
		'#0b7a4b #c9252d #0068b3 #a85300 #706400 #b01274 #00707f #5c6370 #8a8f99',
		'#6a3fc4 #8a5a00 #00707f #444444 #1a56db #176b17',
	),
	// Catppuccin (MIT), https://catppuccin.com/palette
	'catppuccin-mocha': scheme(
		['#1e1e2e', '#cdd6f4'],
		'#a6e3a1 #f38ba8 #89b4fa #fab387 #f9e2af #f5c2e7 #89dceb #7f849c #585b70',
		'#cba6f7 #f9e2af #94e2d5 #cdd6f4 #89b4fa #fab387',
	),
	// Gruvbox by Pavel Pertsev (MIT), https://github.com/morhetz/gruvbox
	'gruvbox-dark': scheme(
		['#282828', '#ebdbb2'],
		'#b8bb26 #fb4934 #83a598 #fe8019 #fabd2f #d3869b #8ec07c #928374 #665c54',
		'#d3869b #fabd2f #8ec07c #ebdbb2 #83a598 #fe8019',
	),
	// Solarized by Ethan Schoonover (MIT), https://ethanschoonover.com/solarized
	'solarized-light': scheme(
		['#fdf6e3', '#586e75'],
		'#859900 #dc322f #268bd2 #cb4b16 #b58900 #d33682 #2aa198 #93a1a1 #93a1a1',
		'#6c71c4 #b58900 #2aa198 #002b36 #cb4b16 #d33682',
	),
};

/** The backgrounds that the themes dark and light are made for: on darker, or lighter, ones they stand out more. */
export const usualBackground = {dark: schemes.dark.background, light: schemes.light.background} as const;

/** Where a background counts as light. */
const leastLight = 0.6;

export const isLight = (background: Rgb): boolean => lightnessOf(background) >= leastLight;

/** The colours of a theme. For `auto`, `background` is the terminal's, as far as it is known; others bring their own. */
export function schemeOf(theme: ThemeName, background: Rgb | undefined): Scheme {
	if (theme !== 'auto') return schemes[theme];
	if (!background) return schemes.dark;
	return plainScheme({...schemes.dark, background});
}

/** Of the themes dark and light, the one for the background of `scheme`. */
export const plainScheme = ({background}: Scheme): Scheme => ({
	...schemes[isLight(background) ? 'light' : 'dark'],
	background,
});

export const withoutOrange = (scheme: Scheme): Scheme => ({...scheme, orange: scheme.yellow});

/** The colours of rises and falls. */
export function pairOf(
	{green, red, blue, orange}: Scheme,
	palette: PaletteName,
): {readonly up: Rgb; readonly down: Rgb} {
	if (palette === 'blue-orange') return {up: blue, down: orange};
	return palette === 'classic' ? {up: green, down: red} : {up: red, down: green};
}
