import {compareIds, fillText, tradeKey} from './tape.ts';
import type {Interface, Trade} from './types.ts';
import {secondMs} from './units.ts';

/**
 * Finds in each new tape of a market (newest first) the trades that none before had. Oldest first. `source`: of the tape; ids
 * of another one name other trades.
 */
export type NewTrades = (trades: readonly Trade[], source: Interface) => readonly Trade[];

/**
 * Of the first tape only the newest `mostFirst` trades are new (default: one), and none that a longer page adds below the oldest
 * trade known; after an empty tape all are.
 */
export function createNewTrades(mostFirst = 1): NewTrades {
	let previous: readonly Trade[] | undefined;
	let previousSource: Interface | undefined;
	return (trades, source) => {
		const before = previous;
		if (before === trades) return [];
		// An empty page of the other interface tells nothing about the trades known so far.
		if (trades.length === 0 && before) return [];
		const isSameSource = source === previousSource;
		previous = trades;
		previousSource = source;
		if (!before) return trades.slice(0, mostFirst).reverse();
		if (before.length === 0) return trades.toReversed();
		if (!isSameSource) return laterThan(before, trades).toReversed();
		const added = addedTo(before, trades);
		const below = addedBelow(before, trades).filter(trade => !added.includes(trade));
		return [...added, ...below].reverse();
	};
}

const addedTo = (before: readonly Trade[], trades: readonly Trade[]): readonly Trade[] =>
	addedAsSame(before, trades) ??
	addedByName(before, trades, tradeKey) ??
	addedByName(before, trades, fillText) ??
	numberedOn(before, trades) ??
	laterThan(before, trades);

/**
 * How many trades were put on top of the tape before; undefined: others were added too, or it does not continue that one. Trades
 * are only added, and cut at the end: where its first and last one are still as far apart, all between them are the same.
 */
export function addedOnTop(before: readonly Trade[], trades: readonly Trade[]): number | undefined {
	const [newest] = before;
	const added = newest ? trades.indexOf(newest) : -1;
	return added >= 0 && trades.at(-1) === before[trades.length - 1 - added] ? added : undefined;
}

/**
 * The trades that a tape has beside those of one before, whose trade objects it has: comparing thousands of names takes long. Undefined:
 * it does not continue that one.
 */
export function addedAsSame(before: readonly Trade[], trades: readonly Trade[]): readonly Trade[] | undefined {
	const onTop = addedOnTop(before, trades);
	if (onTop !== undefined) return trades.slice(0, onTop);
	const added: Trade[] = [];
	let matched = 0;
	for (const trade of trades) {
		if (matched === before.length) break;
		if (trade === before[matched]) matched++;
		else added.push(trade);
	}

	const isCut = matched > 0 && trades.at(-1) === before[matched - 1];
	return matched === before.length || isCut ? added : undefined;
}

/** Undefined: none of them was known, or they have the names of others, as the exchange has begun its ids again. */
function addedByName(
	before: readonly Trade[],
	trades: readonly Trade[],
	nameOf: (trade: Trade) => string,
): readonly Trade[] | undefined {
	const names = new Set(before.map(nameOf));
	const [last] = before;
	const [newest] = trades;
	const isLater = last !== undefined && newest !== undefined && newest.time > last.time;
	// Trades that go on from those before have the last one of them, too.
	if (isLater && !trades.some(trade => nameOf(trade) === nameOf(last))) return undefined;
	const oldestShared = trades.findLastIndex(trade => names.has(nameOf(trade)));
	if (oldestShared < 0) return undefined;
	return trades.slice(0, oldestShared).filter(trade => !names.has(nameOf(trade)));
}

/**
 * The trades below the oldest one before whose ids go on from the newest: they happened since, and the exchange has set its clock
 * back. Ids of orders do not tell.
 */
function addedBelow(before: readonly Trade[], trades: readonly Trade[]): readonly Trade[] {
	const [newest] = before;
	const oldest = before.at(-1);
	if (!newest || !oldest || trades.at(-1) === oldest) return [];
	const end = trades.findLastIndex(trade => tradeKey(trade) === tradeKey(oldest));
	if (end < 0) return [];
	return trades.slice(end + 1).filter(({key, id}) => key === undefined && compareIds(id, newest.id) > 0);
}

/**
 * All trades, where their ids go on from those before and their times do not, as the exchange has set its clock back. Where the
 * times go on, they may be trades before with other ids. Undefined: else, or the ids are those of orders.
 */
function numberedOn(before: readonly Trade[], trades: readonly Trade[]): readonly Trade[] | undefined {
	const [last] = before;
	const [newest] = trades;
	if (!last || !newest || newest.time >= last.time || trades.some(({key}) => key !== undefined)) return undefined;
	const highest = before.reduce((id, trade) => (compareIds(trade.id, id) > 0 ? trade.id : id), last.id);
	return trades.every(({id}) => compareIds(id, highest) > 0) ? trades : undefined;
}

/**
 * The trades of a tape that restarted with the other interface, which may give the same trades other ids and times in whole
 * seconds: within the newest second, trades of the same price and quantity are the same.
 */
function laterThan(before: readonly Trade[], trades: readonly Trade[]): readonly Trade[] {
	const secondOf = ({time}: Trade) => Math.floor(time / secondMs);
	const fillOf = ({price, quantity}: Trade) => `${price} ${quantity}`;
	const newest = Math.max(...before.slice(0, 1).map(secondOf));
	const unmatched = before.filter(trade => secondOf(trade) === newest).map(fillOf);
	return trades.filter(trade => {
		if (secondOf(trade) !== newest) return secondOf(trade) > newest;
		const index = unmatched.indexOf(fillOf(trade));
		if (index >= 0) unmatched.splice(index, 1);
		return index < 0;
	});
}
