import type {Feeds} from '../../alerts/feeds.ts';
import type {Needs} from '../../alerts/needs.ts';
import type {KnownMarkets} from '../../alerts/news.ts';
import type {Data, KnownMarket} from '../../alerts/quantity-values.ts';
import type {Ask} from '../../client/question.ts';
import {symbolKey} from '../../market/symbol.ts';
import {minuteMs} from '../../market/units.ts';
import {silentExchange} from '../../recording/open-replay.ts';
import type {Moment} from '../../recording/outcome-log.ts';
import {createPlayback} from '../../recording/playback.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import type {ReplayClock} from '../../recording/replay-clock.ts';
import {createMarketStore} from '../../store/market-store.ts';
import {type Resource, waiting} from '../../store/resource.ts';
import type {MarketStore} from '../../store/state.ts';

type RecordedFeedsOptions = {
	readonly reader: RecordingReader;
	readonly clock: ReplayClock;
	readonly moment: () => Moment;
	/** How far it is looked back, ms. */
	readonly lookBackMs: () => number;
};

export type RecordedFeeds = Feeds & {
	/** Whether the session has the ticker of a market, but no trades. */
	lacksTrades(key: string): boolean;
	stop(): void;
};

/** Trades come late, and what was traded in the minute of the last trade is looked up. */
const moreMs = 2 * minuteMs;

/** What a recording knows of markets, as its clock goes on. No request is sent. */
export function createRecordedFeeds({reader, clock, moment, lookBackMs}: RecordedFeedsOptions): RecordedFeeds {
	const symbols = new Map(reader.symbols().map(symbol => [symbolKey(symbol), symbol] as const));
	const markets = recordedMarkets(reader, moment().session.id);
	const listeners = new Set<() => void>();
	/** By market and what is read of it. */
	const stores = new Map<string, MarketStore>();
	let needs: Needs = new Map();

	const nameOf = (key: string, data: Data): string => (data === 'tickers' ? data : `${key} ${data}`);

	function changed() {
		for (const listener of [...listeners]) listener();
	}

	function open(key: string, data: Data): MarketStore {
		const polling = createPlayback({
			log: reader,
			clock,
			moment,
			names: [resourceOf(data)],
			tapeMs: () => lookBackMs() + moreMs,
		});
		const [symbol, period] = [symbols.get(key) ?? key, typeof data === 'number' ? data : undefined];
		const store = createMarketStore({exchange: silentExchange, clock, symbol, period, polling, updateGapMs: 0});
		store.start();
		store.subscribe(changed);
		return store;
	}

	function knownOf(key: string): KnownMarket {
		const stateOf = (data: Data) => stores.get(nameOf(key, data))?.getSnapshot();
		const [tape = waiting, depth = waiting] = [stateOf('trades')?.trades, stateOf('depth')?.depth];
		const tickers = stateOf('tickers')?.tickers ?? waiting;
		const {decimals} = stateOf('depth') ?? stateOf('trades') ?? emptyState;
		return {
			state: {...emptyState, symbol: symbols.get(key) ?? key, decimals, trades: tape, depth, tickers},
			candlesOf: (period): Resource<never> | NonNullable<ReturnType<typeof stateOf>>['candles'] =>
				stateOf(period)?.candles ?? waiting,
			facts: new Map(),
		};
	}

	return {
		follow(wanted) {
			if (wanted === needs) return;
			needs = wanted;
			const all = [...wanted].flatMap(([key, datas]) => [...datas].map(data => ({key, data, name: nameOf(key, data)})));
			const names = new Set(all.map(({name}) => name));
			for (const [name, store] of stores) {
				if (names.has(name)) continue;
				store.stop();
				stores.delete(name);
			}

			for (const {key, data, name} of all) if (!stores.has(name)) stores.set(name, open(key, data));
		},
		known: (): KnownMarkets => new Map([...needs.keys()].map(key => [key, knownOf(key)])),
		lacksTrades: key => markets.get(key) === 'ticker',
		// What was recorded is known as often as it was recorded.
		pollMs: () => 0,
		subscribe(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		stop() {
			for (const store of stores.values()) store.stop();
			stores.clear();
		},
	};
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

const resourceOf = (data: Data): Ask => (typeof data === 'number' ? 'candles' : data);
