import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {Size} from '../../source/format/cells.ts';
import type {Candle, DepthBook, Market, Ticker, Trade} from '../../source/market/types.ts';
import {layoutFor} from '../../source/view/layout.ts';
import type {FakeCall} from '../helpers/fake-exchange.ts';
import {timeout} from '../store/samples.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';

const start = Date.UTC(2026, 0, 1, 12, 30);
const markets = ['AAA', 'BBB', 'CCC', 'DDD'].map(
	(base): Market => ({symbol: `${base}USDT`, base, quote: 'USDT', state: 'active'}),
);

/** Prices of the first market are 10,000 and something, of the second 20,000, and so on; no other number is as large. */
const priceOf = (symbol: string | undefined) => 10_000 * (1 + markets.findIndex(market => market.symbol === symbol));
const upTo = (count: number) => Array.from({length: count}, (_, index) => index);

const tickerOf = ({symbol}: Market): Ticker => {
	const price = priceOf(symbol);
	return {
		symbol,
		last: price + 501,
		high: price + 799,
		low: price + 201,
		bid: price + 500,
		ask: price + 502,
		state: 'active',
	};
};
const bookOf = (symbol: string | undefined): DepthBook => ({
	asks: upTo(20).map(step => [priceOf(symbol) + 501 + step, 1]),
	bids: upTo(20).map(step => [priceOf(symbol) + 500 - step, 1]),
});
const tradesOf = (symbol: string | undefined): readonly Trade[] =>
	upTo(60).map(step => ({
		id: String(60 - step),
		time: start - step * 1000,
		price: priceOf(symbol) + 490 + (step % 20),
		quantity: 2,
		side: step % 2 === 0 ? 'buy' : 'sell',
	}));
const candlesOf = (symbol: string | undefined): readonly Candle[] =>
	upTo(40).map(index => {
		const price = priceOf(symbol) + 300 + ((index * 37) % 400);
		const time = start - 30 * 60_000 - (39 - index) * 3_600_000;
		return {time, open: price, high: price + 90, low: price - 90, close: price + 20, volume: 5};
	});

type Operation = 'depth' | 'trades' | 'candles' | 'tickers' | 'markets';
type Step =
	| {readonly keys: readonly string[]}
	| {readonly advance: number}
	| {readonly settle: Operation; readonly which: number; readonly fails: boolean};

const anyStep: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			keys: fc.constantFrom(['n'], ['p'], ['n', 'n'], ['n', 'p'], [']'], ['r'], ['j', 'enter'], ['G', 'enter']),
		}),
	},
	{weight: 3, arbitrary: fc.record({advance: fc.nat({max: 3000})})},
	{
		weight: 8,
		arbitrary: fc.record({
			settle: fc.constantFrom<Operation>(
				'depth',
				'trades',
				'candles',
				'depth',
				'trades',
				'candles',
				'tickers',
				'markets',
			),
			which: fc.nat({max: 30}),
			fails: fc.oneof({weight: 4, arbitrary: fc.constant(false)}, {weight: 1, arbitrary: fc.constant(true)}),
		}),
	},
);

/** Settles one of the calls that are open, be it for a market left long ago. */
function settle({exchange: {calls}}: OpenMonitor, operation: Operation, which: number, fails: boolean): void {
	const one = <Data>(all: readonly FakeCall<Data>[], data: (symbol: string | undefined) => Data): void => {
		const open = all.filter(call => !call.settled);
		const call = open[which % Math.max(open.length, 1)];
		if (fails) call?.fail(timeout());
		else call?.answer(data(call.symbol));
	};

	switch (operation) {
		case 'depth':
			return one(calls.depth, bookOf);
		case 'trades':
			return one(calls.trades, tradesOf);
		case 'candles':
			return one(calls.candles, candlesOf);
		case 'tickers':
			return one(calls.tickers, () => markets.map(tickerOf));
		case 'markets':
			return one(calls.markets, () => markets);
	}
}

/** The market that a frame names, and the numbers from 10,000 on that stand in it outside the picker. */
function readFrame(frame: string, size: Size): {readonly named: string; readonly prices: readonly string[]} {
	const {panels, headerRows} = layoutFor(size, {focus: 'markets', zoomed: false});
	const picker = panels[0]?.width ?? 0;
	const rows = frame.split('\n');
	const outside = rows.map((row, index) => (index < headerRows ? row : row.slice(picker))).join('\n');
	return {named: /^ (\w{3})/.exec(frame)?.[1] ?? '', prices: outside.match(/\d\d,\d{3}/g) ?? []};
}

const leadingDigit = (base: string) => String(1 + markets.findIndex(market => market.base === base));

const strangersIn = ({named, prices}: ReturnType<typeof readFrame>): readonly string[] =>
	prices.filter(price => !price.startsWith(leadingDigit(named))).map(price => `${price} under ${named}`);

const anySize = fc.constantFrom({columns: 120, rows: 40}, {columns: 160, rows: 45});

test('no frame ever shows one market’s numbers under another’s name', async () => {
	let priceCount = 0;
	await fc.assert(
		fc.asyncProperty(anySize, fc.array(anyStep, {minLength: 10, maxLength: 50}), async (size, steps) => {
			const monitor = await openMonitor({size, start, script: {}, symbol: 'AAAUSDT'});
			settle(monitor, 'markets', 0, false);
			for (const step of steps) {
				if ('keys' in step) await monitor.press(...step.keys);
				else if ('advance' in step) await monitor.clock.advance(step.advance);
				else {
					settle(monitor, step.settle, step.which, step.fails);
					await monitor.clock.advance(0);
				}
			}

			await monitor.clock.advance(300);
			const read = monitor.frames.map(frame => readFrame(frame, size));
			expect(read.flatMap(strangersIn)).toEqual([]);
			priceCount += read.reduce((sum, {prices}) => sum + prices.length, 0);
			monitor.close();
		}),
		{numRuns: 8},
	);
	// Something was there to be mixed up.
	expect(priceCount).toBeGreaterThan(300);
});

test('the frame that follows n names the next market over skeletons, before anything was answered', async () => {
	const size = {columns: 120, rows: 40};
	const monitor = await openMonitor({
		size,
		start,
		symbol: 'AAAUSDT',
		script: {
			markets: () => markets,
			tickers: () => markets.map(tickerOf),
			depth: ({symbol}) => (symbol === 'AAAUSDT' ? bookOf(symbol) : undefined),
			trades: ({symbol}) => (symbol === 'AAAUSDT' ? tradesOf(symbol) : undefined),
			candles: ({symbol}) => (symbol === 'AAAUSDT' ? candlesOf(symbol) : undefined),
		},
	});
	await monitor.clock.advance(1000);
	const before = monitor.frames.length;

	await monitor.press('n');

	const first = monitor.frames[before] ?? '';
	expect(first).toMatch(/^ BBB\/USDT {2}ticker 20,501 /);
	expect(first.split('\n')[2]).toMatch(/Chart · 1h ─+ waiting ─╮╭─ 3 Book ─+ waiting ─╮$/);
	expect(strangersIn(readFrame(first, size))).toEqual([]);
	expect(monitor.frame()).toBe(first);
});
