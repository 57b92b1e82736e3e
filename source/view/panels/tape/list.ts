import {type Fills, mergeFills} from '../../../market/fills.ts';
import {memo} from '../../../market/memo.ts';
import {compareTrades, type Tape, type TradeMoment, tradeKey} from '../../../market/tape.ts';
import type {Trade} from '../../../market/types.ts';

/** What the user sees of the tape. */
export type TapeView = {
	/** Trades that are smaller are hidden; 0: none is. In base asset. */
	readonly minimum: number;
	/** Fills of the same instant, price and side are one row. */
	readonly merged: boolean;
	/** Where the tape was scrolled to; absent: it follows the newest trade. */
	readonly anchor?: TapeAnchor | undefined;
};

export type TapeAnchor = {
	/** The trade at the top. */
	readonly top: TradeMoment;
	/** The newest trade when the tape was left: what is newer is counted. */
	readonly newest: TradeMoment;
};

export type Row =
	| {readonly type: 'trade'; readonly trade: Fills}
	/** Trades may be missing between the rows above and below. */
	| {readonly type: 'gap'}
	/** The UTC day of the rows below. */
	| {readonly type: 'day'; readonly time: number};

type TapeList = {
	/** Newest first. */
	readonly trades: readonly Fills[];
	/** Keys of those below which trades may be missing; `aboveAll`: above the first. */
	readonly gaps: ReadonlySet<string>;
	/** How many the minimum size hides. */
	readonly hidden: number;
};

const aboveAll = '';
const dayMs = 24 * 60 * 60 * 1000;

/** What the filter leaves of the tape. */
export const tapeList = (tape: Tape, {minimum = 0, merged = false}: Partial<TapeView>): TapeList =>
	listOf(tape, minimum, merged);

/** Of 50,000 trades: made once for each state of the tape, not with every frame. */
const listOf = memo((tape: Tape, minimum: number, merged: boolean): TapeList => {
	const trades = merged ? mergeFills(tape) : tape.trades;
	return minimum > 0 ? filtered(tape, trades, minimum) : {trades, gaps: gapsAmong(tape, trades), hidden: 0};
});

function filtered(tape: Tape, all: readonly Fills[], minimum: number): TapeList {
	const trades = all.filter(({quantity}) => quantity >= minimum);
	return {trades, gaps: gapsAmong(tape, trades), hidden: all.length - trades.length};
}

/** Where the tape's gaps lie among those of its trades that are shown. */
function gapsAmong({trades, gaps}: Tape, shown: readonly Fills[]): ReadonlySet<string> {
	if (gaps.size === 0 || shown === trades) return gaps;
	const among = new Set<string>();
	let next = 0;
	let above = aboveAll;
	for (const trade of trades) {
		const key = tradeKey(trade);
		const candidate = shown[next];
		if (candidate && tradeKey(candidate) === key) {
			above = key;
			next++;
		}

		if (gaps.has(key)) among.add(above);
	}

	return among;
}

/** At most `count` rows from the trade with index `from` down, and a gap right above it. `now` in epoch ms: a day that is not today's stands above its trades. */
export function rowsFrom({trades, gaps}: TapeList, from: number, count: number, now: number): readonly Row[] {
	const before = trades[from - 1];
	const rows: Row[] = gaps.has(before ? tradeKey(before) : aboveAll) ? [{type: 'gap'}] : [];
	for (let index = from; rows.length < count; index++) {
		const trade = trades[index];
		if (!trade) break;
		if (dayOf(trade.time) !== dayOf(trades[index - 1]?.time ?? now)) rows.push({type: 'day', time: trade.time});
		rows.push({type: 'trade', trade});
		if (gaps.has(tradeKey(trade))) rows.push({type: 'gap'});
	}

	return rows.slice(0, count);
}

const dayOf = (time: number): number => Math.floor(time / dayMs);

/** Index of the trade at the top of `count` rows. */
export function topTrade(list: TapeList, anchor: TapeAnchor | undefined, count: number, now: number): number {
	return anchor ? Math.min(firstSince(list, anchor.top), lastTop(list, count, now)) : 0;
}

/** Trades that are newer than all that were there when the tape was left. */
export const newCount = (list: TapeList, {newest}: TapeAnchor): number => firstSince(list, newest);

/** Index of the first trade that is not newer than `moment`. */
function firstSince({trades}: TapeList, moment: TradeMoment): number {
	const index = trades.findIndex(trade => compareTrades(trade, moment) >= 0);
	return index < 0 ? trades.length : index;
}

/** The top trade with which the oldest stands in the last of `count` rows. */
function lastTop(list: TapeList, count: number, now: number): number {
	let top = Math.max(list.trades.length - count, 0);
	const needed = () => rowsFrom(list, top, Number.POSITIVE_INFINITY, now).length;
	while (top < list.trades.length - 1 && needed() > count) top++;
	return top;
}

/** Where a scroll by so many trades down or (negative) up ends; absent: at the newest trade, which the tape then follows. */
export function scrolledTape(
	list: TapeList,
	anchor: TapeAnchor | undefined,
	by: number,
	{count, now}: {readonly count: number; readonly now: number},
): TapeAnchor | undefined {
	const top = Math.min(Math.max(topTrade(list, anchor, count, now) + by, 0), lastTop(list, count, now));
	const trade = list.trades[top];
	const [newest] = list.trades;
	if (top === 0 || !trade || !newest) return undefined;
	return {top: momentOf(trade), newest: anchor?.newest ?? momentOf(newest)};
}

const momentOf = ({time, id, key}: Trade): TradeMoment => ({time, id, key});
