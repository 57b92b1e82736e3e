import type {Trade} from './types.ts';

/** The trades seen of one market. */
export type Tape = {
	/** Newest first: by time, then id. */
	readonly trades: readonly Trade[];
	/** Keys of trades after (below) which older trades may be missing. */
	readonly gaps: ReadonlySet<string>;
};

export const emptyTape: Tape = {trades: [], gaps: new Set()};

/** What tells a trade from all others of its interface: its id, unless fills of one order share that. */
export const tradeKey = ({key, id}: Pick<Trade, 'key' | 'id'>): string => key ?? id;

/** The tape with older trades that may be missing below its oldest one: it was begun anew. */
export function brokenOff(tape: Tape): Tape {
	const oldest = tape.trades.at(-1);
	return oldest ? {...tape, gaps: new Set([...tape.gaps, tradeKey(oldest)])} : tape;
}

/** Orders ids by number, also beyond 2^53; ids that are no decimal numbers come after those that are. 0: the same text. */
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

/** What orders trades. */
export type TradeMoment = Pick<Trade, 'time' | 'id' | 'key'>;

/** Newest first: by time, then id; 0: the same trade. */
export function compareTrades(a: TradeMoment, b: TradeMoment): number {
	return b.time - a.time || compareIds(b.id, a.id) || compareTexts(tradeKey(b), tradeKey(a));
}

/**
 * The tape with the trades of `page`, which may be in any order and is taken as all trades from its oldest to its newest.
 * Each trade is kept once, the newest `capacity` (default 50,000) stay. Where neither the tape nor the page vouches for the
 * trades between two neighbours, a gap is marked; a page that reaches from one side of a gap to the other closes it.
 * The same object when nothing changed. Costs what the page reaches back, not what the tape holds.
 */
export function mergeTape(tape: Tape, page: readonly Trade[], capacity = 50_000): Tape {
	const sorted = uniqueTrades(page).sort(compareTrades);
	const end = sorted.at(-1);
	if (!end) return tape;
	// Below the page's oldest trade the tape stays as it is.
	const split = firstOlder(tape.trades, end);
	const head = tape.trades.slice(0, split);
	const tail = tape.trades.slice(split);
	const known = new Set(head.map(tradeKey));
	// An exchange that gives a trade another time gives it twice: the first stays.
	const strange = sorted.map(tradeKey).filter(key => !known.has(key));
	const twice = keysIn(tail, new Set(strange));
	const shown = sorted.filter(trade => !twice.has(tradeKey(trade)));
	const fresh = shown.filter(trade => !known.has(tradeKey(trade)));
	const oldest = shown.at(-1);
	const merged = mergeSorted(head, fresh);
	const all = merged.concat(tail);
	const trades = all.length > capacity ? all.slice(0, capacity) : all;

	const runs = [
		{keys: known, oldest: keyAt(tape.trades, -1), gaps: tape.gaps},
		{keys: new Set(shown.map(tradeKey)), oldest: keyAt(shown, -1), gaps: emptyTape.gaps},
	];
	const gaps = findGaps(tail.length > 0 ? merged : merged.slice(0, -1), runs);
	for (const key of tape.gaps) if (!known.has(key)) gaps.add(key);

	// A newer page that shows none of our trades, though it reaches below our newest, proves nothing about what lies between.
	const detached = twice.size === 0 && fresh.length === shown.length && isNewer(shown[0], tape.trades[0]);
	if (oldest && detached && oldest !== all.at(-1)) gaps.add(tradeKey(oldest));
	for (const trade of all.slice(trades.length - 1)) gaps.delete(tradeKey(trade));
	// Where the tape was begun anew, the mark below its oldest trade stays until a page reaches further back.
	const broken = tape.trades.at(-1);
	if (broken && broken === trades.at(-1) && tape.gaps.has(tradeKey(broken))) gaps.add(tradeKey(broken));

	const sameTrades =
		trades.length === tape.trades.length && trades.every((trade, index) => trade === tape.trades[index]);
	return sameTrades && gaps.symmetricDifference(tape.gaps).size === 0 ? tape : {trades, gaps};
}

/** Index of the first trade that is older than `trade`. `trades` newest first. */
function firstOlder(trades: readonly Trade[], trade: Trade): number {
	let low = 0;
	let high = trades.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		const at = trades[middle];
		if (at && compareTrades(at, trade) <= 0) low = middle + 1;
		else high = middle;
	}

	return low;
}

/** Those of `keys` that `trades` hold. */
function keysIn(trades: readonly Trade[], keys: ReadonlySet<string>): ReadonlySet<string> {
	const found = new Set<string>();
	if (keys.size === 0) return found;
	for (const trade of trades) {
		const key = tradeKey(trade);
		if (keys.has(key)) found.add(key);
	}

	return found;
}

function keyAt(trades: readonly Trade[], index: number): string | undefined {
	const trade = trades.at(index);
	return trade && tradeKey(trade);
}

/** Trades that are known to be complete from the newest to `oldest`, but for `gaps`. */
type Run = {
	readonly keys: ReadonlySet<string>;
	readonly oldest: string | undefined;
	readonly gaps: ReadonlySet<string>;
};

/** Keys of those of `trades` below which no run vouches for what comes next. */
function findGaps(trades: readonly Trade[], runs: readonly Run[]): Set<string> {
	const gaps = new Set<string>();
	const vouching = new Set<Run>();
	for (const key of trades.map(tradeKey)) {
		for (const run of runs) {
			if (!run.keys.has(key)) continue;
			if (key === run.oldest || run.gaps.has(key)) vouching.delete(run);
			else vouching.add(run);
		}

		if (vouching.size === 0) gaps.add(key);
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

	return [...merged, ...b.slice(next)];
}

function uniqueTrades(page: readonly Trade[]): Trade[] {
	return [...new Map(page.map(trade => [tradeKey(trade), trade])).values()];
}

function isNewer(a: Trade | undefined, b: Trade | undefined): boolean {
	return a !== undefined && b !== undefined && compareTrades(a, b) < 0;
}

function significantDigits(id: string): string | undefined {
	return /^\d+$/.test(id) ? id.replace(/^0+(?=\d)/, '') : undefined;
}

function compareTexts(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
