import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Bar, BarSum} from '../../source/demo/bar.ts';
import {type Listing, listings} from '../../source/demo/listing.ts';
import {LiveMarket} from '../../source/demo/live-market.ts';

const startedAt = Date.UTC(2026, 10, 20, 10, 29, 56, 321);
const hourMs = 3_600_000;

const someListing = fc.constantFrom(...listings);
const elapsed = fc.integer({min: 0, max: hourMs / 2});

function marketAt(listing: Listing, now: number, seed = 1): LiveMarket {
	const market = new LiveMarket(listing, seed, startedAt);
	market.advance(now);
	return market;
}

function named(symbol: string): Listing {
	const listing = listings.find(other => other.symbol === symbol);
	if (!listing) throw new Error(`no ${symbol}`);
	return listing;
}

function sumOf(bars: readonly Bar[]): Bar {
	const sum = new BarSum();
	for (const bar of bars) sum.add(bar);
	return sum.bar;
}

/** Everything that can be read of a market. */
function shown(market: LiveMarket) {
	const levels = (side: LiveMarket['asks']) => side.map(({price, lots}) => [price, lots]);
	return {
		asks: levels(market.asks),
		bids: levels(market.bids),
		trades: market.executions(5000),
		day: market.day(),
		minutes: market.bars(1, 1000, 0, Number.POSITIVE_INFINITY),
		weeks: market.bars(10_080, 3, 0, Number.POSITIVE_INFINITY),
	};
}

test('last trade, ticker, candles and book agree at every instant', () => {
	fc.assert(
		fc.property(someListing, elapsed, (listing, ms) => {
			const now = startedAt + ms;
			const market = marketAt(listing, now);
			const {bar: day, turnover} = market.day();
			const minutes = market.bars(1, 1440, 0, now).map(({bar}) => bar);
			const [trade] = market.executions(1);
			expect(minutes.length).toBe(1440);
			expect(sumOf(minutes.toReversed())).toEqual(day);
			expect(market.lastPrice).toBe(day.close);
			if (trade) {
				expect(trade.price).toBe(day.close);
				expect(trade.time).toBeLessThanOrEqual(now);
			}
			expect(market.lastPrice).toBeLessThanOrEqual(day.high);
			expect(market.lastPrice).toBeGreaterThanOrEqual(day.low);
			expect(turnover).toBeLessThanOrEqual(day.high * day.volume * (1 + 1e-12));
			expect(turnover).toBeGreaterThanOrEqual(day.low * day.volume * (1 - 1e-12));
			expect(market.asks[0]).toBe(market.bestAsk);
			expect(market.bids[0]).toBe(market.bestBid);
			expect(market.bestBid?.price ?? 0).toBeLessThan(market.bestAsk?.price ?? Number.POSITIVE_INFINITY);
		}),
		{numRuns: 10},
	);
});

test('candles of any period are the sum of their minutes, across the border between past and present too', () => {
	const periods = fc.oneof(fc.constantFrom(3, 5, 15, 30, 60, 240), fc.integer({min: 2, max: 300}));
	fc.assert(
		fc.property(someListing, elapsed, periods, (listing, ms, period) => {
			const now = startedAt + ms;
			const market = marketAt(listing, now);
			for (const {minute, bar} of market.bars(period, 5, 0, now)) {
				expect(minute % period).toBe(0);
				const until = (minute + period - 1) * 60_000;
				const minutes = market.bars(1, period, minute * 60_000, until);
				expect(sumOf(minutes.toReversed().map(part => part.bar))).toEqual(bar);
			}
		}),
		{numRuns: 10},
	);
});

test('the candles of the present are the trades of their minutes', () => {
	const now = startedAt + 6 * 60_000;
	const market = marketAt(named('ETHUSDT'), now);
	const byMinute = Map.groupBy(market.executions(5000).toReversed(), ({time}) => Math.floor(time / 60_000));
	const traded = market.bars(1, 5, 0, now).map(({minute}) => {
		const trades = byMinute.get(minute) ?? [];
		const prices = trades.map(({price}) => price);
		return {
			minute,
			bar: {
				open: prices[0],
				high: Math.max(...prices),
				low: Math.min(...prices),
				close: prices.at(-1),
				volume: trades.reduce((sum, {lots}) => sum + lots, 0),
			},
		};
	});
	expect(market.bars(1, 5, 0, now)).toEqual(traded);
});

test('a market does not depend on earlier reads', () => {
	fc.assert(
		fc.property(
			someListing,
			elapsed,
			fc.array(fc.double({min: 0, max: 1, noNaN: true}), {maxLength: 8}),
			(listing, ms, looks) => {
				const watched = new LiveMarket(listing, 1, startedAt);
				for (const share of looks.toSorted((a, b) => a - b)) {
					watched.advance(startedAt + Math.floor(share * ms));
					shown(watched);
				}
				watched.advance(startedAt + ms);
				expect(shown(watched)).toEqual(shown(marketAt(listing, startedAt + ms)));
			},
		),
		{numRuns: 10},
	);
});

test('catching up in slices ends where catching up at once does', () => {
	const now = startedAt + hourMs / 4;
	const sliced = new LiveMarket(named('BTCUSDT'), 1, startedAt);
	let slices = 1;
	while (!sliced.advance(now, 250)) slices++;
	expect(slices).toBeGreaterThan(50);
	expect(shown(sliced)).toEqual(shown(marketAt(named('BTCUSDT'), now)));
});

test('trade ids rise with time, and the tape has a limited length', () => {
	const market = marketAt(named('BTCUSDT'), startedAt + hourMs / 2);
	const trades = market.executions(10_000).toReversed();
	expect(trades.length).toBe(5000);
	for (const [index, trade] of trades.entries()) {
		const before = trades[index - 1];
		if (before) expect([trade.id, trade.time >= before.time]).toEqual([before.id + 1, true]);
	}
});

test('every market has a tape and 1,000 candles of each period from the start', () => {
	for (const [index, listing] of listings.entries()) {
		const market = marketAt(listing, startedAt);
		expect([listing.symbol, market.executions(20).length]).toEqual([listing.symbol, 20]);
		// Periods between the shortest and the longest are sums of the same minutes in every market.
		for (const period of index === 0 ? [1, 5, 15, 60, 240, 1440, 10_080] : [1, 10_080]) {
			const bars = market.bars(period, 1000, 0, startedAt);
			const newest = Math.floor(startedAt / 60_000 / period) * period;
			expect(bars.map(({minute}) => minute)).toEqual(Array.from({length: 1000}, (_, age) => newest - age * period));
		}
	}
});

test('a halted market keeps its book and last price without trading', () => {
	const listing = named('MIRUSDT');
	const atStart = shown(marketAt(listing, startedAt));
	const later = marketAt(listing, startedAt + 5 * hourMs);
	expect([atStart.asks.length > 0, atStart.bids.length > 0]).toEqual([true, true]);
	expect(shown(later)).toMatchObject({asks: atStart.asks, bids: atStart.bids, trades: atStart.trades});
	const {close} = later.day().bar;
	expect(later.bars(60, 5, 0, Number.POSITIVE_INFINITY).map(({bar}) => bar)).toEqual(
		Array.from({length: 5}, () => ({open: close, high: close, low: close, close, volume: 0})),
	);
});
