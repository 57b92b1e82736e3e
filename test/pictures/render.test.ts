import {expect, test} from 'vitest';
import {createScreen, type Screen} from '../helpers/screen.ts';
import {cellColors} from './palette.ts';
import {screenSvg} from './render.ts';

async function screenOf(columns: number, rows: number, text: string): Promise<Screen> {
	const screen = createScreen(columns, rows);
	await screen.write(text.replaceAll('\n', '\r\n'));
	return screen;
}

test('text keeps to the grid, with its attributes and backgrounds', async () => {
	const svg = screenSvg(await screenOf(12, 1, 'a<\u001B[1;31mb&\u001B[0;3;44mc\u001B[m \u001B[4m市d'));
	expect(svg.split('\n').slice(3, -2)).toEqual([
		'<path d="M54 14h10v20h-10z" fill="#58a6ff"/>',
		'<path d="M74 31h30v1h-30z" fill="#c9d1d9"/>',
		'<text x="14 24 74 94" y="29" fill="#c9d1d9">a&lt;市d</text>',
		'<text x="34 44" y="29" fill="#f0524f" font-weight="bold">b&amp;</text>',
		'<text x="54" y="29" fill="#c9d1d9" font-style="oblique">c</text>',
	]);
});

test.each([
	['\u001B[38;2;1;2;3m', {foreground: '#010203', background: '#0d1017'}],
	['\u001B[38;5;208m', {foreground: '#ff8700', background: '#0d1017'}],
	['\u001B[48;5;244m', {foreground: '#c9d1d9', background: '#808080'}],
	['\u001B[92;7m', {foreground: '#0d1017', background: '#56d364'}],
	['\u001B[2;38;2;255;255;255;48;2;0;0;0m', {foreground: '#8c8c8c', background: '#000000'}],
])('a cell written with %j is painted in its colours', async (sequence, colors) => {
	const screen = await screenOf(1, 1, `${sequence}x`);
	expect(cellColors(screen.cell(0, 0))).toEqual(colors);
});
