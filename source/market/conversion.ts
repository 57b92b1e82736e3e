import {memo} from './memo.ts';
import {activeState, type Market, stateOf, type Ticker} from './types.ts';

/** An amount is converted over at most so many markets: with more, the errors of their last prices would add up. */
const mostMarkets = 3;

/** A way to convert an asset, over one market or several. */
export type Path = {
	/** What one unit of the asset is worth at the last prices of these markets. */
	readonly worth: number;
	/** From the asset to the currency; the currency itself has none. */
	readonly steps: readonly Step[];
	/** The lowest turnover of these markets in 24 h. */
	readonly liquidity: number;
};

/** One market on the way: an amount of its base asset is multiplied by its price, one of its quote asset divided. */
type Step = {readonly market: Market; readonly from: 'base' | 'quote'};

/**
 * How each asset converts to `currency`, and what one unit of it is worth, converted at the last prices of at most three of the exchange's own
 * markets, each in either direction. Of several paths, the one counts whose least traded market has the highest turnover; of
 * equal ones the shortest, then the one that `markets` lists first. `currency` itself is worth 1; an asset that no path
 * reaches is left out. Markets of unknown volume, and those that are not active, are used only where there are no others.
 */
export const pathsTo = memo(
	(
		markets: readonly Market[],
		tickers: ReadonlyMap<string, Ticker>,
		currency: string,
		listIsNewer?: boolean,
	): ReadonlyMap<string, Path> => {
		const links = markets.flatMap(market => linkOf(market, tickers.get(market.symbol), listIsNewer) ?? []);
		let paths: ReadonlyMap<string, Path> = new Map([
			[currency, {worth: 1, steps: [], liquidity: Number.POSITIVE_INFINITY}],
		]);
		for (let count = 0; count < mostMarkets; count++) paths = extended(paths, links);
		return paths;
	},
);

/** A market that trades `base` for `quote` at `price`; `volume` is in base asset. */
type Link = {
	readonly market: Market;
	readonly base: string;
	readonly quote: string;
	readonly price: number;
	readonly volume: number;
};

function linkOf(market: Market, ticker: Ticker | undefined, listIsNewer: boolean | undefined): Link | undefined {
	const {base, quote} = market;
	if (!base || !quote || base === quote || !ticker?.last) return undefined;
	const volume = ticker.volume ?? ticker.lastVolume ?? 0;
	return {
		market,
		base,
		quote,
		price: ticker.last,
		volume: stateOf(market, ticker, listIsNewer) === activeState ? volume : 0,
	};
}

/** The best paths over one market more. */
function extended(paths: ReadonlyMap<string, Path>, links: readonly Link[]): ReadonlyMap<string, Path> {
	const longer = new Map(paths);
	const offer = (asset: string, worth: number, turnover: number, step: Step, rest: Path) => {
		const liquidity = Math.min(turnover, rest.liquidity);
		// A hostile price may be too small or too large to convert with.
		const isUsable = worth > 0 && Number.isFinite(worth);
		if (!isUsable || liquidity <= (longer.get(asset)?.liquidity ?? -1)) return;
		longer.set(asset, {worth, steps: [step, ...rest.steps], liquidity});
	};
	for (const {market, base, quote, price, volume} of links) {
		const [ofBase, ofQuote] = [paths.get(base), paths.get(quote)];
		if (ofQuote) {
			offer(base, price * ofQuote.worth, volume * price * ofQuote.worth, {market, from: 'base'}, ofQuote);
		}

		if (ofBase) offer(quote, ofBase.worth / price, volume * ofBase.worth, {market, from: 'quote'}, ofBase);
	}

	return longer;
}
