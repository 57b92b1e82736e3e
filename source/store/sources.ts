import type {Answer, Exchange} from '../client/exchange.ts';
import type {Ask} from '../client/question.ts';
import type {Clock} from '../market/clock.ts';
import type {BookHistories} from '../market/liquidity.ts';
import {memo} from '../market/memo.ts';
import {isSameTicker, withPrices} from '../market/price-trail.ts';
import {defaultSymbol, findMarket} from '../market/symbol.ts';
import {withPage} from '../market/trade-clock.ts';
import type {Market, Ticker} from '../market/types.ts';
import type {Freshness} from './freshness.ts';
import type {LiveCandles} from './live-candles.ts';
import type {Source, Sources} from './polling.ts';
import {failing, isAgain, isOlder, keeping, type Resource, ready} from './resource.ts';
import {type MarketState, selectedSymbol, type WorkingState} from './state.ts';
import {fetchTape, firstPage, type TapeAnswer} from './tape-feed.ts';

/** Interval between two reads of the market list while it is empty. */
export const emptyListRetryMs = 5000;

type SourcesOptions = WorkingState & {
	readonly exchange: Exchange;
	readonly clock: Clock;
	/** Its requests wait for their turns. */
	readonly isBackground: boolean;
	readonly freshness: Freshness;
	/** How many trades are requested at first. Default 500. */
	readonly firstTrades: number | undefined;
	readonly books: BookHistories;
	readonly candles: LiveCandles;
	/** Reads the market list again. */
	readonly relist: () => void;
};

/** A source whose resource keeps its data when a poll fails, unless it says otherwise. */
type Answering<A> = Omit<Source<A>, 'onFailure'> & Partial<Source<A>>;

/** The symbols of a list. */
const symbolsOf = memo((list: readonly (Market | Ticker)[]) => new Set(list.map(({symbol}) => symbol)));

/** How each resource is fetched, and what its answers and failures change. */
export function createSources({
	exchange,
	clock,
	isBackground,
	freshness,
	firstTrades,
	books,
	candles,
	relist,
	state,
	put,
}: SourcesOptions): Sources {
	/** Tickers without a market in the list, for which that has been read again. */
	let unlisted: ReadonlySet<string> = new Set();

	/** A market is new where the tickers have it before the list, which is read seldom. */
	function findNew(tickers: readonly Ticker[]) {
		const {markets} = state();
		if (markets.status !== 'ready' || markets.data.length === 0) return;
		const others = symbolsOf(tickers).difference(symbolsOf(markets.data));
		const isNew = !others.isSubsetOf(unlisted);
		unlisted = others;
		if (isNew) relist();
	}

	/** The last answer for the selected market, valid while `tape` is ready. */
	let tapeAnswer: TapeAnswer | undefined;

	/** Refuses answers that are older than what is shown. */
	function refusing<A extends Answer<unknown>>(name: Exclude<Ask, 'candles'>, source: Answering<A>): Source<A> {
		return {
			onFailure: failure => put({[name]: failing<unknown>(state()[name], failure)}),
			...source,
			onAnswer(answer) {
				const shown: Resource<unknown> = state()[name];
				if (isOlder(answer, shown, state().choice)) put({[name]: keeping(shown, answer)});
				else source.onAnswer(answer);
			},
		};
	}

	return {
		info: refusing('info', {
			fetch: exchange.info,
			onAnswer: answer => put({info: ready(answer, answer.data)}),
		}),
		markets: refusing('markets', {
			fetch: exchange.markets,
			onAnswer(answer) {
				put({markets: ready(answer, answer.data)});
				put({symbol: listedSymbol(state(), answer.data)});
			},
			wantedMs: ({data}) => (data.length > 0 ? Infinity : emptyListRetryMs),
		}),
		tickers: refusing('tickers', {
			fetch: exchange.tickers,
			onAnswer(answer) {
				const {tickers: before, priceTrails: trails} = state();
				if (before.status === 'ready' && isAgain(answer, before)) {
					put({tickers: freshness.resource('tickers', answer, before.data)});
					return;
				}

				const tickers = bySymbol(answer, before.status === 'ready' ? before.data : new Map());
				const priceTrails = withPrices(trails, tickers, answer.receivedAt);
				put({
					tickers: freshness.resource('tickers', answer, tickers),
					priceTrails,
					symbol: listedSymbol(state(), answer.data),
				});
				findNew(answer.data);
			},
		}),
		depth: refusing('depth', {
			fetch: call => exchange.depth(selectedSymbol(state()), call),
			onAnswer(answer) {
				const {depth: before} = state();
				if (before.status === 'ready' && isAgain(answer, before)) {
					put({depth: freshness.resource('depth', answer, before.data)});
					return;
				}

				const bookHistory = books.add(selectedSymbol(state()), answer.data, answer.receivedAt);
				put({depth: freshness.resource('depth', answer, answer.data), bookHistory});
			},
		}),
		trades: refusing('trades', {
			fetch(call) {
				const last = state().trades.status === 'ready' ? tapeAnswer : undefined;
				// How long a request waits for its turn is known from the second one on.
				const least = isBackground && last?.sinceMs === 0 ? firstPage : last ? undefined : firstTrades;
				return fetchTape(exchange, {symbol: selectedSymbol(state()), last, now: clock.now(), call, least});
			},
			onAnswer(answer) {
				const {trades: before} = state();
				const last = before.status === 'ready' && before.interface === answer.interface ? before : undefined;
				const trades = last?.data.trades ?? [];
				const tradeClock = withPage(last?.tradeClock, answer, answer.data.trades, trades);
				const moved = answer.data !== tapeAnswer?.data;
				tapeAnswer = answer;
				put({trades: freshness.resource('trades', {...answer, tradeClock}, answer.data)});
				candles.followTape(moved);
			},
			onFailure(failure) {
				put({trades: failing(state().trades, failure)});
				candles.followTape(false);
			},
			wantedMs: answer => answer.wantedMs,
		}),
		candles,
	};
}

/** The selected market's symbol as the market list spells it; if no market was named, the default one of `list`. */
const listedSymbol = (state: MarketState, list: readonly (Market | Ticker)[]): string | undefined =>
	state.symbol === undefined ? defaultSymbol(list) : spelledAsListed(state, state.symbol);

/** The symbol in the market list that `text` names in any spelling; `text` itself if there is none. */
export function spelledAsListed({markets}: MarketState, text: string): string {
	return (markets.status === 'ready' && findMarket(markets.data, text)?.symbol) || text;
}

/**
 * The tickers by symbol. An unchanged one stays the object of `before`. One with a volume of unknown unit keeps the market's last volume,
 * so that ranks stay.
 */
function bySymbol({data}: Answer<readonly Ticker[]>, before: ReadonlyMap<string, Ticker>): ReadonlyMap<string, Ticker> {
	const tickers = new Map<string, Ticker>();
	for (const ticker of data) {
		const {symbol, quoteVolume} = ticker;
		const last = before.get(symbol);
		const lastVolume = quoteVolume === undefined ? undefined : (last?.lastVolume ?? last?.volume);
		const now = lastVolume === undefined ? ticker : {...ticker, lastVolume};
		tickers.set(symbol, last && (last === now || isSameTicker(last, now)) ? last : now);
	}

	return tickers;
}
