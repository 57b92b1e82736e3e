import {expect, test} from 'vitest';
import {lineText} from '../../../source/view/line.ts';
import {createCanvas} from '../../../source/view/plot/canvas.ts';
import {type CurvePoint, type CurveStyle, curveSample} from '../../../source/view/plot/curves.ts';
import {drawCurves} from '../../../source/view/plot/layers.ts';

const solid: CurveStyle = {tone: 'series1', dash: [1, 0], letter: 's'};
const dashed: CurveStyle = {...solid, dash: [1, 1]};

function draw(points: ReadonlyArray<CurvePoint | undefined>, style = solid, ascii = false): string[] {
	const canvas = createCanvas({columns: 6, rows: 3});
	drawCurves(canvas, [{points, style}], ascii);
	return canvas.lines().map(line => lineText(line).trimEnd());
}

const at = (column: number, rows: number): CurvePoint => ({column, rows});

test('joins points by dots, four to the height of a cell and two to its width', () => {
	expect(draw([at(0, 0.5), at(5, 0.5)])).toEqual(['⠤⠤⠤⠤⠤⠄', '', '']);
	expect(draw([at(0, 0), at(2, 0), at(3, 2.9), at(5, 2.9)])).toEqual(['⠉⠉⢹', '  ⠸⡄', '   ⣇⣀⡀']);
});

test('leaves out dots by its style, and breaks where values are absent', () => {
	expect(draw([at(0, 0), at(5, 0)], dashed)).toEqual(['⠁⠁⠁⠁⠁⠁', '', '']);
	expect(draw([at(0, 0), at(1, 0), undefined, at(4, 0), at(5, 0)])).toEqual(['⠉⠁  ⠉⠁', '', '']);
});

test('what lies outside the canvas is not drawn', () => {
	expect(draw([at(0, -100), at(2, 100), at(5, 1.1)]).join('')).toMatch(/^[\u2800-\u28ff ]+$/u);
	expect(draw([at(0, -5), at(5, -5)])).toEqual(['', '', '']);
});

test('a point in no row breaks a curve, and one without an end is beyond the canvas', () => {
	expect(draw([at(0, 0), at(1, 0), at(2, Number.NaN), at(4, 0), at(5, 0)])).toEqual(['⠉⠁  ⠉⠁', '', '']);
	expect(draw([at(0, -Infinity), at(5, -Infinity)])).toEqual(['', '', '']);
});

test('is one letter per candle in ASCII', () => {
	expect(draw([at(0, 0.2), at(2, 1.2), at(4, 2.8)], solid, true)).toEqual(['s', '  s', '    s']);
});

test('its sample shows its dots, or its letter', () => {
	expect([solid, dashed].map(style => curveSample(style, false))).toEqual(['⠒⠒⠒', '⠂⠂⠂']);
	expect(curveSample(solid, true)).toBe('s');
});
