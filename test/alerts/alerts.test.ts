import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {AlertEvent} from '../../source/alerts/alert-event.ts';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {symbolKey} from '../../source/market/symbol.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 22, 14);

type Poll = {
	/** Seconds since the start. */
	readonly at: number;
	/** New trades, a second apart up to now. */
	readonly prices?: readonly number[];
	/** The poll fails. */
	readonly fails?: boolean;
	readonly volume?: number;
};

/** What one rule calls after each poll of a market, as text. */
function calls(text: string, polls: readonly Poll[], symbols: readonly string[] = ['BTCUSDT']) {
	const clock = createFakeClock(start);
	const rule = parseRule(text, {now: start, marketNamed: name => ({key: symbolKey(name)})});
	const feeds = createKnownFeeds();
	const events: AlertEvent[] = [];
	const alerts = createAlerts({
		clock,
		rules: [{rule, origin: 'flag', isOff: false}],
		marketsOf: () => symbols,
		onEvent: event => events.push(event),
		feeds,
	});
	alerts.start();
	let tape = emptyTape;
	let id = 0;
	let receivedAt = start;
	let isFailing = false;

	function arrive(fails: boolean, volume: number | undefined) {
		if (!fails) receivedAt = clock.now();
		const states = symbols.map((symbol): MarketState => {
			const tickers = new Map([[symbol, {symbol, state: 'active', ...(volume !== undefined && {volume})}]]);
			return marketState({
				symbol,
				trades: {...received(tape, receivedAt), ...(fails && {failure: failure(receivedAt)})},
				tickers: received(tickers, clock.now()),
			});
		});
		const known = new Map(
			states.map(state => [state.symbol ?? '', {state, candlesOf: () => waiting, facts: new Map()}] as const),
		);
		feeds.arrive(known);
	}

	return polls.map(({at, prices = [], fails = false, volume}) => {
		const now = start + at * 1000;
		// Polls without news.
		for (; now - clock.now() > 1000; arrive(fails || isFailing, undefined)) clock.jump(1000);
		clock.jump(now - clock.now());
		const trades = prices.map(
			(price, index): Trade => ({id: String(++id), time: now - (prices.length - 1 - index) * 1000, price, quantity: 1}),
		);
		tape = mergeTape(tape, [...tape.trades.slice(0, 1), ...trades]);
		isFailing = fails;
		arrive(fails, volume);
		return events.splice(0).map(event => {
			const {symbol} = event;
			if (event.type === 'blind') {
				const since = (event.since - start) / 1000;
				return `${event.ended ? 'sees again' : `blind since ${since}: ${event.why}`}`;
			}

			const blind = event.blindSince === undefined ? '' : ' while blind';
			return `${symbol} ${event.trade ? `trade ${event.trade.id}` : 'now'}${blind}`;
		});
	});
}

describe('a rule', () => {
	test('calls once, with the trade that made it hold', () => {
		const polls = [
			{at: 0, prices: [99]},
			{at: 5, prices: [99, 101, 102]},
			{at: 10, prices: [99, 101]},
		];
		expect(calls('last crosses above 100', polls)).toEqual([[], ['BTCUSDT trade 3'], []]);
	});

	test('calls for each market that it is judged for', () => {
		expect(calls('last > 100', [{at: 0, prices: [101]}, {at: 1}], ['BTCUSDT', 'ETHUSDT'])).toEqual([
			['BTCUSDT now', 'ETHUSDT now'],
			[],
		]);
		expect(calls('ETHUSDT last > 100', [{at: 0, prices: [101]}], ['BTCUSDT', 'ETHUSDT'])).toEqual([['ETHUSDT now']]);
	});

	test('with every calls again only after it was false, and not before that time has passed', () => {
		const polls = [101, 102, 99, 103, 104, 99, 105].map((price, index) => ({at: index * 10, prices: [price]}));
		expect(calls('last > 100 every 25s', polls)).toEqual([
			['BTCUSDT now'],
			[],
			[],
			['BTCUSDT now'],
			[],
			[],
			['BTCUSDT now'],
		]);
		expect(calls('last > 100 every 45s', polls)).toEqual([['BTCUSDT now'], [], [], [], [], ['BTCUSDT now'], []]);
		expect(calls('last > 100 every 1s', polls.slice(0, 2))).toEqual([['BTCUSDT now'], []]);
	});

	test('calls no more after its end', () => {
		const polls = [
			{at: 0, prices: [99]},
			{at: 60, prices: [101]},
		];
		expect(calls('last crosses 100 until 14:01', polls)).toEqual([[], []]);
		expect(calls('last crosses 100 until 14:02', polls)).toEqual([[], ['BTCUSDT trade 2']]);
	});

	test('calls exactly once for a price that oscillates, whatever the polls', () => {
		fc.assert(
			fc.property(
				fc.array(fc.array(fc.constantFrom(99, 101), {maxLength: 5}), {minLength: 2, maxLength: 20}),
				pages => {
					const all = calls(
						'last crosses 100',
						pages.map((prices, index) => ({at: index * 5, prices})),
					).flat();
					const prices = pages.flat();
					// Those of the first poll are known before the rule is judged.
					const judged = prices.slice(Math.max((pages[0]?.length ?? 0) - 1, 0));
					expect(all.length).toBe(new Set(judged).size > 1 ? 1 : 0);
				},
			),
		);
	});
});

describe('a rule is blind', () => {
	test('when its data is 30 s old, until there is new data', () => {
		const polls = [
			{at: 0, prices: [99]},
			{at: 29, fails: true},
			{at: 30, fails: true},
			{at: 50, fails: true},
			{at: 60, prices: [99]},
		];
		expect(calls('last crosses 100', polls)).toEqual([[], [], ['blind since 0: timed out'], [], ['sees again']]);
	});

	test('and says of what happened meanwhile that it did', () => {
		const polls = [
			{at: 0, prices: [99]},
			{at: 40, fails: true},
			{at: 60, prices: [99, 101, 102]},
		];
		expect(calls('last crosses 100', polls)).toEqual([
			[],
			['blind since 0: timed out'],
			['BTCUSDT trade 3 while blind', 'sees again'],
		]);
	});

	test('when a value is not known for as long, though there is data', () => {
		const polls = [{at: 0}, {at: 29}, {at: 30}, {at: 31, volume: 5}];
		expect(calls('volume > 10', polls)).toEqual([[], [], ['blind since 0: volume is unknown'], ['sees again']]);
	});

	test('never by the age of data, which it is judged by', () => {
		const polls = [
			{at: 0, prices: [99]},
			{at: 40, fails: true},
			{at: 61, fails: true},
		];
		expect(calls('age > 60 and last > 1', polls)[1]).toEqual(['blind since 0: timed out']);
		expect(calls('age > 1000', polls)).toEqual([[], [], []]);
	});

	test('no more once it has called', () => {
		const polls = [
			{at: 0, prices: [101]},
			{at: 60, fails: true},
		];
		expect(calls('last > 100', polls)).toEqual([['BTCUSDT now'], []]);
	});
});

describe('a call', () => {
	const rule = parseRule('last > 100', {now: start, marketNamed: name => ({key: symbolKey(name)})});

	function alertsOn(symbols: readonly string[]) {
		const events: AlertEvent[] = [];
		const state = marketState({
			trades: received(mergeTape(emptyTape, [{id: '1', time: start, price: 99, quantity: 1}]), start),
		});
		const feeds = createKnownFeeds();
		feeds.arrive(new Map([['BTCUSDT', {state, candlesOf: () => waiting, facts: new Map()}]]));
		const alerts = createAlerts({
			clock: createFakeClock(start),
			rules: [{rule, origin: 'flag', isOff: false}],
			marketsOf: () => symbols,
			onEvent: event => events.push(event),
			feeds,
		});
		alerts.start();
		return {alerts, events};
	}

	test('can be tried for one of its markets, with the values as they are', () => {
		const {alerts, events} = alertsOn(['BTCUSDT', 'ETHUSDT']);
		alerts.test('last > 100', 'BTCUSDT');
		alerts.test('last > 101', 'BTCUSDT');
		alerts.test('last > 100', 'SOLUSDT');
		expect(events).toEqual([{type: 'alert', rule, symbol: 'BTCUSDT', time: start, values: {last: 99}, isTest: true}]);
		expect(alerts.getSnapshot().unseen).toEqual([]);
		alerts.test('last > 100', 'ETHUSDT');
		expect(events.map(({symbol}) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
	});

	test('cannot be tried without a market', () => {
		const {alerts, events} = alertsOn([]);
		alerts.test('last > 100', 'BTCUSDT');
		expect(events).toEqual([]);
	});

	test('that failed is told until one succeeds', () => {
		const {alerts} = alertsOn([]);
		alerts.callFailed('notify-send: not found');
		expect(alerts.getSnapshot().callFailure).toEqual({text: 'notify-send: not found', time: start});
		alerts.callSucceeded();
		expect(alerts.getSnapshot().callFailure).toBeUndefined();
	});
});

test('a rule is remembered as judged from when it was stated, though its data is older', () => {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const rule = parseRule('last > 100', {now: start, marketNamed: name => ({key: symbolKey(name)})});
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule, origin: 'user', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent() {},
	});
	const tape = mergeTape(emptyTape, [{id: '1', time: start - 5000, price: 99, quantity: 1}]);
	const state = marketState({trades: received(tape, start - 4000)});
	feeds.arrive(new Map([['BTCUSDT', {state, candlesOf: () => waiting, facts: new Map()}]]));
	alerts.start();
	const {armedAt, markets} = alerts.remembered().get('last > 100') ?? {};
	expect([armedAt, markets?.BTCUSDT?.judgedAt]).toEqual([start, start]);
	alerts.stop();
});

test("the other interface's clock does not tell whether this computer slept", () => {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const said: string[] = [];
	const rule = parseRule('last > 100', {now: start, marketNamed: name => ({key: symbolKey(name)})});
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule, origin: 'user', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: event => said.push(event.type === 'blind' && !event.ended ? event.why : event.type),
	});
	const arrive = (source: 'v2' | 'legacy') => {
		const tape = received(emptyTape, clock.now());
		const state = marketState({trades: {...tape, interface: source, serverTime: start}});
		feeds.arrive(new Map([['BTCUSDT', {state, candlesOf: () => waiting, facts: new Map()}]]));
	};
	alerts.start();
	arrive('v2');
	clock.jump(600_000);
	arrive('v2');
	expect(said).toEqual([]);
	clock.jump(600_000);
	arrive('legacy');
	expect(said).toEqual(['the computer slept']);
	alerts.stop();
});
