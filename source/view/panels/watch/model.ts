import {type Size, truncate} from '../../../format/cells.ts';
import {pageOf, type ShownTiles, type TilesState} from './tiles-state.ts';

/** The smallest useful tile: a frame around price, quotes and a curve of two rows. */
const leastTile: Size = {columns: 40, rows: 6};
/** Tiles that are used if all markets of a page fit with them, the best first: with the day's range, and with some trades. */
const goodTiles: readonly Size[] = [
	{columns: 60, rows: 12},
	{columns: leastTile.columns, rows: 8},
];
/** Tiles with the book beside the trades, which are used if they fill the screen. */
const largeTile: Size = {columns: 90, rows: 20};
const statusRows = 1;

/** The smallest terminal that shows a tile. */
export const smallestWatch: Size = {columns: leastTile.columns, rows: leastTile.rows + statusRows};

type Tiles = {
	readonly tile: Size;
	/** Markets on a page; the last page may have fewer. 0 if there is no room for one. */
	readonly perPage: number;
	readonly pages: number;
};

const noTiles: Tiles = {tile: {columns: 0, rows: 0}, perPage: 0, pages: 1};

/**
 * Tiles of one size for `count` markets, spread evenly over as few pages as possible, and as wide as possible: side by side
 * only if necessary, or if large tiles then fill the screen.
 */
export function tilesFor(area: Size, count: number): Tiles {
	const capacity = capacityOf(area, leastTile);
	if (capacity <= 0 || count === 0) return noTiles;
	const pages = Math.ceil(count / capacity);
	const perPage = Math.ceil(count / pages);
	const large = gridOf(area, largeTile, perPage);
	const least = goodTiles.find(tile => capacityOf(area, tile) >= perPage) ?? leastTile;
	const isFilled = capacityOf(area, largeTile) >= perPage && large.across * large.down === perPage;
	const {across, down} = isFilled ? large : gridOf(area, least, perPage);
	return {tile: {columns: Math.floor(area.columns / across), rows: Math.floor(area.rows / down)}, perPage, pages};
}

/** The grid of so many tiles, none of them lower than `least`, with as few side by side as possible. */
function gridOf(area: Size, least: Size, count: number): {readonly across: number; readonly down: number} {
	const across = Math.ceil(count / Math.max(Math.floor(area.rows / least.rows), 1));
	return {across, down: Math.ceil(count / across)};
}

/** How many tiles of this size fit. */
const capacityOf = (area: Size, tile: Size): number =>
	Math.floor(area.columns / tile.columns) * Math.floor(area.rows / tile.rows);

/** Default time that each page is shown, ms. */
const defaultRotateMs = 10_000;

export type WatchPageInput = {
	/** Size of the terminal. */
	readonly size: Size;
	/** Number of markets. */
	readonly count: number;
	readonly tiles: TilesState;
	readonly now: number;
	/** Default 10 s. */
	readonly rotateMs?: number | undefined;
};

/** No tile is shown if the terminal is too small. */
export type WatchPage = ShownTiles & {
	/** Everything but the status line. */
	readonly area: Size;
	/** The least size of a tile, see `tileSizeAt`. */
	readonly tile: Size;
	/** `page 2/3`, or `page 2/3 held`; empty if there is only one page. */
	readonly note: string;
};

/** The page that is shown now. Each is shown for `rotateMs`, in rotation, unless it is held. */
export function watchPage({size, count, tiles, now, rotateMs = defaultRotateMs}: WatchPageInput): WatchPage {
	const area = {columns: size.columns, rows: size.rows - statusRows};
	const {tile, perPage, pages} = tilesFor(area, count);
	const page = pageOf(tiles, {perPage, pages, now, rotateMs});
	return {
		...{area, tile, count, perPage, pages, now},
		across: Math.max(Math.floor(area.columns / Math.max(tile.columns, 1)), 1),
		first: page * perPage,
		end: Math.min((page + 1) * perPage, count),
		note: pages > 1 ? `page ${page + 1}/${pages}${tiles.isHeld ? ' held' : ''}` : '',
	};
}

/** The size of the tile at this place of the page, counted from 0: the first rows and columns have what would be left over. */
export function tileSizeAt(
	{area, tile, across, perPage}: Pick<WatchPage, 'area' | 'tile' | 'across' | 'perPage'>,
	place: number,
): Size {
	const down = Math.ceil(perPage / across);
	const extra = (total: number, length: number, count: number, index: number) =>
		index < total - length * count ? 1 : 0;
	return {
		columns: tile.columns + extra(area.columns, tile.columns, across, place % across),
		rows: tile.rows + extra(area.rows, tile.rows, down, Math.floor(place / across)),
	};
}

/** Columns that the feed's state, DEMO, the page and the time can take in the status line. */
const otherColumns = 48;
/** A text cut to fewer cells cannot be read. */
const leastText = 12;

/** The watch's part of the status line: the page and, where there is room, `text`. */
export function watchStatus(
	{note, area}: WatchPage,
	{text, ascii}: {readonly text: string | undefined; readonly ascii: boolean},
): string | undefined {
	const room = area.columns - otherColumns;
	const shown = text === undefined || room < leastText ? [] : [truncate(text, room, ascii)];
	const parts = [...(note ? [note] : []), ...shown];
	return parts.length > 0 ? parts.join(', ') : undefined;
}
