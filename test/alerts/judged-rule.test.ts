import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {createAges} from '../../source/alerts/ages.ts';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {JudgedRule} from '../../source/alerts/judged-rule.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import {emptyTape, mergeTape} from '../../source/market/tape.ts';
import type {DepthBook, Trade} from '../../source/market/types.ts';
import {secondMs} from '../../source/market/units.ts';
import {waiting} from '../../source/store/resource.ts';
import type {MarketState} from '../../source/store/state.ts';
import {collectGarbage} from '../helpers/collect-garbage.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();

/** What a poll brings: the prices or sizes of its trades, oldest first, or a failure. */
type Poll = readonly number[] | 'fails';

/** Judges the rule for BTCUSDT at a poll a second; the seconds at which it fired. */
function firedAt(text: string, polls: readonly Poll[], tradeOf: (value: number) => Pick<Trade, 'price' | 'quantity'>) {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	let alerts = 0;
	const judged = createAlerts({
		...{clock, feeds, rules: [{rule: ruleOf(text), origin: 'flag', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: ({type}) => (alerts += type === 'alert' ? 1 : 0),
	});
	judged.start();
	let tape = emptyTape;
	let count = 0;
	const fired = polls.flatMap((poll, index) => {
		const now = start + index * secondMs;
		clock.jump(now - clock.now());
		const page = poll === 'fails' ? [] : poll;
		tape = mergeTape(tape, [
			...tape.trades.slice(0, 1),
			...page.map(value => ({id: String(count++), time: now, side: 'buy' as const, ...tradeOf(value)})),
		]);
		alerts = 0;
		feeds.arrive(known({trades: {...received(tape, now), ...(poll === 'fails' && {failure: failure(now)})}}));
		expect(alerts).toBeLessThanOrEqual(1);
		return alerts > 0 ? [index] : [];
	});
	judged.stop();
	return fired;
}

const ruleOf = (text: string) => parseRule(text, {now: start, marketNamed: key => ({key})});

const known = (change: Partial<MarketState>) =>
	new Map([['BTCUSDT', {state: {...blank, ...change}, candlesOf: () => waiting, facts: new Map()}]]);

const priced = (text: string, ...polls: readonly Poll[]) => firedAt(text, polls, price => ({price, quantity: 1}));
const sized = (text: string, ...polls: readonly Poll[]) => firedAt(text, polls, quantity => ({price: 1, quantity}));

describe('a rule', () => {
	test('calls once', () => {
		expect(priced('last > 100', [101], [99], [101], [102])).toEqual([0]);
	});

	test('with every calls again after it was false, at most once in that time', () => {
		expect(priced('last > 100 every 3s', [101], [102], [103], [104], [99], [101], [99], [101], [101])).toEqual([
			0, 5, 8,
		]);
	});

	test('that is judged on each trade calls again though it was false between two polls only', () => {
		const text = 'last > 100 or tradeSize > 9';
		expect(priced(`${text} every 1s`, [101], [101], [99, 101], [101], [99, 101])).toEqual([0, 2, 4]);
		expect(priced(`${text} every 3s`, [101], [99, 101], [101], [101], [101])).toEqual([0, 3]);
		expect(priced(text, [101], [99, 101])).toEqual([0]);
	});

	test('with every does not call again because it was unknown for a while', () => {
		expect(priced('last > 100 every 1s', [101], 'fails', [], 'fails', [102], [99], [101])).toEqual([0, 6]);
	});

	test('of a price that swings around its level calls at most once in the time of every', () => {
		const swings: readonly Poll[] = Array.from({length: 30}, () => [99.9, 100.1, 99.9]);
		expect(priced('last crosses 100 every 10s', [99], ...swings)).toEqual([1, 11, 21]);
	});

	test('of single trades calls for any of a page, and once for several of them', () => {
		expect(sized('tradeSize >= 5', [9], [1, 1, 1, 5, 1, 1, 1, 1, 1, 1])).toEqual([1]);
		expect(sized('tradeSize >= 5 every 1s', [1], [1, 7, 1, 9, 1], [1], [6], [6, 6])).toEqual([1, 3, 4]);
		expect(sized('tradeValue >= 5 every 2s', [1], [7], [9], [1], [6])).toEqual([1, 4]);
	});

	test('calls by any polls only as often as every allows, and after it was false', () => {
		const anyPoll = fc.oneof(fc.array(fc.integer({min: 98, max: 102}), {maxLength: 3}), fc.constant('fails' as const));
		fc.assert(
			fc.property(fc.array(anyPoll, {maxLength: 60}), fc.integer({min: 1, max: 9}), (polls, every) => {
				let [last, isFalse, isArmed, calledAt] = [0, true, true, -Infinity];
				const expected = polls.flatMap((poll, second) => {
					if (poll === 'fails') return [];
					last = poll.at(-1) ?? last;
					isFalse = last > 0 && last <= 100;
					if (isFalse) isArmed = true;
					if (isFalse || last === 0 || !isArmed || second - calledAt < every) return [];
					[isArmed, calledAt] = [false, second];
					return [second];
				});
				expect(priced(`last > 100 every ${every}s`, ...polls)).toEqual(expected);
			}),
		);
	});
});

test('a rule stays blind while data is back that does not tell all values', () => {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const said: string[] = [];
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule: ruleOf('imbalance > 2'), origin: 'flag', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: event => said.push(event.type === 'blind' && event.ended ? 'judged again' : event.type),
	});
	alerts.start();
	const saidAt = (ms: number, book: DepthBook, receivedMs = ms) => {
		while (clock.now() < start + ms) {
			clock.jump(Math.min(start + ms - clock.now(), secondMs));
			const isFailing = receivedMs < clock.now() - start;
			const depth = {...received(book, start + receivedMs), ...(isFailing && {failure: failure(clock.now())})};
			feeds.arrive(known({depth}));
		}

		return said.splice(0);
	};
	const asks = [[101, 1]] as const;
	const whole: DepthBook = {asks, bids: [[99, 1]]};
	expect([saidAt(1000, whole), saidAt(30_000, whole, 1000), saidAt(31_000, whole, 1000)]).toEqual([[], [], ['blind']]);
	expect([saidAt(31_500, {asks}), saidAt(33_000, {asks}), saidAt(34_000, whole)]).toEqual([[], [], ['judged again']]);
	alerts.stop();
});

test('a rule that has fired is remembered without all that was known then', async () => {
	const ages = createAges(createFakeClock(start));
	const rule = new JudgedRule({rule: ruleOf('last > 100'), own: 'BTCUSDT', ages, armedAt: start, now: start});
	const judged = (price: number) => {
		const tape = mergeTape(emptyTape, [{id: '1', time: start, price, quantity: 1}]);
		const news = {data: known({trades: received(tape, start)}), trades: [], now: start};
		rule.judge({news, symbolOf: key => key, blindAfterMs: secondMs, whyOld: () => '', isAnyOld: false});
		return new WeakRef(news.data);
	};
	const atFiring = judged(101);
	expect([rule.isDone(start), rule.isOver]).toEqual([true, false]);
	judged(99);
	await collectGarbage();
	expect([rule.isOver, atFiring.deref(), rule.memory?.fired?.values]).toEqual([true, undefined, {last: 101}]);
	expect(rule.memory?.trades.BTCUSDT?.time).toBe(start);
});
