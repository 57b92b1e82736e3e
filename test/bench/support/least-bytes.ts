/**
 * What no program could undercut: a lower bound for the bytes that turn one screen into another, found without the
 * program's own code. Each run of neighbouring cells that differ, in one style, has to be written once, from somewhere:
 * the cheapest order of the runs is a shortest open tour, and the bound is Held and Karp's for it. Moves are those that
 * work on every terminal: CUP, CHA, VPA, CUU, CUD, CUF, CUB, BS, CR, VT, RI, and writing what already stands there. Scroll
 * regions, tab stops and REP are left out. The style that the terminal writes in at first is the one that the tour begins with.
 */
import type {Cell, Screen} from '../../helpers/screen.ts';
import {arborescence, type Costs} from './arborescence.ts';

export type Grid = readonly (readonly Cell[])[];

type Bytes = readonly (readonly number[])[];

export const gridOf = (screen: Screen): Grid =>
	Array.from({length: screen.rows}, (_, row) =>
		Array.from({length: screen.columns}, (_unused, column) => screen.cell(row, column)),
	);

/** A run of cells to write. */
type Run = {
	readonly row: number;
	readonly column: number;
	/** Absent at the right edge: the cursor is nowhere in particular. */
	readonly end: number | undefined;
	readonly cell: Cell;
	readonly bytes: number;
	/** Without a style: it can be erased, in any style, without moving the cursor. */
	readonly blank: boolean;
};

const synchronizedBytes = 16;
/** Of EL, and the least of ECH. */
const eraseBytes = 3;
const rounds = 300;

/** Where the cursor is, in any style. */
export type Start = {readonly row: number; readonly column: number | undefined};

/** At most what the cheapest update costs; `known` is what some update does cost, in bytes. */
export function leastBytes(before: Grid, after: Grid, start: Start, known: number): number {
	const all = after.flatMap((cells, row) => runsOf(before[row] ?? [], cells, row));
	if (all.length === 0) return 0;
	// To erase blanks can be worked into any tour, for at least these bytes and maybe no detour.
	const runs = all.filter(run => !run.blank);
	const fixed = all.reduce((sum, run) => sum + run.bytes, synchronizedBytes);
	return runs.length === 0
		? fixed
		: fixed + leastTour(costsBetween(start, runs, rewriting(before, after)), known - fixed);
}

function runsOf(before: readonly Cell[], after: readonly Cell[], row: number): readonly Run[] {
	const runs: Run[] = [];
	// One erasure does for all blanks that stand beside each other.
	let blanks = 0;
	let column = 0;
	while (column < after.length) {
		const cell = after[column];
		if (!cell || same(cell, before[column])) {
			if (cell && !isBlank(cell)) blanks = 0;
			column++;
			continue;
		}

		let [end, bytes] = [column, 0];
		for (let next = after[end]; next && !same(next, before[end]) && sameStyle(next, cell); next = after[end]) {
			blanks = isBlank(next) ? blanks + 1 : 0;
			if (blanks <= eraseBytes) bytes += bytesOf(next);
			end++;
		}

		const blank = after.slice(column, end).every(next => isBlank(next));
		runs.push({row, column, end: end < after.length ? end : undefined, cell, bytes, blank});
		column = end;
	}

	return runs;
}

const textOf = ({text, width}: Cell) => (width > 0 && text === '' ? ' ' : text);
const bytesOf = (cell: Cell) => Buffer.byteLength(textOf(cell));
const styleKeys = [
	'foreground',
	'background',
	'bold',
	'dim',
	'italic',
	'underline',
	'strikethrough',
	'inverse',
] as const;
const sameStyle = (a: Cell, b: Cell) => styleKeys.every(key => a[key] === b[key]);
const same = (a: Cell, b: Cell | undefined) =>
	b !== undefined && textOf(a) === textOf(b) && a.width === b.width && sameStyle(a, b);
const plain = {foreground: 'default', background: 'default'} as const;
const isBlank = (cell: Cell) =>
	textOf(cell) === ' ' && styleKeys.every(key => cell[key] === (key in plain ? 'default' : false));

/** Bytes to write each cell once more; 0 for blanks that have to be written anyway, which are counted for themselves. */
const rewriting = (before: Grid, after: Grid): Bytes =>
	after.map((cells, row) =>
		cells.map((cell, column) => (isBlank(cell) && !same(cell, before[row]?.[column]) ? 0 : bytesOf(cell))),
	);

/** Of the steps from run to run; node 0 is the start. */
function costsBetween({row, column}: Start, runs: readonly Run[], again: Bytes): Costs {
	const size = runs.length + 1;
	const edges = new Float64Array(size * size).fill(Infinity);
	for (const [to, run] of runs.entries()) {
		edges[to + 1] = wayBytes(row, column, run, again);
		for (const [from, other] of runs.entries()) {
			if (from === to) continue;
			const way = wayBytes(other.row, other.end, run, again);
			edges[(from + 1) * size + to + 1] = way + styleBytes(other.cell, run.cell);
		}
	}

	return {size, edges};
}

/** The cheapest way to where the run begins, or to the left of it, from where what stands there is written again. */
function wayBytes(row: number, column: number | undefined, to: Run, again: Bytes): number {
	let best = moveBytes(row, column, to.row, to.column);
	let rewritten = 0;
	for (let start = to.column - 1; start >= 0 && rewritten < best; start--) {
		rewritten += again[to.row]?.[start] ?? 0;
		best = Math.min(best, rewritten + moveBytes(row, column, to.row, start));
	}

	return best;
}

/** Of `CSI n final`; a 1 is left out. */
const csiBytes = (count: number) => 3 + (count === 1 ? 0 : String(count).length);

function moveBytes(row: number, column: number | undefined, toRow: number, toColumn: number): number {
	const absolute = toColumn === 0 ? csiBytes(toRow + 1) : csiBytes(toRow + 1) + 1 + String(toColumn + 1).length;
	const down = toRow - row;
	const vertical =
		down === 0 ? 0 : Math.min(csiBytes(toRow + 1), csiBytes(Math.abs(down)), down > 0 ? down : -2 * down);
	const fromMargin = 1 + (toColumn === 0 ? 0 : csiBytes(toColumn));
	let horizontal = Math.min(fromMargin, csiBytes(toColumn + 1));
	if (column !== undefined) {
		const right = toColumn - column;
		horizontal = right === 0 ? 0 : Math.min(horizontal, csiBytes(Math.abs(right)), right < 0 ? -right : Infinity);
	}

	return Math.min(absolute, vertical + horizontal);
}

const attributeNames = ['bold', 'dim', 'italic', 'underline', 'strikethrough', 'inverse'] as const;

/** Of the shortest SGR sequence, each of its parts as short as it can be. */
function styleBytes(from: Cell, to: Cell): number {
	if (sameStyle(from, to)) return 0;
	const on = (cell: Cell) => attributeNames.filter(name => cell[name]);
	const colors = (cell: Cell, other?: Cell) =>
		(['foreground', 'background'] as const).flatMap(name =>
			cell[name] === other?.[name] ? [] : [colorBytes(cell[name])],
		);
	const set = on(to).length;
	const afresh = [...Array<number>(set).fill(1), ...colors(to).filter(bytes => bytes > 0)];
	const added = on(to).filter(name => !from[name]).length;
	const removed = on(from).filter(name => !to[name]).length;
	const changed = [
		...Array<number>(added).fill(1),
		...Array<number>(removed ? 1 : 0).fill(2),
		...colors(to, from).map(bytes => bytes || 2),
	];
	const parts = (lengths: readonly number[]) => lengths.reduce((sum, length) => sum + length + 1, 0);
	return 3 + Math.min(parts(afresh), parts(changed) - 1);
}

/** 0 for the default, which a reset brings. */
function colorBytes(color: Cell['foreground']): number {
	if (color === 'default') return 0;
	if (typeof color === 'number') return color < 16 ? 2 : 5 + String(color).length;
	const channels = [1, 3, 5].map(at => String(Number.parseInt(color.slice(at, at + 2), 16)).length);
	return 7 + channels.reduce((sum, length) => sum + length, 0);
}

/** Held and Karp's bound: the cheapest tree, as what is left too often is made dearer to leave. */
function leastTour({size, edges}: Costs, known: number): number {
	const prices = new Float64Array(size);
	const priced = new Float64Array(size * size);
	const excess = new Int32Array(size);
	let [best, step] = [0, 2];
	for (let round = 0; round < rounds; round++) {
		for (let edge = 0; edge < edges.length; edge++) {
			priced[edge] = (edges[edge] ?? 0) + (prices[Math.floor(edge / size)] ?? 0);
		}

		let total = 0;
		excess.fill(-1);
		for (const [to, from] of arborescence({size, edges: priced}).entries()) {
			if (from < 0) continue;
			excess[from] = (excess[from] ?? 0) + 1;
			total += priced[from * size + to] ?? 0;
		}

		for (const price of prices) total -= price;
		step = total > best + 0.01 ? step : step * 0.97;
		best = Math.max(best, total);
		const length = excess.reduce((sum, count) => sum + count * count, 0);
		const change = (step * (known - total)) / length;
		for (let node = 0; node < size; node++) {
			prices[node] = Math.max(0, (prices[node] ?? 0) + change * (excess[node] ?? 0));
		}
	}

	return best;
}
