import type {Ask} from '../client/question.ts';
import type {Place, Size} from '../format/cells.ts';
import {
	type Arrangement,
	type Arrangements,
	arrangementFor,
	type LayoutName,
	layoutName,
	mainPanels,
	type PanelName,
	panelsIn,
	type SharingPanel,
	type Split,
	smallestSize,
	type Tree,
	treeOf,
	treeWith,
} from './arrangement.ts';
import {bodySize} from './frame.ts';

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

/** The least size that each panel can be used with, with its border: book and tape have room for numbers of any digits. */
export const leastSizes: Record<SharingPanel, Size> = {
	markets: {columns: 26, rows: 10},
	chart: {columns: 40, rows: 10},
	book: {columns: 34, rows: 10},
	tape: {columns: 36, rows: 7},
};

/** A panel on the screen, by its place below the ticker panel. */
type PlacedPanel = Place & {readonly name: PanelName};

/** What an area is divided by. */
type Division = {readonly layout: LayoutName; readonly arrangement: Arrangement; readonly focus: PanelName};

/** The panels that divide an area among them, which they fill exactly. One without a place covers the first part while it has the focus. */
export function placesOf(area: Size, division: Division): readonly PlacedPanel[] {
	const {arrangement, focus} = division;
	const tree = shownTree(division);
	const whole = {x: 0, y: 0, width: area.columns, height: area.rows};
	if (tree === undefined) return [{...whole, name: focus}];
	const isCovering = focus !== 'ticker' && !panelsIn(tree).includes(focus);
	if (!isCovering) return divided(tree, whole, arrangement);
	if (typeof tree === 'string') return [{...whole, name: focus}];
	const [first, ...others] = areasOf(tree, whole, arrangement);
	return [
		...(first ? [{...first.place, name: focus}] : []),
		...others.flatMap(({tree: inner, place}) => divided(inner, place, arrangement)),
	];
}

/** The panels that share the screen now: a hidden one only while it has the focus. */
function shownTree({layout, arrangement: {preset, hidden}, focus}: Division): Tree | undefined {
	const tree = treeOf(layout, preset);
	return tree && treeWith(tree, panel => !hidden.has(panel) || panel === focus);
}

function divided(tree: Tree, place: Place, arrangement: Arrangement): readonly PlacedPanel[] {
	if (typeof tree === 'string') return [{...place, name: tree}];
	return areasOf(tree, place, arrangement).flatMap(part => divided(part.tree, part.place, arrangement));
}

type Area = {readonly tree: Tree; readonly place: Place};

/** The areas of the parts of a split, in their order. */
function areasOf(split: Split, {x, y, width, height}: Place, arrangement: Arrangement): readonly Area[] {
	const isAcross = split.axis === 'columns';
	const lengths = shareOut(...sharesOf(split, isAcross ? width : height, arrangement));
	let from = 0;
	return split.parts.map(({tree}, index) => {
		const length = lengths[index] ?? 0;
		const place = isAcross ? {x: x + from, y, width: length, height} : {x, y: y + from, width, height: length};
		from += length;
		return {tree, place};
	});
}

/** What each part asks for, the place of the main one, and the length that they share. */
function sharesOf(
	{axis, parts}: Split,
	total: number,
	{preset, [axis]: extras}: Arrangement,
): [shares: readonly Share[], main: number, total: number] {
	const mains = mainPanels(preset);
	const ranks = parts.map(({tree}) => Math.min(...panelsIn(tree).map(panel => mains.indexOf(panel))));
	const shares = parts.map(({tree, name, wish}) => ({
		least: leastLength(tree, axis),
		wish: wish(total),
		extra: extras[name] ?? 0,
	}));
	return [shares, ranks.indexOf(Math.min(...ranks)), total];
}

function leastLength(tree: Tree, axis: keyof Size): number {
	if (typeof tree === 'string') return leastSizes[tree][axis];
	const lengths = tree.parts.map(part => leastLength(part.tree, axis));
	return tree.axis === axis ? lengths.reduce((sum, length) => sum + length, 0) : Math.max(...lengths);
}

/** The innermost split along `axis` that the panel has a part in, and the length that it divides. */
function splitAround(
	tree: Tree,
	size: Size,
	axis: keyof Size,
	division: Division,
): {readonly split: Split; readonly total: number} | undefined {
	if (typeof tree === 'string') return undefined;
	const areas = areasOf(tree, {x: 0, y: 0, width: size.columns, height: size.rows}, division.arrangement);
	const own = areas.find(area => panelsIn(area.tree).some(panel => panel === division.focus));
	if (!own) return undefined;
	const {width, height} = own.place;
	const inner = splitAround(own.tree, {columns: width, rows: height}, axis, division);
	return inner ?? (tree.axis === axis ? {split: tree, total: size[axis]} : undefined);
}

/** Whether the focused panel shares the width (`columns`) or the height of its place with others. */
export function isDivided(division: Division, axis: keyof Size): boolean {
	const tree = shownTree(division);
	return tree !== undefined && splitAround(tree, {columns: 0, rows: 0}, axis, division) !== undefined;
}

/** The arrangement in which the focused panel has `by` more columns or rows (below 0: fewer) of the area; undefined: there is no room. */
export function grown(area: Size, division: Division, axis: keyof Size, by: number): Arrangement | undefined {
	const {arrangement, focus} = division;
	const tree = shownTree(division);
	const around = tree && splitAround(tree, area, axis, division);
	if (!around) return undefined;
	const {split, total} = around;
	const [shares, main] = sharesOf(split, total, arrangement);
	const place = split.parts.findIndex(part => panelsIn(part.tree).some(panel => panel === focus));
	const extras = extended(shares, main, {total, place, by});
	if (!extras) return undefined;
	const named = Object.fromEntries(split.parts.map(({name}, index) => [name, extras[index] ?? 0]));
	return {...arrangement, [axis]: {...arrangement[axis], ...named}};
}

/** One of several parts side by side, in cells. */
type Share = {
	/** The least that it can be used with. */
	readonly least: number;
	/** What it gets by itself. Without a meaning for the main part, which takes the rest. */
	readonly wish: number;
	/** What the user gave to it or, below 0, took from it. */
	readonly extra: number;
};

const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
const ownLength = ({least, wish, extra}: Share): number => Math.max(Math.max(wish, least) + extra, least);

/** The places of the other parts in the order in which they give way to the main one: those after it, then those before it. */
const othersOf = (count: number, main: number): readonly number[] => [
	...Array.from({length: count - main - 1}, (_, place) => main + 1 + place),
	...Array.from({length: main}, (_, place) => main - 1 - place),
];

/**
 * The lengths of the parts, in their order: together exactly `total`, none below its least as long as `total` has room for
 * that. The part at `main` takes what the others leave.
 */
function shareOut(shares: readonly Share[], main: number, total: number): readonly number[] {
	const lengths = shares.map((share, place) => (place === main ? 0 : ownLength(share)));
	const others = othersOf(shares.length, main);
	const {least = 0, extra = 0} = shares[main] ?? {};
	const take = (wanted: number): void => {
		let left = wanted;
		for (const place of others) {
			const given = Math.min(Math.max(left, 0), (lengths[place] ?? 0) - (shares[place]?.least ?? 0));
			lengths[place] = (lengths[place] ?? 0) - given;
			left -= given;
		}
	};
	take(sum(lengths) + least - total);
	take(extra);
	const [beside] = others;
	const rest = total - sum(lengths);
	const given = beside === undefined ? 0 : Math.min(Math.max(-extra, 0), Math.max(rest - least, 0));
	if (beside !== undefined) lengths[beside] = (lengths[beside] ?? 0) + given;
	lengths[main] = rest - given;
	return lengths;
}

/**
 * What the user gives to each part so that the one at `place` grows by `by` cells (below 0: shrinks): the main part gives
 * and takes them, or for the main part the others. The opposite restores the lengths. Undefined: there is no room.
 */
function extended(
	shares: readonly Share[],
	main: number,
	{total, place, by}: {readonly total: number; readonly place: number; readonly by: number},
): readonly number[] | undefined {
	const withExtras = (extras: readonly number[]) =>
		shares.map((share, index) => ({...share, extra: extras[index] ?? 0}));
	const lengthsWith = (extras: readonly number[]) => shareOut(withExtras(extras), main, total);
	const extras = shares.map(({extra}) => extra);
	const before = shareOut(shares, main, total);
	const lengthOf = (lengths: readonly number[], index: number): number => lengths[index] ?? 0;
	// What a larger terminal had room for does not count.
	const settled =
		place === main
			? extras.with(main, lengthOf(before, main) - lengthOf(lengthsWith(extras.with(main, 0)), main))
			: shares.map(({least, wish}, index) => (index === main ? 0 : lengthOf(before, index) - Math.max(wish, least)));
	const wanted = settled.with(place, (settled[place] ?? 0) + by);
	const after = lengthsWith(wanted);
	const growth = (index: number): number => lengthOf(after, index) - lengthOf(before, index);
	// Cells that others gave way for would not come back to them.
	return growth(place) === by && (place === main || growth(main) === -by) ? wanted : undefined;
}
