import {firstWhere} from './numbers.ts';
import {sumDecimals} from './precision.ts';
import type {Trade} from './types.ts';

/** The trades received of one market. */
export type Tape = {
	/** Newest first: by time, then id. */
	readonly trades: readonly Trade[];
	/** Keys of trades after (below) which older trades may be missing. */
	readonly gaps: ReadonlySet<string>;
};

export const emptyTape: Tape = {trades: [], gaps: new Set()};

/** Identifies a trade within its interface: by its id, unless the fills of one order share that. */
export const tradeKey = ({key, id}: Pick<Trade, 'key' | 'id'>): string => key ?? id;

/** Identifies a trade without its time: keys that contain the time change when the clock is set. */
export const fillText = ({id, price, quantity}: Trade): string => `${id} ${price} ${quantity}`;

/** Marks a gap below the oldest trade of a tape that starts over. */
export function brokenOff(tape: Tape): Tape {
	const oldest = tape.trades.at(-1);
	if (!oldest || tape.gaps.has(tradeKey(oldest))) return tape;
	return {...tape, gaps: new Set([...tape.gaps, tradeKey(oldest)])};
}

/** Marks gaps below the trades with these keys, unless the tape ends there. Returns `tape` itself when nothing changed. */
export function withGaps(tape: Tape, keys: readonly string[]): Tape {
	const wanted = new Set(keys).difference(tape.gaps);
	if (wanted.size === 0) return tape;
	const found = tape.trades
		.slice(0, -1)
		.map(tradeKey)
		.filter(key => wanted.has(key));
	return found.length > 0 ? {...tape, gaps: new Set([...tape.gaps, ...found])} : tape;
}

/** Orders ids as numbers, also beyond 2^53; other texts come after numbers. 0: the same text. */
export function compareIds(a: string, b: string): number {
	const aDigits = significantDigits(a);
	const bDigits = significantDigits(b);
	if (aDigits !== undefined && bDigits !== undefined) {
		return aDigits.length - bDigits.length || compareTexts(aDigits, bDigits) || compareTexts(a, b);
	}

	if (aDigits !== undefined) return -1;
	if (bDigits !== undefined) return 1;
	return compareTexts(a, b);
}

/** The fields that order trades. */
export type TradeMoment = Pick<Trade, 'time' | 'id' | 'key'>;

/** Newest first: by time, then id; 0: the same trade. */
export function compareTrades(a: TradeMoment, b: TradeMoment): number {
	return b.time - a.time || compareIds(b.id, a.id) || compareTexts(tradeKey(b), tradeKey(a));
}

export const mostTapeTrades = 50_000;

/**
 * The tape with the trades of `page`, which may be in any order and is complete from its oldest to its newest trade.
 * Each trade is kept once, and the newest `capacity` (default 50,000) stay. A gap is marked between two neighbours where
 * neither the tape nor the page is complete; a page that reaches from one side of a gap to the other closes it. Returns
 * `tape` itself when nothing changed.
 */
export function mergeTape(tape: Tape, page: readonly Trade[], capacity = mostTapeTrades): Tape {
	const sorted = uniqueTrades(page).sort(compareTrades);
	const oldest = sorted.at(-1);
	if (!oldest) return tape;
	// Invariant: the page covers only the time of `reached`. There it adds trades and closes gaps; `rest`, which is older, keeps
	// its trades and gaps.
	const split = firstOlder(tape.trades, oldest);
	const reached = tape.trades.slice(0, split);
	const reachedKeys = keysOf(reached);
	const highest = highestKey(tape.trades);
	const pageTrades = withoutRedated(sorted, {reachedKeys, rest: () => tape.trades.slice(split), highest});
	const fresh = pageTrades.filter(trade => !reachedKeys.has(tradeKey(trade)));
	const merged = mergeSorted(reached, fresh);
	// In one copy, as a tape has up to 50,000.
	const all = fresh.length > 0 ? tape.trades.toSpliced(0, split, ...merged) : tape.trades;
	const trades = all.length > capacity ? all.slice(0, capacity) : all;
	noteHighest(trades, higherKey(highest, highestKey(fresh)));

	const gaps = findGaps(merged, [
		{keys: reachedKeys, oldest: oldestKey(tape.trades), gaps: tape.gaps},
		{keys: keysOf(pageTrades), oldest: oldestKey(pageTrades), gaps: emptyTape.gaps},
	]);
	for (const key of tape.gaps.difference(reachedKeys)) gaps.add(key);
	// A newer page that shares no trade with the tape, though it reaches below the tape's newest, contradicts it: trades may be
	// missing below its oldest one.
	const sharesNone = fresh.length === sorted.length;
	if (sharesNone && isNewer(sorted[0], tape.trades[0])) gaps.add(tradeKey(oldest));
	closeAtEnd(gaps, all.slice(trades.length - 1), tape);

	const isSame =
		trades === tape.trades ||
		(trades.length === tape.trades.length && trades.every((trade, index) => trade === tape.trades[index]));
	return isSame && gaps.symmetricDifference(tape.gaps).size === 0 ? tape : {trades, gaps};
}

type Reached = {
	readonly reachedKeys: ReadonlySet<string>;
	rest(): readonly Trade[];
	/** See `highestKey`. */
	readonly highest: string | undefined;
};

/** The page without trades that an exchange sends a second time with a newer time: the first ones, in `rest`, are kept. */
function withoutRedated(page: readonly Trade[], {reachedKeys, rest, highest}: Reached): readonly Trade[] {
	const unmatched = keysOf(page.filter(trade => !reachedKeys.has(tradeKey(trade)) && isUpTo(highest, trade)));
	if (unmatched.size === 0) return page;
	const redated = keysOf(rest().filter(trade => unmatched.has(tradeKey(trade))));
	return page.filter(trade => !redated.has(tradeKey(trade)));
}

/**
 * Removes the gaps below the last trade that is kept and those that are cut: there the tape ends. Only where the tape before
 * ended at the same trade with a gap, because it had started over there, the gap stays.
 */
function closeAtEnd(gaps: Set<string>, [last, ...cut]: readonly Trade[], before: Tape) {
	const startedOver = last !== undefined && last === before.trades.at(-1) && before.gaps.has(tradeKey(last));
	for (const trade of cut) gaps.delete(tradeKey(trade));
	if (!last) return;
	if (startedOver) gaps.add(tradeKey(last));
	else gaps.delete(tradeKey(last));
}

const keysOf = (trades: readonly Trade[]): Set<string> => new Set(trades.map(tradeKey));

const highestKeys = new WeakMap<readonly Trade[], string>();

/** No trade of these has a higher key. Most new trades of an exchange have, and need not be looked for among thousands. */
function highestKey(trades: readonly Trade[]): string | undefined {
	const noted = highestKeys.get(trades);
	if (noted !== undefined || trades.length === 0) return noted;
	const highest = trades.map(tradeKey).reduce(higherKey);
	noteHighest(trades, highest);
	return highest;
}

function noteHighest(trades: readonly Trade[], key: string | undefined): void {
	if (key !== undefined) highestKeys.set(trades, key);
}

function higherKey<Key extends string | undefined>(a: Key, b: Key): Key {
	if (a === undefined || b === undefined) return a ?? b;
	return compareIds(a, b) < 0 ? b : a;
}

/** Whether a trade can be known where `highest` is the highest key that is. */
const isUpTo = (highest: string | undefined, trade: Trade): boolean =>
	highest !== undefined && compareIds(tradeKey(trade), highest) <= 0;

/** A trade of a tape, and the one with the same key of a page. */
type Shared = {readonly onTape: Trade; readonly again: Trade};

/** What a tape and a page share, in the order of the tape. */
export function sharedTrades({trades}: Tape, page: readonly Trade[]): readonly Shared[] {
	const highest = highestKey(trades);
	const byKey = new Map<string, Trade>();
	for (const trade of page) if (isUpTo(highest, trade)) byKey.set(tradeKey(trade), trade);
	const shared: Shared[] = [];
	for (const onTape of trades) {
		if (shared.length === byKey.size) break;
		const again = byKey.get(tradeKey(onTape));
		if (again) shared.push({onTape, again});
	}

	return shared;
}

function oldestKey(trades: readonly Trade[]): string | undefined {
	const oldest = trades.at(-1);
	return oldest && tradeKey(oldest);
}

/** Index of the first trade that is older than `trade`. `trades` newest first. */
const firstOlder = (trades: readonly Trade[], trade: Trade): number =>
	firstWhere(0, trades.length, index => compareTrades(trades[index] ?? trade, trade) > 0);

/** How many trades there are from the newest on, none missing between them. */
export function reachOf({trades, gaps}: Tape): number {
	const gap = gaps.size > 0 ? trades.findIndex(trade => gaps.has(tradeKey(trade))) : -1;
	return gap < 0 ? trades.length : gap + 1;
}

/** Index of the first trade before `time`, epoch ms. `trades` newest first. */
export const firstBefore = (trades: readonly Trade[], time: number): number =>
	firstWhere(0, trades.length, index => (trades[index]?.time ?? time) < time);

/** Trades that are complete from the newest to `oldest`, except for `gaps`. */
type Coverage = {
	readonly keys: ReadonlySet<string>;
	readonly oldest: string | undefined;
	readonly gaps: ReadonlySet<string>;
};

/**
 * Keys of the trades (newest first) below which trades may be missing. Invariant: `complete` holds the coverages that have
 * every trade between this one and the next; where it is empty, none does.
 */
function findGaps(trades: readonly Trade[], coverages: readonly Coverage[]): Set<string> {
	const gaps = new Set<string>();
	const complete = new Set<Coverage>();
	for (const key of trades.map(tradeKey)) {
		for (const coverage of coverages) {
			if (!coverage.keys.has(key)) continue;
			if (key === coverage.oldest || coverage.gaps.has(key)) complete.delete(coverage);
			else complete.add(coverage);
		}

		if (complete.size === 0) gaps.add(key);
	}

	return gaps;
}

function mergeSorted(a: readonly Trade[], b: readonly Trade[]): Trade[] {
	const merged: Trade[] = [];
	let next = 0;
	for (const trade of a) {
		for (let other = b[next]; other && compareTrades(other, trade) < 0; other = b[next]) {
			merged.push(other);
			next++;
		}

		merged.push(trade);
	}

	return merged.concat(b.slice(next));
}

function uniqueTrades(page: readonly Trade[]): Trade[] {
	return [...new Map(page.map(trade => [tradeKey(trade), trade])).values()];
}

function isNewer(a: Trade | undefined, b: Trade | undefined): boolean {
	return a !== undefined && b !== undefined && compareTrades(a, b) < 0;
}

function significantDigits(id: string): string | undefined {
	if (!/^\d+$/.test(id)) return undefined;
	return id.startsWith('0') ? id.replace(/^0+(?=\d)/, '') : id;
}

function compareTexts(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}

/** One or more trades shown as one: the newest of them, with the quantity of all. */
export type Fills = Trade & {
	/** How many trades it stands for; absent: one. */
	readonly fills?: number | undefined;
};

/** Merges trades of the same time, price and side (fills of one order) at the place of the newest, never across a gap. */
export function mergeFills({trades, gaps}: Tape): readonly Fills[] {
	const merged: Fills[] = [];
	let start = 0;
	for (const [index, trade] of trades.entries()) {
		if (trades[index + 1]?.time === trade.time && !gaps.has(tradeKey(trade))) continue;
		if (start === index) merged.push(trade);
		else merged.push(...ordersOf(trades.slice(start, index + 1)));
		start = index + 1;
	}

	return merged;
}

/** Merges the fills of each order. All `trades` have the same time. */
function ordersOf(trades: readonly Trade[]): readonly Fills[] {
	const orders: Trade[][] = [];
	for (const trade of trades) {
		const same = orders.find(([first]) => first && isSameOrder(first, trade));
		if (same) same.push(trade);
		else orders.push([trade]);
	}

	return orders.flatMap(order => {
		const [newest] = order;
		if (!newest || order.length === 1) return newest ?? [];
		return {...newest, quantity: sumDecimals(order.map(({quantity}) => quantity)), fills: order.length};
	});
}

const isSameOrder = (a: Trade, b: Trade): boolean =>
	a.price === b.price && a.side === b.side && (a.side !== undefined || a.sideText === b.sideText);
