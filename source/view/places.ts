import type {Place, Size} from '../format/cells.ts';
import type {Arrangement, LayoutName, PanelName, SharingPanel} from './arrangement.ts';
import {mainPanels, panelsIn, type Split, type Tree, treeOf, treeWith} from './presets.ts';
import {extended, type Share, shareOut} from './share-out.ts';

/** The least size that each panel can be used with, with its border: book and tape have room for numbers of any digits. */
export const leastSizes: Record<SharingPanel, Size> = {
	markets: {columns: 26, rows: 10},
	chart: {columns: 40, rows: 10},
	book: {columns: 34, rows: 10},
	tape: {columns: 36, rows: 7},
};

/** A panel on the screen, by its place below the ticker panel. */
export type PlacedPanel = Place & {readonly name: PanelName};

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
