import fc from 'fast-check';
import {expect, test} from 'vitest';
import {Book} from '../../source/demo/book.ts';
import {OrderFlow} from '../../source/demo/order-flow.ts';
import {Random} from '../../source/demo/random.ts';

type Fill = {readonly price: number; readonly lots: number; readonly time: number};

const usual = {
	tempo: 5,
	orderLots: 600,
	volatility: 9e-5,
	restingOrders: 160,
	bidShare: 0.5,
	price: 6_000_000,
	time: 0,
};

function createMarket({seed, ...options}: Partial<typeof usual> & {readonly seed: number}) {
	const fills: Fill[] = [];
	const book: Book = new Book((price, lots) => fills.push({price, lots, time: flow.time}));
	const flow: OrderFlow = new OrderFlow({...usual, ...options, book, random: new Random(seed)});
	return {book, flow, fills};
}

const markets = fc.record({
	seed: fc.integer(),
	tempo: fc.constantFrom(0.002, 0.1, 6),
	price: fc.constantFrom(1, 36, 2500, 6_000_000),
	orderLots: fc.constantFrom(0.2, 40, 1e9),
	bidShare: fc.constantFrom(0, 0.5),
	volatility: fc.constantFrom(5e-7, 9e-5, 2e-3),
});

test('orders never cross the book, and time never goes back', () => {
	fc.assert(
		fc.property(markets, options => {
			const {book, flow} = createMarket(options);
			for (let order = 0; order < 800; order++) {
				const before = flow.time;
				flow.next();
				const isCrossed = (book.best('buy')?.price ?? 0) >= (book.best('sell')?.price ?? Number.POSITIVE_INFINITY);
				// Far cheaper than an `expect` for each order.
				if (isCrossed || flow.time < before) expect.fail(`order ${order}`);
			}
		}),
	);
});

test('a market without bids still trades with its asks', () => {
	const {book, flow, fills} = createMarket({seed: 1, bidShare: 0});
	for (let order = 0; order < 5000; order++) flow.next();
	expect(book.bids).toEqual([]);
	expect(book.asks.length).toBeGreaterThan(10);
	expect(fills.length).toBeGreaterThan(100);
});

const minuteCount = 180;

/** What a busy market did in each of them. */
function manyMinutes() {
	const {book, flow, fills} = createMarket({seed: 3});
	const depths: number[] = [];
	for (let order = 0; flow.time < minuteCount * 60_000; order++) {
		flow.next();
		if (order % 1000 === 0) depths.push(book.asks.length, book.bids.length);
	}
	const minutes = Map.groupBy(fills, ({time}) => Math.floor(time / 60_000));
	const sorted = fills.map(({lots}) => lots).sort((a, b) => a - b);
	return {fills, minutes, depths: depths.sort((a, b) => a - b), sorted};
}

test('a busy market has the expected tempo, depth, sweeps, storms and calms', () => {
	const {fills, minutes, depths, sorted} = manyMinutes();
	const perSecond = fills.length / (minuteCount * 60);
	expect(perSecond).toBeGreaterThan(4);
	expect(perSecond).toBeLessThan(12);

	const middleDepth = depths[depths.length >> 1] ?? 0;
	expect(middleDepth).toBeGreaterThan(60);
	expect(middleDepth).toBeLessThan(200);

	const counts = [...minutes.values()].map(({length}) => length).sort((a, b) => a - b);
	const at = (share: number) => counts[Math.floor(share * counts.length)] ?? 0;
	expect(at(0.95) / at(0.05)).toBeGreaterThan(3);

	const mean = sorted.reduce((sum, lots) => sum + lots, 0) / sorted.length;
	expect(mean / (sorted[sorted.length >> 1] ?? 0)).toBeGreaterThan(1.5);

	const sweeps = Map.groupBy(fills, ({time}) => time);
	const widest = Math.max(...[...sweeps.values()].map(sweep => new Set(sweep.map(({price}) => price)).size));
	expect(widest).toBeGreaterThan(4);
});
