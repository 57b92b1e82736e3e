import {type Size, truncate} from '../../../format/cells.ts';

/** The smallest useful tile: a frame around price, quotes, sparkline and one trade. */
const leastTile: Size = {columns: 40, rows: 6};
/** Rows of a tile with three trades, used if all markets of a page fit with it. */
const goodRows = 8;
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
 * only if necessary.
 */
export function tilesFor(area: Size, count: number): Tiles {
	const mostAcross = Math.floor(area.columns / leastTile.columns);
	const capacity = mostAcross * Math.floor(area.rows / leastTile.rows);
	if (capacity <= 0 || count === 0) return noTiles;
	const pages = Math.ceil(count / capacity);
	const perPage = Math.ceil(count / pages);
	const leastRows = mostAcross * Math.floor(area.rows / goodRows) >= perPage ? goodRows : leastTile.rows;
	const across = Math.ceil(perPage / Math.floor(area.rows / leastRows));
	const down = Math.ceil(perPage / across);
	return {tile: {columns: Math.floor(area.columns / across), rows: Math.floor(area.rows / down)}, perPage, pages};
}

/** Default time that each page is shown, ms. */
const defaultRotateMs = 10_000;

export type WatchPageInput = {
	/** Size of the terminal. */
	readonly size: Size;
	/** Number of markets. */
	readonly count: number;
	/** Epoch ms at which the watch began. */
	readonly start: number;
	readonly now: number;
	/** Default 10 s. */
	readonly rotateMs?: number | undefined;
};

export type WatchPage = {
	/** Everything but the status line. */
	readonly area: Size;
	readonly tile: Size;
	/** The shown markets, from `first` to before `end`. None if the terminal is too small. */
	readonly first: number;
	readonly end: number;
	/** `page 2/3`; empty if there is only one page. */
	readonly note: string;
};

/** The page that is shown now. Each is shown for `rotateMs`, in rotation. */
export function watchPage({size, count, start, now, rotateMs = defaultRotateMs}: WatchPageInput): WatchPage {
	const area = {columns: size.columns, rows: size.rows - statusRows};
	const {tile, perPage, pages} = tilesFor(area, count);
	const page = Math.floor(Math.max(now - start, 0) / rotateMs) % pages;
	return {
		area,
		tile,
		first: page * perPage,
		end: Math.min((page + 1) * perPage, count),
		note: pages > 1 ? `page ${page + 1}/${pages}` : '',
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
