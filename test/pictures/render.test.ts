import {expect, test} from 'vitest';
import {createScreen, type Screen} from '../helpers/screen.ts';
import {cellColors} from './palette.ts';
import {rasterize, screenSvg, svgPng} from './render.ts';

const zoom = 2;
const margin = 14 * zoom;
const cellWidth = 10 * zoom;
const cellHeight = 20 * zoom;

async function screenOf(columns: number, rows: number, text: string): Promise<Screen> {
	const screen = createScreen(columns, rows);
	await screen.write(text.replaceAll('\n', '\r\n'));
	return screen;
}

type Pixels = (x: number, y: number) => string;

async function pixelsOf(columns: number, rows: number, text: string): Promise<Pixels> {
	const {pixels, width} = rasterize(screenSvg(await screenOf(columns, rows, text)), zoom);
	return (x, y) => pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).toString('hex');
}

const range = (length: number): number[] => Array.from({length}, (_, index) => index);

test.each(['──', '━━', '╭─', '─┼', '┏━', '██', '▁▁', '▐█'])('neighbours join without a seam: %s', async pair => {
	const pixel = await pixelsOf(2, 1, `\u001B[37m${pair}`);
	const column = (x: number): string[] => range(cellHeight).map(y => pixel(x, margin + y));
	const edge = margin + cellWidth;
	expect(column(edge - 1)).toEqual(column(edge));
});

test('eighths fill their share of the cell', async () => {
	const pixel = await pixelsOf(3, 1, '\u001B[38;2;255;255;255m▂▊▕');
	const filled = (column: number): number =>
		range(cellWidth)
			.flatMap(x => range(cellHeight).map(y => pixel(margin + column * cellWidth + x, margin + y)))
			.filter(color => color === 'ffffff').length /
		(cellWidth * cellHeight);
	expect([filled(0), filled(1)]).toEqual([2 / 8, 6 / 8]);
	// An eighth of 20 pixels is between two and three.
	expect([2 / 20, 3 / 20]).toContain(filled(2));
});

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

test('a picture has two pixels a unit, and its letters are drawn', async () => {
	const png = svgPng(screenSvg(await screenOf(3, 1, 'MMM')));
	expect(png.subarray(1, 4).toString()).toBe('PNG');
	expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([(3 * 10 + 28) * 2, (20 + 28) * 2]);
	const pixel = await pixelsOf(3, 1, '\u001B[38;2;255;255;255mMMM');
	const ink = (column: number): number =>
		range(cellWidth).filter(x =>
			range(cellHeight).some(y => pixel(margin + column * cellWidth + x, margin + y) !== '0d1017'),
		).length;
	expect([ink(0), ink(1), ink(2)]).toEqual([ink(0), ink(0), ink(0)]);
	expect(ink(0)).toBeGreaterThan(cellWidth / 2);
});
