import fc from 'fast-check';
import {expect, test} from 'vitest';
import {fillsOfOrders} from '../../source/client/wire/lists.ts';
import type {Trade} from '../../source/market/types.ts';
import {fetchTape, type TapeAnswer} from '../../source/store/tape-feed.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {timeout, trade, tradePage} from './samples.ts';

const symbol = 'BTCUSDT';

/** One trade in ten seconds, and then 300 within one. */
const quiet = tradePage(600, 600, 1_000_000, 10_000);
const burst = tradePage(900, 300, 1_001_000, 3);

function setUp(allTrades: () => readonly Trade[] = () => []) {
	const clock = createFakeClock(1_000_000);
	const exchange = createFakeExchange(clock, {trades: call => allTrades().slice(0, call.options.limit)});
	const fetch = (last?: TapeAnswer) => fetchTape(exchange, {symbol, last, now: clock.now(), call: {}});
	const limits = () => exchange.calls.trades.map(call => call.options.limit);
	return {clock, exchange, fetch, limits};
}

test('requests 500 trades first, and fewer in a quiet market', async () => {
	const {clock, fetch, limits} = setUp(() => tradePage(600, 600, clock.now(), 10_000));
	const first = await fetch();
	await clock.advance(1000);
	await fetch(first);
	expect(limits()).toEqual([500, 50]);
	expect(first.data.trades).toHaveLength(500);
});

test('requests larger pages in a busy market, and the largest after a long silence', async () => {
	const {clock, fetch, limits} = setUp(() => tradePage(clock.now() / 10, 1000, clock.now(), 10));
	const first = await fetch();
	await clock.advance(1000);
	const second = await fetch(first);
	await clock.advance(3_600_000);
	await fetch(second);
	// 100 trades a second, four times as many in case of a burst.
	expect(limits()).toEqual([500, 400, 1000]);
});

test('keeps requesting large pages when a busy market is quiet for one poll', async () => {
	let trades = tradePage(600, 600, 1_000_000, 10);
	const {clock, fetch, limits} = setUp(() => trades);
	let last = await fetch();
	await clock.advance(1000);
	last = await fetch(last);
	trades = tradePage(700, 600, 1_002_000, 10);
	await clock.advance(1000);
	await fetch(last);
	expect(limits()).toEqual([500, 400, 400]);
});

test('requests a wider page when one does not reach back to the tape', async () => {
	let trades = quiet;
	const {clock, fetch, limits} = setUp(() => trades);
	const first = await fetch();
	await clock.advance(1000);
	trades = [...burst, ...trades];
	const second = await fetch(first);
	expect(limits()).toEqual([500, 50, 1000]);
	expect(second.data.gaps).toEqual(new Set());
	expect(second.data.trades).toEqual(trades.slice(0, 1000));
});

test('requests no second page when the exchange has no more trades than it showed', async () => {
	const {clock, exchange, fetch, limits} = setUp();
	exchange.script.trades = () => [trade(1, 1_000_000)];
	const first = await fetch();
	await clock.advance(1000);
	exchange.script.trades = () => [trade(9, 1_001_000)];
	const second = await fetch(first);
	expect(limits()).toEqual([500, 50]);
	expect(second.data).toEqual({trades: [trade(9, 1_001_000), trade(1, 1_000_000)], gaps: new Set(['9'])});
});

test('marks the gap when even the widest page does not reach back', async () => {
	let trades = quiet;
	const {clock, fetch} = setUp(() => trades);
	const first = await fetch();
	await clock.advance(1_000_000);
	trades = tradePage(5000, 2000, 2_000_000, 3);
	const second = await fetch(first);
	expect(second.data.trades).toEqual([...trades.slice(0, 1000), ...first.data.trades]);
	expect(second.data.gaps).toEqual(new Set(['4001']));
});

test.each([
	{name: 'a page that is not full', count: 5, pages: [500, 500], gap: false},
	{name: 'a full page that the largest one completes', count: 700, pages: [500, 500, 1000], gap: false},
	{name: 'a page that is full even at the largest size', count: 1000, pages: [500, 500, 1000], gap: true},
])('tells whether trades may be missing since an empty answer: $name', async ({count, pages, gap}) => {
	let trades: readonly Trade[] = [];
	const {clock, fetch, limits} = setUp(() => trades);
	const first = await fetch();
	await clock.advance(1000);
	trades = tradePage(count, count, clock.now(), 1);
	const second = await fetch(first);
	expect(limits()).toEqual(pages);
	expect(second.data).toEqual({trades, gaps: new Set(gap ? ['1'] : [])});
});

test('keeps the page and marks the gap when the wider one fails', async () => {
	let trades = quiet;
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = call =>
		call.options.limit === 1000 ? timeout('trades') : trades.slice(0, call.options.limit);
	const first = await fetch();
	await clock.advance(1000);
	trades = [...burst, ...trades];
	const second = await fetch(first);
	expect(second.data.trades).toEqual([...trades.slice(0, 50), ...first.data.trades]);
	expect(second.data.gaps).toEqual(new Set(['851']));
});

test('counts refused entries to see whether the exchange has more', async () => {
	let trades = quiet;
	const {clock, exchange, fetch, limits} = setUp();
	exchange.script.trades = call => {
		const [, ...good] = trades.slice(0, call.options.limit);
		call.answer(good, {dropped: 1});
		return undefined;
	};
	const first = await fetch();
	await clock.advance(1000);
	trades = [...burst, ...trades];
	const second = await fetch(first);
	expect(limits()).toEqual([500, 50, 1000]);
	expect(second.data.gaps).toEqual(new Set());
});

test('does not bridge a gap with a page of the other interface', async () => {
	let trades = quiet;
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = call => {
		const wide = call.options.limit === 1000;
		call.answer(wide ? tradePage(77, 9, 1_001_000) : trades.slice(0, call.options.limit), {
			interface: wide ? 'legacy' : 'v2',
		});
		return undefined;
	};
	const first = await fetch();
	await clock.advance(1000);
	trades = [...burst, ...trades];
	const second = await fetch(first);
	expect(second.interface).toBe('v2');
	expect(second.data.trades).toEqual([...trades.slice(0, 50), ...first.data.trades]);
});

test('starts the tape over when the other interface answers: its ids need not agree', async () => {
	const {clock, exchange, fetch, limits} = setUp(() => tradePage(600, 600, clock.now(), 10_000));
	const first = await fetch();
	await clock.advance(1000);
	const legacy = tradePage(90_000, 300, clock.now());
	exchange.script.trades = call => {
		call.answer(legacy.slice(0, call.options.limit), {interface: 'legacy'});
		return undefined;
	};
	const second = await fetch(first);
	expect(limits()).toEqual([500, 50, 1000]);
	expect(second.interface).toBe('legacy');
	// Older trades were shown, and are not any more.
	expect(second.data).toEqual({trades: legacy, gaps: new Set(['89701'])});
	await clock.advance(1000);
	const third = await fetch(second);
	expect(third.data).toBe(second.data);
});

test('gives the trades of the tape the times that the exchange gives them when it has set its clock', async () => {
	const hour = 3_600_000;
	let shiftMs = 2 * hour;
	const {clock, fetch, limits} = setUp(() => tradePage(clock.now() / 1000, 2000, clock.now() + shiftMs));
	const ahead = await fetch();
	await clock.advance(5000);
	shiftMs = 0;
	const right = await fetch(ahead);
	await clock.advance(5000);
	shiftMs = -2 * hour;
	const behind = await fetch(right);
	expect(limits()).toEqual([500, 50, 50]);
	expect(ahead.data).toEqual({trades: tradePage(1000, 500, 1_000_000 + 2 * hour), gaps: new Set()});
	expect(right.data).toEqual({trades: tradePage(1005, 505, 1_005_000), gaps: new Set()});
	expect(behind.data).toEqual({trades: tradePage(1010, 510, 1_010_000 - 2 * hour), gaps: new Set()});
});

test('starts the tape over when the exchange sets its clock and its fills share order ids', async () => {
	let shiftMs = 0;
	// Three fills an order, two of them alike.
	const fills = (now: number) =>
		tradePage(Math.floor(now / 1000), 300, now + shiftMs).flatMap(fill => [fill, fill, {...fill, quantity: 2}]);
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = ({options}) => fillsOfOrders(fills(clock.now()).slice(0, options.limit));
	const first = await fetch();
	await clock.advance(5000);
	const second = await fetch(first);
	expect(second.data).toEqual({
		trades: fillsOfOrders([...fills(1_005_000).slice(0, 15), ...fills(1_000_000).slice(0, 500)]),
		gaps: new Set(),
	});
	shiftMs = 2 * 3_600_000;
	await clock.advance(5000);
	const ahead = await fetch(second);
	const [oldest] = ahead.data.trades.slice(-1);
	expect(ahead.data).toEqual({trades: fillsOfOrders(fills(1_010_000)), gaps: new Set([oldest?.key])});
});

test('keeps the tape when an order is filled again after minutes', async () => {
	const {clock, exchange, fetch} = setUp();
	const early = [trade(8, 800_000), trade(7, 700_000)];
	exchange.script.trades = () => fillsOfOrders(early);
	const first = await fetch();
	await clock.advance(1000);
	const late = [trade(7, 1_001_000), ...early];
	exchange.script.trades = () => fillsOfOrders(late);
	expect((await fetch(first)).data).toEqual({trades: fillsOfOrders(late), gaps: new Set()});
});

test.each([30, 120])('starts the tape over when the exchange begins its ids again after %i s', async seconds => {
	let page = tradePage(200, 200, 1_000_000);
	const {clock, fetch} = setUp(() => page);
	const first = await fetch();
	await clock.advance(seconds * 1000);
	page = tradePage(20, 20, clock.now());
	const again = await fetch(first);
	expect(again.data).toEqual({trades: page, gaps: new Set(['1'])});
	await clock.advance(1000);
	page = tradePage(21, 21, clock.now());
	expect((await fetch(again)).data).toEqual({trades: page, gaps: new Set(['1'])});
});

test('starts the tape over when ids that the exchange has begun again reach those that it knows', async () => {
	let page = tradePage(1000, 500, 1_000_000);
	const {clock, fetch} = setUp(() => page);
	const first = await fetch();
	await clock.advance(500_000);
	page = tradePage(490, 490, clock.now());
	const again = await fetch(first);
	expect(again.data).toEqual({trades: [...page, ...tradePage(1000, 500, 1_000_000)], gaps: new Set(['1'])});
	await clock.advance(15_000);
	page = tradePage(505, 50, clock.now());
	expect((await fetch(again)).data).toEqual({trades: page, gaps: new Set(['456'])});
});

test('starts the tape over when all its trades are later than the newest of the page', async () => {
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = () => [trade(7, 1_060_000), trade(6, 1_059_000)];
	const ahead = await fetch();
	await clock.advance(1000);
	exchange.script.trades = () => [trade(9, 1_000_000)];
	const right = await fetch(ahead);
	expect(right.data).toEqual({trades: [trade(9, 1_000_000)], gaps: new Set(['9'])});
});

test('leaves out the trades of a clock that was ahead once three trades show that it was set back', async () => {
	const before = tradePage(10, 5, 1_600_000);
	let page = before;
	const {clock, fetch} = setUp(() => page);
	const first = await fetch();
	await clock.advance(2000);
	page = [...before, ...tradePage(12, 2, 1_002_000)];
	const second = await fetch(first);
	expect(second.data).toEqual({trades: page, gaps: new Set()});
	await clock.advance(1000);
	page = [...before, ...tradePage(13, 3, 1_003_000)];
	const third = await fetch(second);
	expect(third.data).toEqual({trades: tradePage(13, 3, 1_003_000), gaps: new Set(['11'])});
	// They stay away also when the clock has reached their times.
	await clock.advance(600_000);
	page = [...tradePage(14, 1, 1_603_000), ...page];
	expect((await fetch(third)).data).toEqual({
		trades: [...tradePage(14, 1, 1_603_000), ...tradePage(13, 3, 1_003_000)],
		gaps: new Set(['11']),
	});
});

test('keeps the tape when one trade comes late', async () => {
	const before = tradePage(10, 5, 1_000_000);
	let page = before;
	const {fetch} = setUp(() => page);
	const first = await fetch();
	page = [...before, trade(11, 900_000)];
	expect((await fetch(first)).data).toEqual({trades: page, gaps: new Set()});
});

test('marks a gap next to trades that were dropped, as their times are wrong', async () => {
	const {exchange, fetch} = setUp();
	exchange.script.trades = call => {
		call.answer(tradePage(10, 5, 1_000_000), {dropped: 1, besideDropped: ['9']});
		return undefined;
	};
	expect((await fetch()).data).toEqual({trades: tradePage(10, 5, 1_000_000), gaps: new Set(['9'])});
});

test('keeps the tape when single trades move by less than a minute', async () => {
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = () => [trade(7, 1_000_000)];
	const first = await fetch();
	await clock.advance(1000);
	exchange.script.trades = () => [trade(8, 1_001_000), trade(7, 999_500)];
	const second = await fetch(first);
	expect(second.data).toEqual({trades: [trade(8, 1_001_000), trade(7, 1_000_000)], gaps: new Set()});
});

test('keeps the tape when an older page arrives late', async () => {
	const all = tradePage(600, 600, 1_000_000, 10_000);
	let trades = all;
	const {fetch} = setUp(() => trades);
	const first = await fetch();
	trades = all.slice(10);
	expect((await fetch(first)).data).toBe(first.data);
});

test('requests the largest page until pages overlap again, and soon', async () => {
	let trades = quiet;
	const {clock, fetch, limits} = setUp(() => trades);
	let last = await fetch();
	// A trade in ten seconds.
	expect([last.lost, last.wantedMs]).toEqual([false, 5_000_000]);
	await clock.advance(1000);
	trades = tradePage(5000, 1000, clock.now(), 1);
	last = await fetch(last);
	// A trade a millisecond: half a page.
	expect([last.lost, last.wantedMs]).toEqual([true, 500]);
	await clock.advance(500);
	trades = [...tradePage(5010, 10, clock.now(), 1), ...trades];
	last = await fetch(last);
	// Four fifths of that rate are still believed.
	expect([last.lost, last.wantedMs]).toEqual([false, 625]);
	expect(limits()).toEqual([500, 50, 1000, 1000]);
});

test('adapts to an exchange that sends smaller pages than requested', async () => {
	const {clock, exchange, fetch} = setUp();
	exchange.script.trades = () => tradePage(clock.now(), 20, clock.now(), 10);
	let last = await fetch();
	await clock.advance(1000);
	last = await fetch(last);
	expect([last.lost, last.wantedMs]).toEqual([true, 200]);
	exchange.script.trades = () => [];
	expect((await fetch(last)).wantedMs).toBeGreaterThan(1000);
	// A page of one trade says nothing about how soon the next one is due.
	exchange.script.trades = () => [trade(clock.now(), clock.now())];
	await clock.advance(60_000);
	expect((await fetch()).wantedMs).toBe(Number.POSITIVE_INFINITY);
});

test('rejects when the exchange does', async () => {
	const {exchange, fetch} = setUp();
	const error = timeout('trades');
	exchange.script.trades = () => error;
	await expect(fetch()).rejects.toBe(error);
});

test('shows every trade once and in order in bursts of up to 900 trades between two polls', async () => {
	const burst = fc.record({count: fc.nat({max: 900}), ms: fc.integer({min: 100, max: 20_000})});
	await fc.assert(
		fc.asyncProperty(fc.array(burst, {minLength: 1, maxLength: 8}), async bursts => {
			let trades: readonly Trade[] = [];
			const {clock, fetch} = setUp(() => trades);
			let last: TapeAnswer | undefined;
			let id = 0;
			for (const {count, ms} of bursts) {
				await clock.advance(ms);
				const fresh: Trade[] = [];
				for (let index = 0; index < count; index++) {
					fresh.push(trade(++id, clock.now() - Math.floor((ms * (count - index - 1)) / count)));
				}

				trades = [...fresh.reverse(), ...trades];
				last = await fetch(last);
			}

			const shown = last?.data.trades ?? [];
			// The first page holds 500 trades; from then on none is missed.
			expect(shown).toEqual(trades.slice(0, shown.length));
			expect(shown.length).toBeGreaterThanOrEqual(Math.min(trades.length - 400, 5000));
			expect(last?.data.gaps).toEqual(new Set());
		}),
		{numRuns: 25},
	);
});
