import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import type {Period} from '../market/types.ts';
import type {CandleHistory} from './candle-feed.ts';
import {createStore} from './create-store.ts';
import {createMarketStore} from './market-store.ts';
import type {Resource} from './resource.ts';
import type {MarketStore} from './state.ts';

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
export type Comparison = ReturnType<typeof createComparison>;

type ComparisonOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Interval between two polls of a market. Default 15 s. */
	readonly intervalMs?: number | undefined;
};

const shown = new Set(['candles'] as const);

/** Polls the candles of several markets in one period while they are shown. */
export function createComparison({intervalMs, ...options}: ComparisonOptions) {
	const store = createStore<readonly Compared[]>([]);
	let markets: readonly MarketStore[] = [];
	let key = '';
	let isShown = false;

	/** The candles of one market. A refresh of the screen ends the waits of the exchange already. */
	const openMarket = (symbol: string, {period, choice}: ComparisonRequest): MarketStore =>
		createMarketStore({
			...{...options, symbol, period, choice, intervals: {candles: intervalMs}},
			...{exchange: {...options.exchange, retryNow() {}}, asks: [...shown], updateGapMs: 0},
		});

	function publish() {
		const before = store.getSnapshot();
		const compared = markets.map((market, index): Compared => {
			const {symbol = '', candles, history} = market.getSnapshot();
			const last = before[index];
			const isSame = last?.symbol === symbol && last.candles === candles && last.history === history;
			return isSame ? last : {symbol, candles, history};
		});
		if (compared.some((each, index) => each !== before[index])) store.set(compared);
	}

	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		/** Polls the candles of these markets from now on. Loaded candles stay if the request is unchanged. Undefined: polls nothing. */
		show(request: ComparisonRequest | undefined): void {
			isShown = request !== undefined;
			if (!request) {
				for (const market of markets) market.show(new Set());
				return;
			}

			const wanted = [request.period, request.choice, ...request.symbols].join(' ');
			if (wanted !== key) {
				for (const market of markets) market.stop();
				key = wanted;
				markets = request.symbols.map(symbol => openMarket(symbol, request));
				for (const market of markets) market.subscribe(publish);
				store.set([]);
				publish();
			}

			for (const market of markets) {
				market.show(shown);
				market.start();
			}
		},
		/** Requests a page of older candles of a market that is shown. Does nothing while one is loading or none can exist. */
		loadOlder(symbol: string): void {
			if (isShown) markets.find(market => market.getSnapshot().symbol === symbol)?.loadOlder();
		},
		/** Polls all that is shown now. */
		refresh(): void {
			if (isShown) for (const market of markets) market.refresh();
		},
	};
}
