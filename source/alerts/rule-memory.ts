import {candleStart} from '../market/candles.ts';
import {type Tape, tradeKey} from '../market/tape.ts';
import type {Period, Trade} from '../market/types.ts';
import {dayMinutes, minuteMs} from '../market/units.ts';
import {completeTo, tradeTime} from '../store/trade-time.ts';
import {type Condition, type Crossing, crossingsIn} from './condition.ts';
import type {Side} from './judge.ts';
import type {MarketsData, NewTrade} from './market-data.ts';
import {exactly, hull, type Missed, missedIn, type Range, type Stretch} from './missed.ts';
import {fresh} from './quantity-values.ts';

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
type TradeMark = {
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
	/** The lines that it names, as they were then; absent: it names none. */
	readonly lines?: string | undefined;
	/** Whether it was false since it fired. */
	readonly isReleased: boolean;
	/** The last time that it fired. */
	readonly fired?: Firing | undefined;
};

/** The newest trades of the markets with these keys, by their keys. */
export function marksOf(markets: readonly string[], data: MarketsData): RuleMemory['trades'] {
	const marks = markets.flatMap(market => {
		const tape = data.get(market)?.state.trades;
		const mark = tape?.status === 'ready' ? markOf(tape.data) : undefined;
		return mark ? [[market, mark] as const] : [];
	});
	return Object.fromEntries(marks);
}

/** The newest trade of a tape; undefined: there is none. */
function markOf({trades, gaps}: Tape): TradeMark | undefined {
	const [newest] = trades;
	if (!newest) return undefined;
	const start = candleStart(newest.time, 1);
	const minute = trades.slice(
		0,
		Math.max(
			trades.findIndex(trade => trade.time < start),
			0,
		),
	);
	const isWhole = minute.length > 0 && (gaps.size === 0 || !minute.some(trade => gaps.has(tradeKey(trade))));
	const mark = {time: newest.time, key: tradeKey(newest)};
	return isWhole ? {...mark, minute: hull(minute.map(({price}) => exactly(price)))} : mark;
}

/** What has happened since a rule was judged last. */
export type CaughtUp = {
	/** The trades since then that are known, oldest first. */
	readonly trades: readonly NewTrade[];
	/** Those of them before which trades are missing, each with the time of the one before. */
	readonly gaps: ReadonlyMap<Trade, number>;
	/** What the candles tell of the last gap; absent: there is none. */
	readonly missed?: Missed | undefined;
};

type Catching = {
	readonly condition: Condition;
	readonly memory: RuleMemory;
	/** The keys of the markets whose trades it is judged on. */
	readonly tapes: readonly string[];
	/** The candles to look gaps up in. */
	readonly period: Period;
};

const candlePeriods: readonly Period[] = [1, 60, dayMinutes];

/** The first page of candles reaches further back. */
const candlesReach = 480;

/** The shortest period of which the first page of candles reaches back to `since`, epoch ms. */
export const periodSince = (since: number, now: number): Period =>
	candlePeriods.find(period => now - since < candlesReach * period * minuteMs) ?? dayMinutes;

/** What is known of the time since `memory`; undefined: its trades are not known now. */
export function caughtUp(catching: Catching, data: MarketsData): CaughtUp | undefined {
	const {trades: marks, judgedAt} = catching.memory;
	const trades: NewTrade[] = [];
	const gaps = new Map<Trade, number>();
	for (const market of catching.tapes) {
		const tape = fresh(data.get(market)?.state.trades);
		if (!tape) return undefined;
		const later = laterThan(tape, marks[market]);
		for (const [index, each] of later.entries()) {
			trades.push({market, ...each});
			if (each.isAfterGap) gaps.set(each.trade, later[index + 1]?.trade.time ?? marks[market]?.time ?? judgedAt);
		}
	}

	return {
		trades: trades.toReversed().sort((a, b) => a.trade.time - b.trade.time),
		gaps,
		...(gaps.size > 0 && {missed: missedBefore(trades, catching, data)}),
	};
}

/**
 * What a tape has since `mark`, newest first; undefined: there was no trade yet. A tape of other ids, as after a change of the
 * interface, is compared by time.
 */
function laterThan({trades, gaps}: Tape, mark: TradeMark | undefined) {
	const same = mark ? trades.findIndex(trade => tradeKey(trade) === mark.key) : -1;
	const judged = mark && same < 0 ? trades.findIndex(trade => trade.time <= mark.time) : same;
	const later = judged < 0 ? trades : trades.slice(0, judged);
	return later.map((trade, index) => {
		const isUnreached = judged < 0 && index === later.length - 1;
		return {trade, index, isAfterGap: isUnreached || (gaps.size > 0 && gaps.has(tradeKey(trade)))};
	});
}

/** Looks up in the candles all that is missing up to the last gap, of a rule on one market. `later`: newest first. */
function missedBefore(later: readonly NewTrade[], {condition, memory, period}: Catching, data: MarketsData): Missed {
	const [first, ...after] = later.slice(0, later.findIndex(({isAfterGap}) => isAfterGap) + 1).toReversed();
	const of = first && data.get(first.market);
	const mark = first && memory.trades[first.market];
	const resource = of?.candlesOf(period);
	const series = fresh(resource);
	const tape = of?.state.trades;
	if (!mark || tape?.status !== 'ready' || resource?.status !== 'ready' || resource.dropped > 0)
		return {type: 'unknown'};
	if (series?.builtFrom !== 'exchange') return {type: 'unknown'};
	const crossings = crossingsIn(condition);
	const before = {
		sideOf: (crossing: Crossing) => memory.sides[crossings.indexOf(crossing)] ?? 0,
		isReleased: memory.isReleased,
	};
	const gap = {
		from: mark.time,
		before: (start: number) => (start === candleStart(mark.time, 1) ? mark.minute : undefined),
		after: [first.trade, ...after.map(({trade}) => trade)] as const,
		completeTo: completeTo(tape),
	};
	const candles = {period, candles: series.candles, completeTo: tradeTime(tape, resource.receivedAt)};
	return missedIn(condition, before, gap, candles, of?.linesOf);
}
