import {type Size, truncate} from '../../../format/cells.ts';

/** A frame around price, quotes, sparkline and one trade: smaller tiles are of no use. */
const leastTile: Size = {columns: 40, rows: 6};
/** With three trades: used where all markets of a page fit with it. */
const goodRows = 8;
const statusRows = 1;

/** The smallest terminal that shows a tile. */
export const smallestWatch: Size = {columns: leastTile.columns, rows: leastTile.rows + statusRows};

type Tiles = {
	readonly tile: Size;
	/** Markets on a page; the last page may have fewer. 0 where there is no room for one. */
	readonly perPage: number;
	readonly pages: number;
};

const noTiles: Tiles = {tile: {columns: 0, rows: 0}, perPage: 0, pages: 1};

/**
 * Tiles of one size for `count` markets, on as few pages as can be and evenly over those, as wide as can be: side by side
 * only when they must.
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
	/** The terminal's. */
	readonly size: Size;
	/** Markets in all. */
	readonly count: number;
	/** Epoch ms at which the watch began. */
	readonly start: number;
	readonly now: number;
	/** Default 10 s. */
	readonly rotateMs?: number | undefined;
};

export type WatchPage = {
	/** All but the status line. */
	readonly area: Size;
	readonly tile: Size;
	/** The markets that are shown: from the first to the one before `end`. None where the terminal is too small. */
	readonly first: number;
	readonly end: number;
	/** `page 2/3`; empty where there is one page only. */
	readonly note: string;
};

/** What is shown now: page after page, each for `rotateMs`, round and round. */
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

/** What the feed's state, DEMO, the page and the time can take of the status line. */
const otherColumns = 48;
/** A condition cut to fewer cells cannot be read. */
const leastCondition = 12;

/** The watch's part of the status line: the page and, where there is room, the awaited condition. */
export function watchStatus(
	{note, area}: WatchPage,
	{until, ascii}: {readonly until: string | undefined; readonly ascii: boolean},
): string | undefined {
	const room = area.columns - otherColumns;
	const condition = until === undefined || room < leastCondition ? [] : [truncate(`until ${until}`, room, ascii)];
	const parts = [...(note ? [note] : []), ...condition];
	return parts.length > 0 ? parts.join(', ') : undefined;
}
