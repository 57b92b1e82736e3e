import type {CallOptions, Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {type CandlesAnswer, fetchSeries} from './candle-feed.ts';
import {createStore, type Store} from './create-store.ts';
import {builtCandles} from './live-candles.ts';
import {createPoller, type Poller} from './poller.ts';
import {failing, type Resource, waiting} from './resource.ts';

/** A market that is compared with others. */
export type Compared = {
	readonly symbol: string;
	/** Candles of the requested period, as in the chart but not moved by later trades. */
	readonly candles: Resource<CandleSeries>;
};

type ComparisonRequest = {
	readonly symbols: readonly string[];
	readonly period: Period;
	readonly choice: InterfaceChoice;
};

/** The compared markets, in the requested order. */
export type Comparison = Store<readonly Compared[]> & {
	/** Polls the candles of these markets from now on. Loaded candles stay if the request is unchanged. Undefined: polls nothing. */
	show(request: ComparisonRequest | undefined): void;
	/** Polls all that is shown now. */
	refresh(): void;
};

type ComparisonOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Interval between two polls of a market. Default 15 s. */
	readonly intervalMs?: number | undefined;
	/** How many candles of a market are requested at first. Default 500. */
	readonly pageSize?: number | undefined;
	/** Of its requests. Default 1. */
	readonly priority?: CallOptions['priority'];
};

/** Polls the candles of several markets in one period while they are shown. */
export function createComparison(options: ComparisonOptions): Comparison {
	const {exchange, clock, random = Math.random, intervalMs = 15_000, pageSize, priority = 1} = options;
	const store = createStore<readonly Compared[]>([]);
	let pollers: readonly Poller[] = [];
	let key = '';
	let isShown = false;

	function put(symbol: string, change: (candles: Compared['candles']) => Compared['candles']) {
		const compared = store.getSnapshot();
		store.set(compared.map(each => (each.symbol === symbol ? {symbol, candles: change(each.candles)} : each)));
	}

	function pollerOf(symbol: string, {period, choice}: ComparisonRequest): Poller {
		let last: CandlesAnswer | undefined;
		return createPoller({
			clock,
			intervalMs,
			random,
			run(signal) {
				const call = {use: choice, priority, signal};
				return fetchSeries(exchange, {symbol, period, last, now: clock.now(), call, pageSize});
			},
			onAnswer(answer) {
				last = answer;
				put(symbol, () => builtCandles(answer, period));
			},
			onFailure: failure => put(symbol, candles => failing(candles, failure)),
		});
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		show(request) {
			for (const poller of pollers) poller.stop();
			isShown = request !== undefined;
			if (!request) return;
			const wanted = [request.period, request.choice, ...request.symbols].join(' ');
			if (wanted !== key) {
				key = wanted;
				pollers = request.symbols.map(symbol => pollerOf(symbol, request));
				store.set(request.symbols.map(symbol => ({symbol, candles: waiting})));
			}

			for (const poller of pollers) poller.start();
		},
		refresh() {
			if (isShown) for (const poller of pollers) poller.now();
		},
	};
}
