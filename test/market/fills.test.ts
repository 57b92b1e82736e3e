import fc from 'fast-check';
import {expect, test} from 'vitest';
import {compareTrades, mergeFills} from '../../source/market/tape.ts';
import type {Side, Trade} from '../../source/market/types.ts';

const trade = (id: number, time: number, price: number, quantity: number, side?: Side): Trade => ({
	id: String(id),
	time,
	price,
	quantity,
	side,
});

test('merges trades of one time, price and side at the place of the newest', () => {
	const trades = [
		trade(6, 20, 100, 0.1, 'buy'),
		trade(5, 20, 101, 5, 'buy'),
		trade(4, 20, 100, 0.2, 'buy'),
		trade(3, 20, 100, 1, 'sell'),
		trade(2, 20, 100, 1),
		trade(1, 10, 100, 1, 'buy'),
	];

	expect(mergeFills({trades, gaps: new Set()})).toEqual([
		{...trades[0], quantity: 0.3, fills: 2},
		trades[1],
		trades[3],
		trades[4],
		trades[5],
	]);
});

test('never merges across a gap', () => {
	const trades = [trade(2, 20, 100, 1, 'buy'), trade(1, 20, 100, 1, 'buy')];

	expect(mergeFills({trades, gaps: new Set(['2'])})).toEqual(trades);
});

test('never loses a trade or a quantity, and leaves the order', () => {
	const anyTrades = fc
		.array(
			fc.record({
				time: fc.nat({max: 4}),
				price: fc.integer({min: 1, max: 3}),
				quantity: fc.integer({min: 1, max: 1000}).map(units => units / 100),
				side: fc.constantFrom('buy', 'sell', undefined),
			}),
			{maxLength: 40},
		)
		.map(trades => trades.map((each, id): Trade => ({...each, id: String(id)})).sort(compareTrades));
	fc.assert(
		fc.property(anyTrades, trades => {
			const merged = mergeFills({trades, gaps: new Set()});
			const total = (of: readonly Trade[]) => of.reduce((sum, {quantity}) => sum + Math.round(quantity * 100), 0);
			expect(merged.reduce((sum, {fills = 1}) => sum + fills, 0)).toBe(trades.length);
			expect(total(merged)).toBe(total(trades));
			expect(merged).toEqual(merged.toSorted(compareTrades));
			const keys = merged.map(({time, price, side}) => `${time} ${price} ${side}`);
			expect(new Set(keys).size).toBe(keys.length);
		}),
	);
});
