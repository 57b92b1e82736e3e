import type {Rgb} from '../format/style.ts';

/** Asks the terminal for its background (OSC 11). */
export const backgroundQuestion = '\u001B]11;?\u0007';

/** The colour in an answer such as `rgb:1e1e/1e1e/2e2e`, `rgba:…` or `#1e1e2e`; undefined: it is none. */
export function parseBackground(text: string): Rgb | undefined {
	const digits = /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(text);
	const [, red = '', green = '', blue = ''] = digits ?? /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(text) ?? [];
	if (red === '') return undefined;
	const channel = (hex: string) => Math.round((Number.parseInt(hex, 16) / (16 ** hex.length - 1)) * 255);
	return [channel(red), channel(green), channel(blue)];
}

/** Whether the background is dark or light by `COLORFGBG`, which some terminals set: `15;0`, `0;default;15`. Undefined: not said. */
export function hintedBackground({COLORFGBG = ''}: NodeJS.ProcessEnv): 'dark' | 'light' | undefined {
	const number = /;(\d{1,2})$/.exec(COLORFGBG)?.[1];
	if (number === undefined || Number(number) > 15) return undefined;
	return Number(number) === 7 || Number(number) > 8 ? 'light' : 'dark';
}
