import type {Cell, Color} from '../helpers/screen.ts';

type Rgb = readonly [red: number, green: number, blue: number];

/** What a terminal shows where a program sets no colour. */
export type Ground = {readonly background: string; readonly foreground: string};
export const darkGround: Ground = {background: '#0d1017', foreground: '#c9d1d9'};
export const lightGround: Ground = {background: '#ffffff', foreground: '#1f2328'};

/** Black, red, green, yellow, blue, magenta, cyan, white, then the same brighter. */
const ansi = [
	'#21262d',
	'#f0524f',
	'#3fb950',
	'#d29922',
	'#58a6ff',
	'#bc8cff',
	'#39c5cf',
	'#b1bac4',
	'#6e7681',
	'#ff7b72',
	'#56d364',
	'#e3b341',
	'#79c0ff',
	'#d2a8ff',
	'#56d4dd',
	'#f0f6fc',
];

/** How much of a dim character's colour is left, beside what is behind it. */
const dimShare = 0.55;

/** What a cell is painted with, once inverse and dim are worked out. */
export function cellColors(cell: Cell, ground = darkGround): Ground {
	const foreground = hex(cell.foreground, ground.foreground);
	const background = hex(cell.background, ground.background);
	const [front, back] = cell.inverse ? [background, foreground] : [foreground, background];
	return {foreground: cell.dim ? mix(front, back, dimShare) : front, background: back};
}

function hex(color: Color, byDefault: string): string {
	if (color === 'default') return byDefault;
	if (typeof color === 'string') return color;
	return ansi[color] ?? toHex(color < 232 ? cube(color - 16) : grey(color - 232));
}

/** Entries 16 to 231 of the 256: six steps of each primary. */
function cube(index: number): Rgb {
	const step = (value: number): number => (value === 0 ? 0 : 55 + value * 40);
	return [step(Math.floor(index / 36)), step(Math.floor(index / 6) % 6), step(index % 6)];
}

/** The last 24 of the 256. */
function grey(index: number): Rgb {
	const value = 8 + index * 10;
	return [value, value, value];
}

function mix(front: string, back: string, share: number): string {
	const [a, b] = [parse(front), parse(back)];
	const blend = (primary: 0 | 1 | 2): number => Math.round(a[primary] * share + b[primary] * (1 - share));
	return toHex([blend(0), blend(1), blend(2)]);
}

function parse(color: string): Rgb {
	const value = Number.parseInt(color.slice(1), 16);
	return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function toHex(rgb: Rgb): string {
	return `#${rgb.map(primary => primary.toString(16).padStart(2, '0')).join('')}`;
}
