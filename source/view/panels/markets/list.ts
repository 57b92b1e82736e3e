import fuzzysort from 'fuzzysort';
import type {HeldAsset} from '../../../market/holdings.ts';
import {memo} from '../../../market/memo.ts';
import {clamp} from '../../../market/numbers.ts';
import {candlesAheadMs, type Past, type PastName, pastFigures, pastNames} from '../../../market/past-figures.ts';
import {pairName} from '../../../market/symbol.ts';
import {activeState, type Market, type Ticker} from '../../../market/types.ts';
import {type Ready, waiting} from '../../../store/resource.ts';
import {isListNewer, type MarketState} from '../../../store/state.ts';
import {type Holdings, heldByAsset} from '../../valuation.ts';
import type {ColumnName} from './columns.ts';
import {currencyOf, entriesOf, entryState, type PickerEntry, ranked, type Sort, type Trails} from './entries.ts';

export type PickerQuery = Sort & {
	readonly filter: string;
	/** Of the volumes; absent: the exchange's usual one. */
	readonly currency?: string | undefined;
	/** Lists only markets of this quote asset; absent: all. */
	readonly quote?: string | undefined;
	readonly activeOnly: boolean;
	readonly favourites: ReadonlySet<string>;
	/** Named lists of symbols, in the user's order. */
	readonly lists: ReadonlyMap<string, ReadonlySet<string>>;
	/** Lists only the markets of this list; absent: all. */
	readonly list?: string | undefined;
	/** Which columns and orders can value. */
	readonly holdings: Holdings;
	/** The columns to show, in order; absent: as many as there is room for, but none of holdings. */
	readonly columns?: readonly ColumnName[] | undefined;
};

const ofHoldings: ReadonlySet<string> = new Set(['holding', 'value', 'profit']);

/** Whether the list shows or is sorted by what the user holds, which changes with each trade. */
export const showsHoldings = ({holdings, sort, columns = []}: PickerQuery): boolean =>
	holdings.size > 0 && [sort, ...columns].some(name => ofHoldings.has(name));

/** The entries with what the user holds of their base assets. */
function withHeld(entries: readonly PickerEntry[], held: ReadonlyMap<string, HeldAsset>): readonly PickerEntry[] {
	return entries.map(entry => {
		const own = held.get(entry.market.base?.toUpperCase() ?? '');
		return own ? {...entry, held: own} : entry;
	});
}

/** The figure from candles that sorts the list; undefined: something else does. */
export const sortedPast = ({sort}: Pick<PickerQuery, 'sort'>): PastName | undefined =>
	pastNames.find(name => name === sort);

/** The figures from candles that are among the columns or sort the list. */
export const pastShown = ({sort, columns = []}: Pick<PickerQuery, 'sort' | 'columns'>): readonly PastName[] =>
	pastNames.filter(name => name === sort || columns.includes(name));

/** The entries with their figures from candles, as of when the tickers were received; unknown for markets that are not active. */
function withPast(
	entries: readonly PickerEntry[],
	tickers: Ready<ReadonlyMap<string, Ticker>>,
	{markets, ...evidence}: Past,
	names: readonly PastName[],
): readonly PickerEntry[] {
	const {receivedAt} = tickers;
	const how = {...evidence, names};
	const time = receivedAt + candlesAheadMs(evidence, tickers);
	return entries.map(entry => {
		const own = markets.get(entry.market.symbol);
		if (!own || entryState(entry) !== activeState) return entry;
		return {...entry, past: pastFigures(own, {price: entry.ticker?.last, receivedAt, time}, how)};
	});
}

/** The text to search in. Like the filter it has no separators, so that any spelling of `BTC/USDT` is found. */
const searchText = (market: Market): string => pairName(market).replace('/', '').toUpperCase();

/** Cached, so that a market list is prepared only once, not for each key. */
const searchable = memo((markets: readonly Market[]) => fuzzysort.snapshot(markets, {key: searchText}));

/** How well a market matches: by base asset (4), the beginning of its name (3) or a part of it (2), else `score`, up to 1. */
function matchOf(market: Market, name: string, text: string, score: number): number {
	if (market.base?.toUpperCase() === text) return 4;
	const at = name.indexOf(text);
	return at === -1 ? score : at === 0 ? 3 : 2;
}

/** How well each market matches. Markets that do not match are left out. */
function matchesOf(markets: readonly Market[], text: string): ReadonlyMap<Market, number> {
	const found = fuzzysort.go(text, searchable(markets), {limit: 0, threshold: 0.3});
	const capitals = text.toUpperCase();
	return new Map(found.map(({obj, target, score}) => [obj, matchOf(obj, target, capitals, score)]));
}

/**
 * The markets that the picker lists, in its order: best match first while filtering, else favourites and the sort. `listIsNewer`:
 * `markets` were received after `tickers`. `added`: adds what the query needs besides these.
 */
export function pickerList(
	markets: readonly Market[],
	tickers: ReadonlyMap<string, Ticker> | undefined,
	trails: Trails,
	query: PickerQuery,
	listIsNewer = false,
	added: (entries: readonly PickerEntry[]) => readonly PickerEntry[] = entries => entries,
): readonly PickerEntry[] {
	const {filter, currency, quote, activeOnly, favourites, lists, list, sort} = query;
	const all = entriesOf(markets, tickers, currencyOf(markets, currency), listIsNewer);
	let entries = ranked(added(all), query, trails);
	if (list !== undefined) entries = entriesIn(entries, lists.get(list) ?? new Set(), query);
	if (quote !== undefined) entries = entries.filter(({market}) => market.quote === quote);
	if (activeOnly) entries = entries.filter(entry => entryState(entry) === activeState);

	const text = filter.replaceAll(/[\s/_-]/g, '');
	if (text) {
		const matches = matchesOf(markets, text);
		const scoreOf = ({market}: PickerEntry) => matches.get(market) ?? 0;
		// Equal matches keep the chosen order.
		return entries.filter(({market}) => matches.has(market)).toSorted((a, b) => scoreOf(b) - scoreOf(a));
	}

	if (favourites.size === 0 || (list !== undefined && sort === 'manual')) return entries;
	const isFavourite = (entry: PickerEntry) => favourites.has(entry.market.symbol);
	return [...entries.filter(isFavourite), ...entries.filter(entry => !isFavourite(entry))];
}

/** The entries of a list, in its own order if that is chosen. */
function entriesIn(entries: readonly PickerEntry[], list: ReadonlySet<string>, {sort, reversed}: Sort): PickerEntry[] {
	const listed = entries.filter(({market}) => list.has(market.symbol));
	if (sort !== 'manual') return listed;
	const places = new Map([...list].map((symbol, place) => [symbol, reversed ? -place : place]));
	const placeOf = ({market}: PickerEntry) => places.get(market.symbol) ?? 0;
	return listed.sort((one, other) => placeOf(one) - placeOf(other));
}

/** The symbol `by` rows below `from`, within the list; the first one when `from` is not listed. */
export function symbolBy(list: readonly PickerEntry[], from: string | undefined, by: number): string | undefined {
	const index = list.findIndex(entry => entry.market.symbol === from);
	if (index === -1) return list[0]?.market.symbol;
	return list[clamp(index + by, 0, list.length - 1)]?.market.symbol;
}

/** The picker's list for a state of the market store; empty before the market list has arrived. */
export function pickerListOf(
	state: Pick<MarketState, 'markets' | 'tickers' | 'priceTrails'> &
		Partial<Pick<MarketState, 'trades' | 'symbol' | 'past'>>,
	query: PickerQuery,
): readonly PickerEntry[] {
	const {markets, tickers, priceTrails} = state;
	if (markets.status !== 'ready') return [];
	const tickersBySymbol = tickers.status === 'ready' ? tickers.data : undefined;
	const {trades = waiting, symbol, past} = state;
	const {holdings, currency} = query;
	const added = (entries: readonly PickerEntry[]) => {
		const names = pastShown(query);
		const isPast = past && tickers.status === 'ready' && names.length > 0;
		const dated = isPast ? withPast(entries, tickers, past, names) : entries;
		return showsHoldings(query) ? withHeld(dated, heldByAsset({...state, trades, symbol}, holdings, currency)) : dated;
	};
	return pickerList(markets.data, tickersBySymbol, priceTrails, query, isListNewer(state), added);
}

/** The symbol under the cursor. Until the cursor moves, that is the selected market or, while filtering, the best match. */
export function cursorOf(
	list: readonly PickerEntry[],
	picker: {readonly filter: string; readonly cursor?: string | undefined},
	selected: string | undefined,
): string | undefined {
	return picker.cursor ?? (picker.filter ? list[0]?.market.symbol : selected);
}
