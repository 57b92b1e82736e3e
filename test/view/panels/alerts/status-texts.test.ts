import {describe, expect, test} from 'vitest';
import type {AlertsState} from '../../../../source/alerts/alerts.ts';
import type {Blindness} from '../../../../source/alerts/judged-rule.ts';
import {parseRule} from '../../../../source/alerts/rule.ts';
import {commands, commandsOver} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText} from '../../../../source/view/line.ts';
import {alertStatus} from '../../../../source/view/panels/alerts/status-texts.ts';
import {type StatusInput, statusLines} from '../../../../source/view/panels/status/rows.ts';
import {marketState, received} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';
import {timeout} from '../../../store/samples.ts';
import {alertOf, entries, now} from './sample-alerts.ts';

const keyHint = keyHintOf(commands, false);
const one: AlertsState = {entries, unseen: [alertOf('BTCUSDT last crosses 70000', 'BTCUSDT')]};
const four: AlertsState = {
	entries,
	unseen: [
		alertOf('ETHUSDT changePercent(5m) < -2 every 10m note dip', 'ETHUSDT'),
		...one.unseen,
		...one.unseen,
		...one.unseen,
	],
};
const blind: AlertsState = {entries, unseen: []};
const live = marketState({trades: received({trades: [], gaps: new Set()}, now)});
const failing = marketState({trades: {status: 'failed', failure: {error: timeout('trades'), since: now - 5000}}});

const rowsOf = (alerts: AlertsState, columns: number, more: Partial<StatusInput> = {}) =>
	statusLines({
		...{state: live, exchangeName: 'sample', demo: true, now, columns, rows: columns < 112 ? 1 : 2, ascii: false},
		...{commands: commandsOver(undefined), alert: alertStatus(alerts, keyHint, false)},
		...more,
	}).map(line => lineText(line).trimEnd());

describe('a rule that fires takes the status line, newest first, with how many wait', () => {
	test.each<readonly [columns: number, alerts: AlertsState, more: Partial<StatusInput>, rows: readonly string[]]>([
		[
			120,
			one,
			{},
			[
				expect.stringContaining(' live · DEMO · '),
				' ! BTCUSDT last crosses 70000: last 70,012.5 14:03:12 · Esc n/p market  / filter  Tab panel  : command  ? help  q quit',
			],
		],
		[
			120,
			four,
			{},
			[
				expect.stringContaining(' live · DEMO · '),
				' ! ETHUSDT changePercent(5m) < -2 every 10m: last 70,012.5 14:03:12 · dip · 3 more · Esc : command  ? help  q quit',
			],
		],
		[
			80,
			{entries, unseen: [alertOf('BTCUSDT last crosses 70000', 'BTCUSDT', {blindSince: now - 60_000})]},
			{demo: false},
			[' live · ! BTCUSDT last crosses 70000: last 70,012.5 14:03:12, while blind · Esc'],
		],
		[80, four, {}, [' DEMO · ! ETHUSDT changePercent(5m) < -2 every 10m 14:03:12 · 3 more · Esc']],
		[40, one, {}, [' live · DEMO · ! BTCUSDT 14:03:12 · Esc']],
		[40, four, {}, [' live · DEMO · ! ETHUSDT · 3 more']],
		[40, one, {state: failing}, [' no answer · DEMO · ! BTCUSDT']],
		[40, one, {notice: 'x again deletes it'}, [' DEMO · ! BTCUSDT · x again deletes it']],
		[40, four, {notice: 'test alert sent'}, [' DEMO · ! 4 alerts · test alert sent']],
		[40, four, {notice: 'the notice is longer than the whole line'}, [' DEMO · ! 4 alerts · no effect here']],
	])('%d columns: %#', (columns, alerts, more, rows) => {
		expect(rowsOf(alerts, columns, more)).toEqual(rows);
	});
});

test('a blind rule is named beside a notice, which stays until the next key', () => {
	expect(rowsOf(blind, 80, {notice: 'alert added'})).toEqual([
		expect.stringMatching(/^ live · DEMO · 1 alert blind since 14:02:59: timed out · alert added/),
	]);
});

test('a blind rule is named while an alert waits', () => {
	expect(rowsOf(four, 120)[0]).toMatch(/^ live · DEMO · 1 alert blind: ETHUSDT changePercent/);
});

describe('what is not known of a time without judging waits after the alerts', () => {
	const armed = entries.slice(0, 1);
	const of = {type: 'blind', rule: parseRule('imbalance > 0.9', {marketNamed: key => ({key}), now: 0})} as const;
	const time = {since: now - 40_000, time: now, why: 'timed out', ended: true} as const;
	const unknown: Blindness = {...of, ...time, symbol: 'BTCUSDT', lookedUp: 'nothing'};
	const possible: Blindness = {
		...{...of, ...time, symbol: 'BTCUSDT', lookedUp: 'candles'},
		possible: {from: now - 86_400_000, to: now, high: 70_120},
	};
	test.each<readonly [columns: number, missed: readonly Blindness[], text: string]>([
		[120, [unknown], '? BTCUSDT imbalance > 0.9: the outcome from 14:04:20 to 14:05:00 is unknown (timed out) · Esc'],
		[
			140,
			[possible, unknown],
			'? BTCUSDT imbalance > 0.9: it may have held between 2026-11-21 14:05:00 and 2026-11-22 14:05:00 (high 70,120) by the candles · 1 more · Esc',
		],
		[70, [unknown], '? BTCUSDT not judged from 14:04:20 to 14:05:00 · Esc'],
		[80, [possible], '? BTCUSDT may have held from 2026-11-21 14:05:00 to 2026-11-22 14:05:00 · Esc'],
		[40, [unknown, unknown], '? 2 alerts not judged · Esc'],
	])('%d columns: %#', (columns, missed, text) => {
		const [above = '', below = above] = rowsOf({entries: armed, unseen: [], missed}, columns, {demo: false});
		expect(below).toContain(text);
	});

	test('an alert comes first', () => {
		expect(rowsOf({...one, entries: armed, missed: [unknown]}, 120)[1]).toMatch(/^ ! BTCUSDT/);
	});
});

test('what fired is inverse, to be seen without colour', () => {
	const alert = alertStatus(one, keyHint, false);
	const shown = {state: live, exchangeName: '', demo: false, now, ascii: false, alert};
	for (const [columns, rows] of [
		[120, 2],
		[40, 1],
	] as const) {
		const spans = statusLines({...shown, columns, rows}).flat();
		expect(spans.filter(span => span.inverse).map(({text}) => text)).toEqual([expect.stringMatching(/^! BTCUSDT/)]);
	}
});

test.each([
	[120, ' live · DEMO · 1 alert blind: ETHUSDT changePercent(5m) < -2 every 10m since 14:02:59: timed out'],
	[80, ' live · DEMO · 1 alert blind since 14:02:59: timed out'],
	[40, ' live · DEMO · 1 alert blind'],
])('at %d columns a blind rule is named after the state of the feed', (columns, text) => {
	expect(rowsOf(blind, columns)[0]?.slice(0, text.length)).toBe(text);
	const [failed = ''] = rowsOf(blind, columns, {state: failing});
	expect([/^ (?:no answer|failing)/.test(failed), failed.includes('1 alert blind')]).toEqual([true, true]);
});

test('nothing is said of alerts that are armed', () => {
	expect(alertStatus({entries: entries.slice(0, 2), unseen: []}, keyHint, false)).toEqual({waiting: [], blind: []});
});

test('times in another zone than UTC are named, and so is UTC in a rule', () => {
	const zone = zoneOf('Europe/Berlin');
	const rule = 'BTCUSDT last crosses 70000 until 2030-01-01 18:00';
	const {waiting} = alertStatus({entries, unseen: [alertOf(rule, 'BTCUSDT')]}, keyHint, false, zone);
	expect(waiting[0]).toBe(
		'! BTCUSDT last crosses 70000 until 2030-01-01 18:00:00 UTC: last 70,012.5 15:03:12 +01:00 · Esc',
	);
});
