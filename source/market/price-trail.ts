import {type Decimals, noDecimals, widen} from './precision.ts';
import type {Ticker} from './types.ts';

/** The tickers of a market since the start, in bounded memory. */
export type PriceTrail = {
	/** Last prices at even intervals, oldest first. Each stands for `polls` polls, the newest for `filled`. */
	readonly prices: readonly number[];
	readonly polls: number;
	readonly filled: number;
	readonly ticker: Ticker;
	/** Enough for every price so far; they never shrink. */
	readonly decimals: Decimals;
	/** The ticker before the last change; absent: it never changed. */
	readonly before?: Ticker | undefined;
	/** When the last change was received, epoch ms. */
	readonly changedAt?: number | undefined;
	/** When the first ticker was received, epoch ms. */
	readonly since: number;
	/** When the last ticker was received that shows a trade, by another price or more volume, epoch ms; absent: none did since the first. */
	readonly tradedAt?: number | undefined;
};

/** When there are more, every other one is dropped. Must be even. */
const mostPrices = 64;

/** Fewer trails are kept whatever the last answer has: one with few markets may be faulty. */
const fewTrails = 1000;

/**
 * Adds `tickers` to `trails` (both by symbol), received at `time` (epoch ms). Tickers without a last price are skipped. Of many
 * trails, most of which are not of these tickers, the others are dropped: an exchange may send other names each time.
 */
export function withPrices(
	trails: ReadonlyMap<string, PriceTrail>,
	tickers: ReadonlyMap<string, Ticker>,
	time: number,
): ReadonlyMap<string, PriceTrail> {
	const next = new Map(trails);
	for (const [symbol, ticker] of tickers) {
		if (ticker.last !== undefined) next.set(symbol, withTicker(trails.get(symbol), ticker, ticker.last, time));
	}

	if (next.size > Math.max(2 * tickers.size, fewTrails)) {
		for (const symbol of trails.keys()) if (!tickers.has(symbol)) next.delete(symbol);
	}

	return next;
}

function withTicker(trail: PriceTrail | undefined, ticker: Ticker, price: number, time: number): PriceTrail {
	if (trail?.ticker === ticker) return withPrice(trail, price);
	const {last, open, high, low, bid, ask} = ticker;
	const decimals = widen(trail?.decimals ?? noDecimals, {prices: [last, open, high, low, bid, ask]});
	if (!trail) return {prices: [price], polls: 1, filled: 1, ticker, decimals, since: time};
	const tradedAt = showsTrade(trail.ticker, ticker) ? time : trail.tradedAt;
	const {before, changedAt} = differ(trail.ticker, ticker) ? {before: trail.ticker, changedAt: time} : trail;
	return withPrice({...trail, ticker, decimals, before, changedAt, tradedAt}, price);
}

/** Whether nothing has changed. Field by field, as this is many times faster than with a list of the names. */
export const isSameTicker = (a: Ticker, b: Ticker): boolean =>
	a.last === b.last &&
	a.bid === b.bid &&
	a.ask === b.ask &&
	a.bidQuantity === b.bidQuantity &&
	a.askQuantity === b.askQuantity &&
	a.volume === b.volume &&
	a.change === b.change &&
	a.changePercent === b.changePercent &&
	a.open === b.open &&
	a.high === b.high &&
	a.low === b.low &&
	a.quoteVolume === b.quoteVolume &&
	a.lastVolume === b.lastVolume &&
	a.state === b.state &&
	a.type === b.type &&
	a.symbol === b.symbol;

const comparedFields = ['last', 'changePercent', 'volume', 'quoteVolume', 'bid', 'ask'] as const;
const differ = (a: Ticker, b: Ticker): boolean => comparedFields.some(name => a[name] !== b[name]);

/** The volume of 24 hours also falls, as trades get older than that. */
const showsTrade = (before: Ticker, now: Ticker): boolean =>
	before.last !== now.last || (now.volume ?? now.quoteVolume ?? 0) > (before.volume ?? before.quoteVolume ?? Infinity);

function withPrice(trail: PriceTrail, price: number): PriceTrail {
	const {prices, polls, filled} = trail;
	if (filled < polls) return {...trail, prices: prices.with(-1, price), filled: filled + 1};
	if (prices.length < mostPrices) return {...trail, prices: [...prices, price], filled: 1};
	const halved = prices.filter((_, index) => index % 2 === 1);
	return {...trail, prices: [...halved, price], polls: polls * 2, filled: 1};
}

/** At most `count` of `prices`, spread evenly and always with the newest. */
export function thinned(prices: readonly number[], count: number): readonly number[] {
	if (prices.length <= count) return prices;
	return Array.from({length: count}, (_, index) => Math.ceil(((index + 1) * prices.length) / count) - 1).flatMap(
		index => prices[index] ?? [],
	);
}
