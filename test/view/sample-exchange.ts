import {decimalsOf} from '../../source/market/precision.ts';
import {
	activeState,
	type Candle,
	type ExchangeInfo,
	type Market,
	type Ticker,
	type Trade,
} from '../../source/market/types.ts';
import {walk} from '../helpers/candles.ts';
import type {FakeExchange} from '../helpers/fake-exchange.ts';
import {info} from '../store/samples.ts';
import {type BookShape, bitcoin, makeBook, shiba, tiny} from './panels/book/books.ts';
import {makeTape} from './panels/tape/tapes.ts';

/** The second at which `makeTape` has its newest trade. */
export const sampleTime = Date.UTC(2024, 7, 8, 23, 54, 59);
const candleTime = Date.UTC(2024, 7, 8, 23);

type Listing = readonly [pair: string, last: number | undefined, percent: number, volume: number, state?: string];

/** As an exchange lists them, not as the picker does. */
const listings: readonly Listing[] = [
	['ADA/USDT', 0.3391, 0.2, 61_000_000],
	['ATOM/USDT', 4.402, -0.9, 900_000],
	['AVAX/USDT', 21.9, 2.2, 640_000],
	['BAT/BTC', 0.0000027, -0.1, 410_000],
	['BNB/USDT', 519.4, 0.4, 330_000],
	['BTC/USDT', 61_822.4, -0.02, 48_201],
	['DOGE/USDT', 0.1003, 4.2, 700_000_000],
	['DOT/USDT', 4.611, -0.4, 3_300_000],
	['DUST/BTC', 0.0000000058, -31.25, 2_000_000],
	['EOS/BTC', 0.0000081, -0.2, 1_200_000],
	['ETC/BTC', 0.000302, -0.1, 22_000],
	['ETH/BTC', 0.04339, 1.23, 41_000],
	['ETH/USDT', 2682.82, 1.21, 412_000],
	['HALT/USDT', 1.5, 0, 12_000, 'halted'],
	['ICX/BTC', 0.0000021, 0, 90_000],
	['LINK/BTC', 0.000171, -2.1, 130_000],
	['LTC/BTC', 0.000964, 0.01, 31_000],
	['MOON/USDT', 0.01234, 19_675.31, 1_000_000],
	['NEO/USDT', 10.11, 0.3, 210_000],
	['NEW/USDT', undefined, 0, 0],
	['ONT/USDT', 0.1811, 0.6, 2_400_000],
	['PEPE/USDT', 0.0000075, -7.5, 9_000_000_000_000],
	['QTUM/BTC', 0.00003, 0.4, 81_000],
	['SHIB/USDT', 0.0000137, 19.44, 30_000_000_000_000],
	['SOL/USDT', 151.2, 3.12, 5_100_000],
	['TON/USDT', 5.102, -0.3, 8_000_000],
	['TRX/USDT', 0.1271, 0.3, 410_000_000],
	['UNI/USDT', 6.01, 0.8, 2_200_000],
	['VET/BTC', 0.00000036, -0.6, 9_900_000],
	['WAVES/BTC', 0.000015, -0.5, 61_000],
	['XLM/USDT', 0.1011, 0.2, 72_000_000],
	['XRP/USDT', 0.6123, -1.1, 410_000_000],
	['XTZ/USDT', 0.6611, 1.2, 1_100_000],
	['ZRX/BTC', 0.0000041, 0.1, 310_000],
];

/** Up from 0.00006 within a day. */
const moon: BookShape = {
	ask: 1235,
	bid: 1234,
	priceDecimals: 5,
	quantityDecimals: 0,
	levels: 60,
	apart: 3,
	scale: 5_000_000,
};

const shapes: Readonly<Record<string, BookShape>> = {BTCUSDT: bitcoin, SHIBUSDT: shiba, DUSTBTC: tiny, MOONUSDT: moon};
const shapeOf = (symbol: string | undefined): BookShape => shapes[symbol ?? ''] ?? bitcoin;

const symbolOf = (pair: string) => pair.replace('/', '');

const markets = listings.map(([pair, , , , state = activeState], index): Market => {
	const [base, quote] = pair.split('/');
	return {symbol: symbolOf(pair), id: String(index + 1), base, quote, state, type: 'Spot'};
});

const tickers = listings.map(([pair, last, changePercent, volume, state = activeState]): Ticker => {
	const symbol = symbolOf(pair);
	if (last === undefined) return {symbol, state};
	const places = decimalsOf(last);
	const round = (value: number) => Number(value.toFixed(places));
	const open = last / (1 + changePercent / 100);
	return {
		symbol,
		last,
		change: round(last - open),
		changePercent,
		open: round(open),
		high: round(Math.max(last, open) * 1.015),
		low: round(Math.min(last, open) * 0.963),
		bid: last,
		bidQuantity: 3,
		ask: last,
		askQuantity: 7,
		volume,
		state,
	};
});

function tradesOf(symbol: string | undefined): readonly Trade[] {
	const {ask: price, priceDecimals, quantityDecimals, scale} = shapeOf(symbol);
	return makeTape({price, priceDecimals, quantityDecimals, scale, trades: 120}).trades;
}

/** A walk that ends at the price of the newest trade. */
function candlesOf(symbol: string | undefined, period: number): readonly Candle[] {
	const {priceDecimals: decimals} = shapeOf(symbol);
	const end = tradesOf(symbol)[0]?.price ?? 1;
	const {candles} = walk({count: 300, price: end, decimals, volatility: 0.006, newest: candleTime, period});
	const factor = end / (candles.at(-1)?.close ?? end);
	const moved = (price: number) => Number(Math.max(price * factor, 10 ** -decimals).toFixed(decimals));
	return candles.map(({time, open, high, low, close, volume}) => ({
		time,
		open: moved(open),
		high: moved(high),
		low: moved(low),
		close: moved(close),
		volume,
	}));
}

export const sampleInfo: ExchangeInfo = {
	...info,
	name: 'Sample Exchange',
	description: 'A spot exchange for tests',
	location: 'Nowhere',
	logo: 'https://sample.example/logo.png',
	website: 'https://sample.example',
	version: '2.0',
};

/** Answers as a lively exchange does: BTC/USDT, SHIB/USDT with large quantities, DUST/BTC of 1e-9 without any bids. */
export const sampleScript: FakeExchange['script'] = {
	info: () => sampleInfo,
	markets: () => markets,
	tickers: () => tickers,
	depth({symbol}) {
		const book = makeBook(shapeOf(symbol));
		return symbol === 'DUSTBTC' ? {...book, bids: []} : book;
	},
	trades: ({symbol}) => tradesOf(symbol),
	candles: ({symbol, options}) => candlesOf(symbol, options.period ?? 60),
};
