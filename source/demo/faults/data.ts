import {listings} from '../listing.ts';
import type {Random} from '../random.ts';

/** Changes the `data` of an answer. */
export type DataChange = (data: unknown, random: Random) => unknown;

const prices: ReadonlySet<string> = new Set([
	...['lastPrice', 'bidPrice', 'askPrice', 'openPrice', 'highPrice', 'lowPrice', 'price'],
	...['open', 'high', 'low', 'close', 'last', 'high24hr', 'low24hr', 'higestBid', 'lowestAsk'],
]);

/** Faults of single entries hit one in this many. */
const everyNth = 3;

const mapEveryThird = (data: unknown, change: (entry: unknown, index: number) => unknown): unknown =>
	mapEntries(data, (entry, index) => (index % everyNth === 0 ? change(entry, index) : entry));

function mapPrices(entry: unknown, change: (price: number) => unknown): unknown {
	const changed = (value: unknown) => (typeof value === 'number' ? change(value) : value);
	if (Array.isArray(entry)) return entry.map((value, index) => (index === 0 ? changed(value) : value));
	return isFields(entry) ? mapFields(entry, (value, name) => (prices.has(name) ? changed(value) : value)) : entry;
}

export const wrongTypes: DataChange = data =>
	mapLeaves(data, leaf => {
		if (typeof leaf === 'string') return leaf.length;
		return leaf === null ? null : String(leaf);
	});

export const emptyLists: DataChange = data => mapLists(data, () => []);

/** Removes a different field from each entry that is hit. */
export const missingFields: DataChange = data =>
	mapEveryThird(data, (entry, index) => {
		const count = isFields(entry) ? Object.keys(entry).length : 2;
		const missing = (index / everyNth) % count;
		const kept = (_: unknown, place: number) => place !== missing;
		if (Array.isArray(entry)) return entry.filter(kept);
		return isFields(entry) ? Object.fromEntries(Object.entries(entry).filter(kept)) : entry;
	});

const unknownWords: Readonly<Record<string, unknown>> = {
	state: 'hibernating',
	side: 'short',
	type: 'perpetual',
	marketType: 'Perpetual',
	isFrozen: 7,
};

export const unknownEnums: DataChange = data =>
	mapEntries(data, entry => (isFields(entry) ? mapFields(entry, (value, name) => unknownWords[name] ?? value) : entry));

export const duplicates: DataChange = data =>
	mapLists(data, entries => entries.flatMap(entry => (isFields(entry[1]) ? [entry, entry] : [entry])));

export const mostEntries = 5500;

/**
 * Extends books with levels farther and farther out, and other lists by repeating the last trade or candle. Lists without a
 * limit stay as they are.
 */
export const moreThanRequested: DataChange = data =>
	mapLists(data, entries => {
		const last = entries.at(-1);
		const [first] = entries;
		if (!first || !last || !(Array.isArray(last[1]) || isPage(last[1]))) return entries;
		const more = Array.from({length: mostEntries - entries.length}, (_, index): typeof last => {
			const [key, value] = last;
			if (!Array.isArray(value) || !Array.isArray(first[1])) return last;
			const outwards = Math.sign(value[0] - first[1][0]) || 1;
			return [key, [value[0] * (1 + (outwards * (index + 1)) / (10 * mostEntries)), value[1]]];
		});
		return [...entries, ...more];
	});

/** Whether it is an entry of trades or candles. */
const isPage = (entry: unknown): boolean =>
	isFields(entry) && ('time' in entry || 'createdOn' in entry || ('open' in entry && 'id' in entry));

export const unsorted: DataChange = (data, random) =>
	mapLists(data, entries =>
		entries
			.map(entry => ({entry, rank: random.uniform()}))
			.toSorted((one, other) => one.rank - other.rank)
			.map(({entry}) => entry),
	);

/** How many levels of each side lie beyond the other side's best. */
const crossedLevels = 3;

/** Crosses books and the best bid and ask of tickers. */
export const crossed: DataChange = data => {
	if (isFields(data) && Array.isArray(data.asks) && Array.isArray(data.bids)) {
		const {asks, bids} = data;
		const across = (levels: readonly unknown[]) => levels.slice(0, crossedLevels).toReversed();
		return {
			asks: [...across(bids), ...asks.slice(crossedLevels)],
			bids: [...across(asks), ...bids.slice(crossedLevels)],
		};
	}

	return mapEntries(data, entry => {
		if (!isFields(entry)) return entry;
		const {bidPrice, askPrice, higestBid, lowestAsk} = entry;
		if (askPrice !== undefined) return {...entry, bidPrice: askPrice, askPrice: bidPrice};
		return lowestAsk === undefined ? entry : {...entry, higestBid: lowestAsk, lowestAsk: higestBid};
	});
};

export const negativePrices: DataChange = data => mapEveryThird(data, entry => mapPrices(entry, price => -price));

export const zeroPrices: DataChange = data => mapEveryThird(data, entry => mapPrices(entry, () => 0));

export const nanText: DataChange = data =>
	mapEveryThird(data, entry => mapLeaves(entry, leaf => (typeof leaf === 'number' ? 'NaN' : leaf)));

/** Inserts `text` into the middle of every string, and of every key that is a symbol. */
export const inEveryString =
	(text: string): DataChange =>
	data => {
		const stained = (word: string) => word.slice(0, word.length >> 1) + text + word.slice(word.length >> 1);
		const changed = mapLeaves(data, leaf => (typeof leaf === 'string' ? stained(leaf) : leaf));
		if (!isFields(changed) || !isKeyed(changed)) return changed;
		return mapLists(changed, entries => entries.map(([key, value]) => [stained(key), value]));
	};

/** Every second market of the list, including BTC/USDT. */
const vanished: ReadonlySet<unknown> = new Set(
	listings.filter((_, index) => index % 2 === 0).map(({symbol}) => symbol),
);

export const isVanished = (symbol: string): boolean => vanished.has(symbol);

export const withoutVanished: DataChange = data =>
	mapLists(data, entries =>
		entries.filter(([key, value]) => {
			const symbol = isFields(value) ? (value.marketName ?? value.symbol) : undefined;
			return !vanished.has(symbol ?? key);
		}),
	);

/** Moves the times of trades and the starts of candles. Candle ids are in seconds. */
export const shiftTimes =
	(shiftMs: number): DataChange =>
	data =>
		mapEntries(data, entry => {
			if (!isFields(entry)) return entry;
			const {time, createdOn, id, open} = entry;
			if (typeof time === 'number') return {...entry, time: time + shiftMs};
			if (typeof createdOn === 'string') return {...entry, createdOn: shiftTimestamp(createdOn, shiftMs)};
			return typeof id === 'number' && open !== undefined ? {...entry, id: id + shiftMs / 1000} : entry;
		});

/** Moves an ISO 8601 text or epoch ms. */
export const shiftTimestamp = (time: unknown, shiftMs: number): unknown =>
	typeof time === 'string'
		? new Date(Date.parse(time) + shiftMs).toISOString().replace('Z', '+00:00')
		: Number(time) + shiftMs;

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const mapFields = (fields: Fields, change: (value: unknown, name: string) => unknown): Fields =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(value, name)]));

/** Changes everything that is neither a list nor an object. */
function mapLeaves(value: unknown, change: (leaf: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map(item => mapLeaves(item, change));
	return isFields(value) ? mapFields(value, item => mapLeaves(item, change)) : change(value);
}

/** An entry of a list, or of an object that is keyed like a list, such as the legacy ticker. */
type Entry = readonly [key: string, value: unknown];

/** Changes the entries of every list in `data`: itself if it is a list, else those that it contains. */
function mapLists(data: unknown, change: (entries: readonly Entry[]) => readonly Entry[]): unknown {
	if (Array.isArray(data)) return change(Object.entries(data)).map(([, value]) => value);
	if (!isFields(data)) return data;
	if (isKeyed(data)) return Object.fromEntries(change(Object.entries(data)));
	return mapFields(data, value => (Array.isArray(value) ? mapLists(value, change) : value));
}

/** Changes every entry of every list in `data`; data without a list is its one entry. */
function mapEntries(data: unknown, change: (entry: unknown, index: number) => unknown): unknown {
	const listed = isFields(data) && (isKeyed(data) || Object.values(data).some(Array.isArray));
	if (!Array.isArray(data) && !listed) return change(data, 0);
	return mapLists(data, entries => entries.map(([key, value], index) => [key, change(value, index)]));
}

/** Whether an object is keyed like a list: all its values are objects. */
function isKeyed(data: Fields): boolean {
	const values = Object.values(data);
	return values.length > 0 && values.every(isFields);
}
