import type {Trade} from './types.ts';

/** The trades seen of one market. */
export type Tape = {
	/** Newest first: by time, then id. */
	readonly trades: readonly Trade[];
	/** Ids of trades after (below) which older trades may be missing. */
	readonly gaps: ReadonlySet<string>;
};

export const emptyTape: Tape = {trades: [], gaps: new Set()};

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
 * Each id is kept once, the newest `capacity` (default 5000) stay. Where neither the tape nor the page vouches for the
 * trades between two neighbours, a gap is marked; a page that reaches from one side of a gap to the other closes it.
 * The same object when nothing changed.
 */
export function mergeTape(tape: Tape, page: readonly Trade[], capacity = 5000): Tape {
	const shown = uniqueById(page).sort(compareTrades);
	const known = new Set(tape.trades.map(trade => trade.id));
	const fresh = shown.filter(trade => !known.has(trade.id));
	const trades = mergeSorted(tape.trades, fresh).slice(0, capacity);
	const gaps = findGaps(trades, [
		{ids: known, oldest: tape.trades.at(-1), gaps: tape.gaps},
		{ids: new Set(shown.map(trade => trade.id)), oldest: shown.at(-1), gaps: emptyTape.gaps},
	]);

	// A newer page that shows none of our trades, though it reaches below our newest, proves nothing about what lies between.
	const oldest = shown.at(-1);
	const detached = fresh.length === shown.length && isNewer(shown[0], tape.trades[0]);
	if (oldest && detached && trades.slice(0, -1).includes(oldest)) gaps.add(oldest.id);

	const sameTrades =
		trades.length === tape.trades.length && trades.every((trade, index) => trade === tape.trades[index]);
	return sameTrades && gaps.symmetricDifference(tape.gaps).size === 0 ? tape : {trades, gaps};
}

/** Trades that are known to be complete from the newest to `oldest`, but for `gaps`. */
type Run = {readonly ids: ReadonlySet<string>; readonly oldest: Trade | undefined; readonly gaps: ReadonlySet<string>};

function findGaps(trades: readonly Trade[], runs: readonly Run[]): Set<string> {
	const gaps = new Set<string>();
	const vouching = new Set<Run>();
	for (const trade of trades.slice(0, -1)) {
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
