import {expect, test} from 'vitest';
import type {AlertEvent, Blindness} from '../../../source/alerts/judged-rule.ts';
import {parseCondition} from '../../../source/alerts/parse-condition.ts';
import {parseRule} from '../../../source/alerts/rule.ts';
import {watchStatus} from '../../../source/cli/commands/alert-words.ts';
import {zoneOf} from '../../helpers/zones.ts';

const minuteMs = 60_000;
const now = Date.parse('2026-11-20T12:00:00Z');
const names = {marketNamed: (name: string) => ({key: name}), now};

const alert = (time: number, text = 'last > 100 note high'): AlertEvent => ({
	...{type: 'alert', symbol: 'BTCUSDT', rule: parseRule(text, names), time, values: {last: 61_822.02}},
});

const blind = (time: number, {text = 'last < 5', ended = false} = {}): Blindness => ({
	...{type: 'blind', symbol: 'ETHUSDT', rule: parseRule(text, names), time, since: time - 20_000},
	...{why: 'connection refused', ended},
});

const alertText = '! BTCUSDT last > 100: last 61,822.02 11:58:00, high';
const blindText = '1 alert blind: ETHUSDT last < 5 since 11:58:40: connection refused';
const until = parseCondition('last > 1', names.marketNamed);

test.each<[what: string, events: readonly AlertEvent[], status: string | undefined]>([
	['the newest alert', [alert(now - 3 * minuteMs, 'last > 1'), alert(now - 2 * minuteMs)], alertText],
	['a rule that is blind', [blind(now - minuteMs)], blindText],
	[
		'a rule that is blind before an older alert',
		[alert(now - 2 * minuteMs), blind(now - minuteMs)],
		`${blindText} · ${alertText}`,
	],
	[
		'a newer alert before a rule that is blind',
		[blind(now - 3 * minuteMs), alert(now - 2 * minuteMs)],
		`${alertText} · 1 alert blind: ETHUSDT last < 5 since 11:56:40: connection refused`,
	],
	[
		'how many rules are blind, without those that are judged again',
		[
			...[blind(now - minuteMs, {text: 'last > 7'}), blind(now - minuteMs), blind(now - minuteMs, {text: 'last > 9'})],
			blind(now, {text: 'last > 9', ended: true}),
		],
		'2 alerts blind: ETHUSDT last < 5 since 11:58:40: connection refused',
	],
	['the condition that is waited for', [blind(now - minuteMs), blind(now, {ended: true})], 'until last > 1'],
])('the status line of the tiles says %s', (_, events, status) => {
	expect(watchStatus(events, {rules: 2, until, now, ascii: false})).toBe(status);
});

test('the status line of the tiles names the zone of its times', () => {
	const zone = zoneOf('Pacific/Auckland');
	const events = [blind(now - 3 * minuteMs), alert(now - 2 * minuteMs)];
	expect(watchStatus(events, {rules: 2, until, now, ascii: true, zone})).toBe(
		'! BTCUSDT last > 100: last 61,822.02 00:58:00 +13:00, high | 1 alert blind: ETHUSDT last < 5 since 00:56:40 +13:00: connection refused',
	);
});

test('the status line of the tiles says how many rules are judged, if there are any', () => {
	const quiet = {until: undefined, now, ascii: false};
	expect([0, 1, 2].map(rules => watchStatus([], {...quiet, rules}))).toEqual([
		undefined,
		'1 alert rule',
		'2 alert rules',
	]);
});
