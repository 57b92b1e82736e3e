import type {Exchange, InterfaceChoice} from '../client/exchange.ts';
import type {Ask} from '../client/question.ts';
import type {CandleSeries} from '../market/candles.ts';
import type {Clock} from '../market/clock.ts';
import {type DepthBook, largestPage, type Period} from '../market/types.ts';
import {secondMs} from '../market/units.ts';
import {type Comparison, createComparison} from '../store/comparison.ts';
import {createMarketStore} from '../store/market-store.ts';
import {type IntervalChoices, pollIntervals} from '../store/polling.ts';
import {type Resource, waiting} from '../store/resource.ts';
import type {MarketState, MarketStore} from '../store/state.ts';
import {createHandover, createTapeHandover} from './handover.ts';
import type {Needed} from './known.ts';

type MarketFeedOptions = {
	readonly exchange: Exchange;
	readonly clock: Clock;
	readonly symbol: string;
	readonly random: (() => number) | undefined;
	readonly onChange: () => void;
};

/** Ms between two polls of what is not on screen. */
export const backgroundIntervals = {trades: 2 * secondMs, depth: 2 * secondMs, markets: 60 * secondMs};

const ofMarket = ['trades', 'depth'] as const;

/** The store of a market that is not on screen, or of lists alone. */
export function createBackgroundStore({
	onChange,
	...options
}: Omit<MarketFeedOptions, 'symbol'> & {readonly symbol?: string}): MarketStore {
	const store = createMarketStore({...options, intervals: backgroundIntervals, isBackground: true});
	store.show(new Set());
	store.start();
	store.subscribe(onChange);
	return store;
}

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

/** What rules need of one market: from the screen where that polls it, else polled in the background. */
export class MarketFeed {
	readonly symbol: string;
	readonly #options: MarketFeedOptions;
	readonly #store: MarketStore;
	readonly #tape = createTapeHandover();
	readonly #depth = createHandover<DepthBook>();
	readonly #candles = new Map<Period, Comparison>();
	#screen: MarketStore | undefined;
	#asked: ReadonlySet<Ask> = new Set();

	constructor(options: MarketFeedOptions) {
		this.symbol = options.symbol;
		this.#options = options;
		this.#store = createBackgroundStore(options);
	}

	/** How many series of requests it sends. */
	get polls(): number {
		return this.#candles.size + ofMarket.filter(name => this.#store.polls(name)).length;
	}

	isPolling(needed: Needed): boolean {
		return needed.ask === 'candles' ? this.#candles.has(needed.period) : this.#store.polls(needed.ask);
	}

	/** Whether a request of its own failed, maybe because the market is gone. */
	get isFailing(): boolean {
		const {trades: tape, depth} = this.#store.getSnapshot();
		return [tape, depth].some(resource => resource.status !== 'waiting' && resource.failure !== undefined);
	}

	/** Polls this from now on. `screen`: shows the market; absent: none does. */
	follow(needs: readonly Needed[], screen: MarketStore | undefined, choice: InterfaceChoice) {
		this.#screen = screen;
		this.#asked = new Set(needs.map(({ask}) => ask));
		const isNewChoice = choice !== this.#store.getSnapshot().choice;
		this.#store.setChoice(choice);
		this.#store.show(new Set(ofMarket.filter(name => this.#asked.has(name) && screen?.polls(name) !== true)));
		const periods = new Set(needs.flatMap(each => (each.ask === 'candles' ? each.period : [])));
		for (const [period, comparison] of this.#candles) {
			if (periods.has(period) && !isNewChoice) continue;
			comparison.show(undefined);
			this.#candles.delete(period);
		}

		for (const period of periods) if (!this.#candles.has(period)) this.#poll(period, choice);
	}

	#poll(period: Period, choice: InterfaceChoice) {
		const {symbol, exchange, clock, random, onChange} = this.#options;
		const comparison = createComparison({exchange, clock, random, pageSize: largestPage, isBackground: true});
		this.#candles.set(period, comparison);
		comparison.subscribe(onChange);
		comparison.show({symbols: [symbol], period, choice});
	}

	/** What is known of the market, but for its ticker, and for what is polled no more. */
	state(): MarketState {
		const own = this.#store.getSnapshot();
		const shown = this.#screen?.getSnapshot();
		const isShown = (name: Ask) => this.#screen?.polls(name) === true;
		const isUsed = (name: 'trades' | 'depth') => this.#asked.has(name) || isShown(name);
		const tape = this.#tape([own.trades, shown?.trades], (isShown('trades') && shown ? shown : own).trades);
		const depth = this.#depth([own.depth, shown?.depth], (isShown('depth') && shown ? shown : own).depth);
		return {
			...(shown ?? own),
			symbol: this.symbol,
			trades: isUsed('trades') ? tape : waiting,
			depth: isUsed('depth') ? depth : waiting,
		};
	}

	candlesOf(period: Period): Resource<CandleSeries> {
		return this.#candles.get(period)?.getSnapshot()[0]?.candles ?? waiting;
	}

	stop() {
		this.#store.stop();
		for (const comparison of this.#candles.values()) comparison.show(undefined);
	}
}
