import {noStrayKeys, type StrayKeys} from '../../keys.ts';
import type {HelpFind} from '../help/find.ts';

/** The open help of the tiles. */
export type TilesHelp = {
	/** First row shown, counted from 0. */
	readonly scroll: number;
	readonly find: HelpFind;
};

/** What the user changed on the tiles, and since when. Markets are given by their places among all that are watched. */
export type TilesState = {
	/** A market of the page that was shown at `since`. */
	readonly anchor: number;
	/** Epoch ms. */
	readonly since: number;
	/** The page stays. */
	readonly isHeld: boolean;
	/** The market whose tile has the focus; absent: none. */
	readonly focus?: number | undefined;
	/** Absent: it is closed. */
	readonly help?: TilesHelp | undefined;
	/** Why the last key changed nothing; absent: it did. */
	readonly notice?: string | undefined;
	readonly stray: StrayKeys;
};

/** The tiles on screen. */
export type ShownTiles = {
	/** All markets. */
	readonly count: number;
	/** Those shown, from `first` to before `end`. */
	readonly first: number;
	readonly end: number;
	readonly perPage: number;
	readonly pages: number;
	/** Tiles side by side. */
	readonly across: number;
	/** Epoch ms. */
	readonly now: number;
};

/** What a key does to the tiles. */
export type Change = (state: TilesState, shown: ShownTiles) => TilesState;

/** The tiles at the start: the first page, which rotates. */
export const initialTiles = (now: number): TilesState => ({
	...{anchor: 0, since: now, isHeld: false},
	stray: noStrayKeys,
});

/** The page of a rotation, counted from 0. */
export function pageOf(
	{anchor, since, isHeld}: TilesState,
	{perPage, pages, now, rotateMs}: {perPage: number; pages: number; now: number; rotateMs: number},
): number {
	const turns = isHeld ? 0 : Math.floor(Math.max(now - since, 0) / rotateMs);
	return (Math.floor(anchor / Math.max(perPage, 1)) + turns) % pages;
}

const oneItem = (count: number, by: 1 | -1, from: number): number => (from + by + count) % count;

/** Shows the next or the previous page, wrapping around, for its whole time. The focus goes to its first tile. */
export const turned =
	(by: 1 | -1): Change =>
	(state, {first, perPage, pages, now}) => {
		if (pages === 1) return {...state, notice: 'all markets are on this page'};
		const anchor = oneItem(pages, by, Math.floor(first / perPage)) * perPage;
		return {...state, anchor, since: now, focus: state.focus === undefined ? undefined : anchor};
	};

/** Holds the page, or goes on with the rotation from it. */
export const holdToggled: Change = (state, shown) => {
	if (state.isHeld) return released(state, shown);
	if (shown.pages === 1) return {...state, notice: 'all markets are on this page'};
	return {...state, anchor: shown.first, isHeld: true};
};

/** Takes the focus off the tiles, and goes on with the rotation from this page. */
export const released: Change = (state, {first, now}) => ({
	...state,
	anchor: first,
	since: now,
	isHeld: false,
	focus: undefined,
});

const focusedOn = (state: TilesState, focus: number): TilesState => ({...state, anchor: focus, focus, isHeld: true});

/** Focuses the next or the previous tile, of another page too, wrapping around; at first one at an end of this page. Holds the page. */
export const focusMoved =
	(by: 1 | -1): Change =>
	(state, {first, end, count}) => {
		const from = state.focus ?? (by > 0 ? first - 1 : end);
		return focusedOn(state, oneItem(count, by, from));
	};

/** Focuses the tile above or below; at first one at an end of this page. Holds the page. */
export const focusMovedDown =
	(by: 1 | -1): Change =>
	(state, shown) => {
		const {focus} = state;
		if (focus === undefined) return focusMoved(by)(state, shown);
		const next = focus + by * shown.across;
		return next < shown.first || next >= shown.end ? state : focusedOn(state, next);
	};

/** Focuses the first tile of the page. Holds the page. */
export const firstFocused: Change = (state, {first}) => focusedOn(state, first);
