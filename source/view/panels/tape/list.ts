import {localDayOf, utc, type Zone} from '../../../format/zone.ts';
import {memo} from '../../../market/memo.ts';
import {type Minimum, noMinimum, reaches} from '../../../market/minimum.ts';
import {clamp} from '../../../market/numbers.ts';
import {compareTrades, type Fills, mergeFills, type Tape, type TradeMoment, tradeKey} from '../../../market/tape.ts';
import type {Trade} from '../../../market/types.ts';

/** The user's view of the tape. */
export type TapeView = {
	/** Hides smaller trades. */
	readonly minimum: Minimum;
	/** Fills of the same time, price and side are one row. */
	readonly merged: boolean;
	/** Where the tape is scrolled to; absent: it follows the newest trade. */
	readonly anchor?: TapeAnchor | undefined;
};

export type TapeAnchor = {
	/** The trade at the top. */
	readonly top: TradeMoment;
	/** The newest trade when scrolling began; newer ones are counted. */
	readonly newest: TradeMoment;
};

export type Row =
	| {readonly type: 'trade'; readonly trade: Fills}
	/** Trades may be missing between the rows above and below. */
	| {readonly type: 'gap'}
	/** The day of the rows below. */
	| {readonly type: 'day'; readonly time: number};

type TapeList = {
	/** Newest first. */
	readonly trades: readonly Fills[];
	/** Keys of the trades below which some may be missing; `aboveAll`: above the first. */
	readonly gaps: ReadonlySet<string>;
	/** How many trades the minimum size hides. */
	readonly hidden: number;
};

const aboveAll = '';

/** The trades of the tape that the view shows. */
export const tapeList = (tape: Tape, {minimum = noMinimum, merged = false}: Partial<TapeView>): TapeList =>
	listOf(tape, minimum.size, minimum.unit, merged);

/** Cached, so that up to 50,000 trades are filtered once per state of the tape, not per frame. */
const listOf = memo((tape: Tape, size: number, unit: Minimum['unit'], merged: boolean): TapeList => {
	const all = merged ? mergeFills(tape) : tape.trades;
	const trades = size > 0 ? all.filter(trade => reaches(trade, {size, unit})) : all;
	return {trades, gaps: gapsAmong(tape, trades), hidden: all.length - trades.length};
});

/** The gaps among the shown trades: each gap moves up to the nearest shown trade, or above all. */
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

type TapeRows = {
	readonly count: number;
	/** Epoch ms. */
	readonly now: number;
	/** Whose days are told apart. Default UTC. */
	readonly zone?: Zone | undefined;
};

/** At most `count` rows: a gap right above trade `from`, then the trades from it on, with dates above those of another day than `now`. */
export function rowsFrom({trades, gaps}: TapeList, from: number, {count, now, zone = utc}: TapeRows): readonly Row[] {
	const before = trades[from - 1];
	const rows: Row[] = gaps.has(before ? tradeKey(before) : aboveAll) ? [{type: 'gap'}] : [];
	for (let index = from; rows.length < count; index++) {
		const trade = trades[index];
		if (!trade) break;
		if (localDayOf(trade.time, zone) !== localDayOf(trades[index - 1]?.time ?? now, zone))
			rows.push({type: 'day', time: trade.time});
		rows.push({type: 'trade', trade});
		if (gaps.has(tradeKey(trade))) rows.push({type: 'gap'});
	}

	return rows.slice(0, count);
}

/** Index of the trade at the top of `count` rows. */
export function topTrade(list: TapeList, anchor: TapeAnchor | undefined, rows: TapeRows): number {
	return anchor ? Math.min(firstSince(list, anchor.top), lastTop(list, rows)) : 0;
}

/** How many trades arrived since scrolling began. */
export const newCount = (list: TapeList, {newest}: TapeAnchor): number => firstSince(list, newest);

/** Index of the first trade that is not newer than `moment`. */
function firstSince({trades}: TapeList, moment: TradeMoment): number {
	const index = trades.findIndex(trade => compareTrades(trade, moment) >= 0);
	return index < 0 ? trades.length : index;
}

/** Index of the top trade when the oldest is in the last of `count` rows. */
function lastTop(list: TapeList, rows: TapeRows): number {
	let top = Math.max(list.trades.length - rows.count, 0);
	const needed = () => rowsFrom(list, top, {...rows, count: Number.POSITIVE_INFINITY}).length;
	while (top < list.trades.length - 1 && needed() > rows.count) top++;
	return top;
}

/** The anchor after scrolling `by` trades down (negative: up); undefined: at the newest trade, which the tape then follows. */
export function scrolledTape(
	list: TapeList,
	anchor: TapeAnchor | undefined,
	by: number,
	rows: TapeRows,
): TapeAnchor | undefined {
	const top = clamp(topTrade(list, anchor, rows) + by, 0, lastTop(list, rows));
	const trade = list.trades[top];
	const [newest] = list.trades;
	if (top === 0 || !trade || !newest) return undefined;
	return {top: momentOf(trade), newest: anchor?.newest ?? momentOf(newest)};
}

const momentOf = ({time, id, key}: Trade): TradeMoment => ({time, id, key});
