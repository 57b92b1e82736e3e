import {describe, expect, test} from 'vitest';
import type {AlertEntry} from '../../../source/alerts/alerts.ts';
import type {Alert, Blindness} from '../../../source/alerts/judged-rule.ts';
import {parseCondition} from '../../../source/alerts/parse-condition.ts';
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

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const names = {marketNamed: (name: string) => ({key: name}), now};

const alertAt = (time: number, text = 'last > 100 note high'): Alert => ({
	...{type: 'alert', symbol: 'BTCUSDT', rule: parseRule(text, names), time, values: {last: 61_822.02}},
});

/** A rule of ETHUSDT; `since`: it is blind. */
const entry = (text: string, since?: number): AlertEntry => ({
	...{id: text, rule: parseRule(text, names), origin: 'flag', isOff: false},
	markets: [
		{
			...{symbol: 'ETHUSDT', isDone: false, judgedOn: [], pollMs: 0},
			blind: since === undefined ? undefined : {since, why: 'connection refused'},
		},
	],
});

const alertText = '! BTCUSDT last > 100: last 61,822.02 11:58:00, high';
const blindSince = now - 80_000;
const blindText = '1 alert blind: ETHUSDT last < 5 since 11:58:40: connection refused';
const until = parseCondition('last > 1', names.marketNamed);

test.each<[what: string, alerts: readonly Alert[], entries: readonly AlertEntry[], status: string | undefined]>([
	['the newest alert', [alertAt(now - 2 * minuteMs), alertAt(now - 3 * minuteMs, 'last > 1')], [], alertText],
	['a rule that is blind', [], [entry('last < 5', blindSince)], blindText],
	[
		'a rule that is blind before an older alert',
		[alertAt(now - 2 * minuteMs)],
		[entry('last < 5', blindSince)],
		`${blindText} · ${alertText}`,
	],
	[
		'a newer alert before a rule that is blind',
		[alertAt(now - 2 * minuteMs)],
		[entry('last < 5', now - 200_000)],
		`${alertText} · 1 alert blind: ETHUSDT last < 5 since 11:56:40: connection refused`,
	],
	[
		'how many rules are blind, and the newest, without those that are off or judged',
		[],
		[
			...[entry('last < 6', blindSince - 1000), entry('last < 5', blindSince), entry('last > 9')],
			{...entry('last < 7', now), isOff: true},
		],
		'2 alerts blind: ETHUSDT last < 5 since 11:58:40: connection refused',
	],
	['the condition that is waited for', [], [entry('last < 5')], 'until last > 1'],
])('the status line of the tiles says %s', (_, unseen, entries, status) => {
	expect(watchStatus({entries, unseen}, {until, now, ascii: false})).toBe(status);
});

test('the status line of the tiles names the zone of its times', () => {
	const zone = zoneOf('Pacific/Auckland');
	const state = {entries: [entry('last < 5', now - 200_000)], unseen: [alertAt(now - 2 * minuteMs)]};
	expect(watchStatus(state, {until, now, ascii: true, zone})).toBe(
		'! BTCUSDT last > 100: last 61,822.02 00:58:00 +13:00, high | 1 alert blind: ETHUSDT last < 5 since 00:56:40 +13:00: connection refused',
	);
});

test('the status line of the tiles says how many rules are judged, if there are any', () => {
	const entries = [entry('last < 5'), entry('last < 6')];
	const said = (count: number) =>
		watchStatus({entries: entries.slice(0, count), unseen: []}, {until: undefined, now, ascii: false});
	expect([0, 1, 2].map(said)).toEqual([undefined, '1 alert rule', '2 alert rules']);
});
