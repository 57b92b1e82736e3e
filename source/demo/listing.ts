/** A market of the demo exchange. The 48 markets differ in price, precision, tempo and volatility. */
export type Listing = {
	/** The exchange's numeric market id. */
	readonly id: number;
	/** Concatenated, e.g. `BTCUSDT`. */
	readonly symbol: string;
	readonly base: string;
	readonly quote: string;
	/** The price that the market stays around over the years, in quote asset. */
	readonly price: number;
	/** A tick is 10^-priceDecimals of the quote asset. */
	readonly priceDecimals: number;
	/** A lot is 10^-quantityDecimals of the base asset. */
	readonly quantityDecimals: number;
	/** Mean market orders per second. */
	readonly tempo: number;
	/** Mean quantity of a market order, in base asset. */
	readonly orderQuantity: number;
	/** Relative deviation of the price over a week. */
	readonly weeklyVolatility: number;
	/** Typical number of resting orders on each side. */
	readonly restingOrders: number;
	/** Share of bids among limit orders; 0 leaves the bid side empty. */
	readonly bidShare: number;
	/** `halted`: stopped some hours before the demo starts, its book frozen. */
	readonly state: 'active' | 'halted';
};

type Temper = 'calm' | 'usual' | 'wild' | 'pegged';
const weeklyVolatility: Readonly<Record<Temper, number>> = {pegged: 0.0004, calm: 0.03, usual: 0.07, wild: 0.14};

/** Mean value of a market order in each quote asset: about 400 dollars everywhere. */
const orderWorth: Readonly<Record<string, number>> = {USDT: 400, EUR: 370, TRY: 14_000, BTC: 0.0065, ETH: 0.15};

type Row = readonly [
	pair: string,
	price: number,
	priceDecimals: number,
	quantityDecimals: number,
	tempo: number,
	temper?: Temper,
	special?: Partial<Pick<Listing, 'bidShare' | 'state'>>,
];

const rows: readonly Row[] = [
	['BTC/USDT', 61_824, 2, 5, 6, 'usual'],
	['ETH/USDT', 2_682.8, 2, 4, 2.5, 'usual'],
	['SOL/USDT', 151.2, 2, 3, 1.8, 'usual'],
	['BNB/USDT', 519.4, 1, 3, 0.8, 'calm'],
	['XRP/USDT', 0.6123, 4, 0, 1.1, 'usual'],
	['DOGE/USDT', 0.1003, 5, 0, 0.9, 'wild'],
	['ADA/USDT', 0.3391, 4, 1, 0.5, 'usual'],
	['TRX/USDT', 0.1271, 4, 1, 0.35, 'calm'],
	['TON/USDT', 5.102, 3, 2, 0.4, 'usual'],
	['AVAX/USDT', 21.9, 2, 2, 0.3, 'usual'],
	['SHIB/USDT', 0.000_013_71, 8, 0, 0.7, 'wild'],
	['PEPE/USDT', 0.000_007_84, 10, 0, 0.6, 'wild'],
	['BONK/USDT', 0.000_018_35, 8, 0, 0.2, 'wild'],
	['LINK/USDT', 10.31, 2, 2, 0.25, 'usual'],
	['DOT/USDT', 4.611, 3, 2, 0.22, 'usual'],
	['LTC/USDT', 60.41, 2, 3, 0.3, 'usual'],
	['UNI/USDT', 6.01, 3, 2, 0.14, 'usual'],
	['ATOM/USDT', 4.402, 3, 2, 0.12, 'usual'],
	['NEAR/USDT', 3.914, 3, 1, 0.16, 'wild'],
	['AAVE/USDT', 98.4, 2, 3, 0.1, 'usual'],
	['XLM/USDT', 0.1011, 4, 0, 0.12, 'usual'],
	['ICP/USDT', 7.31, 3, 2, 0.08, 'usual'],
	['ETC/USDT', 18.92, 2, 2, 0.08, 'usual'],
	['FIL/USDT', 3.702, 3, 2, 0.06, 'usual'],
	['USDC/USDT', 1.0001, 4, 0, 0.5, 'pegged'],
	['PAXG/USDT', 2_431, 0, 4, 0.03, 'calm'],
	['XEC/USDT', 0.000_031_2, 8, 0, 0.05, 'wild'],
	['MIR/USDT', 0.021, 4, 1, 0.02, 'wild', {state: 'halted'}],
	['OMNI/USDT', 7.2, 2, 2, 0.002, 'wild', {bidShare: 0}],
	['ETH/BTC', 0.0434, 5, 4, 0.5, 'calm'],
	['SOL/BTC', 0.002_446, 7, 2, 0.15, 'usual'],
	['LTC/BTC', 0.000_977, 6, 3, 0.08, 'usual'],
	['XRP/BTC', 0.000_009_9, 8, 0, 0.1, 'usual'],
	['ADA/BTC', 0.000_005_48, 8, 0, 0.05, 'usual'],
	['LINK/BTC', 0.000_166_8, 7, 2, 0.04, 'usual'],
	['LUNC/BTC', 0.000_000_001_456, 12, 0, 0.05, 'wild'],
	['VET/BTC', 0.000_000_36, 8, 0, 0.06, 'wild'],
	['BNB/ETH', 0.1936, 4, 3, 0.05, 'calm'],
	['LINK/ETH', 0.003_843, 6, 2, 0.03, 'usual'],
	['PEPE/ETH', 0.000_000_002_92, 12, 0, 0.04, 'wild'],
	['BTC/EUR', 56_610, 0, 5, 0.7, 'usual'],
	['ETH/EUR', 2_456.5, 1, 4, 0.4, 'usual'],
	['SOL/EUR', 138.4, 2, 3, 0.15, 'usual'],
	['EUR/USDT', 1.092, 4, 1, 0.25, 'calm'],
	['BTC/TRY', 2_073_400, 0, 5, 0.35, 'usual'],
	['ETH/TRY', 89_970, 0, 4, 0.25, 'usual'],
	['USDT/TRY', 33.52, 2, 0, 0.45, 'calm'],
	['AVAX/TRY', 734.6, 1, 2, 0.06, 'usual'],
];

function listing(row: Row, index: number): Listing {
	const [pair, price, priceDecimals, quantityDecimals, tempo, temper = 'usual', special] = row;
	const [base = '', quote = ''] = pair.split('/');
	return {
		id: 101 + index,
		symbol: base + quote,
		base,
		quote,
		price,
		priceDecimals,
		quantityDecimals,
		tempo,
		orderQuantity: (orderWorth[quote] ?? 1) / price,
		weeklyVolatility: weeklyVolatility[temper],
		restingOrders: Math.round(Math.min(170, 90 + 40 * Math.log10(tempo * 10))),
		bidShare: 0.5,
		state: 'active',
		...special,
	};
}

/** In the exchange's own order: by quote asset, then by id. */
export const listings: readonly Listing[] = rows.map(listing);
