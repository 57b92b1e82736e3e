import type {Ticker} from './types.ts';

/** What was seen of a market's last price since the start, at even intervals. Its memory is bounded. */
export type SeenPrices = {
	/** Oldest first; each is the last of as many polls as `polls` says, the newest of `filled` of them. */
	readonly prices: readonly number[];
	readonly polls: number;
	readonly filled: number;
	/** The price before the last change; absent: it never changed. */
	readonly before?: number | undefined;
	/** When that change was seen, epoch ms. */
	readonly changedAt?: number | undefined;
};

/** When there are more, two neighbours become one. Even. */
const mostPrices = 64;

const nothingSeen: SeenPrices = {prices: [], polls: 1, filled: 1};

/** `seen` with the prices of `tickers` (both by symbol), which were received at `time` (epoch ms). */
export function withPrices(
	seen: ReadonlyMap<string, SeenPrices>,
	tickers: ReadonlyMap<string, Ticker>,
	time: number,
): ReadonlyMap<string, SeenPrices> {
	const next = new Map(seen);
	for (const [symbol, {last}] of tickers) {
		if (last !== undefined) next.set(symbol, withPrice(seen.get(symbol) ?? nothingSeen, last, time));
	}

	return next;
}

function withPrice(seen: SeenPrices, price: number, time: number): SeenPrices {
	const {prices, polls, filled} = seen;
	const last = prices.at(-1);
	const change = last === undefined || last === price ? {} : {before: last, changedAt: time};
	if (filled < polls) return {...seen, ...change, prices: prices.with(-1, price), filled: filled + 1};
	const all = [...prices, price];
	if (all.length <= mostPrices) return {...seen, ...change, prices: all, filled: 1};
	const halved = prices.filter((_, index) => index % 2 === 1);
	return {...change, prices: [...halved, price], polls: polls * 2, filled: 1};
}

/** At most `count` of `prices`, spread evenly over them; the newest is always among them. */
export function thinned(prices: readonly number[], count: number): readonly number[] {
	if (prices.length <= count) return prices;
	return Array.from({length: count}, (_, index) => Math.ceil(((index + 1) * prices.length) / count) - 1).flatMap(
		index => prices[index] ?? [],
	);
}
