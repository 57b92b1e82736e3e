import {candleStart} from '../market/candles.ts';
import {type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import type {Stretch} from './missed.ts';
import {exactly, hull, type Range, type Side} from './price-range.ts';

/** When a rule fired, and why. */
export type Firing = {
	/** Epoch ms. */
	readonly time: number;
	/** The trade that made it hold; absent: it holds of what is known now, or began to hold in a gap. */
	readonly trade?: Trade | undefined;
	/** What the rule's quantities were then, by their text. */
	readonly values: Readonly<Record<string, number | null>>;
	/** Ms from that trade to now, by the exchange's clock. */
	readonly delayMs?: number | undefined;
	/** Since when the rule could not be judged before that was known, epoch ms; absent: it could. */
	readonly blindSince?: number | undefined;
	/** When it began to hold, where trades are missing; absent: none is. */
	readonly gap?: Stretch | undefined;
};

/** The newest trade that a rule was judged on. */
export type TradeMark = {
	/** Epoch ms by the exchange's clock. */
	readonly time: number;
	readonly key: string;
	/** What was traded up to it in its minute; absent: not all of that is known. */
	readonly minute?: Range | undefined;
};

/** What a rule must know of the past to go on where it was on one market. */
export type RuleMemory = {
	/** The time of the data that it was last judged on, epoch ms. */
	readonly judgedAt: number;
	/** By the keys of the markets whose trades it is judged on. */
	readonly trades: Readonly<Record<string, TradeMark>>;
	/** Where its crossings were, from left to right. */
	readonly sides: readonly Side[];
	/** Whether it was false since it fired. */
	readonly isReleased: boolean;
	/** The last time that it fired. */
	readonly fired?: Firing | undefined;
};

/** The newest trades of tapes, by the keys of their markets. */
export function marksOf(tapes: ReadonlyArray<readonly [market: string, tape: Tape | undefined]>): RuleMemory['trades'] {
	const marks = tapes.flatMap(([market, tape]) => {
		const mark = tape && markOf(tape);
		return mark ? [[market, mark] as const] : [];
	});
	return Object.fromEntries(marks);
}

/** The newest trade of a tape; undefined: there is none. */
function markOf({trades, gaps}: Tape): TradeMark | undefined {
	const [newest] = trades;
	if (!newest) return undefined;
	const start = candleStart(newest.time, 1);
	const end = trades.findIndex(trade => trade.time < start);
	const minute = trades.slice(0, Math.max(end, 0));
	const isWhole = minute.length > 0 && (gaps.size === 0 || !minute.some(trade => gaps.has(tradeKey(trade))));
	const mark = {time: newest.time, key: tradeKey(newest)};
	return isWhole ? {...mark, minute: hull(minute.map(({price}) => exactly(price)))} : mark;
}

/** Trades that are newer than one that a rule was judged on, newest first. */
type Later = {
	readonly trades: readonly Trade[];
	/** Indexes of those before which trades may be missing. */
	readonly gaps: readonly number[];
};

/**
 * What a tape has since `mark`; undefined: there was no trade yet. A tape of other ids, as after a change of the interface, is
 * compared by time.
 */
export function laterThan({trades, gaps}: Tape, mark: TradeMark | undefined): Later {
	const same = mark ? trades.findIndex(trade => tradeKey(trade) === mark.key) : -1;
	const judged = mark && same < 0 ? trades.findIndex(trade => trade.time <= mark.time) : same;
	const later = judged < 0 ? trades : trades.slice(0, judged);
	const reached = judged < 0 ? later.length - 1 : undefined;
	const isGap = (trade: Trade, index: number) => index === reached || (gaps.size > 0 && gaps.has(tradeKey(trade)));
	return {trades: later, gaps: later.flatMap((trade, index) => (isGap(trade, index) ? index : []))};
}
