import {fileURLToPath} from 'node:url';
import {Resvg} from '@resvg/resvg-js';
import type {Cell, Screen} from '../helpers/screen.ts';
import {type Box, glyphShapes} from './glyphs.ts';
import {cellColors, darkGround, type Ground} from './palette.ts';

/** Units of the SVG. */
const cellWidth = 10;
const cellHeight = 20;
const margin = 14;
/** DejaVu Sans Mono advances by 0.602 of its size. */
const fontSize = cellWidth / 0.602;
const baseline = 15;

/** The screen as a picture: every attribute, wide characters, and box lines that join. */
export function screenSvg(screen: Screen, ground = darkGround): string {
	const rows = Array.from({length: screen.rows}, (_, row) =>
		rowSvg(
			row,
			Array.from({length: screen.columns}, (_, column) => [column, screen.cell(row, column)]),
			ground,
		),
	);
	return pictureSvg({columns: screen.columns, rows: screen.rows, ground}, rows);
}

type Picture = {
	/** In cells. */
	readonly columns: number;
	readonly rows: number;
	readonly ground?: Ground;
	/** Stands before everything that is painted. */
	readonly head?: string;
};

/** An SVG of the size of a screen around elements that `rowSvg` made. */
export function pictureSvg({columns, rows, ground = darkGround, head}: Picture, elements: readonly string[]): string {
	const [width, height] = [columns * cellWidth + 2 * margin, rows * cellHeight + 2 * margin];
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" shape-rendering="crispEdges">`,
		...(head === undefined ? [] : [head]),
		`<rect width="${width}" height="${height}" rx="8" fill="${ground.background}" shape-rendering="auto"/>`,
		`<g font-family="'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace" font-size="${fontSize.toFixed(2)}">`,
		...elements.filter(element => element !== ''),
		'</g>',
		'</svg>',
	].join('\n');
}

/** At 2 pixels a unit by default: lines are whole pixels wide and 120×40 cells make 2,428×1,628 pixels. */
export function svgPng(svg: string, zoom = 2): Buffer {
	return rasterize(svg, zoom).asPng();
}

/** The raster itself: RGBA, 4 bytes a pixel. */
export function rasterize(svg: string, zoom: number): ReturnType<Resvg['render']> {
	const font = {loadSystemFonts: false, fontFiles: fontFiles(), defaultFontFamily: 'DejaVu Sans Mono'};
	return new Resvg(svg, {font, fitTo: {mode: 'zoom', value: zoom}}).render();
}

function fontFiles(): string[] {
	const fonts = new URL('ttf/', import.meta.resolve('dejavu-fonts-ttf/package.json'));
	const names = ['DejaVuSansMono', 'DejaVuSansMono-Bold', 'DejaVuSansMono-Oblique', 'DejaVuSans'];
	return names.map(name => fileURLToPath(new URL(`${name}.ttf`, fonts)));
}

type PlacedCell = readonly [column: number, cell: Cell];

/** Some cells of a row, from left to right. Empty where nothing is painted. */
export function rowSvg(row: number, cells: Iterable<PlacedCell>, ground = darkGround): string {
	const backgrounds = new Map<string, Box[]>();
	const shapes = new Map<string, Box[]>();
	const texts = new Map<string, Letter[]>();
	const strokes = new Map<string, string[]>();
	const elements: string[] = [];
	for (const [column, cell] of cells) {
		const {foreground, background} = cellColors(cell, ground);
		const fill = `fill="${foreground}"`;
		if (background !== ground.background) append(backgrounds, `fill="${background}"`, [cellBox(row, column, 1)]);
		if (cell.width === 0) continue;
		const box = cellBox(row, column, cell.width);
		if (cell.underline) append(shapes, fill, [bar(box, baseline + 2)]);
		if (cell.strikethrough) append(shapes, fill, [bar(box, cellHeight / 2)]);
		if (cell.text.trim() === '') continue;
		const drawn = glyphShapes(cell.text, box);
		if (drawn === undefined) {
			const letter = {x: box.x, text: cell.text};
			const style = textStyle(cell, foreground);
			// A place in SVG is one code unit's: what needs several (a combining mark, an emoji) stands alone.
			if (cell.text.length > 1) elements.push(textSvg(style, row, [letter]));
			else append(texts, style, [letter]);
		} else if ('path' in drawn) append(strokes, `stroke="${foreground}" ${drawn.stroke}`, [drawn.path]);
		else append(shapes, drawn.opacity ? `${fill} fill-opacity="${drawn.opacity}"` : fill, drawn.boxes);
	}

	return [
		...[...backgrounds, ...shapes].map(
			([style, boxes]) => `<path d="${joined(boxes).map(outline).join('')}" ${style}/>`,
		),
		...[...strokes].map(([style, paths]) => `<path d="${paths.join('')}" ${style}/>`),
		...elements,
		...[...texts].map(([style, letters]) => textSvg(style, row, letters)),
	].join('\n');
}

type Letter = {readonly x: number; readonly text: string};

/** With a place for each letter, so that none drifts off the grid. */
function textSvg(style: string, row: number, letters: readonly Letter[]): string {
	const places = letters.map(({x}) => x).join(' ');
	const text = letters.map(each => each.text).join('');
	return `<text x="${places}" y="${margin + row * cellHeight + baseline}" ${style}>${escapeXml(text)}</text>`;
}

function append<T>(groups: Map<string, T[]>, style: string, added: readonly T[]): void {
	groups.set(style, [...(groups.get(style) ?? []), ...added]);
}

/** With one box in place of neighbours of one height. */
function joined(boxes: readonly Box[]): readonly Box[] {
	const found: Box[] = [];
	for (const box of boxes) {
		const last = found.at(-1);
		const adjoins = last && box.x >= last.x && box.x <= last.x + last.width;
		if (!adjoins || last.y !== box.y || last.height !== box.height) found.push(box);
		else found[found.length - 1] = {...last, width: Math.max(last.width, box.x + box.width - last.x)};
	}

	return found;
}

const outline = ({x, y, width, height}: Box): string => `M${x} ${y}h${width}v${height}h-${width}z`;

function textStyle({bold, italic}: Cell, color: string): string {
	return `fill="${color}"${bold ? ' font-weight="bold"' : ''}${italic ? ' font-style="oblique"' : ''}`;
}

function cellBox(row: number, column: number, width: number): Box {
	return {
		x: margin + column * cellWidth,
		y: margin + row * cellHeight,
		width: width * cellWidth,
		height: cellHeight,
	};
}

const bar = ({x, y, width}: Box, offset: number): Box => ({x, y: y + offset, width, height: 1});

function escapeXml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
