import {memo} from '../../../market/memo.ts';
import {pairName} from '../../../market/symbol.ts';
import {activeState, type Market, type Ticker} from '../../../market/types.ts';

/** A market with its ticker, where there is one. */
export type PickerEntry = {readonly market: Market; readonly pair: string; readonly ticker?: Ticker | undefined};

type Named = {readonly market: Market; readonly pair: string};

/** Sorted once for each market list, not for each poll of the tickers. */
const inNameOrder = memo((markets: readonly Market[]): readonly Named[] =>
	markets
		.map(market => ({market, pair: pairName(market)}))
		.sort((a, b) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0)),
);

/** Each market with its ticker, in the order of the names. */
export const entriesOf = memo(
	(markets: readonly Market[], tickers: ReadonlyMap<string, Ticker> | undefined): readonly PickerEntry[] =>
		inNameOrder(markets).map(({market, pair}) => ({market, pair, ticker: tickers?.get(market.symbol)})),
);

/** The exchange's word for the market's state: that of the list, or of the ticker where only that one is not active. */
export const stateOf = ({market, ticker}: PickerEntry): string =>
	market.state === activeState ? (ticker?.state ?? activeState) : market.state;

/** The volume in quote asset at the last price, approximate as most was traded at others. Absent without a base volume. */
const turnoverOf = (ticker: Ticker | undefined): number | undefined =>
	ticker?.last === undefined || ticker.volume === undefined ? undefined : ticker.volume * ticker.last;

/** The number in the volume column: the turnover, or the volume as it is where its unit is unknown. */
export const volumeOf = (ticker: Ticker | undefined): number | undefined =>
	ticker?.volume === undefined ? ticker?.quoteVolume : turnoverOf(ticker);

/** Whether all volumes are in base asset, so that they can be converted to one unit and ranked by it. */
export const isVolumeUnitKnown = memo((entries: readonly PickerEntry[]): boolean =>
	entries.every(({ticker}) => ticker?.volume !== undefined || ticker?.quoteVolume === undefined),
);

/** Ask above bid in basis points of their middle; below 0 where they are crossed. */
export function spreadOf(ticker: Ticker | undefined): number | undefined {
	const {bid, ask} = ticker ?? {};
	return bid === undefined || ask === undefined ? undefined : ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}

export const sortNames = ['volume', 'name', 'change', 'last', 'spread'] as const;
export type SortName = (typeof sortNames)[number];

export type Sort = {
	readonly sort: SortName;
	/** By default names start at A, spreads at the tightest, everything else at the highest. */
	readonly reversed: boolean;
};

/** Whether the lowest come first. */
export const isAscending = ({sort, reversed}: Sort): boolean => (sort === 'name' || sort === 'spread') !== reversed;

/** Quote assets whose unit is close enough to a dollar to rank by; ranking only, never shown. */
const dollars = new Set(['USD', 'USDT', 'USDC', 'BUSD', 'TUSD', 'FDUSD', 'DAI']);

/**
 * The value of one unit of a quote asset in dollars by the exchange's own markets, so that volumes in different quote
 * assets can be ranked. Undefined where no market has it.
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
			// Numbers of an unknown unit can only be ranked as the numbers that they are.
			if (!isVolumeUnitKnown(entries)) return entries.map(({ticker}) => volumeOf(ticker));
			const worth = quoteWorth(entries);
			return entries.map(({market, ticker}) => {
				const turnover = turnoverOf(ticker);
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
	// The sort is stable: equal values stay in the order of their names.
	valued.sort((a, b) => (valueAt(a) - valueAt(b)) * direction);
	const unknown = indexes.filter(index => Number.isNaN(valueAt(index)));
	return [...valued, ...unknown].flatMap(index => entries[index] ?? []);
});

/** `entries`, which are sorted by name, in this order: equal ones keep theirs, unknown values come last in either direction. */
export const ranked = (entries: readonly PickerEntry[], order: Sort): readonly PickerEntry[] =>
	inOrder(entries, order.sort, isAscending(order) ? 1 : -1);
