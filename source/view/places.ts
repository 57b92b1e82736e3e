import type {Place, Size} from '../format/cells.ts';
import {
	type Arrangement,
	type LayoutName,
	mainPanels,
	type PanelName,
	panelsIn,
	type SharingPanel,
	type Split,
	type Tree,
	treeOf,
	treeWith,
} from './arrangement.ts';

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
