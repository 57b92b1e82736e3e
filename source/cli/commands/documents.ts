import type {Answer} from '../../client/exchange.ts';
import {
	type Candle,
	type CapabilityFlag,
	capabilityFlags,
	type DepthBook,
	type ExchangeInfo,
	interfaceName,
	type Level,
	type Market,
	type Period,
	type Ticker,
	type Trade,
} from '../../market/types.ts';

/** What every document says about its answer. Times are epoch ms, `null` is unknown. */
type Provenance = {
	readonly interface: ReturnType<typeof interfaceName>;
	readonly receivedAt: number;
	readonly serverTime: number | null;
};

export const provenance = (answer: Omit<Answer<unknown>, 'data' | 'dropped'>): Provenance => ({
	interface: interfaceName(answer.interface),
	receivedAt: answer.receivedAt,
	serverTime: answer.serverTime ?? null,
});

/** `cut` is there where more was sent than is read of an answer. */
const listProvenance = ({cut, ...answer}: Answer<unknown>) => ({
	...provenance(answer),
	dropped: answer.dropped,
	...(cut && {cut}),
});

const infoTexts = ['name', 'description', 'location', 'logo', 'website', 'twitter', 'version'] as const;

export function infoDocument(answer: Answer<ExchangeInfo>) {
	return {
		...pick(answer.data, infoTexts),
		capability: pick(answer.data.capability, capabilityFlags) satisfies Record<CapabilityFlag, boolean | null>,
		...provenance(answer),
	};
}

export function marketsDocument(answer: Answer<readonly Market[]>) {
	return {
		markets: answer.data.map(market => pick(market, ['id', 'symbol', 'base', 'quote', 'state', 'type'])),
		...listProvenance(answer),
	};
}

export function tickerDocument(answer: Answer<readonly Ticker[]>) {
	return {tickers: answer.data.map(tickerEntry), ...listProvenance(answer)};
}

/** `bids` is `null` where the interface shows none: an empty list would say that nobody buys. */
export function depthDocument(symbol: string, answer: Answer<DepthBook>) {
	return {symbol, ...depthEntry(answer.data), ...listProvenance(answer)};
}

/** Oldest first. */
export function tradesDocument(symbol: string, answer: Answer<readonly Trade[]>) {
	return {symbol, trades: answer.data.toReversed().map(tradeEntry), ...listProvenance(answer)};
}

/** Oldest first; `period` in minutes. */
export function candlesDocument(symbol: string, period: Period, answer: Answer<readonly Candle[]>) {
	return {symbol, period, candles: answer.data.map(candleEntry), ...listProvenance(answer)};
}

const tickerNumbers = [
	'last',
	'change',
	'changePercent',
	'open',
	'high',
	'low',
	'bid',
	'bidQuantity',
	'ask',
	'askQuantity',
	'volume',
	'quoteVolume',
] as const;

export const tickerEntry = (ticker: Ticker) => pick(ticker, ['symbol', ...tickerNumbers, 'state']);

export const depthEntry = ({asks, bids}: DepthBook): {asks: readonly Level[]; bids: readonly Level[] | null} => ({
	asks,
	bids: bids ?? null,
});

export const tradeEntry = (trade: Trade) => pick(trade, ['id', 'time', 'price', 'quantity', 'side']);

export const candleEntry = (candle: Candle) => pick(candle, ['time', 'open', 'high', 'low', 'close', 'volume']);

type OrNull<T> = undefined extends T ? Exclude<T, undefined> | null : T;

/** These fields in this order, `null` for the unknown ones: JSON leaves `undefined` out. */
function pick<T, Key extends keyof T>(from: T, keys: readonly Key[]): {[Name in Key]-?: OrNull<T[Name]>} {
	return Object.fromEntries(keys.map(key => [key, from[key] ?? null])) as {[Name in Key]-?: OrNull<T[Name]>};
}
