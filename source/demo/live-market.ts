import type {Side} from '../market/types.ts';
import {dayMinutes, minuteMs} from '../market/units.ts';
import {type Bar, BarSum} from './bar.ts';
import {Book, type PriceLevel} from './book.ts';
import {History} from './history.ts';
import type {Listing} from './listing.ts';
import {LiveMinutes} from './live-minutes.ts';
import {OrderFlow} from './order-flow.ts';
import {hashText, Random} from './random.ts';

const weekSeconds = 604_800;

/** How many trades a market should have when the demo starts, and the shortest and longest time it trades for them. */
const warmUpTrades = 60;
const shortestWarmUp = 1;
const longestWarmUp = 720;
/** A halted market stopped this many minutes before the demo started. */
const haltedFor = 200;
const keptExecutions = 5000;
/** Ids reserved for the trades of a minute, so that ids also rise from one run of the demo to the next. */
const idsPerMinute = 2000;

/** A bar of a candle's length and its first minute since the epoch. */
export type TimedBar = {readonly minute: number; readonly bar: Bar};

/**
 * One market at one time: its past is computed, its present traded. Nothing runs by itself: `advance` moves it to a given
 * time, and its data then depends only on seed, start and that time.
 */
export class LiveMarket {
	readonly listing: Listing;
	readonly #history: History;
	readonly #book: Book;
	readonly #flow: OrderFlow;
	readonly #minutes: LiveMinutes;
	readonly #executions: LastExecutions;
	/** No orders arrive after this. */
	readonly #end: number;
	#minute: number;
	/** The part of `day` before trading began: it changes once a minute and is read every second. */
	#past: {readonly from: number; readonly sum: BarSum} | undefined;

	/** @param startedAt when the demo started, epoch ms: trading began some minutes before, so that there is a tape */
	constructor(listing: Listing, seed: number, startedAt: number) {
		this.listing = listing;
		const {tempo, orderQuantity, weeklyVolatility, priceDecimals, quantityDecimals} = listing;
		const halted = listing.state === 'halted';
		const warmUp = Math.round(warmUpTrades / (tempo * 60));
		const before = Math.min(longestWarmUp, Math.max(shortestWarmUp, warmUp)) + (halted ? haltedFor : 0);
		const first = Math.floor(startedAt / minuteMs) - before;
		const orderLots = orderQuantity * 10 ** quantityDecimals;
		const marketSeed = hashText(`${seed} ${listing.symbol}`);
		this.#history = new History({
			seed: marketSeed,
			price: listing.price * 10 ** priceDecimals,
			weeklyVolatility,
			weeklyVolume: tempo * orderLots * weekSeconds,
			tradeVolume: orderLots,
		});
		const price = this.#history.closeBefore(first);
		this.#end = halted ? startedAt - haltedFor * minuteMs : Number.POSITIVE_INFINITY;
		this.#minute = first;
		this.#minutes = new LiveMinutes(first, price);
		this.#executions = new LastExecutions(first * idsPerMinute);
		this.#book = new Book((filledAt, lots, side) => this.#record(filledAt, lots, side));
		this.#flow = new OrderFlow({
			book: this.#book,
			random: new Random(marketSeed),
			tempo,
			orderLots,
			volatility: weeklyVolatility / Math.sqrt(weekSeconds),
			restingOrders: listing.restingOrders,
			bidShare: listing.bidShare,
			price,
			time: first * minuteMs,
		});
	}

	/**
	 * Moves on to `now` (epoch ms, never back), or by `orders` orders if that is not enough.
	 * @returns whether `now` is reached
	 */
	advance(now: number, orders = Number.POSITIVE_INFINITY): boolean {
		const flow = this.#flow;
		const end = Math.min(now, this.#end);
		for (let left = orders; flow.time <= end; left--) {
			if (left <= 0) return false;
			flow.next();
		}
		this.#minute = Math.floor(now / minuteMs);
		this.#minutes.extendTo(this.#minute);
		return true;
	}

	/** Best first. */
	get asks(): readonly PriceLevel[] {
		return this.#book.asks.toReversed();
	}

	/** Best first. */
	get bids(): readonly PriceLevel[] {
		return this.#book.bids.toReversed();
	}

	get bestAsk(): PriceLevel | undefined {
		return this.#book.best('sell');
	}

	get bestBid(): PriceLevel | undefined {
		return this.#book.best('buy');
	}

	/** In ticks. */
	get lastPrice(): number {
		return this.#minutes.close;
	}

	/** At most `limit` executions, newest first. */
	executions(limit: number): readonly Execution[] {
		return this.#executions.latest(limit);
	}

	/** The last 24 hours in whole minutes, including the current one. `turnover` is in ticks × lots. */
	day(): {bar: Bar; turnover: number} {
		const to = this.#minute + 1;
		const from = to - dayMinutes;
		const sum = new BarSum();
		if (from < this.#minutes.first) {
			const past = this.#pastSince(from);
			sum.add(past.bar, past.turnover);
		}

		this.#minutes.addTo(sum, from, to);
		return {bar: sum.bar, turnover: sum.turnover};
	}

	/**
	 * At most `limit` bars of `period` minutes, newest first, aligned to the epoch, that start in `[from, to]` (epoch ms).
	 * The newest is still forming. Of trades more than two days ago only whole hours are kept; bars that would need their
	 * minutes are left out.
	 */
	bars(period: number, limit: number, from: number, to: number): readonly TimedBar[] {
		const newest = Math.floor(Math.min(to / minuteMs, this.#minute) / period);
		const oldest = Math.max(0, Math.ceil(from / minuteMs / period), newest - limit + 1);
		const bars: TimedBar[] = [];
		for (let index = newest; index >= oldest; index--) {
			const minute = index * period;
			const end = Math.min(minute + period, this.#minute + 1);
			if (!this.#minutes.canCutAt(minute) || !this.#minutes.canCutAt(end)) continue;
			bars.push({minute, bar: this.#sum(minute, end).bar});
		}
		return bars;
	}

	#record(price: number, lots: number, side: Side): void {
		const time = Math.floor(this.#flow.time);
		this.#executions.add(time, price, lots, side);
		this.#minutes.trade(Math.floor(time / minuteMs), price, lots);
	}

	#pastSince(from: number): BarSum {
		if (this.#past?.from === from) return this.#past.sum;
		const sum = new BarSum();
		this.#history.addTo(sum, from, this.#minutes.first);
		this.#past = {from, sum};
		return sum;
	}

	/** The sum of the minutes `[from, to)`, at least one. */
	#sum(from: number, to: number): BarSum {
		const sum = new BarSum();
		this.#history.addTo(sum, from, Math.min(to, this.#minutes.first));
		this.#minutes.addTo(sum, from, to);
		return sum;
	}
}

/** One execution, in ticks and lots. */
export type Execution = {
	readonly id: number;
	/** Epoch ms. */
	readonly time: number;
	readonly price: number;
	readonly lots: number;
	/** The taker's. */
	readonly side: Side;
};

/** Numbers for each execution in the ring: time, price, lots, and 1 where the taker bought. */
const numbersKept = 4;

/** Older ones are forgotten. In numbers, as objects take three times as much. */
class LastExecutions {
	readonly #firstId: number;
	/** Execution `n` at `n % keptExecutions`. */
	readonly #ring = new Float64Array(keptExecutions * numbersKept);
	#count = 0;

	constructor(firstId: number) {
		this.#firstId = firstId;
	}

	add(time: number, price: number, lots: number, side: Side): void {
		this.#ring.set([time, price, lots, side === 'buy' ? 1 : 0], (this.#count++ % keptExecutions) * numbersKept);
	}

	/** Newest first, `limit` at most. */
	latest(limit: number): readonly Execution[] {
		const length = Math.min(limit, this.#count, keptExecutions);
		return Array.from({length}, (_, age) => this.#at(this.#count - 1 - age));
	}

	#at(index: number): Execution {
		const at = (index % keptExecutions) * numbersKept;
		const [time = 0, price = 0, lots = 0, bought] = this.#ring.subarray(at, at + numbersKept);
		return {id: this.#firstId + index, time, price, lots, side: bought === 1 ? 'buy' : 'sell'};
	}
}
