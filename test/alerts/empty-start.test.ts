import {expect, test} from 'vitest';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {parseRule} from '../../source/alerts/rule.ts';
import type {Trade} from '../../source/market/types.ts';
import {waiting} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {marketState, received} from '../helpers/market-state.ts';

const start = Date.UTC(2026, 10, 20, 12);
const blank = marketState();

test.each([
	['tradeSize > 5', 4],
	['tradeValue > 500', 4],
	['last crosses 100', 3],
] as const)('%s does not call for trades before it was armed, though the first answer had none', (text, firedAt) => {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const fired: number[] = [];
	const rule = parseRule(text, {now: start, marketNamed: key => ({key})});
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule, origin: 'flag', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: event => fired.push(event.type === 'alert' && event.trade ? (event.trade.time - start) / 1000 : NaN),
	});
	const trades = [-20, -10, -5, 3, 4].map((second, index): Trade => {
		const size = second === 4 || second < 0 ? 9 : 1;
		return {id: String(second), time: start + second * 1000, price: index % 2 === 0 ? 99 : 101, quantity: size};
	});
	const arrive = (second: number, from: readonly Trade[]) => {
		clock.jump(start + second * 1000 - clock.now());
		const tape = received({trades: from.toReversed(), gaps: new Set<string>()}, clock.now());
		feeds.arrive(new Map([['BTCUSDT', {state: {...blank, trades: tape}, candlesOf: () => waiting, facts: new Map()}]]));
	};
	alerts.start();
	arrive(0, []);
	arrive(2, trades.slice(0, 3));
	expect(fired).toEqual([]);
	arrive(4, trades);
	expect(fired).toEqual([firedAt]);
	alerts.stop();
});
