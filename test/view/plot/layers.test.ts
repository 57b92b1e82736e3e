import {expect, test} from 'vitest';
import {type Line, lineText, seriesTones} from '../../../source/view/line.ts';
import {type Bar, createCanvas, drawBar} from '../../../source/view/plot/canvas.ts';
import type {CurvePoint, PlottedCurve} from '../../../source/view/plot/curves.ts';
import {drawCurves} from '../../../source/view/plot/layers.ts';

const flat = (index: number, row: number, columns = 6): PlottedCurve => ({
	points: [
		{column: 0, rows: row},
		{column: columns - 1, rows: row},
	],
	style: {tone: seriesTones[index] ?? 'plain', dash: [1, 0], letter: 'abc'[index] ?? ''},
});

function draw(curves: readonly PlottedCurve[], ascii = false): readonly Line[] {
	const canvas = createCanvas({columns: 6, rows: 1});
	drawCurves(canvas, curves, ascii);
	return canvas.lines();
}

test('a shared cell has the dots of all its curves', () => {
	expect(draw([flat(0, 0), flat(1, 0.5)]).map(lineText)).toEqual(['⠭⠭⠭⠭⠭⠅']);
});

const tonesIn = (line: Line | undefined) => line?.map(({tone, text}) => `${tone} ${text.length}`);

test('curves that lie on each other alternate', () => {
	expect(tonesIn(draw([flat(0, 0), flat(1, 0.5)])[0])).toEqual([
		...['series1 1', 'series2 1', 'series1 1', 'series2 1', 'series1 1', 'series2 1'],
	]);
	expect(tonesIn(draw([flat(0, 0), flat(1, 0.25), flat(2, 0.5)])[0])).toEqual([
		...['series1 1', 'series2 1', 'series3 1', 'series1 1', 'series2 1', 'series3 1'],
	]);
});

const bar = (height: number): Bar => ({left: 0, columns: 6, base: 1, height, tone: 'upBar'});

test('a bar in a single row takes part in the cells of a curve that crosses it', () => {
	const over = (height: number, rows: number, ascii = false) => {
		const canvas = createCanvas({columns: 6, rows: 1});
		drawBar(canvas, bar(height), ascii);
		drawCurves(canvas, [flat(0, rows)], ascii, [bar(height)]);
		return canvas.lines()[0];
	};
	expect(lineText(over(0.25, 0) ?? [])).toBe('⣉⣉⣉⣉⣉⣁');
	expect(lineText(over(1, 0.25) ?? [])).toBe('⣭⣭⣭⣭⣭⣽');
	expect(over(1, 0.25)?.map(({tone}) => tone)).toEqual([
		...['series1', 'upBar', 'series1', 'upBar', 'series1', 'upBar'],
	]);
});

test('a bar that shows in other cells leaves those of a curve to the curve', () => {
	const canvas = createCanvas({columns: 6, rows: 2});
	const high = {...bar(2), base: 2};
	drawBar(canvas, high, false);
	drawCurves(canvas, [flat(0, 0)], false, [high]);
	expect(canvas.lines()).toEqual([[{text: '⠉⠉⠉⠉⠉⠁', tone: 'series1'}], [{text: '██████', tone: 'upBar'}]]);
});

test('in ASCII the letters of curves that lie on each other alternate', () => {
	const points = [0, 1, 2, 3].map((column): CurvePoint => ({column, rows: 0}));
	const curves = [0, 1].map(index => ({...flat(index, 0), points}));
	expect(draw(curves, true).map(lineText)).toEqual(['abab  ']);
});
