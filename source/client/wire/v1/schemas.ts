import {splitSymbols} from '../../../market/symbol.ts';
import {activeState, type Market, type Ticker, type Trade} from '../../../market/types.ts';
import {countMisdated, dropMisdated, keysBeside} from '../dating.ts';
import {type Decoder, decodeEntries, type EntryDecoder, expectRecord, firstOfEach} from '../decode.ts';
import {isName, toSymbol} from '../fields.ts';
import {fillsOfOrders, newestOf, withUnreadable} from '../lists.ts';

/** An entry of an object, which has the name of a market as its key. */
type Keyed = readonly [key: string, fields: unknown];

const decodeTicker: EntryDecoder<Ticker, Keyed> = ([key, fields], read) => {
	const wire = read.record(fields);
	return {
		symbol: read.symbol(key),
		last: read.tickerPrice(wire.last),
		changePercent: read.change(wire.percentChange),
		high: read.tickerPrice(wire.high24hr),
		low: read.tickerPrice(wire.low24hr),
		// Spelled this way by the exchange.
		bid: read.tickerPrice(wire.higestBid),
		ask: read.tickerPrice(wire.lowestAsk),
		quoteVolume: read.tickerQuantity(wire.quoteVolume),
		state: toState(read.number(wire.isFrozen)),
	};
};

const toState = (isFrozen: number): string => (isFrozen === 0 ? activeState : `frozen ${isFrozen}`);

export const decodeTickers: Decoder<readonly Ticker[]> = (data, fail) =>
	firstOfEach(
		decodeEntries(Object.entries(expectRecord(data, 'data', fail)), decodeTicker, 'data', fail),
		({symbol}) => symbol,
	);

const decodeMarket: EntryDecoder<{readonly key: string; readonly market: Market}, Keyed> = ([key, fields], read) => {
	const state = toState(read.number(read.record(fields).isFrozen));
	return {key: read.text(key), market: {symbol: read.symbol(key), name: read.ownName(key), state}};
};

/** Decodes the market list from the ticker: the legacy interface has no other list. */
export const decodeMarkets: Decoder<readonly Market[]> = (data, fail) => {
	const entries = Object.entries(expectRecord(data, 'data', fail));
	const namedIn = ([key]: Keyed) => {
		const symbol = isName(key) ? toSymbol(key) : undefined;
		return symbol === undefined ? undefined : {symbol};
	};
	const {data: listed, ...counts} = decodeEntries(entries, decodeMarket, 'data', fail);
	const pairs = splitSymbols(listed.map(({key}) => key));
	const markets = listed.map(({market}, index): Market => ({...market, ...pairs[index]}));
	return withUnreadable(entries, {data: markets, ...counts}, namedIn);
};

const decodeTrade: EntryDecoder<Trade> = (entry, read) => {
	const wire = read.record(entry);
	return {
		id: read.id(wire.tradeId),
		time: read.time(wire.createdOn),
		price: read.price(wire.price),
		quantity: read.quantity(wire.quantity),
	};
};

/** Decodes trades, newest first. The exchange sends them in no strict order, with the id of the executed order. */
export const decodeTrades: Decoder<readonly Trade[]> = (data, fail, asOf) => {
	const {entries, cut} = newestOf(data, 'createdOn', fail);
	const decoded = decodeEntries(entries, decodeTrade, 'data', fail);
	const {data: trades, ...counts} = dropMisdated(decoded, asOf);
	const fills = fillsOfOrders(trades);
	const kept = new Set(trades);
	const besideDropped = keysBeside(
		fills,
		decoded.data.filter(trade => !kept.has(trade)),
	);
	return {data: fills, ...counts, cut, misdated: countMisdated(trades, asOf), besideDropped};
};
