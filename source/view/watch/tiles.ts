import type {ResourceName} from '../../store/state.ts';
import type {Size} from '../line.ts';

/** The ticker's rows, a frame and a few trades: below this a tile says nothing. */
const leastTile: Size = {columns: 40, rows: 8};

export const tileHeaderRows = 2;

/** What a tile shows has to poll. */
export const watchedResources: ReadonlySet<ResourceName> = new Set(['markets', 'tickers', 'depth', 'tape']);

export type Tiles = {
	readonly tile: Size;
	/** How many markets fit; 0 where the terminal is too small for one. */
	readonly shown: number;
};

/** Tiles of one size for as many of `count` markets as fit, as wide as can be: side by side only when they must. */
export function tilesFor({columns, rows}: Size, count: number): Tiles {
	const mostAcross = Math.floor(columns / leastTile.columns);
	const mostDown = Math.floor(rows / leastTile.rows);
	const shown = Math.min(count, mostAcross * mostDown);
	if (shown === 0) return {tile: {columns: 0, rows: 0}, shown};
	const across = Math.ceil(shown / mostDown);
	const down = Math.ceil(shown / across);
	return {tile: {columns: Math.floor(columns / across), rows: Math.floor(rows / down)}, shown};
}
