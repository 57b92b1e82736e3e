import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Book, type PriceLevel} from '../../source/demo/book.ts';
import type {Side} from '../../source/market/types.ts';

type Fill = {readonly price: number; readonly lots: number; readonly side: Side};

function createBook() {
	const fills: Fill[] = [];
	const book = new Book((price, lots, side) => fills.push({price, lots, side}));
	return {book, fills};
}

/** Each queue as `price: lots, lots, …`, best price first. */
function queues(levels: readonly PriceLevel[]): readonly string[] {
	return levels.toReversed().map(level => {
		const lots: number[] = [];
		for (let order = level.first; order; order = order.behind) lots.push(order.lots);
		return `${level.price}: ${lots.join(', ')}`;
	});
}

/** A book as slow and plain as it can be: a list of orders in the order in which they came. */
class PlainBook {
	orders: {side: Side; price: number; lots: number}[] = [];
	readonly fills: Fill[] = [];

	take(side: Side, worst: number, lots: number): number {
		let left = lots;
		const toward = side === 'buy' ? 1 : -1;
		const makers = this.orders
			.filter(order => order.side !== side && (worst - order.price) * toward >= 0)
			.sort((one, other) => (one.price - other.price) * toward);
		for (const maker of makers) {
			const filled = Math.min(left, maker.lots);
			if (filled === 0) break;
			maker.lots -= filled;
			left -= filled;
			this.fills.push({price: maker.price, lots: filled, side});
		}
		this.orders = this.orders.filter(order => order.lots > 0);
		return left;
	}

	limit(side: Side, price: number, lots: number): void {
		const rest = this.take(side, price, lots);
		if (rest > 0) this.orders.push({side, price, lots: rest});
	}

	cancel(side: Side, price: number, ahead: number): void {
		const queue = this.orders.filter(order => order.side === side && order.price === price);
		this.orders = this.orders.filter(order => order !== queue[ahead]);
	}

	queues(side: Side): readonly string[] {
		const own = this.orders.filter(order => order.side === side);
		const prices = [...new Set(own.map(({price}) => price))].sort((a, b) => (side === 'buy' ? b - a : a - b));
		return prices.map(price => {
			const lots = own.filter(order => order.price === price).map(order => order.lots);
			return `${price}: ${lots.join(', ')}`;
		});
	}
}

const side = fc.constantFrom<Side>('buy', 'sell');
const action = fc.oneof(
	fc.record({
		kind: fc.constant('limit' as const),
		side,
		price: fc.integer({min: 1, max: 20}),
		lots: fc.integer({min: 1, max: 9}),
	}),
	fc.record({kind: fc.constant('market' as const), side, lots: fc.integer({min: 1, max: 30})}),
	fc.record({kind: fc.constant('cancel' as const), pick: fc.nat()}),
);

test('the same orders give the fills and queues of a plain list of orders, and a book that is never crossed', () => {
	fc.assert(
		fc.property(fc.array(action, {maxLength: 60, size: 'max'}), actions => {
			const {book, fills} = createBook();
			const plain = new PlainBook();
			for (const step of actions) {
				if (step.kind === 'limit') {
					book.limit(step.side, step.price, step.lots);
					plain.limit(step.side, step.price, step.lots);
				} else if (step.kind === 'market') {
					book.market(step.side, step.lots);
					plain.take(step.side, step.side === 'buy' ? Number.POSITIVE_INFINITY : 0, step.lots);
				} else {
					const order = book.orders[step.pick % book.orders.length];
					if (order) {
						let ahead = 0;
						for (let other = order.ahead; other; other = other.ahead) ahead++;
						plain.cancel(order.side, order.price, ahead);
						book.cancel(order);
					}
				}
				expect(queues(book.asks)).toEqual(plain.queues('sell'));
				expect(queues(book.bids)).toEqual(plain.queues('buy'));
				expect(book.best('buy')?.price ?? 0).toBeLessThan(book.best('sell')?.price ?? Number.POSITIVE_INFINITY);
				expect(book.orders.map(({place}) => place)).toEqual(book.orders.map((_, place) => place));
				const resting = book.orders.reduce((sum, {lots}) => sum + lots, 0);
				expect([...book.asks, ...book.bids].reduce((sum, {lots}) => sum + lots, 0)).toBe(resting);
			}
			expect(fills).toEqual(plain.fills);
		}),
		{numRuns: 200},
	);
});
