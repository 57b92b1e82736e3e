/** A cell of the picture's grid, in the units of the SVG. */
export type Box = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

type Rectangle = readonly [left: number, top: number, right: number, bottom: number];

/** A character as rectangles of one opacity, or as the data of a path and how it is stroked. */
type Shapes =
	| {readonly boxes: readonly Box[]; readonly opacity?: number | undefined}
	| {readonly path: string; readonly stroke: string};

/**
 * Block elements, box lines and Braille dots, which fill their cell to its edge, so that neighbours join; undefined for whatever
 * a font has to draw.
 */
export function glyphShapes(character: string, box: Box): Shapes | undefined {
	const code = character.codePointAt(0) ?? 0;
	if (code >= 0x2800 && code <= 0x28ff) return brailleDots(code - 0x2800, box);
	const opacity = shades[character];
	const rectangles = opacity === undefined ? (blockElement(code) ?? quadrants(code)) : [whole];
	if (rectangles) return {boxes: rectangles.map(part => partOf(box, part)), opacity};
	const corner = corners[character];
	if (corner) return arc(corner, box);
	const arms = boxLines.get(character);
	return arms && {boxes: lines(arms, box)};
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

const partOf = ({x, y, width, height}: Box, [left, top, right, bottom]: Rectangle): Box => ({
	...{x: x + left * width, y: y + top * height, width: (right - left) * width, height: (bottom - top) * height},
});

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

function lines([up, right, down, left]: Arms, box: Box): readonly Box[] {
	const thickness = lineWidth * box.width;
	const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
	// Each arm reaches past the middle by half of the thickest arm across it, so that corners are filled.
	const reachX = (Math.max(up, down, 1) * thickness) / 2;
	const reachY = (Math.max(left, right, 1) * thickness) / 2;
	const [endX, endY] = [box.x + box.width, box.y + box.height];
	const bar = (x: number, y: number, endX: number, endY: number): Box => ({x, y, width: endX - x, height: endY - y});
	const half = (weight: number): number => (weight * thickness) / 2;
	return [
		bar(box.x, middleY - half(left), middleX + reachX, middleY + half(left)),
		bar(middleX - reachX, middleY - half(right), endX, middleY + half(right)),
		bar(middleX - half(up), box.y, middleX + half(up), middleY + reachY),
		bar(middleX - half(down), middleY - reachY, middleX + half(down), endY),
	].filter(({width, height}) => width > 0 && height > 0);
}

/** Rounded corners: towards which edges they lead. */
const corners: Readonly<Record<string, readonly [x: -1 | 1, y: -1 | 1]>> = {
	'╭': [1, 1],
	'╮': [-1, 1],
	'╯': [-1, -1],
	'╰': [1, -1],
};

function arc([towardsX, towardsY]: readonly [number, number], box: Box): Shapes {
	const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
	const [edgeX, edgeY] = [middleX + (towardsX * box.width) / 2, middleY + (towardsY * box.height) / 2];
	// Straight at both edges, where the neighbour's line goes on, and a quarter of a circle between.
	const startX = edgeX - (towardsX * box.width) / 10;
	const bendY = middleY + (towardsY * box.width) / 2;
	return {
		path: `M${edgeX} ${middleY}H${startX}Q${middleX} ${middleY} ${middleX} ${bendY}V${edgeY}`,
		stroke: `fill="none" stroke-width="${lineWidth * box.width}" shape-rendering="geometricPrecision"`,
	};
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

/** Lines without length, whose ends are round. */
function brailleDots(bits: number, box: Box): Shapes {
	const dots = brailleBits.filter((_, bit) => bits & (1 << bit));
	const places = dots.map(([column, row]) => {
		const x = box.x + ((2 * column + 1) * box.width) / 4;
		const y = box.y + ((2 * row + 1) * box.height) / 8;
		return `M${x} ${y}h0`;
	});
	const stroke = `stroke-width="${((2 * box.width) / 7).toFixed(2)}" stroke-linecap="round"`;
	return {path: places.join(''), stroke: `${stroke} shape-rendering="geometricPrecision"`};
}
