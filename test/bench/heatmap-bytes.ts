import type {ColorLevel} from '../../source/format/style.ts';
import {emptyHistory, remember} from '../../source/market/liquidity.ts';
import type {DepthBook, Level} from '../../source/market/types.ts';
import {cellDiff, type Shown} from '../../source/terminal/cell-diff.ts';
import {Surface} from '../../source/terminal/surface.ts';
import {heatmapBody} from '../../source/view/panels/book/heatmap.ts';
import {heatmapOf} from '../../source/view/panels/book/heatmap-model.ts';
import {createTheme} from '../../source/view/theme/theme.ts';
import {bitcoin} from '../view/panels/book/books.ts';
import type {BenchRow} from './row.ts';

const size = {columns: 118, rows: 36};
const polls = 400;
/** Until then the map is not full. */
const warmUp = 200;
const mostBytes = 5000;
const levels = 200;
/** Between two levels, and the most that the mid moves in a second, in the units of the prices. */
const apart = 20;
const mostMove = 100;

/** What a heatmap writes to the terminal for a book that moves every second, most of whose sizes stay. */
export async function bench(): Promise<readonly BenchRow[]> {
	const books = walk();
	return [
		row('24-bit colours', 3, {}, books),
		row('shades', 2, {}, books),
		row('24-bit colours, each column a second', 3, {columnMs: 1000}, books),
	];
}

function row(name: string, color: ColorLevel, window: {columnMs?: number}, books: readonly DepthBook[]): BenchRow {
	const bytes = bytesOf(color, window, books).slice(warmUp);
	const mean = bytes.reduce((sum, each) => sum + each, 0) / bytes.length;
	return {
		name: `heatmap, ${size.columns}×${size.rows}, ${name}: bytes a poll`,
		measured: `${(mean / 1000).toFixed(1)} kB mean, ${(Math.max(...bytes) / 1000).toFixed(1)} kB at most`,
		target: `mean ≤ ${mostBytes / 1000} kB`,
		met: mean <= mostBytes,
	};
}

function bytesOf(color: ColorLevel, window: {columnMs?: number}, books: readonly DepthBook[]): readonly number[] {
	const theme = createTheme({palette: 'classic', color});
	const surface = new Surface(size, () => {});
	const decimals = {price: bitcoin.priceDecimals, quantity: bitcoin.quantityDecimals};
	let history = emptyHistory;
	let shown: Shown | undefined;
	return books.map((book, second) => {
		history = remember(history, book, second * 1000);
		const input = {history, book, decimals, zoom: 0, size, ascii: false, hasHeat: theme.hasHeat, window};
		const lines = heatmapBody(heatmapOf(input), input).map(line => theme.paint(line));
		surface.put(size, () => ({x: 0, y: 0, width: size.columns, height: size.rows}), lines);
		const next = cellDiff(shown, surface.picture());
		shown = next.shown;
		return Buffer.byteLength(next.text);
	});
}

/** A book a second around a mid that walks. Of a hundred sizes two change. */
function walk(): readonly DepthBook[] {
	let seed = 7;
	const random = (): number => {
		seed = (seed * 48_271) % 2_147_483_647;
		return seed / 2_147_483_647;
	};
	const sizes = new Map<number, number>();
	const levelAt = (units: number): Level => {
		const resting = random() < 0.02 ? undefined : sizes.get(units);
		const quantity = resting ?? Math.ceil(random() ** 4 * bitcoin.scale) / 10 ** bitcoin.quantityDecimals;
		sizes.set(units, quantity);
		return [units / 10 ** bitcoin.priceDecimals, quantity];
	};
	let mid = bitcoin.ask;
	return Array.from({length: polls}, () => {
		mid += Math.round((random() * 2 - 1) * mostMove);
		const best = Math.floor(mid / apart) * apart;
		return {
			asks: Array.from({length: levels}, (_, index) => levelAt(best + (index + 1) * apart)),
			bids: Array.from({length: levels}, (_, index) => levelAt(best - index * apart)),
		};
	});
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench()) console.log(`${name}: ${measured} (${target})`);
}
