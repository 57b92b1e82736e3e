import type {Trade} from './types.ts';

/** The trades seen of one market. */
export type Tape = {
	/** Newest first: by time, then id. */
	readonly trades: readonly Trade[];
	/** Ids of trades after (below) which older trades may be missing. */
	readonly gaps: ReadonlySet<string>;
};

export const emptyTape: Tape = {trades: [], gaps: new Set()};

/** The tape with older trades that may be missing below its oldest one: it was begun anew. */
export function brokenOff(tape: Tape): Tape {
	const oldest = tape.trades.at(-1);
	return oldest ? {...tape, gaps: new Set([...tape.gaps, oldest.id])} : tape;
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

/** Newest first: by time, then id. */
export function compareTrades(a: Trade, b: Trade): number {
	return b.time - a.time || compareIds(b.id, a.id);
}

/**
 * The tape with the trades of `page`, which may be in any order and is taken as all trades from its oldest to its newest.
 * Each id is kept once, the newest `capacity` (default 50,000) stay. Where neither the tape nor the page vouches for the
 * trades between two neighbours, a gap is marked; a page that reaches from one side of a gap to the other closes it.
 * The same object when nothing changed. Costs what the page reaches back, not what the tape holds.
 */
export function mergeTape(tape: Tape, page: readonly Trade[], capacity = 50_000): Tape {
	const sorted = uniqueById(page).sort(compareTrades);
	const end = sorted.at(-1);
	if (!end) return tape;
	// Below the page's oldest trade the tape stays as it is.
	const split = firstOlder(tape.trades, end);
	const head = tape.trades.slice(0, split);
	const tail = tape.trades.slice(split);
	const known = new Set(head.map(trade => trade.id));
	// An exchange that gives a trade another time gives it twice: the first stays.
	const twice = idsIn(tail, new Set(sorted.flatMap(({id}) => (known.has(id) ? [] : id))));
	const shown = sorted.filter(trade => !twice.has(trade.id));
	const fresh = shown.filter(trade => !known.has(trade.id));
	const oldest = shown.at(-1);
	const merged = mergeSorted(head, fresh);
	const all = merged.concat(tail);
	const trades = all.length > capacity ? all.slice(0, capacity) : all;

	const runs = [
		{ids: known, oldest: tape.trades.at(-1), gaps: tape.gaps},
		{ids: new Set(shown.map(trade => trade.id)), oldest, gaps: emptyTape.gaps},
	];
	const gaps = findGaps(tail.length > 0 ? merged : merged.slice(0, -1), runs);
	for (const id of tape.gaps) if (!known.has(id)) gaps.add(id);

	// A newer page that shows none of our trades, though it reaches below our newest, proves nothing about what lies between.
	const detached = twice.size === 0 && fresh.length === shown.length && isNewer(shown[0], tape.trades[0]);
	if (oldest && detached && oldest !== all.at(-1)) gaps.add(oldest.id);
	for (const trade of all.slice(trades.length - 1)) gaps.delete(trade.id);
	// Where the tape was begun anew, the mark below its oldest trade stays until a page reaches further back.
	const broken = tape.trades.at(-1);
	if (broken && broken === trades.at(-1) && tape.gaps.has(broken.id)) gaps.add(broken.id);

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

/** Those of `ids` that `trades` hold. */
function idsIn(trades: readonly Trade[], ids: ReadonlySet<string>): ReadonlySet<string> {
	const found = new Set<string>();
	if (ids.size > 0) for (const {id} of trades) if (ids.has(id)) found.add(id);
	return found;
}

/** Trades that are known to be complete from the newest to `oldest`, but for `gaps`. */
type Run = {readonly ids: ReadonlySet<string>; readonly oldest: Trade | undefined; readonly gaps: ReadonlySet<string>};

/** Ids of those of `trades` below which no run vouches for what comes next. */
function findGaps(trades: readonly Trade[], runs: readonly Run[]): Set<string> {
	const gaps = new Set<string>();
	const vouching = new Set<Run>();
	for (const trade of trades) {
		for (const run of runs) {
			if (!run.ids.has(trade.id)) continue;
			if (trade.id === run.oldest?.id || run.gaps.has(trade.id)) vouching.delete(run);
			else vouching.add(run);
		}

		if (vouching.size === 0) gaps.add(trade.id);
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

function uniqueById(page: readonly Trade[]): Trade[] {
	return [...new Map(page.map(trade => [trade.id, trade])).values()];
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
