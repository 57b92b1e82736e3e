import {clamp} from '../../market/numbers.ts';
import {sumDecimals} from '../../market/precision.ts';
import {numberedSymbol, sharedName} from '../../market/symbol.ts';
import {compareTrades} from '../../market/tape.ts';
import {
	activeState,
	type Candle,
	type DepthBook,
	type Level,
	largestPage,
	type Market,
	mostLevels,
	type Trade,
	unknownState,
} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';
import type {CandlesOptions} from '../exchange.ts';
import {datedAsNumbered} from './dating.ts';
import {
	type Decoded,
	type Decoder,
	decodeEntries,
	distinct,
	type EntryDecoder,
	expectList,
	expectRecord,
	type Fail,
} from './decode.ts';
import {Fields, isRecord, parseWireTime} from './fields.ts';

/** The `limit` to send: 1 to 1000, or nothing. */
export const toLimit = (limit: number | undefined): number | undefined =>
	limit === undefined || Number.isNaN(limit) ? undefined : clamp(Math.trunc(limit), 1, largestPage);

/** Whether there are candles and all lie in the range (epoch ms) or at most one period outside. `period` in minutes. */
export function respectsRange(
	candles: readonly Candle[],
	{from = -Infinity, to = Infinity, period}: Pick<CandlesOptions, 'from' | 'to' | 'period'>,
): boolean {
	const periodMs = period * minuteMs;
	return candles.length > 0 && candles.every(({time}) => time >= from - periodMs && time <= to + periodMs);
}

/** What can be read of the name of a market whose entry is unreadable. */
export type Named = Pick<Market, 'symbol' | 'base' | 'quote'>;

/** The decoded markets, then those whose entries were dropped although their symbol can be read; one of each symbol. */
export function withUnreadable<Entry>(
	entries: readonly Entry[],
	decoded: Decoded<readonly Market[]>,
	namedIn: (entry: Entry) => Named | undefined,
): Decoded<readonly Market[]> {
	const named = decoded.dropped === 0 ? [] : entries.flatMap(entry => namedIn(entry) ?? []);
	const {data, ...counts} = distinguished(decoded, named);
	const names = new Set(data.map(sharedName));
	const others = distinct(named, ({symbol}) => symbol).filter(({symbol}) => !names.has(symbol));
	const unreadable = others.map(({symbol}): Market => ({symbol, state: unknownState, unreadable: true}));
	// Readable entries come first, so that they are kept.
	return {data: distinct([...data, ...unreadable], market => market.symbol), ...counts};
}

/**
 * One market of each symbol: those whose name means several, by their ids or by the pairs of all entries, are numbered by their ids.
 * Of entries with one id, an active one is kept, and the others count as dropped; where they are of several pairs, it is none of them.
 */
function distinguished(
	{data, ...counts}: Decoded<readonly Market[]>,
	entries: readonly Named[],
): Decoded<readonly Market[]> {
	const byName = Map.groupBy(data, market => market.symbol);
	if (byName.size === data.length && entries.length === 0) return {data, ...counts};
	const namedAlike = Map.groupBy(entries, ({symbol}) => symbol);
	const markets = [...byName].flatMap(([name, alike]): readonly Market[] => {
		const byId = [...Map.groupBy(alike, ({id}) => id).values()];
		const isShared = byId.length > 1 || pairCount([...alike, ...(namedAlike.get(name) ?? [])]) > 1;
		return byId.flatMap(same => {
			const market = merged(same);
			if (!isShared || market?.id === undefined) return market ?? [];
			return {...market, symbol: numberedSymbol(name, market.id), name: market.name ?? name};
		});
	});
	const different = distinct(data, each => JSON.stringify(each));
	return {data: markets, ...counts, dropped: counts.dropped + different.length - markets.length};
}

const pairCount = (markets: readonly Named[]): number =>
	new Set(markets.flatMap(({base, quote}) => (base && quote ? JSON.stringify([base, quote]) : []))).size;

function merged(same: readonly Market[]): Market | undefined {
	const market = same.find(({state}) => state === activeState) ?? same[0];
	return market && pairCount(same) > 1 ? {...market, base: undefined, quote: undefined} : market;
}

type Bounded = {
	readonly entries: readonly unknown[];
	/** How many entries were left out. */
	readonly cut: number;
};

/** The `most` undecoded entries with the lowest ranks, in order. */
export function boundedTo(most: number, entries: readonly unknown[], rankOf: (entry: unknown) => number): Bounded {
	if (entries.length <= most) return {entries, cut: 0};
	const ranks = new Float64Array(entries.length);
	for (const [index, entry] of entries.entries()) ranks[index] = rankOf(entry);
	const sorted = ranks.toSorted();
	const highest = sorted[most - 1] ?? Infinity;
	// Among entries that share the highest rank, the first ones are kept.
	let room = most - sorted.indexOf(highest);
	const kept = entries.filter((_, index) => {
		const rank = ranks[index] ?? Infinity;
		return rank === highest ? room-- > 0 : rank < highest;
	});
	return {entries: kept, cut: entries.length - kept.length};
}

/** The newest 1000 trades or candles of the list at `data`; `field` holds their time. */
export const newestOf = (data: unknown, field: string, fail: Fail): Bounded =>
	boundedTo(
		largestPage,
		expectList(data, 'data', fail),
		entry => -((isRecord(entry) && parseWireTime(entry[field])) || 0),
	);

/**
 * Sorts trades that have ids of their own, newest first, and keeps the first entry of each id. An entry that repeats an id
 * with different contents counts as dropped, and so does one whose time contradicts its id.
 */
export function tradesOfIds(trades: readonly Trade[]): Decoded<Trade[]> {
	const byId = new Map<string, Trade>();
	let dropped = 0;
	for (const trade of trades) {
		const first = byId.get(trade.id);
		if (!first) byId.set(trade.id, trade);
		else if (fillText(first) !== fillText(trade) || first.side !== trade.side) dropped++;
	}

	const data = datedAsNumbered([...byId.values()]).toSorted(compareTrades);
	return {data, dropped: dropped + byId.size - data.length};
}

/**
 * Sorts fills that share the id of their order, newest first. Identical fills are numbered, so that two pages agree on how
 * many there are.
 */
export function fillsOfOrders(trades: readonly Trade[]): Trade[] {
	const counts = new Map<string, number>();
	const fills = trades.map(trade => {
		const text = fillText(trade);
		const before = counts.get(text) ?? 0;
		counts.set(text, before + 1);
		return {...trade, key: before === 0 ? text : `${text} ${before}`};
	});
	return fills.sort(compareTrades);
}

const fillText = ({id, time, price, quantity}: Trade): string => `${id} ${time} ${price} ${quantity}`;

/**
 * Decodes both sides, best first, at most 5000 levels each, one per price: quantities at one price are added. Levels
 * without quantity are skipped and not counted as dropped.
 */
export const decodeBook: Decoder<DepthBook> = (data, fail) => {
	const wire = expectRecord(data, 'data', fail);
	const asks = decodeAsks(wire.asks, fail);
	const bids = decodeSide(wire.bids, 'data.bids', fail, -1);
	return {
		data: {asks: asks.data, bids: bids.data},
		dropped: asks.dropped + bids.dropped,
		rounded: (asks.rounded ?? 0) + (bids.rounded ?? 0),
		cut: asks.cut + bids.cut,
	};
};

/** Decodes the asks alone, as `decodeBook` does. */
export const decodeAsks = (list: unknown, fail: Fail): Side => decodeSide(list, 'data.asks', fail, 1);

type Side = Decoded<readonly Level[]> & {readonly cut: number};

/** `order`: 1 if the lowest price is best, -1 if the highest is. */
function decodeSide(list: unknown, path: string, fail: Fail, order: 1 | -1): Side {
	const fields = new Fields();
	const rankOf = (entry: unknown) => {
		fields.next();
		const [price, quantity] = decodeLevel(entry, fields);
		return !fields.isWrong && quantity > 0 ? price * order : Infinity;
	};
	const {entries, cut} = boundedTo(mostLevels, expectList(list, path, fail), rankOf);
	if (isLadder(entries, order)) return {data: entries, dropped: 0, cut};
	const {data, ...counts} = decodeEntries(entries, decodeLevel, path, fail);
	return {data: toLadder(data, order), ...counts, cut};
}

/** Whether all are levels with a quantity, and each price is worse than the one before: then there is nothing to decode. */
function isLadder(entries: readonly unknown[], order: 1 | -1): entries is readonly Level[] {
	let last = -Infinity;
	for (const entry of entries) {
		if (!isLevel(entry)) return false;
		const rank = entry[0] * order;
		if (rank <= last || entry[1] === 0) return false;
		last = rank;
	}

	return true;
}

/** Adds the quantities at one price: prices may become equal when they are rounded. */
function toLadder(levels: readonly Level[], order: 1 | -1): readonly Level[] {
	const sorted = levels.filter(([, quantity]) => quantity > 0).sort((a, b) => (a[0] - b[0]) * order);
	const byPrice = Map.groupBy(sorted, ([price]) => price);
	return [...byPrice].map(([price, alike]) => [price, sumDecimals(alike.map(([, quantity]) => quantity))]);
}

const decodeLevel: EntryDecoder<Level> = (entry, read) => {
	const [price, quantity]: readonly unknown[] = Array.isArray(entry) ? entry : [];
	return [read.price(price), read.quantity(quantity)];
};

function isLevel(entry: unknown): entry is Level {
	if (!Array.isArray(entry) || entry.length !== 2) return false;
	// Destructured, they would take twice the time.
	const price: unknown = entry[0];
	const quantity: unknown = entry[1];
	if (typeof price !== 'number' || !(price > 0 && price < Infinity)) return false;
	return typeof quantity === 'number' && quantity >= 0 && quantity < Infinity;
}
