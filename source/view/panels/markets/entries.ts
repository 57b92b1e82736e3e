import {pathsTo} from '../../../market/conversion.ts';
import type {HeldAsset} from '../../../market/holdings.ts';
import {memo} from '../../../market/memo.ts';
import {type PastFigures, type PastName, pastNames} from '../../../market/past-figures.ts';
import {changeSince} from '../../../market/performance.ts';
import type {PriceTrail} from '../../../market/price-trail.ts';
import {pairName} from '../../../market/symbol.ts';
import {activeState, type Market, stateOf, type Ticker} from '../../../market/types.ts';
import {shareOfRange} from '../ticker/gauge.ts';

/** A market with its ticker, if there is one. */
export type PickerEntry = {
	readonly market: Market;
	readonly pair: string;
	readonly ticker?: Ticker | undefined;
	/** Whether the list was received after the tickers; the same for all entries of a list. Default false. */
	readonly listIsNewer?: boolean | undefined;
	/** What one unit of its quote asset is worth in the currency of the volumes; absent: nothing converts it. */
	readonly worth?: number | undefined;
	/** What the user holds of its base asset; absent: nothing, or no column shows it. */
	readonly held?: HeldAsset | undefined;
	/** Its figures from candles; absent: it has none yet, or no column shows them. */
	readonly past?: PastFigures | undefined;
	/** What its volume is; the same for all entries of a list. Default `now`. */
	readonly basis?: VolumeBasis | undefined;
};

/** Volumes are those of the last 24 hours, the last ones of v2 at the last price, or numbers of unknown unit. */
export type VolumeBasis = 'now' | 'last v2' | 'unknown';

type Named = {readonly market: Market; readonly pair: string};

/** Cached, so that a market list is sorted only once, not for each poll of the tickers. */
const inNameOrder = memo((markets: readonly Market[]): readonly Named[] =>
	markets
		.map(market => ({market, pair: pairName(market)}))
		.sort((a, b) => (a.pair < b.pair ? -1 : a.pair > b.pair ? 1 : 0)),
);

const sortedMarkets = memo((markets: readonly Market[]) => inNameOrder(markets).map(({market}) => market));

/** How each asset converts to `currency`. Cached: the list of markets and its panels ask for the same. */
export const pathsOf = (
	markets: readonly Market[],
	tickers: ReadonlyMap<string, Ticker>,
	currency: string,
	listIsNewer?: boolean,
) => pathsTo(sortedMarkets(markets), tickers, currency, listIsNewer);

export const noTickers: ReadonlyMap<string, Ticker> = new Map();

/** Each market with its ticker, ordered by name. `currency` is that of the volumes. */
export const entriesOf = memo(
	(
		markets: readonly Market[],
		tickers: ReadonlyMap<string, Ticker> | undefined,
		currency: string,
		listIsNewer?: boolean,
	): readonly PickerEntry[] => {
		const paths = pathsOf(markets, tickers ?? noTickers, currency, listIsNewer);
		const named = inNameOrder(markets).map(({market, pair}) => ({market, pair, ticker: tickers?.get(market.symbol)}));
		const basis = volumeBasis(named.flatMap(({ticker}) => ticker ?? []));
		return named.map(entry => ({
			...entry,
			listIsNewer,
			worth: entry.market.quote ? paths.get(entry.market.quote)?.worth : undefined,
			basis,
		}));
	},
);

function volumeBasis(tickers: readonly Ticker[]): VolumeBasis {
	// Volumes in base asset can be converted to one unit.
	if (tickers.every(({volume, quoteVolume}) => volume !== undefined || quoteVolume === undefined)) return 'now';
	return tickers.some(({lastVolume}) => lastVolume !== undefined) ? 'last v2' : 'unknown';
}

/** All quote assets, those with the most markets first. */
export const quotesOf = memo((markets: readonly Market[]): readonly string[] => {
	const counts = new Map<string, number>();
	for (const {quote} of markets) if (quote) counts.set(quote, (counts.get(quote) ?? 0) + 1);
	return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([quote]) => quote);
});

const usualCurrency = 'USDT';

/** The currency of the volumes: the chosen one, else USDT or, if no market has it, the quote asset of the most markets. */
export function currencyOf(markets: readonly Market[], chosen: string | undefined): string {
	if (chosen !== undefined) return chosen;
	const quotes = quotesOf(markets);
	const isTraded = quotes.includes(usualCurrency) || markets.some(({base}) => base === usualCurrency);
	return isTraded ? usualCurrency : (quotes[0] ?? usualCurrency);
}

/** The volume in the currency, at the last price; as it is if its unit is unknown. */
export function volumeOf({ticker, worth, basis}: PickerEntry): number | undefined {
	if (!ticker) return undefined;
	const {last, volume = basis === 'last v2' ? ticker.lastVolume : undefined} = ticker;
	if (volume === undefined) return basis === 'last v2' ? undefined : ticker.quoteVolume;
	return last === undefined || worth === undefined ? undefined : volume * last * worth;
}

/** The exchange's word for the market's state, by the newer of list and ticker. */
export const entryState = ({market, ticker, listIsNewer}: PickerEntry): string => stateOf(market, ticker, listIsNewer);

/** What the volumes of a list are. */
export const basisOf = (entries: readonly PickerEntry[]): VolumeBasis => entries[0]?.basis ?? 'now';

/** The change in 24 hours, in percent; undefined also for a market that is not active, whose state is shown instead. */
export function changeOf(entry: PickerEntry): number | undefined {
	const {ticker} = entry;
	return ticker?.last === undefined || entryState(entry) !== activeState ? undefined : ticker.changePercent;
}

/** The spread in basis points of the mid; below 0 if bid and ask are crossed. */
export function spreadOf(ticker: Ticker | undefined): number | undefined {
	const {bid, ask} = ticker ?? {};
	return bid === undefined || ask === undefined ? undefined : ((ask - bid) / ((ask + bid) / 2)) * 10_000;
}

export const sortNames = [
	...(['volume', 'name', 'change', 'last', 'spread', 'range'] as const),
	...(['high', 'low', 'bid', 'ask', 'age', 'trend', 'holding', 'value', 'profit'] as const),
	...pastNames,
	/** The order in which the user has put the markets of a list. */
	'manual',
] as const;
export type SortName = (typeof sortNames)[number];

export type Sort = {
	readonly sort: SortName;
	/** By default names start at A, spreads at the tightest, ages at the youngest, all else at the highest. */
	readonly reversed: boolean;
};

const ascending: ReadonlySet<SortName> = new Set(['name', 'spread', 'age', 'manual']);

/** Whether the lowest values come first. */
export const isAscending = ({sort, reversed}: Sort): boolean => ascending.has(sort) !== reversed;

/** Price trails by symbol. */
export type Trails = ReadonlyMap<string, PriceTrail>;

type Value = (entry: PickerEntry, trails: Trails) => number | undefined;

/** What markets are sorted by: the figures that their columns show. */
const values: Readonly<Record<Exclude<SortName, 'name' | 'manual'>, Value>> = {
	last: ({ticker}) => ticker?.last,
	change: changeOf,
	spread: ({ticker}) => spreadOf(ticker),
	volume: volumeOf,
	range: ({ticker}) => shareOfRange(ticker?.low, ticker?.high, ticker?.last),
	high: ({ticker}) => ticker?.high,
	low: ({ticker}) => ticker?.low,
	bid: ({ticker}) => ticker?.bid,
	ask: ({ticker}) => ticker?.ask,
	// The later, the younger.
	age: ({market}, trails) => negated(tradeTimeOf(trails.get(market.symbol))),
	trend: ({market}, trails) => trendOf(trails.get(market.symbol)),
	holding: ({held}) => held?.amount,
	value: ({held}) => held?.value,
	profit: ({held}) => held?.profit,
	'1h': pastValue('1h'),
	'4h': pastValue('4h'),
	'7d': pastValue('7d'),
	rvol: pastValue('rvol'),
};

function pastValue(name: PastName): Value {
	return ({past}) => past?.[name];
}

const negated = (value: number | undefined): number | undefined => (value === undefined ? undefined : -value);

/** When a trade showed last, epoch ms; if none did, the start. */
export const tradeTimeOf = (trail: PriceTrail | undefined): number | undefined => trail?.tradedAt ?? trail?.since;

/** The change over the prices of a trail, in percent. */
const trendOf = ({prices}: Pick<PriceTrail, 'prices'> = {prices: []}): number | undefined =>
	changeSince(prices[0], prices.at(-1));

const noTrails: Trails = new Map();
const usesTrails: ReadonlySet<SortName> = new Set(['age', 'trend']);

const inOrder = memo((entries: readonly PickerEntry[], sort: SortName, direction: 1 | -1, trails: Trails) => {
	// A list puts them in its order later.
	if (sort === 'name' || sort === 'manual') return direction === 1 ? entries : entries.toReversed();
	const numbers = Float64Array.from(entries, entry => values[sort](entry, trails) ?? Number.NaN);
	const valueAt = (index: number) => numbers[index] ?? Number.NaN;
	const indexes = Array.from(numbers.keys());
	const valued = indexes.filter(index => !Number.isNaN(valueAt(index)));
	// The sort is stable: equal values stay ordered by name.
	valued.sort((a, b) => (valueAt(a) - valueAt(b)) * direction);
	const unknown = indexes.filter(index => Number.isNaN(valueAt(index)));
	return [...valued, ...unknown].flatMap(index => entries[index] ?? []);
});

/** Sorts `entries`, which are ordered by name. Equal values keep that order; unknown values come last in either direction. */
export const ranked = (entries: readonly PickerEntry[], order: Sort, trails: Trails): readonly PickerEntry[] =>
	inOrder(entries, order.sort, isAscending(order) ? 1 : -1, usesTrails.has(order.sort) ? trails : noTrails);
