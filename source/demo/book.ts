import {firstWhere} from '../market/numbers.ts';
import type {Side} from '../market/types.ts';

/** A resting order. */
export type Order = {
	readonly side: Side;
	/** Ticks. */
	readonly price: number;
	/** Lots not filled yet. */
	lots: number;
	/** Index in `Book.orders`. */
	place: number;
	readonly level: PriceLevel;
	ahead: Order | undefined;
	behind: Order | undefined;
};

/** The orders at one price: a queue, filled in order of arrival. */
export type PriceLevel = {
	readonly price: number;
	lots: number;
	first: Order | undefined;
	last: Order | undefined;
};

/** One execution at the resting order's price; `side` is the taker's. */
export type OnFill = (price: number, lots: number, side: Side) => void;

/** An order book in whole ticks and lots that matches by price, then time. It is never crossed. */
export class Book {
	/** Best last, because changes at the end of an array are cheap. */
	readonly bids: PriceLevel[] = [];
	readonly asks: PriceLevel[] = [];
	/** All resting orders in no particular order, to pick one at random. */
	readonly orders: Order[] = [];
	readonly #onFill: OnFill;

	constructor(onFill: OnFill) {
		this.#onFill = onFill;
	}

	best(side: Side): PriceLevel | undefined {
		return side === 'buy' ? this.bids.at(-1) : this.asks.at(-1);
	}

	/** Takes what the other side offers at `price` or better; the rest of the order waits at `price`. */
	limit(side: Side, price: number, lots: number): void {
		const rest = this.#take(side, lots, price);
		if (rest > 0) this.#rest(side, price, rest);
	}

	/** Takes from the other side at any price; what finds none is dropped. */
	market(side: Side, lots: number): void {
		this.#take(side, lots, side === 'buy' ? Number.POSITIVE_INFINITY : 0);
	}

	cancel(order: Order): void {
		order.level.lots -= order.lots;
		this.#remove(order);
		if (!order.level.first) {
			const levels = order.side === 'buy' ? this.bids : this.asks;
			levels.splice(position(levels, order.side, order.price), 1);
		}
	}

	#take(side: Side, lots: number, worstPrice: number): number {
		const levels = side === 'buy' ? this.asks : this.bids;
		let left = lots;
		while (left > 0) {
			const level = levels.at(-1);
			if (!level || (side === 'buy' ? level.price > worstPrice : level.price < worstPrice)) return left;
			while (left > 0 && level.first) {
				const maker = level.first;
				const filled = Math.min(left, maker.lots);
				left -= filled;
				maker.lots -= filled;
				level.lots -= filled;
				if (maker.lots === 0) this.#remove(maker);
				this.#onFill(level.price, filled, side);
			}
			if (!level.first) levels.pop();
		}
		return left;
	}

	#rest(side: Side, price: number, lots: number): void {
		const levels = side === 'buy' ? this.bids : this.asks;
		const at = position(levels, side, price);
		let level = levels[at];
		if (level?.price !== price) {
			level = {price, lots: 0, first: undefined, last: undefined};
			levels.splice(at, 0, level);
		}
		const order: Order = {side, price, lots, place: this.orders.length, level, ahead: level.last, behind: undefined};
		if (level.last) level.last.behind = order;
		else level.first = order;
		level.last = order;
		level.lots += lots;
		this.orders.push(order);
	}

	/** Removes an order from its queue and from `orders`, where the last one takes its place. */
	#remove(order: Order): void {
		if (order.ahead) order.ahead.behind = order.behind;
		else order.level.first = order.behind;
		if (order.behind) order.behind.ahead = order.ahead;
		else order.level.last = order.ahead;
		const moved = this.orders.pop();
		if (moved && moved !== order) {
			moved.place = order.place;
			this.orders[order.place] = moved;
		}
	}
}

/** The index of `price`, or where it belongs, among levels that get better towards the end. */
function position(levels: readonly PriceLevel[], side: Side, price: number): number {
	return firstWhere(0, levels.length, index => {
		const other = levels[index]?.price ?? 0;
		return side === 'buy' ? other >= price : other <= price;
	});
}
