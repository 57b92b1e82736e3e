import type {Exchange} from '../client/exchange.ts';
import {withMiddleware} from '../client/middleware.ts';
import type {Clock} from '../market/clock.ts';
import {memo} from '../market/memo.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Market, Ticker} from '../market/types.ts';
import {type Resource, unusable, waiting} from '../store/resource.ts';
import {createSpareTurns, inSpareTurns, type SpareTurns} from '../store/spare-turns.ts';
import {hasMarkets, type MarketState, type MarketStore} from '../store/state.ts';
import {createHandover} from './handover.ts';
import type {KnownMarkets, Needed} from './known.ts';
import {backgroundIntervals, createBackgroundStore, MarketFeed} from './market-feed.ts';
import type {KnownMarket} from './quantity-values.ts';

/** What is known of the markets that rules are judged for, on screen or not. */
export type Feeds = {
	/** Polls what is needed and not polled for the screen, from now on and until the next call. */
	follow(needs: readonly Needed[]): void;
	/** The markets that are followed, by their keys. All that is needed of one that is not listed is failing. */
	known(): KnownMarkets;
	/** Ms between two polls in the background: the more is polled, the longer. 0: it is not polled there, as it is on screen. */
	pollMs(needed: Needed): number;
	/** Calls `listener` when data arrives, or what is on screen changes. The returned function unsubscribes. */
	subscribe(listener: () => void): () => void;
};

type FeedsOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** The stores of the screen, one or more. What they poll is not polled again, and their choice of an interface counts. */
	readonly screens: readonly MarketStore[];
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Of all who share the budget of the exchange. Default: no others poll in the background. */
	readonly turns?: SpareTurns | undefined;
	/** Only the first of more are followed. Default: no limit. */
	readonly mostMarkets?: number | undefined;
};

const leastPollMs = Math.min(backgroundIntervals.trades, backgroundIntervals.depth);

/** The first symbol of each key. */
const symbolsByKey = memo(
	(list: readonly Market[]) => new Map(list.toReversed().map(({symbol}) => [symbolKey(symbol), symbol] as const)),
);

export function createFeeds({
	exchange,
	clock,
	screens,
	random,
	mostMarkets = Infinity,
	...shared
}: FeedsOptions): Feeds {
	const {turns = createSpareTurns(exchange, clock)} = shared;
	const background = {exchange: withMiddleware(exchange, inSpareTurns(turns)), clock, random, onChange: changed};
	const listeners = new Set<() => void>();
	const feeds = new Map<string, MarketFeed>();
	/** The keys of markets that the exchange does not list. */
	let missing: ReadonlySet<string> = new Set();
	/** When it said so. */
	let listedAt = 0;
	const tickersOf = createHandover<ReadonlyMap<string, Ticker>>();
	/** The store of tickers and market list, while anything is needed. */
	let lists: MarketStore | undefined;
	/** By the keys of the markets. */
	let needs: ReadonlyMap<string, readonly Needed[]> = new Map();
	let unsubscribes: readonly (() => void)[] = [];
	/** Ends its count among those who take turns; undefined: it polls nothing. */
	let leave: (() => void) | undefined;
	let polls = 0;

	function changed() {
		for (const listener of [...listeners]) listener();
	}

	const screenOf = (key: string): MarketStore | undefined =>
		screens.find(screen => symbolKey(screen.getSnapshot().symbol ?? '') === key);

	function marketList() {
		const all = [...(lists ? [lists] : []), ...screens].map(store => store.getSnapshot().markets);
		return all.filter(hasMarkets).toSorted((a, b) => b.receivedAt - a.receivedAt)[0];
	}

	/** What is polled no more is not known. */
	function tickers(): MarketState['tickers'] {
		const sources = [lists, ...screens].map(store => store?.getSnapshot().tickers);
		const polled = [...screens, lists].find(store => store?.polls('tickers'));
		const known = tickersOf(sources, polled?.getSnapshot().tickers ?? waiting);
		return polled ? known : waiting;
	}

	function feedOf(key: string, symbol: string): MarketFeed {
		const known = feeds.get(key);
		if (known?.symbol === symbol) return known;
		known?.stop();
		const feed = new MarketFeed({...background, symbol});
		feeds.set(key, feed);
		return feed;
	}

	function sync() {
		for (const [key, feed] of feeds) {
			if (needs.has(key)) continue;
			feed.stop();
			feeds.delete(key);
		}

		if (needs.size === 0) {
			lists?.stop();
			lists = undefined;
			leave?.();
			leave = undefined;
			return;
		}

		leave ??= turns.join(() => polls);
		lists ??= createBackgroundStore(background);
		const choice = screens[0]?.getSnapshot().choice ?? 'auto';
		lists.setChoice(choice);
		const list = marketList();
		// A list that lacks entries proves nothing.
		const listed = list?.dropped === 0 ? list.data : undefined;
		missing = new Set([...needs.keys()].filter(key => listed && !symbolsByKey(listed).has(key)));
		listedAt = list?.receivedAt ?? 0;
		for (const [key, needed] of needs) {
			const screen = screenOf(key);
			const own = list && symbolsByKey(list.data).get(key);
			const symbol = own ?? feeds.get(key)?.symbol ?? screen?.getSnapshot().symbol ?? key;
			feedOf(key, symbol).follow(missing.has(key) ? [] : needed, screen, choice);
		}

		polls = [...feeds.values()].reduce((sum, {polls}) => sum + polls, 0);
		const isPolled = (name: 'tickers' | 'markets') => screens.some(screen => screen.polls(name));
		const wanted = new Set<'tickers' | 'markets'>();
		const needsTickers = [...needs.values()].flat().some(({ask}) => ask === 'tickers');
		if (needsTickers && !isPolled('tickers')) wanted.add('tickers');
		// Once it knows the list, the screen polls it seldom.
		if (list ? missing.size > 0 || isAnyDoubtful() : !isPolled('markets')) wanted.add('markets');
		lists.show(wanted);
	}

	/** Whether a market may be listed no more. */
	function isAnyDoubtful(): boolean {
		const all = tickers();
		const isGone = (symbol: string) => all.status === 'ready' && !all.data.has(symbol);
		return [...feeds.values()].some(({isFailing, symbol}) => isFailing || isGone(symbol));
	}

	function knownOf(key: string, feed: MarketFeed): KnownMarket {
		const reason = {brief: `${feed.symbol} is not listed`, since: listedAt};
		const unlessMissing = <T>(resource: Resource<T>) => (missing.has(key) ? unusable(resource, reason) : resource);
		const {trades: tape, depth, ...state} = feed.state();
		return {
			state: {
				...state,
				trades: unlessMissing(tape),
				depth: unlessMissing(depth),
				tickers: unlessMissing(tickers()),
			},
			candlesOf: period => unlessMissing(feed.candlesOf(period)),
			facts: new Map(),
		};
	}

	return {
		follow(wanted) {
			needs = new Map([...Map.groupBy(wanted, ({market}) => market)].slice(0, mostMarkets));
			sync();
		},
		known: () => new Map([...feeds].map(([key, feed]) => [key, knownOf(key, feed)])),
		pollMs(needed) {
			return feeds.get(needed.market)?.isPolling(needed) ? Math.max(leastPollMs, turns.polls() * turns.gapMs()) : 0;
		},
		subscribe(listener) {
			if (listeners.size === 0) unsubscribes = screens.map(screen => screen.subscribe(changed));
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
				if (listeners.size > 0) return;
				for (const unsubscribe of unsubscribes) unsubscribe();
			};
		},
	};
}
