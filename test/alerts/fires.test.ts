import {expect, test} from 'vitest';
import type {AlertEvent} from '../../source/alerts/alert-event.ts';
import {createAlerts} from '../../source/alerts/alerts.ts';
import {waiting} from '../../source/store/resource.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createKnownFeeds} from '../helpers/known-feeds.ts';
import {marketState, received} from '../helpers/market-state.ts';
import {parse, second, secondsOf, start} from './set-up.ts';

/**
 * The seconds of the trades for which the rule alerts; polls come at these seconds, with a trade for each price so far, but for
 * one that comes `late`, with the last poll.
 */
function firedAt(text: string, prices: readonly number[], polls: readonly number[], late?: number): readonly string[] {
	const clock = createFakeClock(start);
	const feeds = createKnownFeeds();
	const events: AlertEvent[] = [];
	const alerts = createAlerts({
		...{clock, feeds, rules: [{rule: parse(text), origin: 'flag', isOff: false}]},
		marketsOf: () => ['BTCUSDT'],
		onEvent: event => events.push(event),
	});
	alerts.start();
	for (const poll of polls) {
		clock.jump(start + poll * second - clock.now());
		const trades = prices
			.slice(0, poll + 1)
			.map((price, at) => ({id: String(at), time: start + at * second, price, quantity: 1, side: 'buy' as const}))
			.filter((_, at) => at !== late || poll === polls.at(-1));
		const tape = received({trades: trades.toReversed(), gaps: new Set<string>()}, clock.now());
		const state = {...marketState(), trades: tape};
		feeds.arrive(new Map([['BTCUSDT', {state, candlesOf: () => waiting, facts: new Map()}]]));
	}

	alerts.stop();
	return events.flatMap(event =>
		event.type === 'alert' ? `${secondsOf(event.time)}: ${event.trade && secondsOf(event.trade.time)}` : [],
	);
}

const wave = [99, 101, 99, 101, 99, 101, 99, 101, 99, 99, 99, 101];

test.for([
	['last crosses above 100 every 1s', ['8: 1', '8: 3', '8: 5', '8: 7', '11: 11']],
	['tradeSize > 0 every 3s', ['8: 1', '8: 4', '8: 7', '11: 10']],
	// Of one page, and from one page to the next.
	['last crosses above 100 every 4s', ['8: 1', '8: 5', '11: 11']],
	['last crosses above 100 every 7s', ['8: 1', '11: 11']],
	['last crosses above 100 every 20s', ['8: 1']],
	['last crosses above 100', ['8: 1']],
] as const)(
	'%s alerts for each crossing of a page as often as every allows, by the times of the trades',
	([text, alerts]) => {
		expect(firedAt(text, wave, [0, 8, 11])).toEqual(alerts);
	},
);

test('a page alerts for the same trades as one poll for each of them', () => {
	const each = wave.map((_, at) => at);
	for (const text of ['last crosses 100 every 3s', 'tradeSize > 0 every 2s', 'last crosses below 100 every 1s']) {
		const tradesOf = (polls: readonly number[]) => firedAt(text, wave, polls).map(alert => alert.split(' ')[1]);
		expect(tradesOf([0, 11])).toEqual(tradesOf(each));
	}
});

test('a late trade crosses from where the trades around it are, not from where the newest is', () => {
	const rule = 'last crosses above 100 every 1s';
	// What the next trade crossed is not crossed again.
	expect(firedAt(rule, [99, 101, 101, 99, 99, 99], [0, 3, 5], 1)).toEqual(['3: 2']);
	expect(firedAt(rule, [99, 101, 99, 99, 99, 99], [0, 3, 5], 1)).toEqual(['5: 1']);
});
