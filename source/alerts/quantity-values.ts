import type {QuestionOf} from '../client/question.ts';
import {type CandleSeries, candleEnd} from '../market/candles.ts';
import {type DayChange, dayChange} from '../market/day.ts';
import {spreadOf, totalsOf} from '../market/depth.ts';
import {ema, rsi, sma} from '../market/indicators.ts';
import {memo} from '../market/memo.ts';
import {finite} from '../market/numbers.ts';
import {difference, sumDecimals} from '../market/precision.ts';
import {tradeKey} from '../market/tape.ts';
import {linePriceAt, type TrendLine} from '../market/trend-line.ts';
import type {Candle, DepthBook, Level, Period, Trade} from '../market/types.ts';
import {dayMinutes, hourMs} from '../market/units.ts';
import {type PastCandles, type Stretch, windowBefore} from '../market/windows.ts';
import {type Ready, type Resource, waiting} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import {completeTo, madeAfter, tradeTime} from '../store/trade-time.ts';
import {
	calculated,
	formOf,
	isPlain,
	type PlainQuantity,
	printExpression,
	type Quantity,
	type QuantityName,
	quantityNames,
	roundedMean,
} from './condition.ts';

/** What is known of one market. */
export type MarketData = {
	readonly state: MarketState;
	/** Candles as the exchange sent them. */
	candlesOf(period: Period): Resource<CandleSeries>;
	/** See `LinesOf`. Default: none. */
	readonly linesOf?: ((number: number) => readonly TrendLine[]) | undefined;
	/** What has been calculated of it so far, by the keys of moments: several rules ask for the same. */
	readonly facts: Map<number, Facts>;
};

/**
 * The lines that the user drew in the market with this key and that have this number: one, unless it is deleted, or two instances drew at
 * the same time.
 */
export type LinesOf = (market: string, number: number) => readonly TrendLine[];

/** The line that the number names; undefined: none, or more than one. */
export function lineNumbered(number: number, linesOf: MarketData['linesOf']): TrendLine | undefined {
	const [line, ...others] = linesOf?.(number) ?? [];
	return others.length === 0 ? line : undefined;
}

/** When a condition is judged. */
export type Moment = {
	/** Epoch ms by this computer's clock. */
	readonly now: number;
	/** Index of the newest trade that had happened. */
	readonly newest: number;
	/** Whether it is the moment of that trade. */
	readonly isTrade: boolean;
	/** That of another market's trade, epoch ms by the clock of the trades. */
	readonly time?: number | undefined;
	/** Whether the delayed ticker stands in where the last trade is not known. */
	readonly byTicker?: boolean | undefined;
};

/** Windows are summed from candles of these periods where the trades do not reach back. */
const windowPeriods: readonly Period[] = [1, 60];

/** The first page of candles of a minute reaches back further. */
const minutesReachMs = 8 * hourMs;

/** The periods of the candles that a quantity needs, also where trades do not reach. */
export function periodsOf({name, windowMs = 0, period}: Quantity): readonly Period[] {
	const [minute = 1, hour = 60] = windowPeriods;
	if (period !== undefined) return [period];
	const isOfTrades = windowMs === 0 || name === 'trades' || name === 'buyVolume' || name === 'sellVolume';
	if (isOfTrades) return [];
	return windowMs > minutesReachMs ? [minute, hour] : [minute];
}

/** `undefined`: unknown, or stale because a refresh failed. */
export const quantityValue = (quantity: Quantity, data: MarketData, moment: Moment): number | undefined =>
	factsAt(data, moment).value(quantity);

/** The facts that all rules share. */
export function factsAt(data: MarketData, moment: Moment): Facts {
	const {newest, isTrade, time, byTicker} = moment;
	if (time !== undefined) return new Facts(data, moment);
	const key = newest * 4 + (isTrade ? 2 : 0) + (byTicker ? 1 : 0);
	const facts = data.facts.get(key);
	if (facts) return facts;
	const created = new Facts(data, moment);
	data.facts.set(key, created);
	return created;
}

const textOf = memo((quantity: Quantity) => printExpression({...quantity, market: undefined}));

/** A kind of data that a quantity needs, of any market. */
export type NeededData =
	| Pick<QuestionOf<'tickers' | 'depth' | 'trades'>, 'ask'>
	| Pick<QuestionOf<'candles'>, 'ask' | 'period'>;

/**
 * What a quantity is calculated from. Windows also need candles where trades do not reach. `byTicker`: the delayed ticker
 * stands in for the last trade.
 */
export function dataOf({name, windowMs, period}: Quantity, byTicker = false): readonly NeededData[] {
	if (period !== undefined) return [candlesOf(period)];
	if (windowMs !== undefined || formOf(name).ofOneTrade === true) return [{ask: 'trades'}];
	if (name === 'last') return byTicker ? [{ask: 'tickers'}] : [{ask: 'trades'}];
	if (name === 'change' || name === 'changePercent') {
		return byTicker ? [{ask: 'tickers'}] : [{ask: 'tickers'}, {ask: 'trades'}];
	}

	if (name === 'open' || name === 'high' || name === 'low' || name === 'volume') return [{ask: 'tickers'}];
	return name === 'age' || name === 'line' ? [] : [{ask: 'depth'}];
}

export const candlesOf = (period: Period): NeededData => ({ask: 'candles', period});

/** All plain quantities of a market at `now`; null: unknown. */
export function marketValues(state: MarketState, now: number): Readonly<Record<PlainQuantity, number | null>> {
	const data = {state, candlesOf: () => waiting, facts: new Map()};
	const moment = {now, newest: 0, isTrade: false};
	const plainValue = (name: PlainQuantity) => quantityValue({type: 'quantity', name}, data, moment) ?? null;
	return Object.fromEntries(quantityNames.filter(isPlain).map(name => [name, plainValue(name)] as const)) as Readonly<
		Record<PlainQuantity, number | null>
	>;
}

/** The data of the last answer; undefined: there was none, or a refresh has failed since. */
export const fresh = <T>(resource: Resource<T> | undefined): T | undefined =>
	resource?.status === 'ready' && !resource.failure ? resource.data : undefined;

/** What is known of a market at a moment. */
export class Facts {
	readonly #data: MarketData;
	readonly #moment: Moment;
	/** What takes long to calculate, by the texts of quantities. */
	readonly #values = new Map<string, number | undefined>();
	readonly #windows = new Map<string, Stretch | undefined>();

	constructor(data: MarketData, moment: Moment) {
		this.#data = data;
		this.#moment = moment;
	}

	/** `undefined`: unknown, or stale because a refresh failed. */
	value(quantity: Quantity): number | undefined {
		const {name, windowMs, count, distance} = quantity;
		if (windowMs === undefined && count === undefined && distance === undefined) {
			return finite(plainValues[name]?.(this, quantity));
		}

		const text = textOf(quantity);
		const cached = this.#values.get(text);
		if (cached !== undefined || this.#values.has(text)) return cached;
		const value = finite((windowMs === undefined ? plainValues : windowValues)[name]?.(this, quantity));
		this.#values.set(text, value);
		return value;
	}

	get ticker() {
		const {symbol, tickers} = this.#data.state;
		return symbol === undefined ? undefined : fresh(tickers)?.get(symbol);
	}

	get trades(): readonly Trade[] | undefined {
		return fresh(this.#data.state.trades)?.trades;
	}

	get trade(): Trade | undefined {
		return this.trades?.[this.#moment.newest];
	}

	/** The trade that the condition is judged at; undefined: it is judged at another moment. */
	get judgedTrade(): Trade | undefined {
		return this.#moment.isTrade ? this.trade : undefined;
	}

	get book(): DepthBook | undefined {
		return fresh(this.#data.state.depth);
	}

	get last(): number | undefined {
		if (this.trade) return this.trade.price;
		return this.#isWithoutTrades ? this.ticker?.last : undefined;
	}

	/** Whether the ticker stands in for trades: by the rule, or as the exchange has none. */
	get #isWithoutTrades(): boolean {
		return this.#moment.byTicker === true || this.trades?.length === 0;
	}

	get day(): DayChange | undefined {
		// The ticker's own change lags behind that of the last trade: a rule that is judged on both would see it cross.
		const isOfTrade = this.ticker?.open !== undefined && !this.#isWithoutTrades;
		return isOfTrade && !this.trade ? undefined : dayChange(this.ticker, this.trade?.price);
	}

	/** Of the oldest answer, in seconds, stale or not. */
	get age(): number | undefined {
		const {tickers, depth, trades: tape} = this.#data.state;
		const received = [tickers, depth, tape].flatMap(resource =>
			resource.status === 'ready' ? [resource.receivedAt] : [],
		);
		return received.length === 0 ? undefined : Math.max(this.#moment.now - Math.min(...received), 0) / 1000;
	}

	/** Epoch ms by the clock of the trades: up to when all are known. */
	get #time(): number {
		const {trades: tape} = this.#data.state;
		const time = this.judgedTrade?.time ?? this.#moment.time;
		return time ?? (tape.status === 'ready' ? completeTo(tape) : this.#moment.now);
	}

	/** The price of the line now, or at the trade at which it is judged, by the clock of the trades: of the ticker only its stamp is known. */
	linePrice(number: number): number | undefined {
		const {time, newest, isTrade, byTicker} = this.#moment;
		const {trades: tape, tickers} = this.#data.state;
		const ofTicker = byTicker && tickers.status === 'ready' ? tradeTime(tickers, madeAfter(tickers)) : undefined;
		const now = tape.status === 'ready' ? this.#time : ofTicker;
		const at = time ?? (isTrade || newest > 0 ? this.trade?.time : undefined) ?? now;
		const line = lineNumbered(number, this.#data.linesOf);
		return line && at !== undefined ? linePriceAt(line, at) : undefined;
	}

	/** Up to when candles have all trades, by the clock of these. */
	#completeTo(candles: Ready<CandleSeries>): number {
		const {trades: tape} = this.#data.state;
		return tradeTime(tape.status === 'ready' ? tape : candles, madeAfter(candles));
	}

	/** `beforeTrade`: without the newest trade, which is compared with it. */
	window(ms: number, {beforeTrade = false} = {}): Stretch | undefined {
		const key = `${ms} ${beforeTrade}`;
		if (!this.#windows.has(key)) this.#windows.set(key, this.#windowOf(ms, beforeTrade));
		return this.#windows.get(key);
	}

	#windowOf(ms: number, beforeTrade: boolean): Stretch | undefined {
		const {trade} = this;
		const tape = fresh(this.#data.state.trades);
		if (!tape) return undefined;
		// Trades may be missing right before it.
		if (beforeTrade && trade && tape.gaps.has(tradeKey(trade))) return undefined;
		const newest = this.#moment.newest + (beforeTrade ? 1 : 0);
		const candles = windowPeriods.flatMap(period => this.#candlesSent(period));
		return windowBefore({tape, candles}, ms, this.#time, newest);
	}

	closed(period: Period): readonly Candle[] | undefined {
		const resource = this.#data.candlesOf(period);
		const series = fresh(resource);
		if (resource.status !== 'ready' || !series || series.builtFrom === 'trades') return undefined;
		// A candle that was received before it ended has not its last price yet.
		return closedCandles(series, closedBy(series, Math.min(this.#time, this.#completeTo(resource))));
	}

	#candlesSent(period: Period): readonly PastCandles[] {
		const resource = this.#data.candlesOf(period);
		const series = fresh(resource);
		if (resource.status !== 'ready' || series?.builtFrom !== 'exchange') return [];
		return [{period, candles: series.candles, completeTo: this.#completeTo(resource)}];
	}
}

/** How many candles had ended. */
function closedBy({candles, period}: CandleSeries, time: number): number {
	return candles.findLastIndex(candle => candleEnd(candle, period) <= time) + 1;
}

const closedCandles = memo(({candles}: CandleSeries, count: number) => candles.slice(0, count));

type ValueOf = (facts: Facts, quantity: Quantity) => number | undefined;

const plainValues: Readonly<Partial<Record<QuantityName, ValueOf>>> = {
	last: facts => facts.last,
	bid: ({book}) => book?.bids?.[0]?.[0],
	ask: ({book}) => book?.asks[0]?.[0],
	mid: ({book}) => book && midOf(book),
	spread: ({book}) => book && spreadOf(book)?.spread,
	spreadPercent({book}) {
		const spread = book && spreadOf(book);
		return spread && spread.basisPoints / 100;
	},
	open: ({ticker}) => ticker?.open,
	high: ({ticker}) => ticker?.high,
	low: ({ticker}) => ticker?.low,
	change: ({day}) => day?.change,
	changePercent: ({day}) => day?.percent && calculated('*', day.percent, 1),
	volume: ({ticker}) => ticker?.volume,
	age: ({age}) => age,
	bidDepth: ({book}, {distance}) => book && depthNear(book, book.bids, distance ?? 0),
	askDepth: ({book}, {distance}) => book && depthNear(book, book.asks, distance ?? 0),
	imbalance({book}) {
		const totals = book && totalsOf(book);
		if (!totals) return undefined;
		const {asks, bids} = totals;
		return calculated('/', difference(bids, asks), sumDecimals([bids, asks]));
	},
	tradeSize: ({judgedTrade}) => judgedTrade?.quantity,
	tradeValue: ({judgedTrade}) => judgedTrade && calculated('*', judgedTrade.price, judgedTrade.quantity),
	line(facts, {line = 0}) {
		const price = facts.linePrice(line);
		return price && roundedMean(price);
	},
	sma: indicator((candles, count) => sma(candles, count).at(candles.length - 1)),
	ema: indicator((candles, count) => ema(candles, count).at(candles.length - 1)),
	rsi: indicator((candles, count) => rsi(candles, count).at(candles.length - 1)),
	vwap: indicator((candles, count) => (candles.length < count ? undefined : volumeWeighted(candles.slice(-count)))),
};

function indicator(figure: (candles: readonly Candle[], count: number) => number | undefined): ValueOf {
	return (facts, {count = 1, period = dayMinutes}) => {
		const candles = facts.closed(period);
		const value = candles && figure(candles, count);
		return value && roundedMean(value);
	};
}

/** Mean of the candles' typical prices; undefined: nothing was traded. */
function volumeWeighted(candles: readonly Candle[]): number | undefined {
	let [value, volume] = [0, 0];
	for (const candle of candles) {
		value += ((candle.high + candle.low + candle.close) / 3) * candle.volume;
		volume += candle.volume;
	}

	return volume > 0 ? value / volume : undefined;
}

function midOf({asks, bids}: DepthBook): number | undefined {
	const [bid, ask] = [bids?.[0]?.[0], asks[0]?.[0]];
	if (bid === undefined || ask === undefined) return undefined;
	// No number says the sum of the largest prices.
	return Number.isFinite(bid + ask) ? sumDecimals([bid, ask]) / 2 : bid / 2 + ask / 2;
}

/** Base asset within `percent` of the mid. */
function depthNear(book: DepthBook, levels: readonly Level[] | undefined, percent: number): number | undefined {
	const mid = midOf(book);
	if (mid === undefined || !levels) return undefined;
	const most = calculated('/', calculated('*', mid, percent), 100);
	const [lowest, highest] = [calculated('-', mid, most), calculated('+', mid, most)];
	return sumDecimals(levels.flatMap(([price, size]) => (price >= lowest && price <= highest ? size : [])));
}

const windowValues: Readonly<Partial<Record<QuantityName, ValueOf>>> = {
	high: (facts, {windowMs = 0}) => facts.window(windowMs, {beforeTrade: true})?.high,
	low: (facts, {windowMs = 0}) => facts.window(windowMs, {beforeTrade: true})?.low,
	change: (facts, {windowMs = 0}) => moveOf(facts, windowMs)?.change,
	changePercent: (facts, {windowMs = 0}) => moveOf(facts, windowMs)?.percent,
	volume: (facts, {windowMs = 0}) => facts.window(windowMs)?.volume,
	trades: (facts, {windowMs = 0}) => facts.window(windowMs)?.trades?.count,
	buyVolume: (facts, {windowMs = 0}) => facts.window(windowMs)?.trades?.bought,
	sellVolume: (facts, {windowMs = 0}) => facts.window(windowMs)?.trades?.sold,
};

function moveOf(facts: Facts, windowMs: number): {readonly change: number; readonly percent: number} | undefined {
	const open = facts.window(windowMs)?.open;
	const last = facts.trade?.price;
	if (open === undefined || last === undefined) return undefined;
	const change = difference(last, open);
	return {change, percent: calculated('*', change / open, 100)};
}
