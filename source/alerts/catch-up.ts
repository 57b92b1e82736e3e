import {type CandleSeries, candleStart} from '../market/candles.ts';
import type {Tape} from '../market/tape.ts';
import type {Period, Trade} from '../market/types.ts';
import {dayMinutes, minuteMs} from '../market/units.ts';
import type {KnownCandles} from '../market/windows.ts';
import type {Resource} from '../store/resource.ts';
import {completeTo, tradeTime} from '../store/trade-time.ts';
import type {Blind} from './alert-event.ts';
import type {Condition, Crossing} from './condition.ts';
import {type Missed, missedIn} from './missed.ts';
import type {KnownMarkets, NewTrade} from './news.ts';
import {crossingsIn} from './price-range.ts';
import {laterThan, type RuleMemory} from './rule-memory.ts';

/** A rule that must catch up with what happened since it was judged last. */
export type Behind = {
	readonly memory: RuleMemory;
	/** Of the candles in which trades that are missing are looked up. */
	readonly period: Period;
	/** It is remembered from an earlier run. */
	readonly isRestored: boolean;
	/** It is judged as soon as other data than trades is known again; no trade is missing. */
	readonly isHeldBack?: true;
	/** When those candles are waited for no more, by `ages.passed`; absent: they are not waited for. */
	readonly waitsUntil?: number | undefined;
};

/** Since when such a rule was not judged. */
export const sinceOf = ({memory, isRestored}: Behind): Blind => ({
	since: memory.judgedAt,
	why: isRestored ? 'Tapewatch was not running' : 'trades are missing',
});

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
export function caughtUp(catching: Catching, known: KnownMarkets): CaughtUp | undefined {
	const {trades: marks, judgedAt} = catching.memory;
	const tapes = catching.tapes.map(market => ({
		market,
		mark: marks[market],
		tape: freshOf(known.get(market)?.state.trades),
	}));
	const all = tapes.map(({market, mark, tape}) => tape && {market, mark, tape, ...laterThan(tape, mark)});
	const later = all.filter(each => each !== undefined);
	if (later.length < all.length) return undefined;
	const trades = later.flatMap(({market, trades: of, gaps: at}) =>
		of.map((trade, index) => ({market, trade, index, isAfterGap: at.includes(index)})),
	);
	const gaps = later.flatMap(({mark, trades: of, gaps: at}) =>
		at.flatMap(index => {
			const [trade, before] = [of[index], of[index + 1]];
			return trade ? [[trade, before?.time ?? mark?.time ?? judgedAt] as const] : [];
		}),
	);
	return {
		trades: trades.toReversed().sort((a, b) => a.trade.time - b.trade.time),
		gaps: new Map(gaps),
		...(gaps.length > 0 && {missed: later.length === 1 ? missedBy(catching, known) : unknown}),
	};
}

const unknown: Missed = {type: 'unknown'};

/** Looks up all that is missing up to the last gap in the candles. */
function missedBy({condition, memory, period}: Catching, known: KnownMarkets): Missed {
	const [[market, mark] = []] = Object.entries(memory.trades);
	const of = market === undefined ? undefined : known.get(market);
	const tape = of && freshOf(of.state.trades);
	if (!of || !tape || !mark || of.state.trades.status !== 'ready') return unknown;
	const candles = candlesKnown(of.candlesOf(period), period, of.state.trades);
	const {trades, gaps} = laterThan(tape, mark);
	const [first, ...later] = trades.slice(0, (gaps[0] ?? -1) + 1).toReversed();
	if (!candles || !first) return unknown;
	const crossings = crossingsIn(condition);
	const before = {
		sideOf: (crossing: Crossing) => memory.sides[crossings.indexOf(crossing)] ?? 0,
		isReleased: memory.isReleased,
	};
	const gap = {
		from: mark.time,
		before: (start: number) => (start === candleStart(mark.time, 1) ? mark.minute : undefined),
		after: [first, ...later] as const,
		knownTo: completeTo(of.state.trades),
	};
	return missedIn(condition, before, gap, candles);
}

function candlesKnown(
	resource: Resource<CandleSeries>,
	period: Period,
	tape: Resource<Tape>,
): KnownCandles | undefined {
	const series = freshOf(resource);
	if (resource.status !== 'ready' || resource.dropped > 0 || series?.builtFrom !== 'exchange') return undefined;
	return {period, candles: series.candles, knownTo: tradeTime(tape, resource.receivedAt)};
}

const freshOf = <T>(resource: Resource<T> | undefined): T | undefined =>
	resource?.status === 'ready' && !resource.failure ? resource.data : undefined;
