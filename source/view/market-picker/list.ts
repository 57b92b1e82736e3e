import fuzzysort from 'fuzzysort';
import {pairName} from '../../market/symbol.ts';
import type {Market, Ticker} from '../../market/types.ts';
import type {MarketState} from '../../store/state.ts';

export const sortNames = ['volume', 'name', 'change', 'price'] as const;
export type SortName = (typeof sortNames)[number];

/** A market with its ticker, where there is one. */
export type PickerEntry = {readonly market: Market; readonly pair: string; readonly ticker?: Ticker | undefined};

/** Quote assets whose unit is close enough to a dollar to rank by; ranking only, never shown. */
const dollars = new Set(['USD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'FDUSD', 'DAI']);

/**
 * What one unit of a quote asset is worth in dollars by the exchange's own markets, so that volumes in different
 * quote assets can be ranked against each other. Undefined where no market tells.
 */
function quoteWorth(entries: readonly PickerEntry[]): (quote: string | undefined) => number | undefined {
	const worth = new Map<string, number>();
	for (const {market, ticker} of entries) {
		const {base, quote} = market;
		if (!base || !quote) continue;
		if (dollars.has(quote) && ticker?.last && !worth.has(base)) worth.set(base, ticker.last);
		// A fiat quote is found the other way round: USDT/TRY at 34 makes a lira 1/34.
		if (dollars.has(base) && ticker?.last && !worth.has(quote)) worth.set(quote, 1 / ticker.last);
	}

	return quote => (quote === undefined ? undefined : dollars.has(quote) ? 1 : worth.get(quote));
}

/** Highest first, unknown last; `undefined` sorts below every number. */
const descending = (a: number | undefined, b: number | undefined): number =>
	(b ?? Number.NEGATIVE_INFINITY) - (a ?? Number.NEGATIVE_INFINITY) || 0;

/** In quote asset. Where the interface tells no volume in base asset, its quote volume is taken by its name. */
function turnoverOf(ticker: Ticker | undefined): number | undefined {
	if (ticker?.last === undefined) return undefined;
	return ticker.volume === undefined ? ticker.quoteVolume : ticker.volume * ticker.last;
}

function ranked(entries: readonly PickerEntry[], sort: SortName): readonly PickerEntry[] {
	const byName = (a: PickerEntry, b: PickerEntry) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0);
	if (sort === 'name') return entries.toSorted(byName);
	const worth = quoteWorth(entries);
	const value = ({market, ticker}: PickerEntry): number | undefined => {
		if (sort === 'price') return ticker?.last;
		if (sort === 'change') return ticker?.last === undefined ? undefined : ticker.changePercent;
		const turnover = turnoverOf(ticker);
		const unit = worth(market.quote);
		return turnover === undefined || unit === undefined ? undefined : turnover * unit;
	};
	const values = new Map(entries.map(entry => [entry, value(entry)]));
	return entries.toSorted((a, b) => descending(values.get(a), values.get(b)) || byName(a, b));
}

export type PickerQuery = {
	readonly filter: string;
	readonly sort: SortName;
	readonly favourites: ReadonlySet<string>;
};

/** How well a market matches: its base asset, the beginning of its name, a part of its name (4 to 2), else `score`, up to 1. */
function matchOf({market}: PickerEntry, name: string, wanted: string, score: number): number {
	if (market.base?.toUpperCase() === wanted) return 4;
	const at = name.toUpperCase().indexOf(wanted);
	return at === -1 ? score : at === 0 ? 3 : 2;
}

/** The markets that the picker lists, in its order: best match first while filtering, else favourites and the sort. */
export function pickerList(
	markets: readonly Market[],
	tickers: ReadonlyMap<string, Ticker> | undefined,
	{filter, sort, favourites}: PickerQuery,
): readonly PickerEntry[] {
	const entries: readonly PickerEntry[] = markets.map(market => ({
		market,
		pair: pairName(market),
		ticker: tickers?.get(market.symbol),
	}));
	const wanted = filter.replaceAll(/[\s/_-]/g, '');
	if (wanted) {
		// `BTC/USDT` is found by any of its spellings, so both sides lose their separators.
		const nameOf = (entry: PickerEntry) => entry.pair.replace('/', '');
		const found = fuzzysort.go(wanted, entries, {key: nameOf, limit: 0, threshold: 0.3});
		const matches = new Map(found.map(({obj, score}) => [obj, matchOf(obj, nameOf(obj), wanted.toUpperCase(), score)]));
		// What matches equally well stays in the chosen order.
		return ranked(entries, sort)
			.filter(entry => matches.has(entry))
			.toSorted((a, b) => descending(matches.get(a), matches.get(b)));
	}

	const sorted = ranked(entries, sort);
	if (favourites.size === 0) return sorted;
	const isFavourite = (entry: PickerEntry) => favourites.has(entry.market.symbol);
	return [...sorted.filter(isFavourite), ...sorted.filter(entry => !isFavourite(entry))];
}

/** The symbol `by` rows further in the list, staying inside it; the first one when `from` is not listed. */
export function symbolBy(list: readonly PickerEntry[], from: string | undefined, by: number): string | undefined {
	const index = list.findIndex(entry => entry.market.symbol === from);
	if (index === -1) return list[0]?.market.symbol;
	return list[Math.min(Math.max(index + by, 0), list.length - 1)]?.market.symbol;
}

/** The same from what is known now: nothing before the market list has arrived. */
export function pickerListOf(
	{markets, tickers}: Pick<MarketState, 'markets' | 'tickers'>,
	query: PickerQuery,
): readonly PickerEntry[] {
	if (markets.status !== 'ready') return [];
	return pickerList(markets.data, tickers.status === 'ready' ? tickers.data : undefined, query);
}

/** The symbol under the cursor. Until it is moved: the market that is shown, while filtering the best match. */
export function cursorOf(
	list: readonly PickerEntry[],
	picker: {readonly filter: string; readonly cursor?: string | undefined},
	selected: string | undefined,
): string | undefined {
	return picker.cursor ?? (picker.filter ? list[0]?.market.symbol : selected);
}
