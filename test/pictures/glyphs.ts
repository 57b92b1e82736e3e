/** A cell of the picture's grid, in the units of the SVG. */
export type Box = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/**
 * Block elements, box lines and Braille dots as SVG elements that fill their cell to its edge, so that neighbours join;
 * undefined for whatever a font has to draw.
 */
export function glyphShapes(character: string, box: Box, color: string): string | undefined {
	const code = character.codePointAt(0) ?? 0;
	if (code >= 0x2800 && code <= 0x28ff) return brailleDots(code - 0x2800, box, color);
	const shade = shades[character];
	const rectangles = shade === undefined ? (blockElement(code) ?? quadrants(code)) : [whole];
	if (rectangles) return rectangles.map(part => rectangle(part, box, color, shade)).join('');
	const corner = corners[character];
	if (corner) return arc(corner, box, color);
	const arms = boxLines.get(character);
	return arms && lines(arms, box, color);
}

const whole: Rectangle = [0, 0, 1, 1];
const shades: Readonly<Record<string, number>> = {'░': 0.25, '▒': 0.5, '▓': 0.75};

/** Eighths, halves and the full block, in fractions of the cell. */
function blockElement(code: number): readonly Rectangle[] | undefined {
	if (code === 0x2580) return [[0, 0, 1, 1 / 2]];
	if (code >= 0x2581 && code <= 0x2588) return [[0, 1 - (code - 0x2580) / 8, 1, 1]];
	if (code >= 0x2589 && code <= 0x258f) return [[0, 0, (0x2590 - code) / 8, 1]];
	if (code === 0x2590) return [[1 / 2, 0, 1, 1]];
	if (code === 0x2594) return [[0, 0, 1, 1 / 8]];
	if (code === 0x2595) return [[7 / 8, 0, 1, 1]];
	return undefined;
}

const upperLeft: Rectangle = [0, 0, 1 / 2, 1 / 2];
const upperRight: Rectangle = [1 / 2, 0, 1, 1 / 2];
const lowerLeft: Rectangle = [0, 1 / 2, 1 / 2, 1];
const lowerRight: Rectangle = [1 / 2, 1 / 2, 1, 1];

/** U+2596 to U+259F, in this order. */
const quadrantBlocks: readonly (readonly Rectangle[])[] = [
	[lowerLeft],
	[lowerRight],
	[upperLeft],
	[upperLeft, lowerLeft, lowerRight],
	[upperLeft, lowerRight],
	[upperLeft, upperRight, lowerLeft],
	[upperLeft, upperRight, lowerRight],
	[upperRight],
	[upperRight, lowerLeft],
	[upperRight, lowerLeft, lowerRight],
];

function quadrants(code: number): readonly Rectangle[] | undefined {
	return quadrantBlocks[code - 0x2596];
}

function rectangle([left, top, right, bottom]: Rectangle, box: Box, color: string, opacity?: number): string {
	const [x, y] = [box.x + left * box.width, box.y + top * box.height];
	const [width, height] = [(right - left) * box.width, (bottom - top) * box.height];
	const faded = opacity === undefined ? '' : ` fill-opacity="${opacity}"`;
	return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${color}"${faded}/>`;
}

/** The weight of the line from the middle of the cell to each edge: 0 none, 1 light, 2 heavy. */
type Arms = readonly [up: number, right: number, down: number, left: number];

const boxLines: ReadonlyMap<string, Arms> = new Map(
	[
		'─0101 ━0202 │1010 ┃2020',
		'┌0110 ┍0210 ┎0120 ┏0220 ┐0011 ┑0012 ┒0021 ┓0022',
		'└1100 ┕1200 ┖2100 ┗2200 ┘1001 ┙1002 ┚2001 ┛2002',
		'├1110 ┝1210 ┞2110 ┟1120 ┠2120 ┡2210 ┢1220 ┣2220',
		'┤1011 ┥1012 ┦2011 ┧1021 ┨2021 ┩2012 ┪1022 ┫2022',
		'┬0111 ┭0112 ┮0211 ┯0212 ┰0121 ┱0122 ┲0221 ┳0222',
		'┴1101 ┵1102 ┶1201 ┷1202 ┸2101 ┹2102 ┺2201 ┻2202',
		'┼1111 ┽1112 ┾1211 ┿1212 ╀2111 ╁1121 ╂2121 ╃2112',
		'╄2211 ╅1122 ╆1221 ╇2212 ╈1222 ╉2122 ╊2221 ╋2222',
		'╴0001 ╵1000 ╶0100 ╷0010 ╸0002 ╹2000 ╺0200 ╻0020',
		'╼0201 ╽1020 ╾0102 ╿2010',
	]
		.join(' ')
		.split(' ')
		.map(entry => {
			const [up = 0, right = 0, down = 0, left = 0] = [...entry.slice(1)].map(Number);
			return [entry.slice(0, 1), [up, right, down, left]] as const;
		}),
);

/** Of a light line, in cell widths; a heavy one is twice as thick. */
const lineWidth = 1 / 10;

function lines([up, right, down, left]: Arms, box: Box, color: string): string {
	const thickness = lineWidth * box.width;
	const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
	// Each arm reaches past the middle by half of the thickest arm across it, so that corners are filled.
	const reachX = (Math.max(up, down, 1) * thickness) / 2;
	const reachY = (Math.max(left, right, 1) * thickness) / 2;
	const [endX, endY] = [box.x + box.width, box.y + box.height];
	const bar = (x1: number, y1: number, x2: number, y2: number): string =>
		`<rect x="${x1}" y="${y1}" width="${x2 - x1}" height="${y2 - y1}" fill="${color}"/>`;
	const half = (weight: number): number => (weight * thickness) / 2;
	return [
		up > 0 ? bar(middleX - half(up), box.y, middleX + half(up), middleY + reachY) : '',
		right > 0 ? bar(middleX - reachX, middleY - half(right), endX, middleY + half(right)) : '',
		down > 0 ? bar(middleX - half(down), middleY - reachY, middleX + half(down), endY) : '',
		left > 0 ? bar(box.x, middleY - half(left), middleX + reachX, middleY + half(left)) : '',
	].join('');
}

/** Rounded corners: towards which edges they lead. */
const corners: Readonly<Record<string, readonly [x: -1 | 1, y: -1 | 1]>> = {
	'╭': [1, 1],
	'╮': [-1, 1],
	'╯': [-1, -1],
	'╰': [1, -1],
};

function arc([towardsX, towardsY]: readonly [number, number], box: Box, color: string): string {
	const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
	const [edgeX, edgeY] = [middleX + (towardsX * box.width) / 2, middleY + (towardsY * box.height) / 2];
	// Straight at both edges, where the neighbour's line goes on, and a quarter of a circle between.
	const startX = edgeX - (towardsX * box.width) / 10;
	const bendY = middleY + (towardsY * box.width) / 2;
	return (
		`<path d="M${edgeX} ${middleY}H${startX}Q${middleX} ${middleY} ${middleX} ${bendY}V${edgeY}" ` +
		`fill="none" stroke="${color}" stroke-width="${lineWidth * box.width}" shape-rendering="geometricPrecision"/>`
	);
}

/** Column and row of each bit of a Braille pattern. */
const brailleBits = [
	[0, 0],
	[0, 1],
	[0, 2],
	[1, 0],
	[1, 1],
	[1, 2],
	[0, 3],
	[1, 3],
] as const;

function brailleDots(bits: number, box: Box, color: string): string {
	const dots = brailleBits.filter((_, bit) => bits & (1 << bit));
	return dots
		.map(([column, row]) => {
			const x = box.x + ((2 * column + 1) * box.width) / 4;
			const y = box.y + ((2 * row + 1) * box.height) / 8;
			return `<circle cx="${x}" cy="${y}" r="${box.width / 7}" fill="${color}" shape-rendering="geometricPrecision"/>`;
		})
		.join('');
}
