import {type Fills, mergeFills} from '../../market/fills.ts';
import {compareTrades, type Tape} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';

type Moment = Pick<Trade, 'time' | 'id'>;

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
	readonly top: Moment;
	/** The newest trade when the tape was left: what is newer is counted. */
	readonly newest: Moment;
};

export type Row =
	| {readonly type: 'trade'; readonly trade: Fills}
	/** Trades may be missing between the rows above and below. */
	| {readonly type: 'gap'}
	/** The UTC day of the rows below. */
	| {readonly type: 'day'; readonly time: number};

type TapeList = {
	readonly rows: readonly Row[];
	/** Rows that the minimum size hides. */
	readonly hidden: number;
};

const dayMs = 24 * 60 * 60 * 1000;

/** Of 50,000 trades: made once, not with every frame. */
const known = new WeakMap<Tape, {readonly key: string; readonly list: TapeList}>();

/** Newest first. `now` in epoch ms: a day that is not today's stands above its trades. */
export function tapeList(tape: Tape, {minimum = 0, merged = false}: Partial<TapeView>, now: number): TapeList {
	const today = Math.floor(now / dayMs);
	const key = `${minimum} ${merged} ${today}`;
	const last = known.get(tape);
	if (last?.key === key) return last.list;
	const list = listOf(tape, merged ? mergeFills(tape) : tape.trades, minimum, today);
	known.set(tape, {key, list});
	return list;
}

function listOf({gaps}: Tape, trades: readonly (Trade & Partial<Fills>)[], minimum: number, today: number): TapeList {
	const rows: Row[] = [];
	let hidden = 0;
	let day = today;
	for (const trade of trades) {
		if (trade.quantity < minimum) hidden++;
		else {
			const tradeDay = Math.floor(trade.time / dayMs);
			if (tradeDay !== day) rows.push({type: 'day', time: trade.time});
			day = tradeDay;
			rows.push({type: 'trade', trade: {fills: 1, ...trade}});
		}

		if (gaps.has(trade.id) && rows.at(-1)?.type !== 'gap') rows.push({type: 'gap'});
	}

	return {rows, hidden};
}

/** Index of the row at the top, `count` rows high. */
export function topRow(rows: readonly Row[], anchor: TapeAnchor | undefined, count: number): number {
	if (!anchor) return 0;
	const last = Math.max(rows.length - count, 0);
	const found = rows.findIndex(row => row.type === 'trade' && !isNewer(row.trade, anchor.top));
	return found < 0 ? last : Math.min(found, last);
}

/** Trades among `rows` that are newer than all that were there when the tape was left. */
export function newCount(rows: readonly Row[], {newest}: TapeAnchor): number {
	const seen = rows.findIndex(row => row.type === 'trade' && !isNewer(row.trade, newest));
	return rows.slice(0, seen < 0 ? rows.length : seen).filter(({type}) => type === 'trade').length;
}

/** Where a scroll `by` rows down or (negative) up ends; absent: at the newest trade, which the tape then follows. */
export function scrolledTape(
	tape: Tape,
	rows: readonly Row[],
	anchor: TapeAnchor | undefined,
	count: number,
	by: number,
): TapeAnchor | undefined {
	const last = Math.max(rows.length - count, 0);
	const wanted = Math.min(Math.max(topRow(rows, anchor, count) + by, 0), last);
	const [newest] = tape.trades;
	if (wanted === 0 || !newest) return undefined;
	// Days and gaps cannot be held on to: the next trade in the direction of the scroll is.
	const up = rows.slice(0, wanted + 1).findLast(row => row.type === 'trade');
	const down = rows.slice(wanted).find(row => row.type === 'trade');
	const row = (by > 0 ? down : up) ?? up ?? down;
	if (row?.type !== 'trade') return undefined;
	const {time, id} = row.trade;
	return {top: {time, id}, newest: anchor?.newest ?? {time: newest.time, id: newest.id}};
}

const isNewer = (trade: Trade, moment: Moment): boolean => compareTrades(trade, {...trade, ...moment}) < 0;
