import {describe, expect, onTestFinished, test} from 'vitest';
import type {Candle} from '../../source/market/types.ts';
import {hourMs, minuteMs} from '../../source/market/units.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {createPastCandles, withPast} from '../../source/store/past-candles.ts';
import {createSpareTurns} from '../../source/store/spare-turns.ts';
import type {WantedPast} from '../../source/store/state.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {candle, refusedPeriod, timeout, tooMany, unavailable} from './samples.ts';

const start = Date.UTC(2026, 0, 1, 12, 30);

/** Full candles up to now. */
const candlesTo = (now: number, period = 60, count = 300): readonly Candle[] => {
	const periodMs = period * minuteMs;
	const last = Math.floor(now / periodMs);
	return Array.from({length: count}, (_, index) => candle((last - count + 1 + index) * periodMs));
};

const wanted = (change: Partial<WantedPast> = {}): WantedPast => ({
	...{periods: [60], shown: ['AUSDT', 'BUSDT'], favourites: [], others: []},
	...change,
});

function setUp(change: Partial<WantedPast> = {}) {
	const clock = createFakeClock(start);
	const exchange = createFakeExchange(clock);
	exchange.script.candles = ({options}) => candlesTo(clock.now(), options.period);
	const turns = createSpareTurns(exchange, clock);
	const reader = createPastCandles({exchange, clock, turns, random: () => 0});
	const viewer = {};
	const want = (wants: WantedPast | undefined, of: object = viewer) => reader.want(of, wants);
	onTestFinished(() => want(undefined));
	want(wanted(change));
	const requested = () => exchange.calls.candles.map(({symbol, options}) => `${symbol} ${options.period}`);
	const known = () => [...reader.getSnapshot().markets].map(([symbol, past]) => [symbol, Object.keys(past).join(' ')]);
	return {clock, exchange, turns, reader, want, requested, known};
}

describe('order', () => {
	test('markets on the screen are read first, then favourites, then the others, each once', async () => {
		const {clock, requested, known} = setUp({
			...{shown: ['CUSDT', 'AUSDT'], favourites: ['AUSDT', 'FUSDT'], others: ['AUSDT', 'BUSDT', 'CUSDT', 'FUSDT']},
			periods: [1, 60],
		});
		await clock.advance(minuteMs);
		expect(requested()).toEqual([
			...['CUSDT 1', 'CUSDT 60', 'AUSDT 1', 'AUSDT 60'],
			...['FUSDT 1', 'FUSDT 60', 'BUSDT 1', 'BUSDT 60'],
		]);
		expect(known()).toEqual([
			['CUSDT', '1 60'],
			['AUSDT', '1 60'],
			['FUSDT', '1 60'],
			['BUSDT', '1 60'],
		]);
	});

	test('what is scrolled into sight comes next, also while a request waits for its turn', async () => {
		const {clock, want, requested} = setUp({others: ['CUSDT', 'DUSDT', 'EUSDT']});
		await clock.advance(100);
		expect(requested()).toEqual(['AUSDT 60', 'BUSDT 60']);
		want(wanted({shown: ['EUSDT'], others: ['AUSDT', 'BUSDT', 'CUSDT', 'DUSDT', 'EUSDT']}));
		await clock.advance(minuteMs);
		expect(requested().slice(2)).toEqual(['EUSDT 60', 'CUSDT 60', 'DUSDT 60']);
	});

	test('several viewers cost the requests of one, and what any of them sees comes first', async () => {
		const {clock, want, requested} = setUp({shown: ['AUSDT'], others: ['AUSDT', 'BUSDT', 'CUSDT']});
		for (let viewer = 0; viewer < 100; viewer++)
			want(wanted({shown: ['CUSDT'], others: ['AUSDT', 'BUSDT', 'CUSDT']}), {viewer});
		await clock.advance(minuteMs);
		expect(requested()).toEqual(['AUSDT 60', 'CUSDT 60', 'BUSDT 60']);
	});

	test('lists of many viewers that all change are read at most once a second', async () => {
		const {clock, want} = setUp({shown: ['AUSDT']});
		await clock.advance(5000);
		let reads = 0;
		const counted = {
			...wanted(),
			get others() {
				reads++;
				return ['AUSDT'];
			},
		};
		for (let viewer = 0; viewer < 10; viewer++) {
			want(viewer === 0 ? counted : wanted({shown: ['AUSDT']}), {viewer});
			await clock.advance(50);
		}

		expect(reads).toBeLessThanOrEqual(2);
		await clock.advance(1000);
		expect(reads).toBe(2);
	});
});

describe('budget', () => {
	test('one request at a time, only as often as the polls of the screen leave room', async () => {
		const {clock, exchange} = setUp({others: Array.from({length: 100}, (_, index) => `M${index}`)});
		const used = () => 3.5 + exchange.calls.candles.filter(({at}) => at > clock.now() - 5000).length / 5;
		exchange.budget = () => ({used: used(), allowed: 5});
		await clock.advance(10_000);
		expect(exchange.calls.candles.length).toBeGreaterThanOrEqual(9);
		expect(exchange.calls.candles.length).toBeLessThanOrEqual(16);
		expect(exchange.calls.candles.every(({options}) => options.priority === 2)).toBe(true);
	});

	test('the next request waits for the answer before it', async () => {
		const {clock, exchange, requested} = setUp();
		exchange.script.candles = () => undefined;
		await clock.advance(minuteMs);
		expect(requested()).toEqual(['AUSDT 60']);
		exchange.last('candles').answer(candlesTo(clock.now()));
		await clock.advance(1000);
		expect(requested()).toEqual(['AUSDT 60', 'BUSDT 60']);
	});

	test('minutes are read again after 50 minutes, hours two minutes after each full hour', async () => {
		const {clock, exchange, want} = setUp({shown: ['AUSDT'], periods: [1, 60]});
		await clock.advance(2 * hourMs);
		const times = (period: number) =>
			exchange.calls.candles
				.filter(call => call.options.period === period)
				.map(({at}) => Math.floor((at - start) / minuteMs));
		expect(times(1)).toEqual([0, 50, 100]);
		expect(times(60)).toEqual([0, 32, 92]);
		want(undefined);
		expect(clock.timers).toBe(0);
	});

	test('an old answer from a cache is not requested again at once', async () => {
		const {clock, exchange} = setUp({shown: ['AUSDT'], periods: [1]});
		exchange.script.candles = call => {
			call.answer(candlesTo(clock.now() - hourMs, 1), {receivedAt: clock.now() - hourMs});
			return undefined;
		};
		await clock.advance(10 * minuteMs);
		expect(exchange.calls.candles.length).toBeLessThanOrEqual(11);
	});
});

describe('failures', () => {
	test('a market that fails is tried again later and later, and holds no other up', async () => {
		const {clock, exchange} = setUp({others: ['CUSDT']});
		exchange.script.candles = ({symbol}) => (symbol === 'AUSDT' ? refusedPeriod() : candlesTo(clock.now()));
		await clock.advance(20 * minuteMs);
		const times = (symbol: string) =>
			exchange.calls.candles.filter(call => call.symbol === symbol).map(({at}) => Math.floor((at - start) / 1000));
		expect(times('BUSDT').length + times('CUSDT').length).toBe(2);
		expect(Math.max(...times('BUSDT'), ...times('CUSDT'))).toBeLessThan(2);
		const gaps = times('AUSDT')
			.slice(1)
			.map((at, index) => at - (times('AUSDT')[index] ?? 0));
		expect(gaps.map(gap => Math.round(gap / 30))).toEqual([1, 2, 4, 8, 16]);
	});

	test('a market with candles of another period fails, too', async () => {
		const {clock, exchange, known} = setUp({shown: ['AUSDT'], periods: [1]});
		exchange.script.candles = () => candlesTo(clock.now(), 60);
		await clock.advance(20_000);
		expect([exchange.calls.candles.length, known()]).toEqual([1, []]);
		await clock.advance(20_000);
		expect(exchange.calls.candles.length).toBe(2);
	});

	test('a market with candles of the future fails, and does not redate the others', async () => {
		const {clock, exchange, known, reader} = setUp();
		exchange.script.candles = call => {
			const aheadMs = call.symbol === 'AUSDT' ? 3 * hourMs : 0;
			call.answer(candlesTo(clock.now() + aheadMs), aheadMs > 0 ? {misdated: 3} : {});
			return undefined;
		};
		await clock.advance(20_000);
		expect([known(), reader.getSnapshot().leastAheadMs]).toEqual([[['BUSDT', '60']], -30 * minuteMs]);
	});

	test.each([
		['timeouts', timeout('candles')],
		['429', tooMany()],
		['no candles at all', unavailable('candles')],
	])('with %s fewer and fewer requests are sent, and all continue once one is answered', async (_, error) => {
		const {clock, exchange, known} = setUp({others: Array.from({length: 50}, (__, index) => `M${index}`)});
		exchange.script.candles = () => error;
		await clock.advance(5 * minuteMs);
		expect(exchange.calls.candles.length).toBeLessThan(16);
		exchange.script.candles = () => candlesTo(clock.now());
		await clock.advance(minuteMs);
		expect(known().length).toBeGreaterThan(35);
	});
});

test('an exchange that answers with old candles is not known to send the newest, also after others of the period', async () => {
	const {clock, exchange, reader} = setUp({periods: [1, 60]});
	exchange.script.candles = ({options: {period}}) => candlesTo(clock.now() - (period === 1 ? hourMs : 0), period, 302);
	await clock.advance(5000);
	const {sendsNewest, leastAheadMs, markets} = reader.getSnapshot();
	expect([[...sendsNewest], leastAheadMs, markets.size]).toEqual([[60], -30 * minuteMs, 2]);
});

describe('demand', () => {
	test('nobody looks: the request is aborted, and no timer waits', async () => {
		const {clock, exchange, want, requested} = setUp();
		exchange.script.candles = () => undefined;
		await clock.advance(100);
		want(undefined);
		expect([exchange.last('candles').options.signal?.aborted, clock.timers]).toEqual([true, 0]);
		exchange.last('candles').answer(candlesTo(clock.now()));
		await clock.advance(hourMs);
		expect([requested(), clock.timers]).toEqual([['AUSDT 60'], 0]);
	});

	test('what is known stays for who looks again, also what came last', async () => {
		const {clock, want, requested, known} = setUp();
		await clock.advance(300);
		want(undefined);
		expect(clock.timers).toBe(0);
		await clock.advance(10 * minuteMs);
		want(wanted());
		await clock.advance(2000);
		expect(requested()).toEqual(['AUSDT 60', 'BUSDT 60']);
		expect(known().map(([symbol]) => symbol)).toEqual(['AUSDT', 'BUSDT']);
	});

	test('listeners are called at most once a second', async () => {
		const {clock, exchange, reader} = setUp({others: Array.from({length: 100}, (_, index) => `M${index}`)});
		exchange.currentBudget = {used: 0, allowed: 100};
		let calls = 0;
		reader.subscribe(() => calls++);
		await clock.advance(3000);
		expect(exchange.calls.candles.length).toBe(102);
		expect(calls).toBeLessThanOrEqual(4);
	});

	test('where our clock was set back or an hour ahead, all is read again', async () => {
		const {clock, exchange, known} = setUp({others: ['CUSDT']});
		await clock.advance(2000);
		expect([exchange.calls.candles.length, known().length]).toEqual([3, 3]);
		clock.jump(-20 * minuteMs);
		await clock.advance(2 * minuteMs);
		expect(exchange.calls.candles.length).toBe(6);
		clock.jump(hourMs);
		await clock.advance(2 * minuteMs);
		expect([exchange.calls.candles.length, known().length]).toEqual([9, 3]);
	});

	test('servers whose clocks differ by minutes do not keep what was read from being shown', async () => {
		const {clock, exchange, requested, known} = setUp({others: ['CUSDT', 'DUSDT']});
		exchange.script.candles = call => {
			const slowMs = exchange.calls.candles.length % 2 === 0 ? 0 : 150_000;
			call.answer(candlesTo(clock.now()), {serverTime: clock.now() - slowMs});
			return undefined;
		};
		await clock.advance(10_000);
		expect([requested().length, known().length]).toEqual([4, 4]);
	});
});

describe('a store with the past', () => {
	function open(interfaces: readonly ('v2' | 'legacy')[] = ['v2', 'legacy']) {
		const {clock, exchange, reader, want} = setUp();
		want(undefined);
		const inner = createMarketStore({exchange, clock, random: () => 0, symbol: 'BTCUSDT'});
		return {clock, exchange, inner, store: withPast(inner, reader, interfaces)};
	}

	test('has what was read, and calls its listeners for that, too', async () => {
		const {clock, exchange, store} = open();
		let calls = 0;
		const unsubscribe = store.subscribe(() => calls++);
		const before = store.getSnapshot();
		expect(store.getSnapshot()).toBe(before);
		store.wantPast?.(wanted());
		await clock.advance(2000);
		expect([...(store.getSnapshot().past?.markets.keys() ?? [])]).toEqual(['AUSDT', 'BUSDT']);
		expect(calls).toBeGreaterThan(0);
		unsubscribe();
		store.wantPast?.(undefined);
		await clock.advance(hourMs);
		expect([exchange.calls.candles.length, clock.timers]).toEqual([2, 0]);
	});

	test('has none from legacy alone', async () => {
		const {store, inner} = open();
		inner.setChoice('legacy');
		expect(store.getSnapshot().past).toMatchObject({isUnavailable: true});
		inner.setChoice('auto');
		expect(store.getSnapshot().past).not.toHaveProperty('isUnavailable');
		expect(open(['legacy']).store.getSnapshot().past).toMatchObject({isUnavailable: true});
	});
});
