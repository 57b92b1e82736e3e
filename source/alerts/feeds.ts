import type {Exchange} from '../client/exchange.ts';
import {withMiddleware} from '../client/middleware.ts';
import type {Ask} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import {isRedated} from '../market/continued-tape.ts';
import {memo} from '../market/memo.ts';
import {symbolKey} from '../market/symbol.ts';
import {mergeTape, type Tape, tradeKey} from '../market/tape.ts';
import {type DepthBook, largestPage, type Market, type Period, type Ticker} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {createChanges} from '../store/create-store.ts';
import {createMarketStore} from '../store/market-store.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import {type Ready, type Resource, unusable, waiting} from '../store/resource.ts';
import {createSpareTurns, inSpareTurns, type SpareTurns} from '../store/spare-turns.ts';
import {hasMarkets, type MarketState, type MarketStore} from '../store/state.ts';
import {type MarketsData, type Needed, needKey} from './market-data.ts';
import type {LinesOf, MarketData} from './quantity-values.ts';

/** What is known of the markets that rules are judged for, on screen or not. */
export type Feeds = {
	/** Polls what is needed and not polled for the screen, from now on and until the next call. */
	follow(needs: readonly Needed[]): void;
	/** The markets that are followed, by their keys. All that is needed of one that is not listed is failing. */
	data(): MarketsData;
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
	/** Default: none. */
	readonly linesOf?: LinesOf | undefined;
	/** Only the first of more are followed. Default: no limit. */
	readonly mostMarkets?: number | undefined;
};

/** Ms between two polls of what is not on screen. */
export const backgroundIntervals = {trades: 2 * secondMs, depth: 2 * secondMs, markets: 60 * secondMs};

/** The store without what it polls more seldom than that is polled in the background, as calls would be late. */
export function withoutSlowPolls(screen: MarketStore, choices: IntervalChoices): MarketStore {
	const [own, background] = [pollIntervals(choices), pollIntervals(backgroundIntervals)];
	const slow = new Set<Ask>((['trades', 'depth', 'tickers'] as const).filter(name => own[name] > background[name]));
	if (slow.size === 0) return screen;
	const without = Object.fromEntries([...slow].map(name => [name, waiting]));
	return {
		...screen,
		polls: name => !slow.has(name) && screen.polls(name),
		getSnapshot: () => ({...screen.getSnapshot(), ...without}),
	};
}

/** A store for each of the needs, which are opened as they come and stopped as they go. `onChange`: there is data. */
export function createStores(open: (needed: Needed) => MarketStore, onChange: () => void) {
	const stores = new Map<string, MarketStore>();
	return {
		follow(needs: readonly Needed[]) {
			const wanted = new Map(needs.map(needed => [needKey(needed), needed]));
			for (const [key, store] of stores) {
				if (wanted.has(key)) continue;
				store.stop();
				stores.delete(key);
			}

			for (const [key, needed] of wanted) {
				if (stores.has(key)) continue;
				const store = open(needed);
				stores.set(key, store);
				store.start();
				store.subscribe(onChange);
			}
		},
		get: (needed: Needed): MarketStore | undefined => stores.get(needKey(needed)),
		all: (): readonly MarketStore[] => [...stores.values()],
	};
}

const leastPollMs = Math.min(backgroundIntervals.trades, backgroundIntervals.depth);

/** The first symbol of each key. */
const symbolsByKey = memo(
	(list: readonly Market[]) => new Map(list.toReversed().map(({symbol}) => [symbolKey(symbol), symbol] as const)),
);

type Sources<T> = ReadonlyArray<Resource<T> | undefined>;

/**
 * One resource from several sources, of which one at a time is polled: the latest answer of any, and from the next look on the
 * failure of the one that is polled. Absent sources have another market.
 */
type Handover<T> = (sources: Sources<T>, polled: Resource<T>) => Resource<T>;

/** `join`: the data of the latest answer together with what was known before, of that source too. Default: as it came. */
function createHandover<T>(
	join: (next: Ready<T>, former: Ready<T>, before: T | undefined) => T = next => next.data,
): Handover<T> {
	let latest: Ready<T> | undefined;
	let origin = -1;
	let last: Sources<T> = [];
	let isNew = false;

	function take(source: Ready<T>, index: number) {
		const before = last[index]?.status === 'ready' ? last[index] : undefined;
		const isAnswer = source.receivedAt !== before?.receivedAt || source.data !== before.data;
		if (isAnswer) {
			latest = {...source, data: latest ? join(source, latest, before?.data) : source.data};
			[origin, isNew] = [index, true];
		} else if (latest && index === origin) latest = {...source, data: latest.data};
	}

	return (sources, polled) => {
		isNew = false;
		for (const [index, source] of sources.entries()) if (source?.status === 'ready') take(source, index);
		last = sources;
		if (!latest) return polled;
		const failure = polled.status === 'waiting' ? (polled.held ?? latest.failure) : polled.failure;
		// What is new is judged, though a request has failed by now.
		return {...latest, failure: isNew ? undefined : failure};
	};
}

/** Continues a tape with another source's, so that no trade is lost or comes twice where one takes over from the other. */
export const createTapeHandover = (): Handover<Tape> =>
	createHandover((next, former, before) => {
		const isContinued = former.data === before;
		if (isContinued || next.interface !== former.interface) return next.data;
		const {trades, gaps} = next.data;
		// What came since is in the newest page, and only above a gap is that complete.
		const newest = trades.slice(0, largestPage);
		const gap = gaps.size > 0 ? newest.findIndex(trade => gaps.has(tradeKey(trade))) : -1;
		const page = gap < 0 ? newest : newest.slice(0, gap + 1);
		return isRedated(former.data, page) ? next.data : mergeTape(former.data, page);
	});

/** A market that is needed. */
type Followed = {
	readonly symbol: string;
	/** All but the tickers. */
	readonly needs: readonly Needed[];
	readonly trades: Handover<Tape>;
	readonly depth: Handover<DepthBook>;
};

export function createFeeds(options: FeedsOptions): Feeds {
	const {exchange, clock, screens, random, linesOf, mostMarkets = Infinity} = options;
	const {turns = createSpareTurns(exchange, clock)} = options;
	const {changed, subscribe} = createChanges();
	const spare = {exchange: withMiddleware(exchange, inSpareTurns(turns)), clock, random, pageSize: largestPage};
	/** What is not on screen, polled when it is shown. */
	const openStore = (asks: readonly Ask[], of: {readonly symbol?: string; readonly period?: Period} = {}) => {
		const store = createMarketStore({...spare, ...of, asks, intervals: backgroundIntervals, isBackground: true});
		store.show(new Set());
		return store;
	};
	const stores = createStores(
		each => openStore([each.ask], {symbol: each.market, ...(each.ask === 'candles' && {period: each.period})}),
		changed,
	);
	const followed = new Map<string, Followed>();
	/** The keys of markets that the exchange does not list. */
	let missing: ReadonlySet<string> = new Set();
	/** When it said so. */
	let listedAt = 0;
	const tickersOf = createHandover<ReadonlyMap<string, Ticker>>();
	/** The store of tickers and market list. */
	const lists = openStore(['tickers', 'markets']);
	lists.subscribe(changed);
	/** By the keys of the markets. */
	let needs: ReadonlyMap<string, readonly Needed[]> = new Map();
	/** Ends its count among those who take turns, and the calls of the screens; undefined: it polls nothing. */
	let leave: (() => void) | undefined;

	function join(): () => void {
		const ends = [turns.join(countPolls), ...screens.map(screen => screen.subscribe(changed))];
		return () => {
			for (const end of ends) end();
		};
	}

	const isPolling = ({ask}: Needed, store: MarketStore | undefined): boolean => store?.polls(ask) === true;
	const countPolls = (): number =>
		[...followed.values()].flatMap(each => each.needs).filter(each => isPolling(each, stores.get(each))).length;

	const screenOf = (key: string): MarketStore | undefined =>
		screens.find(screen => symbolKey(screen.getSnapshot().symbol ?? '') === key);

	function marketList() {
		const all = [lists, ...screens].map(store => store.getSnapshot().markets);
		return all.filter(hasMarkets).toSorted((a, b) => b.receivedAt - a.receivedAt)[0];
	}

	/** What is polled no more is not known. */
	function tickers(): MarketState['tickers'] {
		const sources = [lists, ...screens].map(store => store.getSnapshot().tickers);
		const polled = [...screens, lists].find(store => store.polls('tickers'));
		const latest = tickersOf(sources, polled?.getSnapshot().tickers ?? waiting);
		return polled ? latest : waiting;
	}

	function sync() {
		for (const key of followed.keys()) if (!needs.has(key)) followed.delete(key);
		if (needs.size === 0) {
			stores.follow([]);
			lists.stop();
			leave?.();
			leave = undefined;
			return;
		}

		leave ??= join();
		lists.start();
		const choice = screens[0]?.getSnapshot().choice ?? 'auto';
		lists.setChoice(choice);
		const list = marketList();
		// A list that lacks entries proves nothing.
		const listed = list?.dropped === 0 ? list.data : undefined;
		missing = new Set([...needs.keys()].filter(key => listed && !symbolsByKey(listed).has(key) && !screenOf(key)));
		listedAt = list?.receivedAt ?? 0;
		for (const [key, all] of needs) {
			const own = list && symbolsByKey(list.data).get(key);
			const before = followed.get(key);
			const market = own ?? before?.symbol ?? screenOf(key)?.getSnapshot().symbol ?? key;
			const isSame = before?.symbol === market;
			const handovers = isSame ? before : {trades: createTapeHandover(), depth: createHandover<DepthBook>()};
			const ofMarket = all.flatMap(each => (each.ask === 'tickers' ? [] : [{...each, market}]));
			followed.set(key, {...handovers, symbol: market, needs: ofMarket});
		}

		stores.follow([...followed.values()].flatMap(each => each.needs));
		for (const [key, each] of followed) {
			for (const needed of each.needs) {
				const isShown = needed.ask !== 'candles' && isPolling(needed, screenOf(key));
				const store = stores.get(needed);
				store?.setChoice(choice);
				store?.show(new Set(isShown || missing.has(key) ? [] : [needed.ask]));
			}
		}

		const isShown = (name: 'tickers' | 'markets') => screens.some(screen => screen.polls(name));
		const wanted = new Set<'tickers' | 'markets'>();
		const needsTickers = [...needs.values()].flat().some(({ask}) => ask === 'tickers');
		if (needsTickers && !isShown('tickers')) wanted.add('tickers');
		// Once it knows the list, the screen polls it seldom.
		if (list ? missing.size > 0 || isAnyDoubtful() : !isShown('markets')) wanted.add('markets');
		lists.show(wanted);
	}

	/** Whether a market may be listed no more. */
	function isAnyDoubtful(): boolean {
		const all = tickers();
		const isFailing = (resource: Resource<unknown>) => resource.status !== 'waiting' && resource.failure !== undefined;
		const states = stores.all().map(store => store.getSnapshot());
		const isGone = ({symbol}: Followed) => all.status === 'ready' && !all.data.has(symbol);
		return (
			states.some(({trades: tape, depth}) => isFailing(tape) || isFailing(depth)) || followed.values().some(isGone)
		);
	}

	/** What is polled neither for the screen nor for rules is not known. */
	function dataOf(key: string, {symbol, ...handovers}: Followed): MarketData {
		const screen = screenOf(key);
		const reason = {brief: `${symbol} is not listed`, since: listedAt};
		const unlessMissing = <T>(resource: Resource<T>) => (missing.has(key) ? unusable(resource, reason) : resource);
		const joined = <T>(ask: 'trades' | 'depth', join: Handover<T>, resourceOf: (state: MarketState) => Resource<T>) => {
			const own = stores.get({ask, market: symbol});
			const polled = screen?.polls(ask) ? screen : own;
			const sources = [own, screen].map(store => store && resourceOf(store.getSnapshot()));
			return unlessMissing(polled ? join(sources, resourceOf(polled.getSnapshot())) : waiting);
		};
		return {
			state: {
				...(screen ?? lists).getSnapshot(),
				symbol,
				trades: joined('trades', handovers.trades, ({trades: tape}) => tape),
				depth: joined('depth', handovers.depth, ({depth}) => depth),
				tickers: unlessMissing(tickers()),
			},
			candlesOf(period) {
				const store = stores.get({ask: 'candles', market: symbol, period});
				return unlessMissing(store?.getSnapshot().candles ?? waiting);
			},
			linesOf: number => linesOf?.(key, number) ?? [],
			facts: new Map(),
		};
	}

	return {
		follow(wanted) {
			needs = new Map([...Map.groupBy(wanted, ({market}) => market)].slice(0, mostMarkets));
			sync();
		},
		data: () => new Map([...followed].map(([key, each]) => [key, dataOf(key, each)])),
		pollMs(needed) {
			const market = followed.get(needed.market)?.symbol ?? needed.market;
			const isPolled = isPolling(needed, stores.get({...needed, market}));
			return isPolled ? Math.max(leastPollMs, turns.polls() * turns.gapMs()) : 0;
		},
		subscribe,
	};
}
