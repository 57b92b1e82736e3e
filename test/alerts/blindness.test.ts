import {describe, expect, test} from 'vitest';
import {printRule} from '../../source/alerts/rule.ts';
import {book, market, timeout, tooMany} from '../store/samples.ts';
import {second, setUp, tradesAt} from './set-up.ts';

const hour = 3600 * second;

describe('a rule on a market that is not listed', () => {
	test('is blind with that reason, until it is listed', async () => {
		const {alerts, clock, screen, state, said} = setUp(['XYZUSDT last crosses 100']);
		screen.start();
		alerts.start();
		await clock.advance(40 * second);
		expect(said()).toEqual(['30 XYZUSDT blind since 0: XYZUSDT is not listed']);
		state.listed = [...state.listed, market('XYZUSDT')];
		await clock.advance(90 * second);
		expect(said().slice(1)).toEqual([expect.stringMatching(/^45\.\d+ XYZUSDT judged again$/)]);
	});

	test('is judged where the list lacks entries that could not be read', async () => {
		const {alerts, clock, screen, exchange, said} = setUp(['ETHUSDT last crosses 100']);
		exchange.script.markets = call => void call.answer([market('BTCUSDT')], {dropped: 1});
		screen.start();
		alerts.start();
		await clock.advance(40 * second);
		expect(said()).toEqual([]);
	});

	test('is judged while it is on screen and answers come', async () => {
		const {alerts, clock, screen, state, fired} = setUp(['BTCUSDT last > 100'], [...Array(50).fill(99), 101]);
		state.listed = [market('ETHUSDT')];
		screen.start();
		alerts.start();
		await clock.advance(60 * second);
		expect(fired().map(({symbol}) => symbol)).toEqual(['BTCUSDT']);
	});

	test('is not polled', async () => {
		const {alerts, clock, screen, requests} = setUp(['XYZUSDT last crosses 100']);
		screen.show(new Set());
		screen.start();
		await clock.advance(second);
		alerts.start();
		await clock.advance(60 * second);
		expect([requests('trades'), requests('markets')]).toEqual([{}, {all: 3}]);
	});

	test('is blind since it was judged last when it vanishes', async () => {
		const {alerts, clock, screen, exchange, state, said} = setUp(['ETHUSDT last crosses 100', '* last > 1000']);
		screen.start();
		alerts.start();
		await clock.advance(10 * second);
		state.listed = state.listed.filter(({symbol}) => symbol !== 'ETHUSDT');
		const {trades} = exchange.script;
		exchange.script.trades = call => (call.symbol === 'ETHUSDT' ? undefined : trades?.(call));
		await clock.advance(60 * second);
		expect(said()).toEqual([
			'40 ETHUSDT blind since 10: ETHUSDT is not listed',
			'45.25 ETHUSDT blind since 15.25: ETHUSDT is not listed',
		]);
	});
});

describe('a rule on an exchange that does not answer', () => {
	test('is blind with the reason, from the start on', async () => {
		const {alerts, clock, screen, state, said} = setUp(['ETHUSDT last crosses 100', 'BTCUSDT spread > 1000']);
		state.fails = true;
		screen.start();
		alerts.start();
		await clock.advance(40 * second);
		expect(said()).toEqual(['30 ETHUSDT blind since 0: timed out', '30 BTCUSDT blind since 0: timed out']);
		state.fails = false;
		await clock.advance(40 * second);
		expect(said().slice(2)).toEqual(['41 BTCUSDT judged again', '42 ETHUSDT judged again']);
	});
});

test('a rule that may have held while it was blind keeps saying so, unless the trades of that time are known', async () => {
	const {alerts, clock, screen, state} = setUp(['BTCUSDT spread > 1000', 'BTCUSDT last crosses 100']);
	const uncertain = () =>
		alerts.getSnapshot().entries.map(({markets: [of]}) => of?.uncertain && [of.uncertain.lookedUp, of.uncertain.why]);
	screen.start();
	alerts.start();
	await clock.advance(10 * second);
	state.fails = true;
	await clock.advance(60 * second);
	expect(uncertain()).toEqual([undefined, undefined]);
	state.fails = false;
	await clock.advance(60 * second);
	expect(uncertain()).toEqual([['nothing', 'timed out'], undefined]);
	const {missed = []} = alerts.getSnapshot();
	expect(missed.map(({rule}) => printRule(rule))).toEqual(['BTCUSDT spread > 1000']);
	expect([alerts.acknowledge(), alerts.acknowledge(), alerts.getSnapshot().missed]).toEqual([true, false, []]);
});

test('a rule that held when it went blind calls again if it was false meanwhile', async () => {
	const prices = Array.from({length: 120}, (_, at) => (at >= 20 && at < 30 ? 99 : 101));
	const {alerts, clock, screen, state, said} = setUp(['BTCUSDT last > 100 every 1s'], prices);
	screen.start();
	alerts.start();
	await clock.advance(10 * second);
	state.fails = true;
	await clock.advance(50 * second);
	state.fails = false;
	await clock.advance(60 * second);
	expect(said()).toEqual([
		expect.stringMatching(/BTCUSDT trade of none/),
		expect.stringMatching(/BTCUSDT blind since/),
		expect.stringMatching(/BTCUSDT trade of 30 while blind/),
		expect.stringMatching(/BTCUSDT judged again/),
	]);
});

describe("this computer's clock", () => {
	const rules = [
		'ETHUSDT last crosses 100 every 2m',
		'ETHUSDT trades(1m) < 10',
		'BTCUSDT spread > 1000',
		'ETHUSDT age > 60',
	];
	/** Prices that cross at these seconds. */
	const crossing = (...at: readonly number[]) =>
		Array.from({length: 200}, (_, index) => 99 + 2 * (at.filter(each => each <= index).length % 2));

	/** With an exchange whose clock is right. */
	function setUpDated(texts: readonly string[], prices: readonly number[]) {
		const all = setUp(texts, prices);
		const {exchange, clock} = all;
		let setMs = 0;
		const time = () => clock.now() - setMs;
		exchange.script.trades = call => {
			call.answer(tradesAt(time(), prices, call.options.limit ?? 500), {serverTime: time()});
			return undefined;
		};
		exchange.script.depth = call => {
			call.answer(book(100), {serverTime: time()});
			return undefined;
		};
		return {
			...all,
			/** Sets this computer's clock. */
			set(ms: number) {
				setMs += ms;
				clock.jump(ms);
			},
		};
	}

	test.each([
		['forwards', hour],
		['backwards', -hour],
		['by a few seconds', 5 * second],
	])('that is set %s makes no rule blind, and calls neither again nor too late', async (_, ms) => {
		const {alerts, clock, said, set} = setUpDated(rules, crossing(10, 40, 80, 160, 180));
		alerts.start();
		await clock.advance(30 * second);
		set(ms);
		await clock.advance(160 * second);
		const setBy = ms / second;
		expect(said()).toEqual([
			expect.stringMatching(/^1\d(\.\d+)? ETHUSDT trade of 10$/),
			expect.stringMatching(new RegExp(`^(?:${160 + setBy}|${161 + setBy}|${162 + setBy}) ETHUSDT trade of 160$`)),
		]);
	});

	test('that went on while the computer slept makes rules blind for that time', async () => {
		const {alerts, clock, said} = setUpDated(rules, crossing(100));
		alerts.start();
		await clock.advance(30 * second);
		clock.jump(200 * second);
		await clock.advance(5 * second);
		expect(said()).toEqual([
			'232 ETHUSDT blind since 30: the computer slept',
			'232 ETHUSDT blind since 30: the computer slept',
			'232 BTCUSDT blind since 30: the computer slept',
			'232 ETHUSDT trade of 100 while blind',
			'232 ETHUSDT judged again',
			'232 ETHUSDT judged again',
			'232 BTCUSDT judged again',
		]);
	});
});

test('a rule that fired for a time in which it was blind does not say that this time is not known', async () => {
	const {alerts, clock, exchange, screen, state} = setUp(['BTCUSDT last crosses 100 every 1s'], Array(200).fill(99));
	// What was traded meanwhile is more than a page.
	exchange.script.trades = () => (state.fails ? timeout() : tradesAt(clock.now(), state.prices, 20));
	screen.start();
	alerts.start();
	await clock.advance(10 * second);
	state.fails = true;
	await clock.advance(60 * second);
	state.prices = Array(200).fill(101);
	state.fails = false;
	await clock.advance(60 * second);
	const {entries, missed, unseen} = alerts.getSnapshot();
	expect(unseen.map(({gap}) => gap !== undefined)).toEqual([true]);
	expect([entries[0]?.markets[0]?.uncertain, missed]).toEqual([undefined, []]);
});

test('a blind rule says why it became blind, and why it is by now', async () => {
	const {alerts, clock, screen, exchange, state} = setUp(['BTCUSDT spread > 1000']);
	const blind = () => alerts.getSnapshot().entries[0]?.markets[0]?.blind?.why;
	screen.start();
	alerts.start();
	await clock.advance(5 * second);
	state.fails = true;
	await clock.advance(40 * second);
	expect(blind()).toBe('timed out');
	exchange.script.depth = () => tooMany();
	await clock.advance(60 * second);
	expect(blind()).toBe('timed out, then rate-limited (429)');
	exchange.script.depth = () => book(100);
	state.fails = false;
	await clock.advance(60 * second);
	expect(alerts.getSnapshot().missed).toMatchObject([{ended: true, why: 'timed out, then rate-limited (429)'}]);
	expect(blind()).toBeUndefined();
});
