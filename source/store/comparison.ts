import type {CallOptions, Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import {
	type CandleHistory,
	type CandlesAnswer,
	canLoadOlder,
	fetchOlder,
	fetchSeries,
	historyAfter,
	moreHistory,
	withOlder,
} from './candle-feed.ts';
import {createStore, type Store} from './create-store.ts';
import {builtCandles} from './live-candles.ts';
import {createPoller} from './poller.ts';
import {failing, isOlder, keeping, type Resource, waiting} from './resource.ts';

/** A market that is compared with others. */
export type Compared = {
	readonly symbol: string;
	/** Candles of the requested period, as in the chart but not moved by later trades. */
	readonly candles: Resource<CandleSeries>;
	/** Whether there are older candles. */
	readonly history: CandleHistory;
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
	/** Requests a page of older candles of a market that is shown. Does nothing while one is loading or none can exist. */
	loadOlder(symbol: string): void;
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
	const store = createStore<readonly Compared[]>([]);
	let markets: ReadonlyMap<string, ComparedMarket> = new Map();
	let key = '';
	let isShown = false;

	const publish = (compared: Compared): void =>
		store.set(store.getSnapshot().map(each => (each.symbol === compared.symbol ? compared : each)));

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		show(request) {
			for (const market of markets.values()) market.stop();
			isShown = request !== undefined;
			if (!request) return;
			const wanted = [request.period, request.choice, ...request.symbols].join(' ');
			if (wanted !== key) {
				key = wanted;
				markets = new Map(request.symbols.map(symbol => [symbol, comparedMarket(symbol, request, options, publish)]));
				store.set(request.symbols.map(notYetCompared));
			}

			for (const market of markets.values()) market.start();
		},
		loadOlder(symbol) {
			if (isShown) markets.get(symbol)?.loadOlder();
		},
		refresh() {
			if (isShown) for (const market of markets.values()) market.refresh();
		},
	};
}

const notYetCompared = (symbol: string): Compared => ({symbol, candles: waiting, history: moreHistory});

type ComparedMarket = {
	start(): void;
	/** Aborts all requests; what is loaded stays. */
	stop(): void;
	loadOlder(): void;
	refresh(): void;
};

/** Polls the candles of one market while it is started, and passes on what is known of them. */
function comparedMarket(
	symbol: string,
	{period, choice}: ComparisonRequest,
	{exchange, clock, random = Math.random, intervalMs = 15_000, pageSize, priority = 1}: ComparisonOptions,
	publish: (compared: Compared) => void,
): ComparedMarket {
	let last: CandlesAnswer | undefined;
	let compared = notYetCompared(symbol);

	function put(change: Partial<Compared>): void {
		compared = {...compared, ...change};
		publish(compared);
	}

	function show(answer: CandlesAnswer, history: CandleHistory): void {
		last = answer;
		put({candles: builtCandles(answer, period, history.status === 'complete'), history});
	}

	const newest = createPoller({
		clock,
		operation: 'candles',
		intervalMs,
		random,
		run(poll) {
			const call = {...poll, use: choice, priority};
			return fetchSeries(exchange, {symbol, period, last, now: clock.now(), call, pageSize});
		},
		dated: answer => answer,
		onAnswer(answer) {
			if (isOlder(answer, compared.candles, choice)) put({candles: keeping(compared.candles, answer)});
			else show(answer, historyAfter(compared.history, last, answer));
		},
		onFailure: failure => put({candles: failing(compared.candles, failure)}),
	});
	/** Never started: polls only when `loadOlder` is called. */
	const older = createPoller({
		clock,
		operation: 'candles',
		intervalMs: Number.POSITIVE_INFINITY,
		random,
		run: async poll => last && fetchOlder(exchange, symbol, last, {...poll, use: choice, priority}),
		onAnswer(page) {
			const joined = page && last && withOlder(last, page);
			if (joined) show(joined.answer, joined.history);
		},
		onFailure: ({error}, waitMs) => put({history: {status: 'failed', error, retryAt: clock.now() + waitMs}}),
	});

	return {
		start: newest.start,
		stop() {
			newest.stop();
			older.reset();
			if (compared.history.status === 'loading') put({history: moreHistory});
		},
		loadOlder() {
			if (!canLoadOlder(compared.history, clock.now()) || !last?.data.candles.length) return;
			put({history: {status: 'loading'}});
			older.now();
		},
		refresh: newest.refresh,
	};
}
