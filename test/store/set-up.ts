import type {InterfaceChoice} from '../../source/client/exchange.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import type {MarketState, MarketStore} from '../../source/store/state.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {book, candle, info, market, ticker, trade} from './samples.ts';

export const hour = 3_600_000;
export const startTime = Date.UTC(2026, 0, 1, 12, 30);

type SetUp = {
	readonly clock: FakeClock;
	readonly exchange: FakeExchange;
	readonly store: MarketStore;
	/** What the store shows now. */
	now(): MarketState;
	/** Times of the calls, ms after the start. */
	times(name: keyof FakeExchange['calls']): readonly number[];
};

/** A store on a fake clock and an exchange that leaves every call open. */
export function setUp(options: {symbol?: string; choice?: InterfaceChoice} = {}): SetUp {
	const clock = createFakeClock(startTime);
	const exchange = createFakeExchange(clock);
	const store = createMarketStore({exchange, clock, random: () => 0, ...options});
	return {
		clock,
		exchange,
		store,
		now: () => store.getSnapshot(),
		times: name => exchange.calls[name].map(call => call.at - startTime),
	};
}

/** The same with an exchange that answers everything at once; every market has a price of its own. */
export function setUpAnswering(options: {symbol?: string; choice?: InterfaceChoice} = {symbol: 'BTCUSDT'}): SetUp {
	const all = setUp(options);
	Object.assign(all.exchange.script, answering);
	return all;
}

const markets = [market('ETHUSDT'), market('BTCUSDT'), market('SOLUSDT')];
const priceOf = (symbol: string | undefined) => 1000 * (1 + markets.findIndex(each => each.symbol === symbol));

export const answering: FakeExchange['script'] = {
	info: () => info,
	markets: () => markets,
	tickers: () => markets.map(({symbol}) => ticker(symbol, priceOf(symbol))),
	depth: ({symbol}) => book(priceOf(symbol)),
	trades: ({symbol}) => [trade(1, startTime - 1000, priceOf(symbol))],
	candles: ({symbol}) => [candle(startTime - 30 * 60_000, priceOf(symbol))],
};
