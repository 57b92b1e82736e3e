import type {Ask} from '../client/question.ts';
import type {Place, Size} from '../format/cells.ts';
import {
	type Arrangements,
	arrangementFor,
	type LayoutName,
	layoutName,
	type PanelName,
	smallestSize,
} from './arrangement.ts';
import {bodySize} from './frame.ts';
import {type PlacedPanel, placesOf} from './places.ts';

export {type LayoutName, layoutName, type PanelName, panelNames} from './arrangement.ts';

/** The overlays with a cursor that moves over their rows; the others scroll. */
export const cursorOverlays = ['alerts', 'levels', 'holdings', 'settings'] as const;
export type CursorOverlay = (typeof cursorOverlays)[number];
export const hasCursor = (overlay: Overlay): overlay is CursorOverlay => cursorOverlays.some(each => each === overlay);

/** The row under the cursor: the first one if the cursor was never moved, or its row is gone. Undefined: there is none. */
export const rowAt = <Row>(
	rows: readonly Row[],
	cursor: string | undefined,
	keyOf: (row: Row) => string,
): Row | undefined => rows.find(row => keyOf(row) === cursor) ?? rows[0];

/** What covers all panels while it is open. */
export type Overlay = CursorOverlay | 'help' | 'info' | 'diagnosis' | 'compare';

export type Layout = {
	readonly name: LayoutName;
	/** Rows of the ticker panel above the others. */
	readonly headerRows: 1 | 2;
	/** Rows of the status line. */
	readonly statusRows: 1 | 2;
	/** The panels on screen. Together they fill the area between the ticker panel and the status line exactly. */
	readonly panels: readonly PlacedPanel[];
};

/** What decides where the panels are on a screen. */
export type View = {
	readonly focus: PanelName;
	readonly zoomed: boolean;
	/** Default: as delivered. */
	readonly layouts?: Arrangements | undefined;
};

/** Lays out the panels for a size. */
export function layoutFor(size: Size, view: View): Layout {
	const name = layoutName(size);
	const area = sharedArea(size);
	const {headerRows, statusRows} = edges(name);
	const whole = {x: 0, y: 0, width: area.columns, height: area.rows, name: view.focus};
	const arrangement = arrangementFor(name, view.layouts ?? {});
	// A zoomed panel has the screen to itself.
	const panels = view.zoomed ? [whole] : placesOf(area, {layout: name, arrangement, focus: view.focus});
	return {name, headerRows, statusRows, panels: name === 'none' ? [] : panels};
}

/** The rows above and below the panels. */
const edges = (name: LayoutName): Pick<Layout, 'headerRows' | 'statusRows'> => ({
	headerRows: name === 'tiny' || name === 'none' ? 1 : 2,
	statusRows: name === 'wide' || name === 'standard' ? 2 : 1,
});

/** The size of what the panels share, which overlays cover: everything between the ticker panel and the status line. */
export function sharedArea(size: Size): Size {
	const {headerRows, statusRows} = edges(layoutName(size));
	return {columns: size.columns, rows: Math.max(size.rows - headerRows - statusRows, 0)};
}

/** The panels on the screen with the ticker panel above them, or the open overlay alone, by their places. */
export function shownPlaces(
	size: Size,
	view: View & {readonly overlay?: Overlay | undefined},
): ReadonlyArray<Place & {readonly on: PanelName | 'overlay'}> {
	const {name, headerRows, panels} = layoutFor(size, view);
	const {columns, rows} = sharedArea(size);
	if (name === 'none') return [];
	if (view.overlay) return [{on: 'overlay', x: 0, y: headerRows, width: columns, height: rows}];
	return [
		...panels.map(({name: on, ...place}) => ({...place, on, y: place.y + headerRows})),
		{on: 'ticker', x: 0, y: 0, width: columns, height: headerRows},
	];
}

const panelResources: Record<PanelName, readonly Ask[]> = {
	markets: ['markets', 'tickers'],
	chart: ['candles', 'trades'],
	book: ['depth', 'tickers'],
	tape: ['trades'],
	ticker: ['trades', 'depth', 'tickers'],
};

/** The resources that are polled in this layout: always those of the ticker panel and the market list (for names and `n`/`p`). */
export function visibleResources(layout: Layout, overlay: Overlay | undefined): ReadonlySet<Ask> {
	const visible = new Set<Ask>(['markets', ...panelResources.ticker]);
	if (layout.name === 'none') return new Set(['markets']);
	for (const {name} of layout.panels) for (const resource of panelResources[name]) visible.add(resource);

	if (overlay === 'info') visible.add('info');
	return visible;
}

/** The main resource of the focused panel, which is polled first when requests have to wait. */
export const focusedResource = (panel: PanelName): Ask =>
	(({markets: 'tickers', chart: 'candles', book: 'depth', tape: 'trades', ticker: 'trades'}) as const)[panel];

/** The size of one page: the inside of the open overlay or, without one, of the focused panel. */
export function pageSize(layout: Layout, size: Size, view: {focus: PanelName; overlay?: Overlay | undefined}): Size {
	if (view.overlay) return bodySize(sharedArea(size));
	return bodySize(panelSize(layout, view.focus));
}

/** The size of a panel with its border; 0×0 if it is not shown. */
export function panelSize(layout: Layout, name: PanelName): Size {
	const panel = layout.panels.find(each => each.name === name);
	return {columns: panel?.width ?? 0, rows: panel?.height ?? 0};
}

/** What a terminal too small for any panel shows: the longest text that fits, at least the size it needs. */
export const tooSmall = ({columns, rows}: Size, ascii: boolean, needed = smallestSize): string => {
	const by = ascii ? 'x' : '×';
	const least = `${needed.columns}${by}${needed.rows}`;
	const texts = [
		`tapewatch needs ${least}, this is ${columns}${by}${rows}`,
		`tapewatch needs ${least}`,
		`needs ${least}`,
		least,
	];
	return texts.find(text => text.length <= columns) ?? '';
};
