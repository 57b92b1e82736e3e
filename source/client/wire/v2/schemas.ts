import * as z from 'zod';
import {stripControl} from '../../../format/control.ts';
import type {Candle, CapabilityFlag, DepthBook, ExchangeInfo, Market, Ticker, Trade} from '../../../market/types.ts';
import {countMisdated, dropMisdated, dropMisdatedTrades, keysBeside} from '../dating.ts';
import {
	type Decoded,
	type Decoder,
	decodeEntries,
	distinct,
	entryDecoder,
	expectList,
	expectRecord,
	type Fail,
	firstOfEach,
	isRecord,
} from '../decode.ts';
import * as field from '../fields.ts';
import {decodeAsks, decodeBook, type Named, newestOf, tradesOfIds, withUnreadable} from '../lists.ts';

export const decodeInfo: Decoder<ExchangeInfo> = (data, fail) => {
	const wire = expectRecord(data, 'data', fail);
	const flags = wire.capability == null ? {} : expectRecord(wire.capability, 'data.capability', fail);
	const text = (key: string): string | undefined => {
		const value = wire[key] ?? '';
		return typeof value === 'string' ? stripControl(value) || undefined : fail(`data.${key}`, 'is not text');
	};
	return {
		data: {
			name: text('name'),
			description: text('description'),
			location: text('location'),
			logo: text('logo'),
			website: text('website'),
			twitter: text('twitter'),
			version: text('version'),
			capability: decodeFlags(flags, fail),
		},
		dropped: 0,
	};
};

function decodeFlags(wire: Readonly<Record<string, unknown>>, fail: Fail): Record<CapabilityFlag, boolean | null> {
	const flag = (key: CapabilityFlag): boolean | null => {
		const value = wire[key] ?? null;
		return value === null || typeof value === 'boolean'
			? value
			: fail(`data.capability.${key}`, 'is neither true, false nor null');
	};
	return {
		markets: flag('markets'),
		trades: flag('trades'),
		tradesByTimestamp: flag('tradesByTimestamp'),
		tradesSocket: flag('tradesSocket'),
		orders: flag('orders'),
		ordersSocket: flag('ordersSocket'),
		ordersSnapshot: flag('ordersSnapshot'),
		candles: flag('candles'),
	};
}

const marketEntry = z.object({
	id: field.id,
	marketName: field.name,
	base: field.name,
	quote: field.name,
	state: field.name,
	marketType: field.name,
});

const decodeMarket = entryDecoder(marketEntry, (wire): Market | undefined => {
	const id = field.toId(wire.id);
	const symbol = field.toSymbol(wire.marketName);
	const name = field.toName(wire.marketName);
	const base = stripControl(wire.base);
	const quote = stripControl(wire.quote);
	if (id === undefined || !symbol || !base || !quote) return undefined;
	return {
		symbol,
		...(name !== undefined && {name}),
		id,
		base,
		quote,
		state: stripControl(wire.state),
		type: stripControl(wire.marketType),
	};
});

export const decodeMarkets: Decoder<readonly Market[]> = (data, fail) => {
	const entries = expectList(data, 'data', fail);
	return withUnreadable(entries, decodeEntries(entries, decodeMarket, 'data', fail), namedIn);
};

function namedIn(entry: unknown): Named | undefined {
	if (!isRecord(entry)) return undefined;
	const {marketName, base, quote} = entry;
	const pair = field.isName(base) && field.isName(quote) ? {base: stripControl(base), quote: stripControl(quote)} : {};
	const name = field.isName(marketName) ? marketName : pair.base && pair.base + pair.quote;
	const symbol = name && field.toSymbol(name);
	return symbol ? {symbol, ...pair} : undefined;
}

const tickerEntry = z.object({
	symbol: field.name,
	priceChange: field.change,
	priceChangePercent: field.change,
	lastPrice: field.tickerPrice,
	bidPrice: field.tickerPrice,
	bidQuantity: field.tickerQuantity,
	askPrice: field.tickerPrice,
	askQuantity: field.tickerQuantity,
	openPrice: field.tickerPrice,
	highPrice: field.tickerPrice,
	lowPrice: field.tickerPrice,
	volume: field.tickerQuantity,
	state: field.name,
	type: field.name.nullish(),
});

const decodeTicker = entryDecoder(tickerEntry, (wire): Ticker | undefined => {
	const symbol = field.toSymbol(wire.symbol);
	if (!symbol) return undefined;
	return {
		symbol,
		last: field.toPrice(wire.lastPrice),
		change: field.toNumber(wire.priceChange),
		changePercent: field.toNumber(wire.priceChangePercent),
		open: field.toPrice(wire.openPrice),
		high: field.toPrice(wire.highPrice),
		low: field.toPrice(wire.lowPrice),
		bid: field.toPrice(wire.bidPrice),
		bidQuantity: field.toNumber(wire.bidQuantity),
		ask: field.toPrice(wire.askPrice),
		askQuantity: field.toNumber(wire.askQuantity),
		volume: field.toNumber(wire.volume),
		state: stripControl(wire.state),
		...(wire.type != null && {type: stripControl(wire.type)}),
	};
});

/** Decodes tickers, of which those of several markets may have one symbol. */
export const decodeEveryTicker: Decoder<readonly Ticker[]> = (data, fail) =>
	differing(decodeEntries(expectList(data, 'data', fail), decodeTicker, 'data', fail));

/** Decodes the summary as `decodeEveryTicker` decodes tickers. */
export const decodeEverySummary: Decoder<readonly Ticker[]> = (data, fail) => {
	const {markets} = expectRecord(data, 'data', fail);
	return differing(decodeEntries(expectList(markets, 'data.markets', fail), decodeTicker, 'data.markets', fail));
};

function differing({data, ...counts}: Decoded<Ticker[]>): Decoded<Ticker[]> {
	const hasRepeats = distinct(data, symbolOf).length < data.length;
	return {data: hasRepeats ? distinct(data, ticker => JSON.stringify(ticker)) : data, ...counts};
}

const symbolOf = ({symbol}: Ticker): string => symbol;

const oneOfEach =
	(decode: Decoder<readonly Ticker[]>): Decoder<readonly Ticker[]> =>
	(data, fail) => {
		const decoded = decode(data, fail);
		return firstOfEach({...decoded, data: [...decoded.data]}, symbolOf);
	};

export const decodeTickers = oneOfEach(decodeEveryTicker);
export const decodeSummary = oneOfEach(decodeEverySummary);

/** Decodes a book. `bids` are absent if the answer has no such list, and empty if the list is. */
export const decodeDepth: Decoder<DepthBook> = (data, fail) => {
	const wire = expectRecord(data, 'data', fail);
	if (wire.bids != null) return decodeBook(data, fail);
	const {data: asks, ...counts} = decodeAsks(wire.asks, fail);
	return {data: {asks}, ...counts};
};

const tradeEntry = z.object({
	id: field.id,
	price: field.price,
	quantity: field.quantity,
	time: field.time,
	side: z.union([z.string().max(field.nameLength), z.number(), z.boolean()]).nullish(),
});

const decodeTrade = entryDecoder(tradeEntry, (wire): Trade | undefined => {
	const id = field.toId(wire.id);
	const time = field.parseWireTime(wire.time);
	if (id === undefined || time === undefined) return undefined;
	return {id, time, price: wire.price, quantity: wire.quantity, ...toSide(wire.side)};
});

function toSide(wire: string | number | boolean | null | undefined): Pick<Trade, 'side' | 'sideText'> {
	if (wire == null) return {};
	const sideText = stripControl(String(wire));
	const side = sideText.trim().toLowerCase();
	return side === 'buy' || side === 'sell' ? {side, sideText} : {sideText};
}

export const decodeTrades: Decoder<readonly Trade[]> = (data, fail, asOf) => {
	const {entries, cut} = newestOf(data, 'time', fail);
	const decoded = decodeEntries(entries, decodeTrade, 'data', fail);
	const {data: trades, ...counts} = dropMisdatedTrades(decoded, asOf);
	const whole = tradesOfIds(trades);
	const dropped = counts.dropped + whole.dropped;
	const ids = new Set(dropped > 0 ? whole.data.map(({id}) => id) : []);
	const besideDropped =
		dropped > 0
			? keysBeside(
					whole.data,
					decoded.data.filter(({id}) => !ids.has(id)),
				)
			: [];
	const dating = {misdated: countMisdated(whole.data, asOf), besideDropped};
	return {...counts, data: whole.data, dropped, cut, ...dating};
};

const candleEntry = z.object({
	id: field.id,
	open: field.price,
	high: field.price,
	low: field.price,
	close: field.price,
	volume: field.quantity,
});

/** Epoch seconds reach this in the year 5138; epoch milliseconds passed it in 1973. */
const leastMilliseconds = 1e11;

const decodeCandle = entryDecoder(candleEntry, ({id, open, high, low, close, volume}): Candle | undefined => {
	const number = Number(field.toId(id));
	const time = field.parseWireTime(number < leastMilliseconds ? number * 1000 : number);
	const ordered = low <= Math.min(open, close) && high >= Math.max(open, close);
	return time === undefined || !ordered ? undefined : {time, open, high, low, close, volume};
});

/** Decodes candles, oldest first, one per start time. */
export const decodeCandles: Decoder<readonly Candle[]> = (data, fail, asOf) => {
	const {entries, cut} = newestOf(data, 'id', fail);
	const past = dropMisdated(decodeEntries(entries, decodeCandle, 'data', fail), asOf);
	const {data: candles, ...counts} = firstOfEach(past, candle => candle.time);
	const misdated = countMisdated(candles, asOf);
	return {data: candles.toSorted((a, b) => a.time - b.time), ...counts, cut, misdated};
};
