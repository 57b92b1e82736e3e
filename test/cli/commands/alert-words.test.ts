import {describe, expect, test} from 'vitest';
import type {Alert, Blindness} from '../../../source/alerts/judged-rule.ts';
import {parseRule} from '../../../source/alerts/rule.ts';
import {alertLine, blindLine, watchStatus} from '../../../source/cli/commands/alert-words.ts';
import {zoneOf} from '../../helpers/zones.ts';

const rule = parseRule('last crosses 70000', {marketNamed: name => ({key: name}), now: 0});
const of = {rule, symbol: 'BTCUSDT', time: Date.UTC(2026, 10, 20, 9)};
const blindness: Blindness = {...of, type: 'blind', since: Date.UTC(2026, 10, 20, 8), why: 'timeout', ended: false};
const earlier = {...blindness, since: Date.UTC(2026, 10, 17, 8)};
const gap = {from: Date.UTC(2026, 10, 17, 8), to: Date.UTC(2026, 10, 17, 9), high: 70_120};
const alert: Alert = {...of, type: 'alert', values: {last: null}, gap, blindSince: gap.from};

describe('a time of another day has its date', () => {
	test.each<[string, Blindness]>([
		['blind since 08:00:00: timeout', blindness],
		['blind since 2026-11-17 08:00:00: timeout', earlier],
		['judged again, with all trades since 2026-11-17 08:00:00', {...earlier, ended: true, lookedUp: 'trades'}],
		[
			'judged again, the outcome from 2026-11-17 08:00:00 to 2026-11-20 09:00:00 is unknown (timeout)',
			{...earlier, ended: true, lookedUp: 'nothing'},
		],
		[
			'judged again, it may have held between 2026-11-17 08:00:00 and 2026-11-17 09:00:00 (high 70,120) by the candles',
			{...earlier, ended: true, lookedUp: 'candles', possible: gap},
		],
	])('%s', (text, event) => {
		expect(blindLine(event)).toBe(`BTCUSDT last crosses 70000: ${text}`);
	});

	test('in the zone that is shown, with its offset', () => {
		const berlin = zoneOf('Europe/Berlin');
		const lines = [blindness, {...earlier, ended: true, lookedUp: 'trades'} as const].map(each =>
			blindLine(each, berlin),
		);
		expect(lines).toEqual([
			'BTCUSDT last crosses 70000: blind since 09:00:00 +01:00: timeout',
			'BTCUSDT last crosses 70000: judged again, with all trades since 2026-11-17 09:00:00 +01:00',
		]);
	});

	test('in the line of an alert', () => {
		expect(alertLine(alert)).toBe(
			'2026-11-20 09:00:00  ALERT BTCUSDT last crosses 70000: between 2026-11-17 08:00:00 and 2026-11-17 09:00:00 (high 70,120), while blind since 2026-11-17 08:00:00',
		);
	});
});

test('an alert says how long nothing was traded, of the trades that it is judged on', () => {
	const judgedOn = [
		{
			market: 'BTCUSDT',
			ask: 'trades',
			receivedAt: of.time - 400,
			lastTradeAt: of.time - 144 * 60_000,
			quietMs: 144 * 60_000,
		},
		{market: 'BTCUSDT', ask: 'depth', receivedAt: of.time - 200},
	] as const;
	const fired: Alert = {...of, type: 'alert', values: {last: 70_001}, judgedOn};
	expect(alertLine(fired)).toBe(
		'2026-11-20 09:00:00  ALERT BTCUSDT last crosses 70000: last 70,001 (trades 0.4 s, last trade 2 h 24 min ago, book 0.2 s)',
	);
	expect(watchStatus({entries: [], unseen: [fired]}, {until: undefined, now: of.time, ascii: false})).toBe(
		'! BTCUSDT last crosses 70000: last 70,001 09:00:00, last trade 2 h 24 min ago',
	);
});
