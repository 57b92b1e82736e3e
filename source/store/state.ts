import type {Budget, InterfaceChoice} from '../client/exchange.ts';
import type {Ask} from '../client/question.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {BookHistory} from '../market/liquidity.ts';
import type {Past, PastPeriod} from '../market/past-figures.ts';
import type {Decimals} from '../market/precision.ts';
import type {PriceTrail} from '../market/price-trail.ts';
import type {Tape} from '../market/tape.ts';
import {
	type DepthBook,
	type ExchangeInfo,
	listedState,
	type Market,
	type Period,
	stateOf,
	type Ticker,
} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import type {CandleHistory} from './candle-feed.ts';
import type {Store} from './create-store.ts';
import type {Resource} from './resource.ts';

type PendingRequests = {readonly [Name in Ask]?: number | undefined};

/** The exchange and the selected market as of the last answers. Immutable; a part that did not change keeps its identity. */
export type MarketState = {
	/** The selected market's symbol; absent until one is named or chosen from the market list. */
	readonly symbol?: string | undefined;
	readonly period: Period;
	/** Digits that the prices and quantities of `symbol` need. They only grow. */
	readonly decimals: Decimals;
	readonly choice: InterfaceChoice;
	readonly paused: boolean;
	readonly budget: Budget;
	/** When the requests were sent that have been unanswered for long, epoch ms. Of requests that failed so, the first one. */
	readonly pending: PendingRequests;
	readonly info: Resource<ExchangeInfo>;
	readonly markets: Resource<readonly Market[]>;
	/** Keyed by symbol. */
	readonly tickers: Resource<ReadonlyMap<string, Ticker>>;
	/** The last prices of every market since the start. Keyed by symbol. */
	readonly priceTrails: ReadonlyMap<string, PriceTrail>;
	/** The book of `symbol`. Like `tape` and `candles`, it is never another market's. */
	readonly depth: Resource<DepthBook>;
	/** The book of `symbol` before `depth`, and snapshots since the start. */
	readonly bookHistory: BookHistory;
	readonly trades: Resource<Tape>;
	/** Candles of `period`. The last one moves with each trade. */
	readonly candles: Resource<CandleSeries>;
	/** Whether there are candles older than the first of `candles`. */
	readonly history: CandleHistory;
	/** The past of all markets from their candles; absent: this store does not read it. */
	readonly past?: Past | undefined;
};

/** Periods and symbols of the wanted candles, most urgent group first; a market may be in several groups. */
export type WantedPast = {
	readonly periods: readonly PastPeriod[];
	readonly shown: readonly string[];
	readonly favourites: readonly string[];
	readonly others: readonly string[];
};

/** The symbol of the selected market; throws while none is selected. */
export function selectedSymbol({symbol}: MarketState): string {
	if (symbol === undefined) throw new Error('no market is selected');
	return symbol;
}

/** The delayed 24 h summary of the selected market. */
export const selectedTicker = ({tickers, symbol}: Pick<MarketState, 'tickers' | 'symbol'>): Ticker | undefined =>
	tickers.status === 'ready' && symbol !== undefined ? tickers.data.get(symbol) : undefined;

export const selectedMarket = ({markets, symbol}: Pick<MarketState, 'markets' | 'symbol'>): Market | undefined =>
	markets.status === 'ready' ? markets.data.find(market => market.symbol === symbol) : undefined;

/** The two lists of all markets. */
export type Lists = Pick<MarketState, 'markets' | 'tickers'>;

/** Whether the list of markets was received after the tickers. */
export const isListNewer = ({markets, tickers}: Lists): boolean =>
	markets.status === 'ready' && tickers.status === 'ready' && markets.receivedAt > tickers.receivedAt;

/** Where a state comes from, and when it was received, epoch ms. */
export type StateSource = {readonly state: string; readonly from: 'ticker' | 'list'; readonly receivedAt: number};

/** An older state is not compared: hidden lists are not read again. */
const mostStateMs = 10 * minuteMs;

/**
 * The selected market's state by the newer of list and ticker. Where both are current and differ, also what each of them says, the
 * newer one first.
 */
export function selectedState(
	state: Lists & Pick<MarketState, 'symbol'>,
	now: number,
): {readonly state: string; readonly conflict?: readonly [newer: StateSource, older: StateSource]} {
	const {markets, tickers} = state;
	const [market, ticker] = [selectedMarket(state), selectedTicker(state)];
	const newest = {state: stateOf(market, ticker, isListNewer(state))};
	const listed = listedState(market);
	if (markets.status !== 'ready' || tickers.status !== 'ready') return newest;
	if (!ticker || listed === undefined || listed === ticker.state || markets.failure || tickers.failure) return newest;
	const list: StateSource = {state: listed, from: 'list', receivedAt: markets.receivedAt};
	const own: StateSource = {state: ticker.state, from: 'ticker', receivedAt: tickers.receivedAt};
	const [newer, older] = isListNewer(state) ? [list, own] : [own, list];
	return now - older.receivedAt > mostStateMs ? newest : {...newest, conflict: [newer, older]};
}

/** Whether the exchange has sent data of the selected market. */
export const hasData = (state: MarketState): boolean =>
	(state.depth.status === 'ready' && state.depth.data.asks.length + (state.depth.data.bids?.length ?? 0) > 0) ||
	lastTradePrice(state) !== undefined ||
	selectedTicker(state) !== undefined ||
	(state.candles.status === 'ready' && state.candles.data.candles.length > 0);

/** Whether the exchange has listed markets. An empty list is no evidence of which there are. */
export const hasMarkets = (
	markets: MarketState['markets'],
): markets is Extract<MarketState['markets'], {status: 'ready'}> =>
	markets.status === 'ready' && markets.data.length > 0;

/** Best bid of a book that is not stale: a line at an old price would look current. */
export const bestBid = ({depth}: Pick<MarketState, 'depth'>): number | undefined =>
	depth.status === 'ready' && !depth.failure ? depth.data.bids?.[0]?.[0] : undefined;

export const bestAsk = ({depth}: Pick<MarketState, 'depth'>): number | undefined =>
	depth.status === 'ready' && !depth.failure ? depth.data.asks[0]?.[0] : undefined;

/** Price of the newest trade of the tape, stale or not. */
export const lastTradePrice = ({trades: tape}: Pick<MarketState, 'trades'>): number | undefined =>
	tape.status === 'ready' ? tape.data.trades[0]?.price : undefined;

/** A request is reported at the end of its second second; timers may be late, and requests are sent after their poll began. */
export const leastPendingMs = 1500;

/** Ms for which the oldest pending request of these resources is unanswered; undefined: none has been for long, or it failed. */
export function longestWaitMs<Name extends Ask>(
	state: Pick<MarketState, 'pending' | Name>,
	names: readonly Name[],
	now: number,
): number | undefined {
	const isFailing = (name: Name) => state[name].status !== 'waiting' && state[name].failure !== undefined;
	const times = names.flatMap(name => (isFailing(name) ? [] : (state.pending[name] ?? [])));
	const waitMs = now - Math.min(...times);
	// `now` may be older than the report.
	return waitMs < leastPendingMs ? undefined : waitMs;
}

/** The state that answers change at once; the store publishes it later. */
export type WorkingState = {
	readonly state: () => MarketState;
	readonly put: (change: Partial<MarketState>) => void;
};

/** The market store. Listeners are called at most four times per second for data, and at once for the user's actions. */
export type MarketStore = Store<MarketState> & {
	/** Switches the market: its depth, tape and candles are `waiting` before this returns. */
	select(symbol: string): void;
	setPeriod(period: Period): void;
	setChoice(choice: InterfaceChoice): void;
	/** Sets which resources are on screen. Others are not polled. */
	show(visible: ReadonlySet<Ask>, focused?: Ask): void;
	/** Whether it is polled now. */
	polls(name: Ask): boolean;
	setPaused(paused: boolean): void;
	/** Reads this past from now on; undefined: none. Absent: `past` is never known. */
	wantPast?(wanted: WantedPast | undefined): void;
	/** Requests a page of older candles. Does nothing while one is loading or none can exist. */
	loadOlder(): void;
	/** Polls everything visible now, past caches, and whatever the exchange asked to wait. */
	refresh(): void;
	/**
	 * Reads the market list again, past caches: a market that it lacks may be new. False: nothing is read. `markets` of the state is
	 * another one when this has ended.
	 */
	relist(): boolean;
	start(): void;
	/** Aborts all requests; nothing is left pending. */
	stop(): void;
};
