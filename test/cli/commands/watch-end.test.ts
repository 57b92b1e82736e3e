import {expect, onTestFinished, test} from 'vitest';
import {createConditionWatch} from '../../../source/alerts/condition-watch.ts';
import {readCondition} from '../../../source/cli/commands/condition-flag.ts';
import {onWatchEnd, type WatchEnd} from '../../../source/cli/commands/watch-end.ts';
import {hourMs} from '../../../source/market/units.ts';
import {createMarketStore} from '../../../source/store/market-store.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {createFakeExchange} from '../../helpers/fake-exchange.ts';
import {book, candle, market, ticker, timeout, trade} from '../../store/samples.ts';

type Limits = {readonly until?: string; readonly forMs?: number};

/** Two markets on an exchange whose trades cost what `prices` says. */
function watch({until, forMs}: Limits) {
	const clock = createFakeClock();
	const hour = Math.floor(clock.now() / hourMs) * hourMs;
	const prices = new Map([
		['BTCUSDT', 100],
		['ETHUSDT', 10],
	]);
	const symbols = [...prices.keys()];
	const exchange = createFakeExchange(clock, {
		markets: () => symbols.map(symbol => market(symbol)),
		tickers: () => symbols.map(symbol => ticker(symbol)),
		depth: () => book(100),
		candles: () => [99, 100, 101].map((price, index) => candle(hour - (3 - index) * hourMs, price)),
		trades: ({symbol = ''}) => [trade(clock.now(), clock.now(), prices.get(symbol))],
	});
	const stores = symbols.map(symbol => createMarketStore({exchange, clock, symbol, random: () => 0}));
	const ends: {readonly end: WatchEnd['reason']; readonly markets?: readonly unknown[]; readonly atMs: number}[] = [];
	const start = clock.now();
	const condition = until === undefined ? undefined : readCondition(until, symbols, {once: false});
	const judged = condition && createConditionWatch(condition, {exchange, clock, choice: 'auto'});
	const stop = onWatchEnd({until: condition, forMs, judged}, stores, clock, end => {
		const markets = end.reason === 'met' ? {markets: end.met.states.map(({symbol}) => symbol)} : {};
		ends.push({end: end.reason, ...markets, atMs: clock.now() - start});
	});
	for (const store of stores) store.show(new Set(['tickers', 'depth', 'trades']));
	for (const store of stores) store.start();
	const close = () => {
		stop();
		for (const store of stores) store.stop();
	};
	onTestFinished(close);
	return {clock, exchange, prices, ends, stop, close};
}

test('ends once with the first answer that meets the condition', async () => {
	const {clock, prices, ends} = watch({until: 'last > 105', forMs: 60_000});
	await clock.advance(2500);
	expect(ends).toEqual([]);
	prices.set('BTCUSDT', 106);
	await clock.advance(60_000);
	expect(ends).toEqual([{end: 'met', markets: ['BTCUSDT'], atMs: 3250}]);
});

test('ends with the trade that crosses an average of closed candles', async () => {
	const {clock, prices, exchange, ends, close} = watch({until: 'ETHUSDT.last crosses above sma(3, 1h)'});
	await clock.advance(2500);
	expect(exchange.calls.candles.map(({symbol, options}) => [symbol, options.period])).toEqual([
		['BTCUSDT', 60],
		['ETHUSDT', 60],
	]);
	prices.set('ETHUSDT', 100.5);
	await clock.advance(1000);
	expect(ends).toEqual([{end: 'met', markets: ['ETHUSDT'], atMs: 3250}]);
	close();
	expect(clock.timers).toBe(0);
});

test('ends when the time runs out before the condition is met', async () => {
	const {clock, prices, ends} = watch({until: 'last > 105', forMs: 4200});
	await clock.advance(4200);
	prices.set('BTCUSDT', 106);
	await clock.advance(5000);
	expect(ends).toEqual([{end: 'time', atMs: 4200}]);
});

test('never ends without a limit', async () => {
	const {clock, ends} = watch({});
	await clock.advance(100_000);
	expect(ends).toEqual([]);
});

test('checks the growing age while no answer arrives, and ignores stale data', async () => {
	const {clock, exchange, prices, ends} = watch({until: 'ETHUSDT.age >= 20 or last > 105'});
	await clock.advance(2000);
	exchange.script.trades = () => timeout('trades');
	exchange.script.depth = () => undefined;
	exchange.script.tickers = () => undefined;
	prices.set('BTCUSDT', 106);
	await clock.advance(30_000);
	expect(ends).toEqual([{end: 'met', markets: ['ETHUSDT'], atMs: 20_000}]);
});

test('leaves no timers when stopped', async () => {
	const {clock, prices, ends, close} = watch({until: 'last > 105', forMs: 10_000});
	await clock.advance(1000);
	close();
	prices.set('BTCUSDT', 106);
	await clock.advance(20_000);
	expect([ends, clock.timers]).toEqual([[], 0]);
});

test('ends after a time longer than a timer can last, and can be stopped meanwhile', async () => {
	const dayMs = 86_400_000;
	const long = {clock: createFakeClock(), ends: 0};
	onWatchEnd({forMs: 40.5 * dayMs}, [], long.clock, () => long.ends++);
	await long.clock.advance(40.5 * dayMs - 1);
	expect(long.ends).toBe(0);
	await long.clock.advance(1);
	expect([long.ends, long.clock.timers]).toEqual([1, 0]);

	const stop = onWatchEnd({forMs: 3 * dayMs}, [], long.clock, () => long.ends++);
	await long.clock.advance(2.5 * dayMs);
	stop();
	await long.clock.advance(dayMs);
	expect([long.ends, long.clock.timers]).toEqual([1, 0]);
});
