import {onTestFinished} from 'vitest';
import {type Alerts, type AlertsOptions, createAlerts, type StatedRule} from '../../source/alerts/alerts.ts';
import {createFeeds} from '../../source/alerts/feeds.ts';
import type {Alert, AlertEvent} from '../../source/alerts/judged-rule.ts';
import type {MarketsData} from '../../source/alerts/market-data.ts';
import type {LinesOf, MarketData} from '../../source/alerts/quantity-values.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import type {Ask} from '../../source/client/question.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {Market, Trade} from '../../source/market/types.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState, MarketStore} from '../../source/store/state.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange, type FakeExchange} from '../helpers/fake-exchange.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {marketState} from '../helpers/market-state.ts';
import {book, candle, info, market, ticker, timeout} from '../store/samples.ts';

export const start = Date.UTC(2026, 10, 22, 14);
export const second = 1000;

type Bench = {
	readonly clock: FakeClock;
	readonly exchange: FakeExchange;
	readonly screen: MarketStore;
	readonly alerts: Alerts;
	/** The alerts so far, oldest first. */
	fired(): readonly Alert[];
	/** What the alerts and blindnesses so far say, with seconds since the start. */
	said(): readonly string[];
	/** How many requests there were for it since the last call, by market. */
	requests(name: 'trades' | 'depth' | 'tickers' | 'candles' | 'markets'): Readonly<Record<string, number>>;
	state: {listed: readonly Market[]; fails: boolean; prices: readonly number[]};
};

export const secondsOf = (time: number) => (time - start) / second;

/** One trade a second in each market: at second n for the price at index n, and for the first price before and after those. */
export function tradesAt(now: number, prices: readonly number[], limit: number): readonly Trade[] {
	const newest = Math.floor(secondsOf(now));
	return Array.from({length: limit}, (_, index): Trade => {
		const at = newest - index;
		return {id: String(1_000_000 + at), time: start + at * second, price: prices[at] ?? 99, quantity: 1, side: 'buy'};
	});
}

/** Rules with a screen that shows BTCUSDT, until the end of the test. */
export function setUp(
	texts: readonly string[],
	prices: readonly number[] = [],
	marketsOf: AlertsOptions['marketsOf'] = () => ['BTCUSDT', 'ETHUSDT'],
	mostMarkets?: number,
	linesOf?: LinesOf,
): Bench {
	const clock = createFakeClock(start);
	const state: Bench['state'] = {
		listed: ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'].map(name => market(name)),
		fails: false,
		prices,
	};
	const unlessFailing = <T>(answer: () => T) => (state.fails ? timeout() : answer());
	const exchange = createFakeExchange(clock, {
		info: () => info,
		markets: () => unlessFailing(() => state.listed),
		tickers: () => unlessFailing(() => state.listed.map(({symbol}) => ticker(symbol))),
		depth: () => unlessFailing(() => book(100)),
		trades: ({options: {limit = 500}}) => unlessFailing(() => tradesAt(clock.now(), state.prices, limit)),
		candles: () => unlessFailing(() => [candle(start - 60 * second)]),
	});
	const screen = createMarketStore({exchange, clock, symbol: 'BTCUSDT', random: () => 0});
	const events: AlertEvent[] = [];
	const alerts = createAlerts({
		clock,
		rules: texts.map(text => ({rule: parse(text), origin: 'user', isOff: false})),
		marketsOf,
		onEvent: event => events.push(event),
		feeds: createFeeds({exchange, clock, screens: [screen], random: () => 0, mostMarkets, linesOf}),
	});
	onTestFinished(() => {
		alerts.stop();
		screen.stop();
	});
	const counted = {trades: 0, depth: 0, tickers: 0, candles: 0, markets: 0};
	return {
		...{clock, exchange, screen, alerts, state},
		fired: () => events.filter(event => event.type === 'alert'),
		said: () => events.map(sayOf),
		requests(name) {
			const calls = exchange.calls[name].slice(counted[name]);
			counted[name] += calls.length;
			const bySymbol: Record<string, number> = {};
			for (const {symbol = 'all'} of calls) bySymbol[symbol] = (bySymbol[symbol] ?? 0) + 1;
			return bySymbol;
		},
	};
}

export const parse = (text: string) => parseRule(text, {now: start, marketNamed: name => ({key: symbolKey(name)})});

function sayOf(event: AlertEvent): string {
	const at = `${secondsOf(event.time)} ${event.symbol}`;
	if (event.type === 'blind') {
		return event.ended ? `${at} judged again` : `${at} blind since ${secondsOf(event.since)}: ${event.why}`;
	}

	return `${at} trade of ${event.trade ? secondsOf(event.trade.time) : 'none'}${event.blindSince === undefined ? '' : ' while blind'}`;
}

export const shown: ReadonlySet<Ask> = new Set(['trades', 'depth', 'tickers']);

/** This is known of BTCUSDT. */
export function known(change: Partial<MarketState>, candlesOf: MarketData['candlesOf'] = () => waiting): MarketsData {
	const state = marketState(change);
	return new Map([[state.symbol ?? '', {state, candlesOf, facts: new Map()}]]);
}

/** One rule, judged on what a test says is known. `markets`: what is remembered of it. */
export function watchRule(text: string, symbols: readonly string[] = ['BTCUSDT'], markets?: StatedRule['markets']) {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const events: AlertEvent[] = [];
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule: parse(text), origin: 'flag', isOff: false, markets}]},
		marketsOf: () => symbols,
		onEvent: event => events.push(event),
	});
	alerts.start();
	return {
		...{clock, alerts, events, listeners: feeds.listeners},
		/** What becomes known that many seconds after the start, and the events since the last call. */
		arrive(at: number, data: MarketsData): readonly AlertEvent[] {
			clock.jump(start + at * second - clock.now());
			feeds.arrive(data);
			return events.splice(0);
		},
	};
}
