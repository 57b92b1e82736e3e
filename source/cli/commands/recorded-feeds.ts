import {createStores, type Feeds} from '../../alerts/feeds.ts';
import type {Needed} from '../../alerts/market-data.ts';
import type {LinesOf, MarketData} from '../../alerts/quantity-values.ts';
import {symbolKey} from '../../market/symbol.ts';
import {minuteMs} from '../../market/units.ts';
import type {Moment} from '../../recording/outcome-log.ts';
import {createPastStore, silentExchange} from '../../recording/playback.ts';
import type {ReplayClock} from '../../recording/player.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import {createChanges} from '../../store/create-store.ts';
import {createMarketStore} from '../../store/market-store.ts';
import {waiting} from '../../store/resource.ts';

type RecordedFeedsOptions = {
	readonly reader: RecordingReader;
	readonly clock: ReplayClock;
	readonly moment: () => Moment;
	/** How far it is looked back, ms. */
	readonly lookBackMs: () => number;
	/** Default: none. */
	readonly linesOf?: LinesOf | undefined;
};

export type RecordedFeeds = ReturnType<typeof createRecordedFeeds>;

/** Trades come late, and what was traded in the minute of the last trade is looked up. */
const moreMs = 2 * minuteMs;

/** What a recording knows of markets, as its clock goes on. No request is sent. */
export function createRecordedFeeds({reader, clock, moment, lookBackMs, linesOf}: RecordedFeedsOptions) {
	const symbols = new Map(reader.symbols().map(symbol => [symbolKey(symbol), symbol] as const));
	const markets = recordedMarkets(reader, moment().session.id);
	const {changed, subscribe} = createChanges();
	let needs: readonly Needed[] = [];
	/** Of the markets that are needed. */
	let keys: readonly string[] = [];
	const stores = createStores(needed => {
		const {ask} = needed;
		const symbol = symbols.get(needed.market) ?? needed.market;
		const period = ask === 'candles' ? needed.period : undefined;
		const tapeMs = () => lookBackMs() + moreMs;
		return createPastStore({log: reader, clock, moment, names: [ask], tapeMs}, {symbol, period});
	}, changed);

	/** All tickers come together. */
	const asRequested = (needed: Needed): Needed => (needed.ask === 'tickers' ? {...needed, market: ''} : needed);

	function dataOf(market: string): MarketData {
		const stateOf = (needed: Needed) => stores.get(asRequested(needed))?.getSnapshot();
		const [tape, book] = [stateOf({ask: 'trades', market}), stateOf({ask: 'depth', market})];
		const data = {
			trades: tape?.trades ?? waiting,
			depth: book?.depth ?? waiting,
			tickers: stateOf({ask: 'tickers', market})?.tickers ?? waiting,
		};
		const {decimals} = book ?? tape ?? emptyState;
		return {
			state: {...emptyState, symbol: symbols.get(market) ?? market, decimals, ...data},
			candlesOf: period => stateOf({ask: 'candles', market, period})?.candles ?? waiting,
			linesOf: number => linesOf?.(market, number) ?? [],
			facts: new Map(),
		};
	}

	return {
		follow(wanted: readonly Needed[]): void {
			if (wanted === needs) return;
			needs = wanted;
			keys = [...new Set(wanted.map(({market}) => market))];
			stores.follow(wanted.map(asRequested));
		},
		data: () => new Map(keys.map(key => [key, dataOf(key)])),
		/** Whether the session has the ticker of a market, but no trades. */
		lacksTrades: (key: string) => markets.get(key) === 'ticker',
		// What was recorded is known as often as it was recorded.
		pollMs: () => 0,
		subscribe,
		stop: () => stores.follow([]),
	} satisfies Feeds & Record<string, unknown>;
}

/** What a session has of its markets, by their keys: trades or, without those, the ticker. */
export function recordedMarkets(reader: RecordingReader, session: number): ReadonlyMap<string, 'trades' | 'ticker'> {
	const end = reader.idAt(session, Infinity);
	const tickers = reader.lastAnswer(session, {ask: 'tickers'}, end);
	const listed = new Set(tickers && reader.data({ask: 'tickers'}, tickers.id).map(({symbol}) => symbol));
	const read = new Set(reader.symbolsRead(session, 'trades'));
	const found = reader.symbols().flatMap(symbol => {
		const hasTrades =
			read.has(symbol) && reader.lastAnswer(session, {ask: 'trades', market: symbol}, end) !== undefined;
		if (!hasTrades && !listed.has(symbol)) return [];
		return [[symbolKey(symbol), hasTrades ? 'trades' : 'ticker'] as const];
	});
	return new Map(found);
}

const emptyState = createMarketStore({
	...{exchange: silentExchange, clock: {now: () => 0, after: () => () => {}}},
}).getSnapshot();
