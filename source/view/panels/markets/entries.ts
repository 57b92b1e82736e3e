import {memo} from '../../../market/memo.ts';
import {pairName} from '../../../market/symbol.ts';
import type {Market, Ticker} from '../../../market/types.ts';

/** A market with its ticker, if there is one. */
export type PickerEntry = {readonly market: Market; readonly pair: string; readonly ticker?: Ticker | undefined};

type Named = {readonly market: Market; readonly pair: string};

/** Cached, so that a market list is sorted only once, not for each poll of the tickers. */
const inNameOrder = memo((markets: readonly Market[]): readonly Named[] =>
	markets
		.map(market => ({market, pair: pairName(market)}))
		.sort((a, b) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0)),
);

/** Each market with its ticker, ordered by name. */
export const entriesOf = memo(
	(markets: readonly Market[], tickers: ReadonlyMap<string, Ticker> | undefined): readonly PickerEntry[] =>
		inNameOrder(markets).map(({market, pair}) => ({market, pair, ticker: tickers?.get(market.symbol)})),
);

/** `volume` in quote asset at the last price, which is approximate. Undefined without a base volume. */
const turnoverOf = (ticker: Ticker | undefined, volume = ticker?.volume): number | undefined =>
	ticker?.last === undefined || volume === undefined ? undefined : volume * ticker.last;

/** The number in the volume column: the turnover, or the volume unconverted if its unit is unknown. */
export const volumeOf = (ticker: Ticker | undefined): number | undefined =>
	ticker?.volume === undefined ? ticker?.quoteVolume : turnoverOf(ticker);

/** Whether all volumes are in base asset, so that they can be converted to one unit. */
export const isVolumeUnitKnown = memo((entries: readonly PickerEntry[]): boolean =>
	entries.every(({ticker}) => ticker?.volume !== undefined || ticker?.quoteVolume === undefined),
);

/** Whether volumes of unknown unit are ranked by the last ones of v2. */
export const isRankedByLastVolume = memo((entries: readonly PickerEntry[]): boolean =>
	entries.some(({ticker}) => ticker?.lastVolume !== undefined),
);

/** The spread in basis points of the mid; below 0 if bid and ask are crossed. */
export function spreadOf(ticker: Ticker | undefined): number | undefined {
	const {bid, ask} = ticker ?? {};
	return bid === undefined || ask === undefined ? undefined : ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}

export const sortNames = ['volume', 'name', 'change', 'last', 'spread'] as const;
export type SortName = (typeof sortNames)[number];

export type Sort = {
	readonly sort: SortName;
	/** By default names start at A, spreads at the tightest, all else at the highest. */
	readonly reversed: boolean;
};

/** Whether the lowest values come first. */
export const isAscending = ({sort, reversed}: Sort): boolean => (sort === 'name' || sort === 'spread') !== reversed;

/** Quote assets close enough to a dollar for ranking; the values are never shown. */
const dollars = new Set(['USD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'FDUSD', 'DAI']);

/**
 * The value of one unit of a quote asset in dollars, from the exchange's own markets, so that volumes in different quote
 * assets can be ranked. Undefined if no market has it.
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

function valuesOf(entries: readonly PickerEntry[], sort: Exclude<SortName, 'name'>): ReadonlyArray<number | undefined> {
	switch (sort) {
		case 'last':
			return entries.map(({ticker}) => ticker?.last);
		case 'change':
			return entries.map(({ticker}) => (ticker?.last === undefined ? undefined : ticker.changePercent));
		case 'spread':
			return entries.map(({ticker}) => spreadOf(ticker));
		case 'volume': {
			// Numbers in unknown units can only be ranked as plain numbers, or as those before them.
			if (!isVolumeUnitKnown(entries) && !isRankedByLastVolume(entries))
				return entries.map(({ticker}) => volumeOf(ticker));
			const worth = quoteWorth(entries);
			return entries.map(({market, ticker}) => {
				const turnover = turnoverOf(ticker, ticker?.volume ?? ticker?.lastVolume);
				const unit = worth(market.quote);
				return turnover === undefined || unit === undefined ? undefined : turnover * unit;
			});
		}
	}
}

const inOrder = memo((entries: readonly PickerEntry[], sort: SortName, direction: 1 | -1) => {
	if (sort === 'name') return direction === 1 ? entries : entries.toReversed();
	const values = Float64Array.from(valuesOf(entries, sort), value => value ?? Number.NaN);
	const valueAt = (index: number) => values[index] ?? Number.NaN;
	const indexes = Array.from(values.keys());
	const valued = indexes.filter(index => !Number.isNaN(valueAt(index)));
	// The sort is stable: equal values stay ordered by name.
	valued.sort((a, b) => (valueAt(a) - valueAt(b)) * direction);
	const unknown = indexes.filter(index => Number.isNaN(valueAt(index)));
	return [...valued, ...unknown].flatMap(index => entries[index] ?? []);
});

/** Sorts `entries`, which are ordered by name. Equal values keep that order; unknown values come last in either direction. */
export const ranked = (entries: readonly PickerEntry[], order: Sort): readonly PickerEntry[] =>
	inOrder(entries, order.sort, isAscending(order) ? 1 : -1);
