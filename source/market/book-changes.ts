import {type BookSide, groupLevels, type PriceStep} from './depth.ts';
import {sumDecimals} from './precision.ts';
import type {Level} from './types.ts';

/** How a level changed from one book to the next. */
export type LevelChange = 'added' | 'grown' | 'shrunk' | 'pulled';

type SideChanges = {
	/** By price. Unchanged levels are left out. */
	readonly changes: ReadonlyMap<number, LevelChange>;
	/** Quantity added minus quantity removed, in base asset. */
	readonly net: number;
};

type Reach = {
	/** Compares groups of this width instead of levels. */
	readonly step?: PriceStep | undefined;
	/** Ignores levels worse than this price. */
	readonly to?: number | undefined;
};

/**
 * What changed on one side between two books, both best first. An exchange may cut its book off anywhere, so levels beyond
 * the end of the shallower book count neither as added nor as pulled, unless that book is empty.
 */
export function sideChanges(
	before: readonly Level[],
	after: readonly Level[],
	side: BookSide,
	{step, to}: Reach = {},
): SideChanges {
	const sign = side === 'ask' ? 1 : -1;
	const ends = [before.at(-1)?.[0], after.at(-1)?.[0], to].flatMap(price => (price === undefined ? [] : sign * price));
	const end = Math.min(...ends);
	const reached = (levels: readonly Level[]): readonly Level[] => {
		const isBeyond = (level: Level) => sign * level[0] > end;
		const last = levels.at(-1);
		const within = last && isBeyond(last) ? levels.slice(0, levels.findIndex(isBeyond)) : levels;
		return step ? groupLevels(within, side, step) : within;
	};

	return compare(reached(before), reached(after), sign);
}

function compare(before: readonly Level[], after: readonly Level[], sign: 1 | -1): SideChanges {
	const changes = new Map<number, LevelChange>();
	const moved: number[] = [];
	let next = 0;
	const pullUntil = (end: number) => {
		for (let old = before[next]; old && sign * old[0] < end; old = before[next]) {
			changes.set(old[0], 'pulled');
			moved.push(-old[1]);
			next++;
		}
	};

	for (const [price, quantity] of after) {
		pullUntil(sign * price);
		const old = before[next];
		const had = old?.[0] === price ? old[1] : 0;
		if (had > 0) next++;
		if (had === quantity) continue;
		changes.set(price, had === 0 ? 'added' : quantity > had ? 'grown' : 'shrunk');
		moved.push(quantity, -had);
	}

	pullUntil(Number.POSITIVE_INFINITY);
	return {changes, net: sumDecimals(moved)};
}
