import type {Path} from './conversion.ts';
import {DecimalSum, decimalsOf, roundDecimals, sumDecimals} from './precision.ts';
import type {Market, Ticker} from './types.ts';

/** An amount of an asset that a person has. */
export type Holding = {
	/** In capitals. */
	readonly asset: string;
	/** In units of the asset, above 0. */
	readonly amount: number;
	/** What one unit cost, in units of `quote`; absent: unknown. */
	readonly cost?: {readonly price: number; readonly quote: string} | undefined;
};

/** More than anybody holds; the total of all is computed for each trade. */
export const mostHoldings = 500;

/** What a value is computed from. */
export type ValueSource = {
	/** The last trade of the market on screen, or tickers. */
	readonly type: 'trade' | 'ticker';
	/** Symbols of the markets that convert the asset, in order; none: it is the currency itself. */
	readonly markets: readonly string[];
	/** When the oldest of these prices was received, epoch ms; absent: the currency itself has no age. */
	readonly receivedAt?: number | undefined;
};

/** What a holding is worth, in units of the currency of its `Valuation`. */
export type HeldAsset = Holding & {
	/** Of one unit. This and the next two are absent if no market converts the asset, or the value is too large to be a number. */
	readonly price?: number | undefined;
	readonly value?: number | undefined;
	readonly source?: ValueSource | undefined;
	/** Share of the total, 0 to 1. */
	readonly share?: number | undefined;
	/** Value minus cost, at today's price of the cost's quote asset; absent: the cost is unknown, or no market converts it. */
	readonly profit?: number | undefined;
	/** `profit` in percent of the cost. */
	readonly profitPercent?: number | undefined;
};

export type Valuation = {
	readonly currency: string;
	/** Highest value first, then those without a value by name. */
	readonly assets: readonly HeldAsset[];
	/** The sum of the values; absent: no holding has one. */
	readonly total?: number | undefined;
	/** The sum of the profits; absent: no holding has one. */
	readonly profit?: number | undefined;
};

export type Prices = {
	readonly currency: string;
	/** By asset. */
	readonly paths: ReadonlyMap<string, Path>;
	readonly tickers: ReadonlyMap<string, Ticker>;
	/** When the tickers were received, epoch ms. */
	readonly tickersAt: number;
	/** The last trade of the market on screen, which is newer than its ticker; absent: none is known. */
	readonly lastTrade?: {readonly market: Market; readonly price: number; readonly receivedAt: number} | undefined;
};

/** Values each holding at the last trade of the market on screen where that converts it, else at the tickers. */
export function valuationOf(holdings: Iterable<Holding>, prices: Prices): Valuation {
	const {currency} = prices;
	const byCapitals = new Map([...prices.paths].map(([asset, path]) => [asset.toUpperCase(), path]));
	const pricedAt = (name: string) => {
		const asset = name.toUpperCase();
		const path = byCapitals.get(asset);
		return tradePriced(asset, prices) ?? (path && pathPriced(path, prices));
	};
	const valued = [...holdings].map((holding): HeldAsset => {
		const {asset, amount, cost} = holding;
		const priced = pricedAt(asset);
		if (!priced) return holding;
		const value = product(amount, priced.price);
		if (!Number.isFinite(value)) return holding;
		const costPrice = cost && pricedAt(cost.quote)?.price;
		const paid = cost && costPrice !== undefined ? product(product(amount, cost.price), costPrice) : undefined;
		if (!paid || !Number.isFinite(paid)) return {...holding, ...priced, value};
		const profit = sumDecimals([value, -paid]);
		return {...holding, ...priced, value, profit, profitPercent: (profit / paid) * 100};
	});
	const total = sumOf(valued.map(({value}) => value));
	const assets = valued
		.map(held => (held.value === undefined || !total ? held : {...held, share: held.value / total}))
		.sort((a, b) => (b.value ?? -1) - (a.value ?? -1) || (a.asset < b.asset ? -1 : 1));
	return {currency, assets, total, profit: sumOf(valued.map(({profit}) => profit))};
}

type Priced = {readonly price: number; readonly source: ValueSource};

/** The last trade of a market of the asset and the currency; undefined: that is not on screen. */
function tradePriced(asset: string, {currency, lastTrade}: Prices): Priced | undefined {
	if (!lastTrade) return undefined;
	const {market, price, receivedAt} = lastTrade;
	const [base, quote] = [market.base?.toUpperCase(), market.quote?.toUpperCase()];
	const source: ValueSource = {type: 'trade', markets: [market.symbol], receivedAt};
	if (base === asset && quote === currency.toUpperCase()) return {price, source};
	return quote === asset && base === currency.toUpperCase() ? {price: 1 / price, source} : undefined;
}

/** The tickers of a path, one of which the last trade on screen may replace. */
function pathPriced({worth, steps}: Path, {lastTrade, tickers, tickersAt}: Prices): Priced {
	const markets = steps.map(({market}) => market.symbol);
	const step = steps.find(({market}) => market.symbol === lastTrade?.market.symbol);
	const last = step && tickers.get(step.market.symbol)?.last;
	if (!lastTrade || !last) {
		return {price: worth, source: {type: 'ticker', markets, receivedAt: steps.length > 0 ? tickersAt : undefined}};
	}

	const change = lastTrade.price / last;
	const price = step.from === 'base' ? worth * change : worth / change;
	return {price, source: {type: 'ticker', markets, receivedAt: Math.min(tickersAt, lastTrade.receivedAt)}};
}

/** Without the rounding error of the binary product. */
const product = (a: number, b: number): number => roundDecimals(a * b, decimalsOf(a) + decimalsOf(b));

function sumOf(values: ReadonlyArray<number | undefined>): number | undefined {
	const summed = values.filter(value => value !== undefined);
	return summed.length > 0 ? summed.reduce((sum, value) => sum.add(value), new DecimalSum()).total : undefined;
}
