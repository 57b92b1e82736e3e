import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {printRule} from '../../source/alerts/rule.ts';
import type {Trade} from '../../source/market/types.ts';
import {book, timeout} from '../store/samples.ts';
import {runInBackground} from './background-delays.ts';
import {parse, second, secondsOf, setUp, shown, start, tradesAt} from './set-up.ts';

describe('without rules', () => {
	test('nothing is requested and no timer runs', () => {
		const {alerts, clock, exchange, screen} = setUp([]);
		alerts.start();
		expect([clock.timers, exchange.calls.trades, exchange.calls.tickers]).toEqual([0, [], []]);
		screen.select('ETHUSDT');
		expect(clock.timers).toBe(0);
	});

	test('nothing goes on after the last rule has called, was removed or switched off', async () => {
		for (const end of ['call', 'remove', 'off'] as const) {
			const {alerts, clock, requests} = setUp(
				[end === 'call' ? 'ETHUSDT last crosses 100' : 'ETHUSDT last > 1000'],
				[99, 99, 101],
			);
			alerts.start();
			await clock.advance(5 * second);
			if (end === 'remove') alerts.remove('ETHUSDT last > 1000');
			if (end === 'off') alerts.setOff('ETHUSDT last > 1000', true);
			requests('trades');
			await clock.advance(60 * second);
			expect([clock.timers, requests('trades')]).toEqual([0, {}]);
			alerts.stop();
		}
	});
});

describe('a market that is not on screen', () => {
	test('is judged by trades of the background, at the lowest priority', async () => {
		const {alerts, clock, exchange, said, requests} = setUp(['ETHUSDT last crosses 100'], [99, 99, 99, 101]);
		alerts.start();
		await clock.advance(10 * second);
		expect(said()).toEqual(['4 ETHUSDT trade of 3']);
		expect(exchange.calls.trades.map(({options}) => options.priority)).toEqual([2, 2, 2]);
		expect([requests('depth'), requests('tickers')]).toEqual([{}, {}]);
		// A turn can come late: the second page is as long as the first.
		expect(exchange.calls.trades.map(({options}) => options.limit)).toEqual([500, 500, 50]);
	});

	test('has called of a trade that the exchange drops later, and does not again', async () => {
		const rules = ['ETHUSDT last crosses above 100 every 1s', 'ETHUSDT tradeSize > 1 every 1s'];
		const {alerts, clock, exchange, said} = setUp(rules);
		exchange.script.trades = ({options: {limit = 500}}) => {
			const page = tradesAt(clock.now(), [], limit);
			const isWrong = ({time}: Trade) => secondsOf(time) === 3 && clock.now() < start + 6 * second;
			return page.map(each => (isWrong(each) ? {...each, price: 999, quantity: 9} : each));
		};
		alerts.start();
		await clock.advance(20 * second);
		expect(said()).toEqual(['4 ETHUSDT trade of 3', '4 ETHUSDT trade of 3']);
	});

	test('is judged by the one poll of tickers where that is enough', async () => {
		const {alerts, clock, requests} = setUp(['* last > 1000', '* changePercent < -50', '--list all volume > 1000']);
		alerts.start();
		await clock.advance(11 * second);
		expect([requests('trades'), requests('tickers')]).toEqual([{}, {all: 3}]);
	});

	test('is not polled beyond the most', async () => {
		const rules = ['SOLUSDT', 'ETHUSDT'].map(name => `${name} tradeSize > 10`);
		const {alerts, clock, requests} = setUp(rules, [], undefined, 1);
		alerts.start();
		await clock.advance(5 * second);
		expect(requests('trades')).toEqual({SOLUSDT: expect.any(Number)});
	});

	test('is blind whenever it is older than that allows, also as many are polled, and the screen does not wait', async () => {
		const load = {markets: 75, rate: 5, seconds: 35, warmUp: 5};
		const {blind, oldestMs, screenMs, busiest, allowed, state} = await runInBackground(load);
		expect(blind.every(text => text.endsWith(': too many markets for the request budget'))).toBe(true);
		expect([blind.length > 20, oldestMs <= 31 * second]).toEqual([true, true]);
		expect([screenMs.at(Math.floor(screenMs.length / 2)), busiest <= Math.ceil(allowed)]).toEqual([0, true]);
		// As long as it takes to poll all once, with what the screen leaves.
		const {pollMs = 0} = state.entries[0]?.markets[0] ?? {};
		expect([pollMs > 30 * second, pollMs < 36 * second]).toEqual([true, true]);
	});

	test('has the age of what is polled of it, and not of what was', async () => {
		const {alerts, clock, said} = setUp(['ETHUSDT age > 10', 'ETHUSDT spread > 1000', '* last > 1000']);
		alerts.start();
		await clock.advance(5 * second);
		alerts.remove('ETHUSDT spread > 1000');
		alerts.remove('* last > 1000');
		await clock.advance(60 * second);
		expect(said()).toEqual([]);
	});

	test('leaves nothing behind when its rule is removed', async () => {
		const {alerts, clock, requests} = setUp(['BTCUSDT last > 1000']);
		alerts.start();
		await clock.advance(second);
		const {timers} = clock;
		for (let day = 0; day < 5; day++) {
			const id = `SOLUSDT last > sma(${day + 2}, 1h)`;
			alerts.add(parse(id), 'user');
			await clock.advance(5 * second);
			alerts.remove(id);
			await clock.advance(5 * second);
		}

		requests('candles');
		await clock.advance(60 * second);
		expect([requests('candles'), clock.timers]).toEqual([{}, timers]);
		alerts.stop();
		expect(clock.timers).toBe(0);
	});

	test('has its candles polled once for all rules, and again after they were not needed', async () => {
		const rules = ['ETHUSDT last > sma(20, 1h)', 'ETHUSDT last < ema(50, 1h)'];
		const {alerts, clock, requests} = setUp(rules);
		alerts.start();
		await clock.advance(second);
		expect(requests('candles')).toEqual({ETHUSDT: 1});
		await clock.advance(30 * second);
		expect(requests('candles')).toEqual({ETHUSDT: 2});
		for (const id of rules) alerts.setOff(id, true);
		await clock.advance(60 * second);
		expect(requests('candles')).toEqual({});
		for (const id of rules) alerts.setOff(id, false);
		await clock.advance(16 * second);
		expect(requests('candles')).toEqual({ETHUSDT: 2});
	});

	test('is read from the interface that the user chooses', async () => {
		const {alerts, clock, exchange, screen} = setUp(['ETHUSDT last > sma(20, 1h)', 'ETHUSDT volume > 1000']);
		screen.show(new Set());
		alerts.start();
		await clock.advance(second);
		screen.setChoice('legacy');
		await clock.advance(20 * second);
		for (const name of ['trades', 'candles', 'tickers'] as const) {
			const uses = exchange.calls[name].map(({options: {use}}) => use);
			expect([...new Set(uses)]).toEqual(['auto', 'legacy']);
		}
	});
});

describe('what the screen polls', () => {
	test('leaves the candles of another period to the background', async () => {
		const {alerts, clock, screen, exchange} = setUp(['BTCUSDT last > sma(1, 5m)']);
		screen.start();
		alerts.start();
		await clock.advance(20 * second);
		expect(exchange.calls.candles.map(({options}) => options.period)).toEqual([60, 5, 60, 5]);
	});

	test('is not polled again, and is from the background within a second of when the screen stops', async () => {
		const {alerts, clock, screen, requests} = setUp(['BTCUSDT last > 1000', 'BTCUSDT spread > 1000 or open > 1000']);
		screen.show(shown);
		screen.start();
		alerts.start();
		await clock.advance(10 * second);
		expect([requests('trades'), requests('depth'), requests('tickers'), requests('markets')]).toEqual([
			{BTCUSDT: 11},
			{BTCUSDT: 11},
			{all: 3},
			{all: 1},
		]);
		screen.setPaused(true);
		await clock.advance(1900);
		expect([requests('trades'), requests('depth'), requests('tickers')]).toEqual([
			{BTCUSDT: 1},
			{BTCUSDT: 1},
			{all: 1},
		]);
	});

	test('joins what the background knows of a market, and the background what the screen knows', async () => {
		const {alerts, clock, exchange, screen, said} = setUp(['ETHUSDT trades(2m) < 100', 'BTCUSDT trades(2m) < 100']);
		// Two minutes need more than a page.
		exchange.script.trades = ({options: {limit = 500}}) => tradesAt(clock.now(), [], Math.min(limit, 50));
		screen.show(shown);
		screen.start();
		alerts.start();
		await clock.advance(130 * second);
		// It took until then to know two minutes.
		const blind = said().length;
		for (const market of ['ETHUSDT', 'BTCUSDT', 'ETHUSDT']) {
			screen.select(market);
			await clock.advance(50 * second);
		}

		expect(said().slice(blind)).toEqual([]);
		expect(said().filter(each => /judged again/.test(each)).length).toBe(2);
	});

	test('is judged on an answer though the request after it has failed before it is shown', async () => {
		const prices = Array.from({length: 60}, (_, at) => (at >= 10 ? 101 : 99));
		const {alerts, clock, screen, exchange, said} = setUp(['BTCUSDT last crosses 100'], prices);
		screen.start();
		alerts.start();
		await clock.advance(9.9 * second);
		exchange.script.depth = call => void clock.after(0.8 * second, () => call.answer(book(100)));
		exchange.script.trades = call => {
			if (call.at >= start + 11 * second) return timeout();
			return void clock.after(0.95 * second, () => call.answer(tradesAt(clock.now(), prices, 50)));
		};
		await clock.advance(15 * second);
		expect(said()).toEqual([expect.stringMatching(/^11\.\d+ BTCUSDT trade of 10$/)]);
	});

	test('is judged while it is paused', async () => {
		const {alerts, clock, screen, said} = setUp(['BTCUSDT last crosses 100'], [...Array(20).fill(99), 101]);
		screen.show(shown);
		screen.start();
		alerts.start();
		await clock.advance(10 * second);
		screen.setPaused(true);
		await clock.advance(20 * second);
		expect(said()).toEqual([expect.stringMatching(/^2[0-3](?:\.\d+)? BTCUSDT trade of 20$/)]);
	});
});

type Act = {
	readonly act: 'pause' | 'go on' | 'hide' | 'show' | 'BTCUSDT' | 'ETHUSDT' | 'fail' | 'answer' | 'legacy' | 'v2';
	readonly waitMs: number;
};

describe('each crossing calls exactly once', () => {
	const levels = [96, 97, 98, 99.5, 100, 101, 102, 103];
	const eachTrade = 'BTCUSDT tradeSize > 0 every 1s';
	const levelOf = (id: string) => Number(id.split(' ').at(-1));
	const acts = ['pause', 'go on', 'hide', 'show', 'BTCUSDT', 'ETHUSDT', 'fail', 'answer', 'legacy', 'v2'] as const;

	/** The time of the first trade on the other side of a level than the one before, by the whole history. */
	function firstCrossing(prices: readonly number[], level: number): number | undefined {
		const sides = prices.map(price => Math.sign(price - level));
		for (let at = 1; at < prices.length; at++) {
			const before = sides.slice(0, at).findLast(side => side !== 0);
			if (before !== undefined && sides[at] !== 0 && sides[at] !== before) return at;
		}

		return undefined;
	}

	async function run(prices: readonly number[], script: readonly Act[]) {
		const rules = levels.map(level => `BTCUSDT last crosses ${level}`);
		const {alerts, clock, exchange, screen, state, fired} = setUp([...rules, eachTrade], prices);
		let isLegacy = false;
		exchange.script.trades = call => {
			const page = tradesAt(clock.now(), state.prices, call.options.limit ?? 500);
			if (state.fails) return timeout();
			// Other ids for the same trades.
			const own = isLegacy ? page.map(trade => ({...trade, id: String(Number(trade.id) - 20)})) : page;
			call.answer(own, {interface: isLegacy ? 'legacy' : 'v2'});
			return undefined;
		};
		screen.show(shown);
		screen.start();
		alerts.start();
		// What happened before the first answer is not judged.
		await clock.advance(second / 2);
		for (const {act, waitMs} of script) {
			await clock.advance(waitMs);
			if (act === 'pause' || act === 'go on') screen.setPaused(act === 'pause');
			else if (act === 'hide' || act === 'show') screen.show(act === 'show' ? shown : new Set());
			else if (act === 'fail' || act === 'answer') state.fails = act === 'fail';
			else if (act === 'legacy' || act === 'v2') isLegacy = act === 'legacy';
			else screen.select(act);
		}

		state.fails = false;
		await clock.advance(Math.max(start + prices.length * second - clock.now(), 0) + 20 * second);
		alerts.stop();
		screen.stop();
		expect(clock.timers).toBe(0);
		return fired().map(({rule, trade}) => ({id: printRule(rule), at: trade ? secondsOf(trade.time) : Number.NaN}));
	}

	test('whatever the screen shows, and whichever interface answers', async () => {
		const walk = fc.array(fc.constantFrom(-2, -1, 0, 1, 2), {minLength: 20, maxLength: 60}).map(steps => {
			let price = 99;
			return [price, ...steps.map(step => (price += step))];
		});
		const script = fc.array(fc.record({act: fc.constantFrom(...acts), waitMs: fc.integer({min: 100, max: 8000})}), {
			maxLength: 10,
		});
		await fc.assert(
			fc.asyncProperty(walk, script, async (prices, scripted) => {
				// After the walk, trades are at 99 again.
				const history = [...prices, 99];
				const expected = levels.flatMap(level => {
					const at = firstCrossing(history, level);
					return at === undefined ? [] : [{id: `BTCUSDT last crosses ${level}`, at}];
				});
				const all = await run(prices, scripted);
				const crossings = all.filter(({id}) => id !== eachTrade);
				expect(crossings.toSorted((a, b) => levelOf(a.id) - levelOf(b.id))).toEqual(expected);
				// Each time it calls with the first trade that is new.
				const times = all.filter(({id}) => id === eachTrade).map(({at}) => at);
				expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
			}),
			{numRuns: 6},
		);
	});
});
