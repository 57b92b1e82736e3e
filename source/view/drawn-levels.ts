import {stripControl} from '../format/control.ts';
import {formatPlain} from '../format/number.ts';
import {symbolKey} from '../market/symbol.ts';

/** A price that the user marked, with an optional note. */
export type DrawnLevel = {readonly price: number; readonly note?: string | undefined};

/** What a panel marks; the same lists while they are the same. Default: none. */
export type MarkedLevels = {
	/** Prices at which alerts have levels. */
	readonly levels?: readonly number[] | undefined;
	readonly drawnLevels?: readonly DrawnLevel[] | undefined;
};

/** Where no alert has a level. */
export const noLevels: readonly number[] = [];

/** By the keys of markets, each market's highest first. A market whose last level was deleted stays, without any. */
export type DrawnLevels = ReadonlyMap<string, readonly DrawnLevel[]>;

/** Of one market. */
export const mostDrawnLevels = 50;
/** The longest note, in UTF-16 units. */
export const mostNote = 60;

const none: readonly DrawnLevel[] = [];

/** The levels of a market, highest first; the same list while they do not change. */
export const drawnLevelsOf = (levels: DrawnLevels, symbol: string | undefined): readonly DrawnLevel[] =>
	(symbol === undefined ? undefined : levels.get(symbolKey(symbol))) ?? none;

/** The levels with this one, in the place of one at the same price. */
export function withLevel(levels: DrawnLevels, symbol: string, level: DrawnLevel): DrawnLevels {
	const others = drawnLevelsOf(levels, symbol).filter(({price}) => price !== level.price);
	return new Map([...levels, [symbolKey(symbol), [...others, level].sort((a, b) => b.price - a.price)]]);
}

export function withoutLevel(levels: DrawnLevels, symbol: string, price: number): DrawnLevels {
	const others = drawnLevelsOf(levels, symbol).filter(level => level.price !== price);
	return new Map([...levels, [symbolKey(symbol), others]]);
}

/** A note as it is shown and kept: without control characters and blanks at its ends; undefined: nothing is left. */
export const cleanNote = (text: string): string | undefined => stripControl(text).trim() || undefined;

/** `61500 "support"`, as the user types it. */
export const typedLevel = ({price, note}: DrawnLevel): string =>
	formatPlain(price) + (note === undefined ? '' : ` "${note}"`);
