import {expect, test} from 'vitest';
import {hintedBackground, parseBackground} from '../../source/terminal/capabilities.ts';

test('reads the background in every form in which terminals report it', () => {
	expect(
		['rgb:1e1e/1e1e/2e2e', 'rgb:fd/f6/e3', 'rgb:f/0/8', 'rgba:ffff/ffff/ffff/cccc', '#282c34', 'RGB:00/80/FF'].map(
			parseBackground,
		),
	).toEqual([
		[30, 30, 46],
		[253, 246, 227],
		[255, 0, 136],
		[255, 255, 255],
		[40, 44, 52],
		[0, 128, 255],
	]);
});

test('takes no colour from an answer that has none', () => {
	for (const text of ['', '?', 'rgb:', 'rgb:1/2', 'rgb:12345/1/1', 'rgb:gg/00/00', 'hsl:1/2/3', '#12345', 'red']) {
		expect(parseBackground(text), text).toBeUndefined();
	}
});

test('takes COLORFGBG as a hint, if it names a background', () => {
	const hints = ['15;0', '0;15', '0;default;15', '7;8', '0;7', '12;9', '0;default', '', '15', '0;16'];
	expect(hints.map(COLORFGBG => hintedBackground({COLORFGBG}))).toEqual([
		...['dark', 'light', 'light', 'dark', 'light', 'light', undefined, undefined, undefined, undefined],
	]);
	expect(hintedBackground({})).toBeUndefined();
});
