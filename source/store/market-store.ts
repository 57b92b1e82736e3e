import {UnavailableError} from '../client/errors.ts';
import type {Answer, Budget, Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {createBookHistories, emptyHistory} from '../market/liquidity.ts';
import {noDecimals} from '../market/precision.ts';
import {withPrices} from '../market/price-trail.ts';
import {defaultSymbol, findMarket, symbolKey} from '../market/symbol.ts';
import type {Market, Period, Ticker} from '../market/types.ts';
import {moreHistory} from './candle-feed.ts';
import {createPublisher, createStore} from './create-store.ts';
import {createDecimals} from './decimals.ts';
import {createLiveCandles} from './live-candles.ts';
import {createPolling, type IntervalChoices, pollIntervals, resourceNames} from './polling.ts';
import {type Failure, failing, ready, requestedAgain, waiting} from './resource.ts';
import {withoutRetries} from './retry.ts';
import {createFreshness} from './standstill.ts';
import {type MarketState, type MarketStore, selectedSymbol} from './state.ts';
import {fetchTape, type TapeAnswer} from './tape-feed.ts';

type MarketStoreOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Any spelling. Default: chosen from the market list, BTC/USDT if it is there. */
	readonly symbol?: string | undefined;
	/** Minutes. Default 60. */
	readonly period?: Period | undefined;
	/** Default `auto`. */
	readonly choice?: InterfaceChoice | undefined;
	readonly intervals?: IntervalChoices | undefined;
};

/** At most four data updates a second. */
const updateGapMs = 250;

/**
 * The state of an exchange and of one of its markets, kept fresh by polling what is on screen.
 *
 * Everything counts as on screen until `show` is called. The tape is polled also for the candles, as each trade moves the
 * last one; the market list and the info are requested once even when hidden. While paused, only a refresh or a change of
 * market, period or interface polls, one round.
 */
export function createMarketStore(options: MarketStoreOptions): MarketStore {
	const {exchange, clock, random = Math.random} = options;
	const decimalsOf = createDecimals();
	const freshness = createFreshness();
	const books = createBookHistories();
	let tapeAnswer: TapeAnswer | undefined;
	/** The current state; `store` holds the last published one. Invariant: only `put` replaces it. */
	let state: MarketState = {
		symbol: options.symbol,
		period: options.period ?? 60,
		decimals: noDecimals,
		choice: options.choice ?? 'auto',
		paused: false,
		budget: exchange.budget(),
		info: waiting,
		markets: waiting,
		tickers: waiting,
		priceTrails: new Map(),
		depth: waiting,
		bookHistory: emptyHistory,
		tape: waiting,
		candles: waiting,
		history: moreHistory,
	};
	const store = createStore(state);

	const publisher = createPublisher(clock, updateGapMs, () => {
		put({decimals: decimalsOf(state), budget: unlessEqual(state.budget, exchange.budget())});
		const shown = state.symbol === undefined ? {...state, ...marketBoundFailures(state)} : state;
		store.set(shown.paused ? withoutRetries(shown) : shown);
	});

	function put(change: Partial<MarketState>) {
		state = {...state, ...change};
	}

	const candles = createLiveCandles({
		exchange,
		clock,
		random,
		freshness,
		state: () => state,
		put,
		onOlder: publisher.now,
	});

	const polling = createPolling({
		exchange,
		clock,
		random,
		intervals: pollIntervals(options.intervals),
		state: () => state,
		onChange: publisher.soon,
		sources: {
			info: {
				fetch: exchange.info,
				onAnswer: answer => put({info: ready(answer, answer.data)}),
				onFailure: failure => put({info: failing(state.info, failure)}),
			},
			markets: {
				fetch: exchange.markets,
				onAnswer(answer) {
					put({markets: ready(answer, answer.data)});
					adoptMarket(answer.data);
				},
				onFailure: failure => put({markets: failing(state.markets, failure)}),
			},
			tickers: {
				fetch: exchange.tickers,
				onAnswer(answer) {
					const tickers = bySymbol(answer);
					const priceTrails = withPrices(state.priceTrails, tickers, answer.receivedAt);
					put({tickers: freshness.tickers(answer, tickers), priceTrails});
					adoptMarket(answer.data);
				},
				onFailure: failure => put({tickers: failing(state.tickers, failure)}),
			},
			depth: {
				fetch: call => exchange.depth(selectedSymbol(state), call),
				onAnswer(answer) {
					const bookHistory = books.add(selectedSymbol(state), answer.data, answer.receivedAt);
					put({depth: freshness.depth(answer, answer.data), bookHistory});
				},
				onFailure: failure => put({depth: failing(state.depth, failure)}),
			},
			tape: {
				fetch(call) {
					return fetchTape(exchange, {symbol: selectedSymbol(state), last: tapeAnswer, now: clock.now(), call});
				},
				onAnswer(answer) {
					const moved = answer.data !== tapeAnswer?.data;
					tapeAnswer = answer;
					put({tape: freshness.tape(answer, answer.data)});
					candles.followTape(moved);
				},
				onFailure(failure) {
					put({tape: failing(state.tape, failure)});
					candles.followTape(false);
				},
				wantedMs: answer => answer.wantedMs,
			},
			candles,
		},
	});

	/** Selects a market when none was named, else adopts the list's spelling. */
	function adoptMarket(list: readonly (Market | Ticker)[]) {
		put({symbol: state.symbol === undefined ? defaultSymbol(list) : spelling(state.symbol)});
	}

	function spelling(text: string): string {
		return (state.markets.status === 'ready' && findMarket(state.markets.data, text)?.symbol) || text;
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		select(text) {
			if (state.symbol !== undefined && symbolKey(text) === symbolKey(state.symbol)) return;
			tapeAnswer = undefined;
			candles.reset();
			put({symbol: spelling(text), depth: waiting, bookHistory: books.resume(text), tape: waiting});
			polling.restart(['depth', 'tape', 'candles']);
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
			const {info, markets, tickers, depth, tape} = state;
			put({
				choice,
				info: requestedAgain(info),
				markets: requestedAgain(markets),
				tickers: requestedAgain(tickers),
				depth: requestedAgain(depth),
				tape: requestedAgain(tape),
			});
			candles.forgetFailures();
			polling.restart(resourceNames);
			publisher.now();
		},
		show: polling.show,
		setPaused(paused) {
			if (paused === state.paused) return;
			put({paused});
			polling.sync();
			publisher.now();
		},
		loadOlder() {
			if (polling.isStarted()) candles.loadOlder();
		},
		refresh: polling.refresh,
		start: polling.start,
		stop() {
			polling.stop();
			candles.abort();
			publisher.cancel();
		},
	};
}

function bySymbol({data}: Answer<readonly Ticker[]>): ReadonlyMap<string, Ticker> {
	return new Map(data.map(ticker => [ticker.symbol, ticker]));
}

function unlessEqual(before: Budget, now: Budget): Budget {
	const equal = before.used === now.used && before.allowed === now.allowed && before.freeAt === now.freeAt;
	return equal ? before : now;
}

type Lists = Pick<MarketState, 'markets' | 'tickers'>;

/** While no market is selected: the reason, as the failure of book, tape and candles. Empty before the first answer. */
function marketBoundFailures(lists: Lists): Partial<MarketState> {
	const failure = listFailure(lists);
	if (!failure) return {};
	const failed = {status: 'failed', failure} as const;
	return {depth: failed, tape: failed, candles: failed};
}

function listFailure({markets, tickers}: Lists): Failure | undefined {
	if (markets.status === 'failed') return markets.failure;
	if (markets.status === 'ready') return {error: noMarket(markets.interface), since: markets.receivedAt};
	return tickers.status === 'failed' ? tickers.failure : undefined;
}

const noMarket = (source: 'v2' | 'v1'): UnavailableError =>
	new UnavailableError({
		operation: 'markets',
		interface: source,
		url: '',
		brief: 'the exchange lists no markets',
		remedy: 'check the address, or name a market',
	});
