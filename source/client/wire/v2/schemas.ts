import {stripControl} from '../../../format/control.ts';
import {
	type Candle,
	type CapabilityFlag,
	capabilityFlags,
	type DepthBook,
	type ExchangeInfo,
	type Market,
	type Ticker,
	type Trade,
} from '../../../market/types.ts';
import {countMisdated, dropMisdated, dropMisdatedTrades, keysBeside} from '../dating.ts';
import {
	type Decoder,
	decodeEntries,
	type EntryDecoder,
	expectList,
	expectRecord,
	type Fail,
	firstOfEach,
} from '../decode.ts';
import {isName, isRecord, toSymbol} from '../fields.ts';
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
	return Object.fromEntries(capabilityFlags.map(key => [key, flag(key)])) as Record<CapabilityFlag, boolean | null>;
}

const decodeMarket: EntryDecoder<Market> = (entry, read) => {
	const wire = read.record(entry);
	return {
		symbol: read.symbol(wire.marketName),
		name: read.ownName(wire.marketName),
		id: read.id(wire.id),
		base: read.name(wire.base),
		quote: read.name(wire.quote),
		state: read.text(wire.state),
		type: read.text(wire.marketType),
	};
};

export const decodeMarkets: Decoder<readonly Market[]> = (data, fail) => {
	const entries = expectList(data, 'data', fail);
	return withUnreadable(entries, decodeEntries(entries, decodeMarket, 'data', fail), namedIn);
};

function namedIn(entry: unknown): Named | undefined {
	if (!isRecord(entry)) return undefined;
	const {marketName, base, quote} = entry;
	const pair = isName(base) && isName(quote) ? {base: stripControl(base), quote: stripControl(quote)} : {};
	const name = isName(marketName) ? marketName : pair.base && pair.base + pair.quote;
	const symbol = name && toSymbol(name);
	return symbol ? {symbol, ...pair} : undefined;
}

const decodeTicker: EntryDecoder<Ticker> = (entry, read) => {
	const wire = read.record(entry);
	return {
		symbol: read.symbol(wire.symbol),
		last: read.tickerPrice(wire.lastPrice),
		change: read.change(wire.priceChange),
		changePercent: read.change(wire.priceChangePercent),
		open: read.tickerPrice(wire.openPrice),
		high: read.tickerPrice(wire.highPrice),
		low: read.tickerPrice(wire.lowPrice),
		bid: read.tickerPrice(wire.bidPrice),
		bidQuantity: read.tickerQuantity(wire.bidQuantity),
		ask: read.tickerPrice(wire.askPrice),
		askQuantity: read.tickerQuantity(wire.askQuantity),
		volume: read.tickerQuantity(wire.volume),
		state: read.text(wire.state),
		type: wire.type == null ? undefined : read.text(wire.type),
	};
};

/** Decodes tickers, of which those of several markets may have one symbol. */
export const decodeEveryTicker: Decoder<Ticker[]> = (data, fail) =>
	decodeEntries(expectList(data, 'data', fail), decodeTicker, 'data', fail);

/** Decodes the summary as `decodeEveryTicker` decodes tickers. */
export const decodeEverySummary: Decoder<Ticker[]> = (data, fail) => {
	const {markets} = expectRecord(data, 'data', fail);
	return decodeEntries(expectList(markets, 'data.markets', fail), decodeTicker, 'data.markets', fail);
};

const oneOfEach =
	(decode: Decoder<Ticker[]>): Decoder<readonly Ticker[]> =>
	(data, fail) =>
		firstOfEach(decode(data, fail), ({symbol}) => symbol);

export const decodeTickers = oneOfEach(decodeEveryTicker);
export const decodeSummary = oneOfEach(decodeEverySummary);

/** Decodes a book. `bids` are absent if the answer has no such list, and empty if the list is. */
export const decodeDepth: Decoder<DepthBook> = (data, fail) => {
	const wire = expectRecord(data, 'data', fail);
	if (wire.bids != null) return decodeBook(data, fail);
	const {data: asks, ...counts} = decodeAsks(wire.asks, fail);
	return {data: {asks}, ...counts};
};

const decodeTrade: EntryDecoder<Trade> = (entry, read) => {
	const wire = read.record(entry);
	const sideText = wire.side == null ? undefined : read.text(isScalar(wire.side) ? String(wire.side) : wire.side);
	const side = sideText?.trim().toLowerCase();
	return {
		id: read.id(wire.id),
		time: read.time(wire.time),
		price: read.price(wire.price),
		quantity: read.quantity(wire.quantity),
		side: side === 'buy' || side === 'sell' ? side : undefined,
		sideText,
	};
};

const isScalar = (value: unknown): boolean => typeof value === 'number' || typeof value === 'boolean';

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

/** Epoch seconds reach this in the year 5138; epoch milliseconds passed it in 1973. */
const leastMilliseconds = 1e11;

const decodeCandle: EntryDecoder<Candle> = (entry, read) => {
	const wire = read.record(entry);
	const number = Number(read.id(wire.id));
	const candle = {
		time: read.time(number < leastMilliseconds ? number * 1000 : number),
		open: read.price(wire.open),
		high: read.price(wire.high),
		low: read.price(wire.low),
		close: read.price(wire.close),
		volume: read.quantity(wire.volume),
	};
	const {open, high, low, close} = candle;
	read.require(low <= Math.min(open, close) && high >= Math.max(open, close));
	return candle;
};

/** Decodes candles, oldest first, one per start time. */
export const decodeCandles: Decoder<readonly Candle[]> = (data, fail, asOf) => {
	const {entries, cut} = newestOf(data, 'id', fail);
	const past = dropMisdated(decodeEntries(entries, decodeCandle, 'data', fail), asOf);
	const {data: candles, ...counts} = firstOfEach(past, candle => candle.time);
	const misdated = countMisdated(candles, asOf);
	return {data: candles.toSorted((a, b) => a.time - b.time), ...counts, cut, misdated};
};
