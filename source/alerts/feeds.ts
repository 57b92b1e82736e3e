import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import {findMarket, symbolKey} from '../market/symbol.ts';
import type {Period} from '../market/types.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {createMarketStore} from '../store/market-store.ts';
import {type Resource, waiting} from '../store/resource.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import type {KnownMarkets} from './news.ts';
import type {Data} from './quantity-values.ts';

/** The data of markets that is needed, by their keys. */
export type Needs = ReadonlyMap<string, ReadonlySet<Data>>;

/** What is known of the markets that rules are judged for, on screen or not. */
export type Feeds = {
	/** Polls what is needed and not polled for the screen, from now on and until the next call. */
	follow(needs: Needs): void;
	/** The markets that are followed, by their keys, without those that the exchange does not list. */
	known(): KnownMarkets;
	/** Calls `listener` when data arrives, or what is on screen changes. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
	stop(): void;
};

type FeedsOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** The stores of the screen, one or more. What they poll is not polled again. */
	readonly screens: readonly MarketStore[];
	readonly choice: InterfaceChoice;
};

/** Between two polls of a market that is not on screen. */
const backgroundMs = 2000;

type OfMarket = 'tape' | 'depth';
const ofMarket: readonly OfMarket[] = ['tape', 'depth'];

type Feed = {
	readonly store: MarketStore;
	readonly candles: Map<Period, Comparison>;
};

export function createFeeds({exchange, clock, screens, choice}: FeedsOptions): Feeds {
	const listeners = new Set<() => void>();
	const changed = () => {
		for (const listener of [...listeners]) listener();
	};
	const unsubscribes: (() => void)[] = screens.map(screen => screen.subscribe(changed));
	const feeds = new Map<string, Feed>();
	let needs: Needs = new Map();
	const tickers = backgroundStore(undefined);

	function backgroundStore(symbol: string | undefined): MarketStore {
		const intervals = {trades: backgroundMs, depth: backgroundMs};
		const store = createMarketStore({exchange, clock, symbol, choice, intervals, isBackground: true});
		store.show(new Set());
		store.start();
		unsubscribes.push(store.subscribe(changed));
		return store;
	}

	/** The listed symbol; undefined: it is not listed, or not known yet. */
	function symbolOf(key: string): string | undefined {
		for (const screen of screens) {
			const {markets, symbol} = screen.getSnapshot();
			if (symbol !== undefined && symbolKey(symbol) === key) return symbol;
			const market = markets.status === 'ready' ? findMarket(markets.data, key) : undefined;
			if (market) return market.symbol;
		}

		return undefined;
	}

	const screenOf = (key: string): MarketStore | undefined =>
		screens.find(screen => symbolKey(screen.getSnapshot().symbol ?? '') === key);

	function feedOf(key: string, symbol: string): Feed {
		const known = feeds.get(key);
		const feed = known ?? {store: backgroundStore(symbol), candles: new Map()};
		feeds.set(key, feed);
		return feed;
	}

	function sync() {
		const wantsTickers = [...needs.values()].some(data => data.has('tickers'));
		const isPolled = screens.some(screen => screen.polls('tickers'));
		tickers.show(new Set(wantsTickers && !isPolled ? ['tickers'] : []));
		for (const [key, {store, candles}] of feeds) {
			if (needs.has(key)) continue;
			store.show(new Set());
			for (const comparison of candles.values()) comparison.show(undefined);
		}

		for (const [key, data] of needs) {
			const symbol = symbolOf(key);
			if (symbol === undefined) continue;
			const screen = screenOf(key);
			const {store, candles} = feedOf(key, symbol);
			store.show(new Set(ofMarket.filter(name => data.has(name) && screen?.polls(name) !== true)));
			for (const period of [...data].filter(each => typeof each === 'number')) {
				const comparison = candles.get(period) ?? createComparison({exchange, clock, priority: 2});
				if (!candles.has(period)) {
					candles.set(period, comparison);
					unsubscribes.push(comparison.subscribe(changed));
					comparison.show({symbols: [symbol], period, choice});
				}
			}
		}
	}

	function stateOf(key: string, symbol: string): MarketState | undefined {
		const screen = screenOf(key);
		const feed = feeds.get(key);
		if (!feed) return undefined;
		const own = feed.store.getSnapshot();
		const shown = screen?.getSnapshot();
		const tickersOf = [...screens, tickers].find(store => store.polls('tickers')) ?? tickers;
		return {
			...(shown ?? own),
			symbol,
			tickers: tickersOf.getSnapshot().tickers,
			tape: shown ? fresher(shown.tape, own.tape, screen?.polls('tape') === true) : own.tape,
			depth: shown ? fresher(shown.depth, own.depth, screen?.polls('depth') === true) : own.depth,
		};
	}

	return {
		follow(wanted) {
			needs = wanted;
			sync();
		},
		known() {
			sync();
			const known = [...needs.keys()].flatMap(key => {
				const symbol = symbolOf(key);
				const state = symbol === undefined ? undefined : stateOf(key, symbol);
				if (!state) return [];
				const candlesOf = (period: Period) => feeds.get(key)?.candles.get(period)?.getSnapshot()[0]?.candles ?? waiting;
				return [[key, {state, candlesOf, windows: new Map()}] as const];
			});
			return new Map(known);
		},
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		stop() {
			for (const unsubscribe of unsubscribes.splice(0)) unsubscribe();
			tickers.stop();
			for (const {store, candles} of feeds.values()) {
				store.stop();
				for (const comparison of candles.values()) comparison.show(undefined);
			}
		},
	};
}

/** What the polled one of two says, or the other while that has said nothing. */
function fresher<T>(shown: Resource<T>, own: Resource<T>, isShownPolled: boolean): Resource<T> {
	const [first, second] = isShownPolled ? [shown, own] : [own, shown];
	return first.status === 'waiting' ? second : first;
}
