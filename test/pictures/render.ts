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
	const backgrounds: Run[] = [];
	const texts: Run[] = [];
	let shapes = '';
	for (const [column, cell] of cells) {
		const {foreground, background} = cellColors(cell, ground);
		if (background !== ground.background) append(backgrounds, `fill="${background}"`, column, '');
		if (cell.width === 0) continue;
		const box = cellBox(row, column, cell.width);
		if (cell.underline) shapes += bar(box, baseline + 2, foreground);
		if (cell.strikethrough) shapes += bar(box, cellHeight / 2, foreground);
		if (cell.text.trim() === '') continue;
		const drawn = glyphShapes(cell.text, box, foreground);
		if (drawn === undefined) append(texts, textStyle(cell, foreground), column, cell.text);
		else shapes += drawn;
	}

	const y = margin + row * cellHeight;
	return [
		...backgrounds.map(
			({style, start, characters}) =>
				`<rect x="${margin + start * cellWidth}" y="${y}" width="${characters.length * cellWidth}" height="${cellHeight}" ${style}/>`,
		),
		shapes,
		...texts.map(({style, start, characters}) => {
			// A place for each character, so that none drifts off the grid.
			const places = characters.map((_, index) => margin + (start + index) * cellWidth);
			return `<text x="${places.join(' ')}" y="${y + baseline}" ${style}>${escapeXml(characters.join(''))}</text>`;
		}),
	]
		.filter(part => part !== '')
		.join('\n');
}

/** Neighbouring cells that look alike. */
type Run = {readonly style: string; readonly start: number; readonly characters: string[]};

function append(runs: Run[], style: string, column: number, character: string): void {
	const last = runs.at(-1);
	const adjacent = last?.style === style && last.start + last.characters.length === column;
	// A place in SVG is one code unit's: what needs several (a combining mark, an emoji) stands alone.
	if (adjacent && character.length < 2 && (last.characters.at(-1) ?? '').length < 2) last.characters.push(character);
	else runs.push({style, start: column, characters: [character]});
}

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

function bar({x, y, width}: Box, offset: number, color: string): string {
	return `<rect x="${x}" y="${y + offset}" width="${width}" height="1" fill="${color}"/>`;
}

function escapeXml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
