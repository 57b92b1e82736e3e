import {UnavailableError} from '../client/errors.ts';
import type {Answer, Budget, Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Ask} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import {levelDecimals} from '../market/depth.ts';
import {createBookHistories, emptyHistory} from '../market/liquidity.ts';
import {memo} from '../market/memo.ts';
import {addedAsSame} from '../market/new-trades.ts';
import {type Decimals, noDecimals, widen, wider} from '../market/precision.ts';
import {symbolKey} from '../market/symbol.ts';
import type {DepthBook, Market, Period, Ticker, Trade} from '../market/types.ts';
import {moreHistory} from './candle-feed.ts';
import {withClockSet} from './clock-skew.ts';
import {createPublisher, createStore} from './create-store.ts';
import {createFreshness} from './freshness.ts';
import {createLiveCandles} from './live-candles.ts';
import {type CreatePolling, createPolling, type IntervalChoices, pollIntervals, resourceNames} from './polling.ts';
import {type Failure, type Resource, requestedAgain, waiting, withoutHold, withoutRetry} from './resource.ts';
import {createSources, emptyListRetryMs, spelledAsListed} from './sources.ts';
import {type Lists, type MarketState, type MarketStore, selectedTicker, type WorkingState} from './state.ts';

export type MarketStoreOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** The market to select, in any spelling. Default: chosen from the market list, BTC/USDT if it is listed. */
	readonly symbol?: string | undefined;
	/** Minutes. Default 60. */
	readonly period?: Period | undefined;
	/** Default `auto`. */
	readonly choice?: InterfaceChoice | undefined;
	readonly intervals?: IntervalChoices | undefined;
	/** What is polled at all; the budget is then not followed. Default: everything. */
	readonly asks?: readonly Ask[] | undefined;
	/** How many candles are requested at first. Default 500. */
	readonly pageSize?: number | undefined;
	/** How many trades are requested at first. Default 500. */
	readonly firstTrades?: number | undefined;
	/** Requests only what is shown, at the lowest priority. Default: no. */
	readonly isBackground?: boolean | undefined;
	/** Default `createPolling`: asks the exchange. */
	readonly polling?: CreatePolling | undefined;
	/** Least time between two updates of data. Default 250: at most four a second. 0: each answer is shown by itself. */
	readonly updateGapMs?: number | undefined;
	/** When data is updated, see `createBeat`; only what is shown for the first time does not wait for it. Absent: at any time. */
	readonly beat?: Clock | undefined;
};

/** The request rate changes at least this often. */
const budgetGapMs = 1000;

/**
 * The state of an exchange and of one of its markets, kept fresh by polling what is on screen.
 *
 * Everything counts as on screen until `show` is called. The tape is also polled when only the candles are shown, as each
 * trade moves the last one. The market list and the info are requested once even when hidden. While paused, a refresh or a
 * change of market, period or interface polls once.
 */
export function createMarketStore(options: MarketStoreOptions): MarketStore {
	const {exchange, clock, random = Math.random, updateGapMs = 250, beat} = options;
	const decimalsOf = createDecimals();
	const freshness = createFreshness();
	const books = createBookHistories();
	/** The current state; `store` holds the last published one. Invariant: only `put` replaces it. */
	let state = initialState(options);
	const put = (change: Partial<MarketState>) => {
		state = withClockSet(state, {...state, ...change});
	};
	const working: WorkingState = {state: () => state, put};
	const store = createStore(state);
	let cancelBudget = () => {};
	const publish = () => {
		put({decimals: decimalsOf(state), budget: unlessEqual(state.budget, exchange.budget())});
		store.set(shownState(state));
		followBudget();
	};
	const publisher = createPublisher(clock, updateGapMs, publish, beat);
	const publishSoon = () => publisher.soon(updateGapMs > 0 && showsFirst(store.getSnapshot(), state));
	/** The rate goes down without any answer. */
	function followBudget() {
		cancelBudget();
		const isShown = options.asks === undefined && polling.isStarted();
		cancelBudget = state.budget.used > 0 && isShown ? clock.after(budgetGapMs, publishSoon) : () => {};
	}

	const {isBackground = false} = options;
	const {asks = resourceNames, pageSize, firstTrades} = options;
	const isAlone = !asks.includes('trades');
	const candles = createLiveCandles({
		...{...working, exchange, clock, random, freshness, pageSize, isAlone},
		onOlder: publisher.now,
	});
	const polling = (options.polling ?? createPolling)({
		exchange,
		clock,
		random,
		intervals: pollIntervals(options.intervals),
		asks,
		isBackground,
		state: working.state,
		onChange: publishSoon,
		forget(name) {
			if (name === 'candles') candles.reset();
			else put({[name]: waiting});
		},
		onPending(name, sentAt) {
			put({pending: {...state.pending, [name]: sentAt}});
			publishSoon();
		},
		sources: createSources({
			...{...working, exchange, clock, isBackground, freshness, books, candles, firstTrades},
			relist: () => polling.relist(),
		}),
	});

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		select(text) {
			if (state.symbol !== undefined && symbolKey(text) === symbolKey(state.symbol)) return;
			candles.reset();
			put({symbol: spelledAsListed(state, text), depth: waiting, bookHistory: books.resume(text), trades: waiting});
			polling.restart(['depth', 'trades', 'candles']);
			publisher.now();
		},
		setPeriod(period) {
			if (period === state.period) return;
			candles.reset();
			put({period});
			polling.restart(['candles']);
			publisher.now();
		},
		setChoice(choice) {
			if (choice === state.choice) return;
			put({choice, ...mapResources(state, requestedAgain)});
			candles.forgetFailures();
			polling.restart(resourceNames);
			publisher.now();
		},
		show(visible, focused) {
			polling.show(visible, focused);
			if (!visible.has('candles')) candles.abort();
		},
		polls: polling.polls,
		setPaused(paused) {
			if (paused === state.paused) return;
			put({paused});
			polling.sync();
			if (paused) put(mapResources(state, withoutHold));
			publisher.now();
		},
		loadOlder() {
			if (polling.isStarted()) candles.loadOlder();
		},
		refresh: polling.refresh,
		relist: polling.relist,
		start: polling.start,
		stop() {
			polling.stop();
			candles.abort();
			publisher.cancel();
			cancelBudget();
		},
	};
}

/** The tickers of an interface, and nothing else, while they are shown: one request answers for all markets. */
export function createTickerStore(options: Pick<MarketStoreOptions, 'exchange' | 'clock' | 'random'>): MarketStore {
	const store = createMarketStore({...options, asks: ['tickers'], intervals: {tickers: 15_000}, isBackground: true});
	store.show(new Set());
	store.start();
	return store;
}

function initialState({exchange, symbol, period = 60, choice = 'auto'}: MarketStoreOptions): MarketState {
	return {
		symbol,
		period,
		decimals: noDecimals,
		choice,
		paused: false,
		budget: exchange.budget(),
		pending: {},
		info: waiting,
		markets: waiting,
		tickers: waiting,
		priceTrails: new Map(),
		depth: waiting,
		bookHistory: emptyHistory,
		trades: waiting,
		candles: waiting,
		history: moreHistory,
	};
}

/**
 * Infers the decimals of the selected market from every price and quantity in its book, trades and ticker so far. They only
 * grow, even when the market is selected again or adopts the list's spelling, so that digits never jump.
 */
function createDecimals(): (state: MarketState) => Decimals {
	const bySymbol = new Map<string, Decimals>();
	let countedTrades: readonly Trade[] = [];
	return state => {
		const {symbol, depth, trades: tape} = state;
		if (symbol === undefined) return noDecimals;
		const ticker = selectedTicker(state);
		const trades = tape.status === 'ready' ? tape.data.trades : [];
		const {asks, bids = []}: DepthBook = depth.status === 'ready' ? depth.data : {asks: []};
		const needed = [
			levelDecimals(asks),
			levelDecimals(bids),
			// Only a few of thousands are new, and counting all takes long.
			tradeDecimals(countedTrades.length > 0 ? (addedAsSame(countedTrades, trades) ?? trades) : trades),
			...(ticker ? [tickerDecimals(ticker)] : []),
		];
		countedTrades = trades;
		const decimals = needed.reduce(wider, bySymbol.get(symbolKey(symbol)) ?? noDecimals);
		bySymbol.set(symbolKey(symbol), decimals);
		return decimals;
	};
}

const tradeDecimals = (trades: readonly Trade[]) =>
	widen(noDecimals, {prices: trades.map(({price}) => price), quantities: trades.map(({quantity}) => quantity)});

const tickerDecimals = memo(({last, open, high, low, bid, ask, bidQuantity, askQuantity}: Ticker) =>
	widen(noDecimals, {prices: [last, open, high, low, bid, ask], quantities: [bidQuantity, askQuantity]}),
);

/** Whether something is known of a resource of which nothing is shown yet. */
const showsFirst = (shown: MarketState, next: MarketState): boolean =>
	resourceNames.some(name => shown[name].status === 'waiting' && next[name].status !== 'waiting');

function unlessEqual(before: Budget, now: Budget): Budget {
	const equal = before.used === now.used && before.allowed === now.allowed && before.freeAt === now.freeAt;
	return equal ? before : now;
}

/** The published state: with a reason if no market can be selected, and without the times of next requests while paused. */
function shownState(state: MarketState): MarketState {
	const shown = state.symbol === undefined ? {...state, ...marketBoundFailures(state)} : state;
	if (!shown.paused) return shown;
	const {used, allowed} = shown.budget;
	return {...shown, budget: {used, allowed}, ...mapResources(shown, withoutRetry)};
}

const mapResources = (state: MarketState, change: <T>(resource: Resource<T>) => Resource<T>): Partial<MarketState> =>
	Object.fromEntries(resourceNames.map(name => [name, change<unknown>(state[name])]));

/** Why no market is selected, as the failure of book, tape and candles. Empty before the first answer. */
function marketBoundFailures(lists: Lists): Partial<MarketState> {
	const failure = listFailure(lists);
	if (!failure) return {};
	const failed = {status: 'failed', failure} as const;
	return {depth: failed, trades: failed, candles: failed};
}

function listFailure({markets, tickers}: Lists): Failure | undefined {
	if (markets.status === 'failed') return markets.failure;
	if (markets.status === 'ready') return markets.failure ?? noMarkets(markets);
	return tickers.status === 'failed' ? tickers.failure : undefined;
}

const noMarkets = memo((list: Answer<readonly Market[]>): Failure => {
	const context = {operation: 'markets', interface: list.interface, url: ''} as const;
	const words = {brief: 'no markets yet', remedy: 'the exchange lists none; check the address, or name a market'};
	const error = new UnavailableError({...context, ...words});
	return {error, since: list.receivedAt, retryAt: list.receivedAt + emptyListRetryMs};
});
