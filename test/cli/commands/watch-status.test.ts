import {expect, test} from 'vitest';
import type {AlertEntry} from '../../../source/alerts/alerts.ts';
import type {Alert} from '../../../source/alerts/judged-rule.ts';
import {parseCondition} from '../../../source/alerts/parse-condition.ts';
import {parseRule} from '../../../source/alerts/rule.ts';
import {watchStatus} from '../../../source/cli/commands/alert-words.ts';
import {zoneOf} from '../../helpers/zones.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const names = {marketNamed: (name: string) => ({key: name}), now};

const alert = (time: number, text = 'last > 100 note high'): Alert => ({
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
	['the newest alert', [alert(now - 2 * minuteMs), alert(now - 3 * minuteMs, 'last > 1')], [], alertText],
	['a rule that is blind', [], [entry('last < 5', blindSince)], blindText],
	[
		'a rule that is blind before an older alert',
		[alert(now - 2 * minuteMs)],
		[entry('last < 5', blindSince)],
		`${blindText} · ${alertText}`,
	],
	[
		'a newer alert before a rule that is blind',
		[alert(now - 2 * minuteMs)],
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
	const state = {entries: [entry('last < 5', now - 200_000)], unseen: [alert(now - 2 * minuteMs)]};
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
