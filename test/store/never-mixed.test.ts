import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ExchangeError} from '../../source/client/errors.ts';
import type {Ask} from '../../source/client/question.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import type {MarketState, MarketStore} from '../../source/store/state.ts';
import type {FakeCall, FakeExchange} from '../helpers/fake-exchange.ts';
import {candle, info, market, ticker, timeout, trade, unavailable} from './samples.ts';
import {setUp} from './set-up.ts';

const symbols = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT'];
const periods = [1, 15, 60];
const resources: readonly Ask[] = ['info', 'markets', 'tickers', 'depth', 'trades', 'candles'];
const operations = ['info', 'markets', 'tickers', 'depth', 'trades', 'candles'] as const;
type Operation = (typeof operations)[number];

/** The price of a market shows which one it is, the volume of its first candle shows the period. */
const priceOf = (symbol = '') => 1000 * (1 + symbols.indexOf(symbolKey(symbol)));
const volumeOf = (period = 0) => 7000 + period;

type Held = {
	readonly operation: Operation;
	readonly signal: AbortSignal | undefined;
	answer(): void;
	fail(error: ExchangeError): void;
};

/** Leaves every call open, with the answer that an exchange would give it. */
function holdCalls({script}: FakeExchange, now: () => number): Held[] {
	const held: Held[] = [];
	function hold<Data>(operation: Operation, answer: (call: FakeCall<Data>) => Data) {
		return (call: FakeCall<Data>) => {
			const source = call.options.use === 'legacy' ? 'legacy' : 'v2';
			held.push({
				operation,
				signal: call.options.signal,
				answer: () => call.answer(answer(call), {interface: source}),
				fail: error => call.fail(error),
			});
			return undefined;
		};
	}

	script.info = hold('info', () => info);
	script.markets = hold('markets', () => symbols.map(symbol => market(symbol)));
	script.tickers = hold('tickers', () => symbols.map(symbol => ticker(symbol)));
	script.depth = hold('depth', ({symbol}) => ({asks: [[priceOf(symbol), 1]]}));
	script.trades = hold('trades', ({symbol, at}) => [trade(at, at, priceOf(symbol)), trade(1, 1, priceOf(symbol))]);
	script.candles = hold('candles', ({symbol, options: {period = 1}}) => {
		const start = Math.floor(now() / (period * 60_000)) * period * 60_000;
		const price = priceOf(symbol);
		return [candle(start - period * 60_000, price, volumeOf(period)), candle(start, price)];
	});
	return held;
}

type Step = (world: {readonly store: MarketStore; readonly held: Held[]; wait(ms: number): Promise<void>}) => unknown;

function settle(operation: Operation, which: number, how: 'answer' | 'fail' | 'lack'): Step {
	return ({held}) => {
		const open = held.filter(call => call.operation === operation);
		const call = open[which % open.length];
		if (!call) return;
		held.splice(held.indexOf(call), 1);
		if (how === 'answer') call.answer();
		else call.fail(how === 'fail' ? timeout() : unavailable('candles'));
	};
}

const named = (name: string, step: Step): Step => Object.defineProperty(step, 'toString', {value: () => name});

const select = fc
	.constantFrom(...symbols, 'btc-usdt', 'eth/usdt')
	.map(symbol => named(`select ${symbol}`, ({store}) => store.select(symbol)));
const setPeriod = fc
	.constantFrom(...periods)
	.map(period => named(`period ${period}`, ({store}) => store.setPeriod(period)));
const setChoice = fc
	.constantFrom('auto', 'legacy', 'v2')
	.map(choice => named(`choice ${choice}`, ({store}) => store.setChoice(choice)));
const setPaused = fc.boolean().map(paused => named(`paused ${paused}`, ({store}) => store.setPaused(paused)));
const show = fc
	.subarray([...resources])
	.map(names => named(`show ${names.join(' ')}`, ({store}) => store.show(new Set(names))));
const call = fc.constantFrom('refresh', 'start', 'stop').map(name => named(name, ({store}) => store[name]()));
const wait = fc.nat({max: 20_000}).map(ms => named(`wait ${ms}`, world => world.wait(ms)));
const settled = fc
	.tuple(
		fc.constantFrom(...operations),
		fc.nat({max: 3}),
		fc.oneof({weight: 4, arbitrary: fc.constant('answer')}, fc.constantFrom('fail', 'lack')),
	)
	.map(([operation, which, how]) => named(`${how} ${operation} ${which}`, settle(operation, which, how)));
const step = fc.oneof(
	{weight: 3, arbitrary: select},
	{weight: 2, arbitrary: setPeriod},
	{weight: 5, arbitrary: wait},
	{weight: 12, arbitrary: settled},
	setChoice,
	setPaused,
	show,
	call,
);

/** What was shown of the selected market. */
function check({symbol, period, depth, trades: tape, candles}: MarketState): readonly Ask[] {
	const price = priceOf(symbol);
	const shown: Ask[] = [];
	if (depth.status === 'ready') {
		shown.push('depth');
		expect(depth.data.asks).toEqual([[price, 1]]);
	}

	if (tape.status === 'ready') {
		shown.push('trades');
		expect(tape.data.trades.map(each => each.price)).toEqual(tape.data.trades.map(() => price));
	}

	if (candles.status === 'ready') {
		shown.push('candles');
		const {data} = candles;
		expect(data.period).toBe(period);
		expect(data.candles.map(each => each.open)).toEqual(data.candles.map(() => price));
		if (data.builtFrom === 'exchange') expect(data.candles[0]?.volume).toBe(volumeOf(period));
	}

	return shown;
}

test('never shows data of another market or period, whatever is selected and answered in whatever order', async () => {
	const shown = new Set<Ask>();
	await fc.assert(
		fc.asyncProperty(fc.array(step, {maxLength: 80}), async steps => {
			const {clock, exchange, store} = setUp({symbol: 'BTCUSDT'});
			const held = holdCalls(exchange, clock.now);
			const checkNow = () => {
				for (const name of check(store.getSnapshot())) shown.add(name);
			};

			store.subscribe(checkNow);
			store.start();
			for (const next of steps) {
				await next({store, held, wait: ms => clock.advance(ms)});
				checkNow();
				await clock.advance(0);
				checkNow();
				for (const operation of operations) {
					const alive = held.filter(each => each.operation === operation && !each.signal?.aborted);
					expect(alive.length).toBeLessThanOrEqual(1);
				}
			}

			store.stop();
			expect(clock.timers).toBe(0);
			expect(held.filter(each => !each.signal?.aborted)).toEqual([]);
		}),
		{numRuns: 40},
	);
	expect(shown).toEqual(new Set(['depth', 'trades', 'candles']));
});
