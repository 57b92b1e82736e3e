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
export const turnoverOf = (ticker: Ticker | undefined): number | undefined =>
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
