import {describe, expect, test} from 'vitest';
import type {AlertEvent} from '../../source/alerts/alert-event.ts';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import type {Candle, Trade} from '../../source/market/types.ts';
import {minuteMs} from '../../source/market/units.ts';
import type {Resource} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {failure, marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();

const candles = Array.from({length: 20}, (_, index): Candle => {
	const time = start + (index - 20) * minuteMs;
	return {time, open: 100, high: 100, low: 100, close: 100, volume: 1};
});

/** A trade at its second, with its size. */
type Traded = readonly [second: number, size: number];

/**
 * What the rule says in the seconds of a minute and a half, while candles are received but for those between `from` and `to`:
 * then polls fail.
 */
function said(text: string, traded: readonly Traded[], [from, to]: readonly [from: number, to: number]) {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const events: AlertEvent[] = [];
	const rule = parseRule(text, {now: start, marketNamed: key => ({key})});
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule, origin: 'flag', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: event => events.push(event),
	});
	alerts.start();
	for (let second = 0; second < 90; second++) {
		const now = start + second * 1000;
		clock.jump(now - clock.now());
		const trades = traded
			.filter(([at]) => at <= second)
			.map(([at, quantity]): Trade => ({id: String(at), time: start + at * 1000, price: 100, quantity, side: 'buy'}));
		const tape = received({trades: trades.toReversed(), gaps: new Set<string>()}, now);
		const isFailing = second >= from && second < to;
		const receivedAt = isFailing ? start + (from - 1) * 1000 : now;
		const series = received({candles, period: 1, builtFrom: 'exchange'} as const, receivedAt);
		const resource: Resource<typeof series.data> = isFailing ? {...series, failure: failure(receivedAt)} : series;
		feeds.arrive(
			new Map([['BTCUSDT', {state: {...blank, trades: tape}, candlesOf: () => resource, facts: new Map()}]]),
		);
	}

	alerts.stop();
	return events.map(event => {
		const at = (event.time - start) / 1000;
		if (event.type === 'alert') return `${at}: trade of ${event.trade && (event.trade.time - start) / 1000}`;
		return event.ended
			? `${at}: judged again, by ${event.lookedUp}`
			: `${at}: blind since ${(event.since - start) / 1000}`;
	});
}

describe('a trade that comes while other data is not known', () => {
	const text = 'tradeSize > 5 and sma(5, 1m) > 0';

	test('is judged when that is back', () => {
		expect(
			said(
				text,
				[
					[0, 1],
					[12, 9],
					[14, 1],
				],
				[10, 20],
			),
		).toEqual(['20: trade of 12']);
	});

	test('is judged once, by a rule that calls again, as each other one that came then', () => {
		const traded: readonly Traded[] = [
			[0, 1],
			[12, 9],
			[14, 1],
			[16, 9],
			[30, 1],
			[31, 9],
		];
		expect(said(`${text} every 1s`, traded, [10, 20])).toEqual([
			'20: trade of 12',
			'20: trade of 16',
			'31: trade of 31',
		]);
	});

	test('is judged at once where the rule holds without that', () => {
		const or = 'tradeSize > 5 or sma(5, 1m) > 1000 every 1s';
		expect(
			said(
				or,
				[
					[0, 1],
					[12, 9],
					[14, 1],
					[16, 9],
				],
				[10, 20],
			),
		).toEqual(['12: trade of 12', '16: trade of 16']);
	});

	test('is not judged where the rule got blind, which says that it is not known what happened', () => {
		const traded: readonly Traded[] = [
			[0, 1],
			[12, 9],
			[50, 1],
			[70, 9],
		];
		expect(said(text, traded, [10, 60])).toEqual([
			'39: blind since 9',
			'60: judged again, by nothing',
			'70: trade of 70',
		]);
	});

	test('is judged in silence where the rule does not hold', () => {
		expect(
			said(
				text,
				[
					[0, 1],
					[12, 2],
					[14, 1],
					[25, 2],
				],
				[10, 20],
			),
		).toEqual([]);
	});
});
