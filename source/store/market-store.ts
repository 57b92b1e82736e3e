import type {Answer, Budget, CallOptions, Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {emptyHistory} from '../market/liquidity.ts';
import {noDecimals} from '../market/precision.ts';
import {withPrices} from '../market/seen-prices.ts';
import {findMarket, symbolKey} from '../market/symbol.ts';
import type {Market, Period, Ticker} from '../market/types.ts';
import {createBookHistories} from './book-history.ts';
import {fetchCandles, liveCandles, noCandleSource} from './candle-feed.ts';
import {fetchOlder, historyAfter, moreHistory, type OlderPage, withOlder} from './candle-history.ts';
import {createDecimals} from './decimals.ts';
import {defaultSymbol} from './default-market.ts';
import {heldBack} from './held.ts';
import {type IntervalChoices, pollIntervals} from './intervals.ts';
import {createPoller, type Poller} from './poller.ts';
import {createPublisher} from './publisher.ts';
import {askedAgain, type Failure, failing, ready, waiting} from './resource.ts';
import {createOutage, withoutRetries} from './retry.ts';
import {createFreshness} from './standstill.ts';
import type {MarketState, MarketStore, ResourceName} from './state.ts';
import {fetchTape, type TapeAnswer} from './tape-feed.ts';
import {marketBoundFailures} from './unknown-market.ts';

type MarketStoreOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Any spelling. Default: chosen when the market list is known, BTC/USDT if it is there. */
	readonly symbol?: string | undefined;
	/** Minutes. Default 60. */
	readonly period?: Period | undefined;
	/** Default `auto`. */
	readonly choice?: InterfaceChoice | undefined;
	readonly intervals?: IntervalChoices | undefined;
};

/** At most four data updates a second. */
const updateGapMs = 250;
/** Older candles that could not be had are asked for again after this, if they are still wanted. */
const historyRetryMs = 5000;

const resourceNames: readonly ResourceName[] = ['depth', 'tape', 'tickers', 'candles', 'markets', 'info'];
/** Those that belong to the selected market. */
const marketBound: ReadonlySet<ResourceName> = new Set(['depth', 'tape', 'candles']);
/** Those that are asked for once even when nobody looks: names and spellings hang on them. */
const neededOnce: ReadonlySet<ResourceName> = new Set(['markets', 'info']);

/**
 * What is known of an exchange and of one of its markets, kept fresh by polling what is on screen.
 *
 * Everything counts as on screen until `show` is called. The tape is polled when only the candles are shown, as each
 * trade moves the last candle; the market list and the info are asked for once even when hidden. While paused nothing
 * is polled but one round of what the user then asks for: another market, period or interface, or a refresh.
 */
export function createMarketStore(options: MarketStoreOptions): MarketStore {
	const {exchange, clock, random = Math.random} = options;
	const intervals = pollIntervals(options.intervals);
	const outage = createOutage({intervals, polled: () => resourceNames.filter(isPolled)});
	const listeners = new Set<() => void>();
	let started = false;
	let visible: ReadonlySet<ResourceName> = new Set(resourceNames);
	let focused: ResourceName | undefined;
	let tapeAnswer: TapeAnswer | undefined;
	let candleSource = noCandleSource;
	const decimalsOf = createDecimals();
	const freshness = createFreshness();
	const books = createBookHistories();
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
		seenPrices: new Map(),
		depth: waiting,
		bookHistory: emptyHistory,
		tape: waiting,
		candles: waiting,
		history: moreHistory,
	};
	let snapshot = state;

	const publisher = createPublisher(clock, updateGapMs, () => {
		state = {...state, decimals: decimalsOf(state), budget: unlessEqual(state.budget, exchange.budget())};
		const shown = state.symbol === undefined ? {...state, ...marketBoundFailures(state)} : state;
		snapshot = shown.paused ? withoutRetries(shown) : shown;
		for (const listener of [...listeners]) listener();
	});

	function put(change: Partial<MarketState>) {
		state = {...state, ...change};
	}

	function poller<T>(
		name: ResourceName,
		fetch: (call: CallOptions) => Promise<T>,
		onAnswer: (answer: T) => void,
		onFailure: (failure: Failure) => void,
		wantedMs?: (answer: T) => number,
	): Poller {
		/** Until when the request under way was last said to be held. */
		let told: number | undefined;
		return createPoller<T>({
			clock,
			intervalMs: intervals[name],
			wantedMs,
			hasProbe: () => outage.hasProbe(name),
			random,
			run(signal) {
				told = undefined;
				return fetch({signal, use: state.choice, priority: priorityOf(name)});
			},
			onWait(since) {
				const source = state.choice === 'auto' ? (exchange.interfaces[0] ?? 'v2') : state.choice;
				const wait = heldBack(name, exchange.budget(), {since, now: clock.now(), interface: source});
				if (!wait || wait.retryAt === told) return;
				told = wait.retryAt;
				onFailure(wait);
				publisher.soon();
			},
			onAnswer(answer) {
				onAnswer(answer);
				settled(outage.record(name, answer === 'unavailable' ? 'unavailable' : 'answered'));
			},
			onFailure(failure) {
				onFailure(failure);
				settled(outage.record(name, failure.error.kind === 'unavailable' ? 'unavailable' : 'failed'));
			},
		});
	}

	const pollers: Readonly<Record<ResourceName, Poller>> = {
		info: poller(
			'info',
			call => exchange.info(call),
			answer => put({info: ready(answer, answer.data)}),
			failure => put({info: failing(state.info, failure)}),
		),
		markets: poller(
			'markets',
			call => exchange.markets(call),
			answer => {
				put({markets: ready(answer, answer.data)});
				adoptMarket(answer.data);
			},
			failure => put({markets: failing(state.markets, failure)}),
		),
		tickers: poller(
			'tickers',
			call => exchange.tickers(call),
			answer => {
				const tickers = bySymbol(answer);
				const seenPrices = withPrices(state.seenPrices, tickers, answer.receivedAt);
				put({tickers: freshness.tickers(answer, tickers), seenPrices});
				adoptMarket(answer.data);
			},
			failure => put({tickers: failing(state.tickers, failure)}),
		),
		depth: poller(
			'depth',
			call => exchange.depth(selected(), call),
			answer => {
				const bookHistory = books.seen(selected(), answer.data, answer.receivedAt);
				put({depth: freshness.depth(answer, answer.data), bookHistory});
			},
			failure => put({depth: failing(state.depth, failure)}),
		),
		tape: poller(
			'tape',
			call => fetchTape(exchange, {symbol: selected(), last: tapeAnswer, now: clock.now(), call}),
			answer => {
				const moved = answer.data !== tapeAnswer?.data;
				tapeAnswer = answer;
				put({tape: freshness.tape(answer, answer.data)});
				if (moved || candleSource.answer === 'unavailable') putCandles();
			},
			failure => {
				put({tape: failing(state.tape, failure)});
				if (candleSource.answer === 'unavailable') putCandles();
			},
			answer => answer.wantedMs,
		),
		candles: poller(
			'candles',
			call => {
				const {answer} = candleSource;
				const last = answer === 'unavailable' ? undefined : answer;
				return fetchCandles(exchange, {symbol: selected(), period: state.period, last, now: clock.now(), call});
			},
			answer => {
				put({history: historyAfter(state.history, candleSource.answer, answer)});
				candleSource = answer === 'unavailable' ? {answer, failure: undefined} : freshness.candles(answer);
				putCandles();
			},
			failure => {
				candleSource = {...candleSource, failure};
				putCandles();
			},
		),
	};

	/** Never started: it asks only when `loadOlder` says so. */
	const older = createPoller<OlderPage | undefined>({
		clock,
		intervalMs: Number.POSITIVE_INFINITY,
		random,
		async run(signal) {
			const {answer} = candleSource;
			if (!answer || answer === 'unavailable') return undefined;
			return fetchOlder(exchange, selected(), answer, {signal, use: state.choice, priority: 0});
		},
		onAnswer(page) {
			const {answer} = candleSource;
			if (page && answer && answer !== 'unavailable') {
				const known = withOlder(answer, page);
				candleSource = {...candleSource, answer: known.answer};
				put({history: known.history});
				putCandles();
			}

			publisher.now();
		},
		onFailure({error}) {
			put({history: {status: 'failed', error, retryAt: clock.now() + historyRetryMs}});
			publisher.now();
		},
	});

	function forgetCandles() {
		older.reset();
		candleSource = noCandleSource;
		put({candles: waiting, history: moreHistory});
	}

	function settled(recovered: boolean) {
		sync();
		for (const each of Object.values(pollers)) {
			each.catchUp();
			if (recovered) each.retry();
		}

		publisher.soon();
	}

	function putCandles() {
		put({candles: liveCandles(candleSource, state.tape, state.period)});
	}

	function selected(): string {
		if (state.symbol === undefined) throw new Error('no market is selected');
		return state.symbol;
	}

	/** Chooses a market when none was named, else takes over the list's spelling. */
	function adoptMarket(list: readonly (Market | Ticker)[]) {
		if (state.symbol !== undefined) put({symbol: spelling(state.symbol)});
		else {
			const symbol = defaultSymbol(list);
			if (symbol !== undefined) put({symbol});
		}
	}

	function spelling(text: string): string {
		return (state.markets.status === 'ready' && findMarket(state.markets.data, text)?.symbol) || text;
	}

	function isShown(name: ResourceName): boolean {
		return visible.has(name) || (name === 'tape' && visible.has('candles'));
	}

	function isPolled(name: ResourceName): boolean {
		const needed = isShown(name) || (neededOnce.has(name) && state[name].status !== 'ready');
		return needed && canPoll(name) && !state.paused;
	}

	function canPoll(name: ResourceName): boolean {
		return started && (state.symbol !== undefined || !marketBound.has(name));
	}

	function priorityOf(name: ResourceName): 0 | 1 | 2 {
		if (name === focused) return 0;
		return isShown(name) ? 1 : 2;
	}

	/** Starts the pollers that are needed now and stops the others. */
	function sync() {
		for (const name of resourceNames) {
			if (isPolled(name)) pollers[name].start();
			else pollers[name].stop();
		}
	}

	/** Polls what is shown of these now: also while paused, one round. */
	function pollShown(names: Iterable<ResourceName>) {
		for (const name of names) if (isShown(name) && canPoll(name)) pollers[name].now();
	}

	/** Refuses what is under way for these and asks anew. */
	function restart(names: readonly ResourceName[]) {
		for (const name of names) pollers[name].reset();
		sync();
		pollShown(names);
		publisher.now();
	}

	return {
		getSnapshot: () => snapshot,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		select(text) {
			if (state.symbol !== undefined && symbolKey(text) === symbolKey(state.symbol)) return;
			tapeAnswer = undefined;
			forgetCandles();
			put({symbol: spelling(text), depth: waiting, bookHistory: books.selected(text), tape: waiting});
			restart(['depth', 'tape', 'candles']);
		},
		setPeriod(period) {
			if (period === state.period) return;
			forgetCandles();
			put({period});
			restart(['candles']);
		},
		setChoice(choice) {
			if (choice === state.choice) return;
			const {info, markets, tickers, depth, tape} = state;
			put({
				choice,
				info: askedAgain(info),
				markets: askedAgain(markets),
				tickers: askedAgain(tickers),
				depth: askedAgain(depth),
				tape: askedAgain(tape),
			});
			if (!candleSource.answer) candleSource = noCandleSource;
			older.reset();
			put({history: moreHistory});
			putCandles();
			restart(resourceNames);
		},
		show(names, focus) {
			visible = names;
			focused = focus;
			sync();
		},
		setPaused(paused) {
			if (paused === state.paused) return;
			put({paused});
			sync();
			publisher.now();
		},
		loadOlder() {
			const {status} = state.history;
			const waits = state.history.status === 'failed' && clock.now() < state.history.retryAt;
			const {answer} = candleSource;
			const known = answer !== undefined && answer !== 'unavailable' && answer.data.candles.length > 0;
			if (!started || !known || waits || (status !== 'more' && status !== 'failed')) return;
			put({history: {status: 'loading'}});
			older.now();
			publisher.now();
		},
		refresh: () => pollShown(resourceNames),
		start() {
			started = true;
			sync();
		},
		stop() {
			started = false;
			sync();
			for (const each of [...Object.values(pollers), older]) each.reset();
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
