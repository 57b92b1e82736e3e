import {
	brokenOff,
	compareIds,
	compareTrades,
	emptyTape,
	fillText,
	mergeTape,
	sharedTrades,
	type Tape,
	tradeKey,
	withGaps,
} from './tape.ts';
import {largestPage, type Trade} from './types.ts';
import {minuteMs, secondMs} from './units.ts';

/** The last trade, by id, of those that an exchange dated ahead before it set its clock back. `time`: the latest of any of them. */
export type Former = {readonly id: string; readonly time: number};

/** The trades known of a market. */
export type TapeState = {
	readonly data: Tape;
	/** Trades up to it are left out: they are dated by a clock that was set since. Absent: none are. */
	readonly former?: Former | undefined;
	/** When the last page with new trades was received, epoch ms. Absent: unknown. */
	readonly newAt?: number | undefined;
	/** Back to which time the next page must reach, as the one before should have. Absent: to none. */
	readonly reach?: number | undefined;
};

/** A page of trades, newest first. */
export type NextPage = {
	readonly trades: readonly Trade[];
	/** Epoch ms. */
	readonly receivedAt: number;
	/** Keys of trades next to which the page lacks some. Default: none. */
	readonly besideDropped?: readonly string[] | undefined;
};

export type Continued = TapeState & {
	/** The tape has only the trades of the page: those before have other times or ids. */
	readonly startsOver: boolean;
	/** How much later than before the exchange dates the trades that are known. 0: as before. */
	readonly redatedMs: number;
	/** Whether trades of the page or of the tape before are left out for the first time, as those of `former`. */
	readonly isSet: boolean;
	/** The trades of the page that are not left out. */
	readonly counted: readonly Trade[];
	/** Those that are left out for the first time, and were not known. */
	readonly leftOut: readonly Trade[];
};

/** A smaller difference may come from a clock that is slightly off. */
const leastRedatingMs = minuteMs;
/** A single trade may come late, or have a wrong time. */
const fewTrades = 3;

/**
 * The tape with the trades of the next page: each trade is kept once, by its id, also where the exchange has set its clock. Known
 * trades that come with other times, all by the same difference, get them. Where the clock was set back by a minute or more and the
 * trades before keep their times, which are ahead, these are left out, with a gap below the oldest trade since. The tape starts over,
 * with such a gap too, where trades and times cannot be told apart otherwise, and where the exchange begins its ids again.
 */
export function continueTape(before: TapeState, page: NextPage, capacity?: number): Continued {
	const shared = sharedTrades(before.data, page.trades);
	const redatedMs = redatedBy(before.data, shared);
	const onTape = redatedMs === 0 ? before.data : redatedTape(before.data, redatedMs);
	const formerBefore = before.former && {...before.former, time: before.former.time + redatedMs};
	const former = laterOf(formerBefore, formerIn(onTape, page.trades));
	const isSet = former?.id !== formerBefore?.id;
	const current = isSet ? cutTape(onTape, former) : onTape;
	const trades = former ? page.trades.filter(trade => !isFormer(trade, former)) : page.trades;
	const isWhole = current === before.data && trades === page.trades;
	const startsOver = redatedMs === 0 && isRedated(current, trades, isWhole ? shared : undefined);
	const continued = startsOver ? emptyTape : current;
	const merged = mergeTape(continued, trades, capacity);
	const isCut = isSet && current !== onTape;
	const isOpen = startsOver || isCut || (isSet && trades.length < page.trades.length) || endsOpen(continued, merged);
	const reach = before.reach ?? reachOf(continued, trades, before.newAt && page.receivedAt - before.newAt);
	const oldest = trades.at(-1);
	const isShort = reach !== undefined && oldest !== undefined && oldest.time > reach;
	const missing = [...(isShort ? [tradeKey(oldest)] : []), ...(page.besideDropped ?? [])];
	const data = withGaps(isOpen ? brokenOff(merged) : merged, missing);
	const isNew = merged.trades !== continued.trades;
	return {
		...{data, ...(former && {former}), newAt: isNew ? page.receivedAt : before.newAt},
		...(isShort && before.reach === undefined && {reach}),
		...{startsOver, redatedMs, isSet, counted: trades},
		leftOut: isSet ? leftOutOf(onTape, page.trades, former, formerBefore) : [],
	};
}

function leftOutOf({trades}: Tape, page: readonly Trade[], now: Former | undefined, before: Former | undefined) {
	const keys = new Set(trades.map(tradeKey));
	const isLeftOut = (trade: Trade) => now && isFormer(trade, now) && !(before && isFormer(trade, before));
	return page.filter(trade => isLeftOut(trade) && !keys.has(tradeKey(trade)));
}

/** Gives the trades of a tape other times. */
export function redatedTape({trades, gaps}: Tape, ms: number): Tape {
	return {trades: trades.map(trade => ({...trade, time: trade.time + ms})), gaps};
}

/** The tape without the trades of a former clock. */
export function cutTape(tape: Tape, former: Former | undefined): Tape {
	const trades = former ? tape.trades.filter(trade => !isFormer(trade, former)) : tape.trades;
	if (trades.length === tape.trades.length) return tape;
	return {trades, gaps: tape.gaps.intersection(new Set(trades.map(tradeKey)))};
}

/** Whether a trade is dated by a clock that was set since. */
export const isFormer = ({id, time}: Trade, former: Former): boolean =>
	time <= former.time && compareIds(id, former.id) <= 0;

const laterOf = (a: Former | undefined, b: Former | undefined): Former | undefined =>
	a && b ? (compareIds(a.id, b.id) < 0 ? b : a) : (a ?? b);

/** Whether a tape that had started over still ends where it did, or further down. */
function endsOpen(before: Tape, {trades}: Tape): boolean {
	const [oldest, last] = [before.trades.at(-1), trades.at(-1)];
	return (
		oldest !== undefined && last !== undefined && before.gaps.has(tradeKey(oldest)) && compareTrades(last, oldest) >= 0
	);
}

type Shared = ReturnType<typeof sharedTrades>;

/** By how much later the page dates the trades that it shares with the tape: 0 unless all are the same trades, as much later. */
function redatedBy({trades}: Tape, shared: Shared): number {
	const [first] = shared;
	// A page that goes on from the tape has its last trade, too. Keys of fills have their times.
	if (!first || first.onTape !== trades[0] || first.onTape.key !== undefined) return 0;
	const ms = first.again.time - first.onTape.time;
	const isEnough = Math.abs(ms) >= (shared.length < fewTrades ? leastRedatingMs : secondMs);
	const isSame = ({onTape, again}: Shared[number]) =>
		again.time - onTape.time === ms && fillText(onTape) === fillText(again);
	return isEnough && shared.every(isSame) ? ms : 0;
}

/**
 * The trades of a former clock in a tape and a page: those dated a minute or more after the last three by id, as the exchange has set
 * its clock back. Of trades that are all later than the tape's by id, fewer will do. Undefined: there are none, or ids do not tell.
 */
function formerIn({trades}: Tape, page: readonly Trade[]): Former | undefined {
	const newest = Math.max(trades[0]?.time ?? -Infinity, page[0]?.time ?? -Infinity);
	// Most pages are of the last minute.
	if (newest - (page.at(-1)?.time ?? newest) < leastRedatingMs) return undefined;
	const last = lastById(page);
	if (!last || newest - last.time < leastRedatingMs) return undefined;
	if (page.some(({key, id}) => key !== undefined || !/^\d+$/.test(id))) return undefined;
	const keys = new Set(page.map(tradeKey));
	const nearest = trades.slice(0, largestPage);
	const others = nearest.filter(trade => !keys.has(tradeKey(trade)));
	const byId = [...page, ...others].sort((a, b) => compareIds(b.id, a.id));
	const pageTrades = new Set(page);
	const isLater = others.length === nearest.length && byId.slice(0, page.length).every(trade => pageTrades.has(trade));
	const lead = byId.slice(0, isLater ? Math.min(fewTrades, page.length) : fewTrades);
	if (lead.length === byId.length) return undefined;
	const latest = Math.max(...lead.map(({time}) => time));
	const ahead = byId.slice(lead.length).filter(({time}) => time - latest >= leastRedatingMs);
	const [first] = ahead;
	return first && {id: first.id, time: ahead.reduce((most, {time}) => Math.max(most, time), first.time)};
}

const lastById = (trades: readonly Trade[]): Trade | undefined =>
	trades.reduce<Trade | undefined>(
		(last, trade) => (last && compareIds(last.id, trade.id) > 0 ? last : trade),
		undefined,
	);

/**
 * Back to which time a page must reach that has trades made since the tape's last one but dated before it, as the exchange has set
 * its clock back by less than a minute: `sinceMs` before the last one, when the tape had its last new trades.
 */
function reachOf(tape: Tape, page: readonly Trade[], sinceMs: number | undefined): number | undefined {
	const [newest] = tape.trades;
	const last = lastById(page);
	if (!newest || !last || last.key !== undefined || last.time >= newest.time || sinceMs === undefined) return undefined;
	const highest = lastById(tape.trades.slice(0, largestPage));
	return highest && compareIds(last.id, highest.id) > 0 ? last.time - sinceMs - secondMs : undefined;
}

/**
 * Whether the exchange has set its clock, or begun its ids again as after a restart, between the tape and the page: trades
 * come a second time with other times. Where they share none, the page's newest trade is much older than the tape's.
 */
export function isRedated(tape: Tape, page: readonly Trade[], shared = sharedTrades(tape, page)): boolean {
	const [last] = tape.trades;
	const [newest] = page;
	if (!last || !newest) return false;
	const [first] = shared;
	if (!first) return (renamedApart(tape, page) ?? last.time - newest.time) >= leastRedatingMs;
	const apartMs = Math.abs(first.onTape.time - first.again.time);
	// A page that goes on from the tape has its last trade, too.
	const isBegunAgain = first.onTape !== last && apartMs > 0 && newest.time > last.time;
	const isNewAgain = ({onTape, again}: Shared[number]) =>
		again.time > last.time && again.time - onTape.time >= leastRedatingMs;
	return apartMs >= leastRedatingMs || isBegunAgain || shared.some(isNewAgain);
}

/** Ms between the two times of the newest shared trade, where keys contain the time; undefined: there is none. */
function renamedApart({trades}: Tape, page: readonly Trade[]): number | undefined {
	const times = new Map(page.map(trade => [fillText(trade), trade.time]));
	// A page shares trades only with the newest part of the tape.
	for (const trade of trades.slice(0, page.length)) {
		const time = times.get(fillText(trade));
		if (time !== undefined) return Math.abs(time - trade.time);
	}

	return undefined;
}
