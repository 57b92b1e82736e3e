import * as z from 'zod';
import {stripControl} from '../../../format/control.ts';
import {splitSymbols} from '../../../market/symbol.ts';
import {activeState, type Market, type Ticker, type Trade} from '../../../market/types.ts';
import {countMisdated, dropMisdated, keysBeside} from '../dating.ts';
import {type Decoder, decodeEntries, entryDecoder, expectRecord, firstOfEach} from '../decode.ts';
import * as field from '../fields.ts';
import {fillsOfOrders, newestOf, withUnreadable} from '../lists.ts';

const tickerEntry = z.tuple([
	field.name,
	z.object({
		percentChange: field.change,
		high24hr: field.tickerPrice,
		// Spelled this way by the exchange.
		higestBid: field.tickerPrice,
		last: field.tickerPrice,
		quoteVolume: field.tickerQuantity,
		isFrozen: z.number(),
		low24hr: field.tickerPrice,
		lowestAsk: field.tickerPrice,
	}),
]);

const decodeTicker = entryDecoder(tickerEntry, ([key, wire]): Ticker | undefined => {
	const symbol = field.toSymbol(key);
	if (!symbol) return undefined;
	return {
		symbol,
		last: field.toPrice(wire.last),
		changePercent: field.toNumber(wire.percentChange),
		high: field.toPrice(wire.high24hr),
		low: field.toPrice(wire.low24hr),
		bid: field.toPrice(wire.higestBid),
		ask: field.toPrice(wire.lowestAsk),
		quoteVolume: field.toNumber(wire.quoteVolume),
		state: toState(wire.isFrozen),
	};
});

const toState = (isFrozen: number): string => (isFrozen === 0 ? activeState : `frozen ${isFrozen}`);

export const decodeTickers: Decoder<readonly Ticker[]> = (data, fail) =>
	firstOfEach(
		decodeEntries(Object.entries(expectRecord(data, 'data', fail)), decodeTicker, 'data', fail),
		({symbol}) => symbol,
	);

const marketEntry = z.tuple([field.name, z.object({isFrozen: z.number()})]);

const decodeMarket = entryDecoder(marketEntry, ([key, {isFrozen}]) => {
	const symbol = field.toSymbol(key);
	const name = field.toName(key);
	const state = toState(isFrozen);
	return symbol ? {key: stripControl(key), market: {symbol, ...(name !== undefined && {name}), state}} : undefined;
});

/** Decodes the market list from the ticker: the legacy interface has no other list. */
export const decodeMarkets: Decoder<readonly Market[]> = (data, fail) => {
	const entries = Object.entries(expectRecord(data, 'data', fail));
	const namedIn = (entry: unknown) => {
		const symbol = Array.isArray(entry) && field.isName(entry[0]) ? field.toSymbol(entry[0]) : undefined;
		return symbol === undefined ? undefined : {symbol};
	};
	const {data: listed, ...counts} = decodeEntries(entries, decodeMarket, 'data', fail);
	const pairs = splitSymbols(listed.map(({key}) => key));
	const markets = listed.map(({market}, index): Market => ({...market, ...pairs[index]}));
	return withUnreadable(entries, {data: markets, ...counts}, namedIn);
};

const tradeEntry = z.object({
	tradeId: field.id,
	price: field.price,
	quantity: field.quantity,
	createdOn: field.time,
});

const decodeTrade = entryDecoder(tradeEntry, (wire): Trade | undefined => {
	const id = field.toId(wire.tradeId);
	const time = field.parseWireTime(wire.createdOn);
	return id === undefined || time === undefined ? undefined : {id, time, price: wire.price, quantity: wire.quantity};
});

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
