import {describe, expect, test} from 'vitest';
import {commands} from '../../../../source/view/commands/table.ts';
import {keyHintOf} from '../../../../source/view/keys.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {type AlertsPanelInput, alertsPanel} from '../../../../source/view/panels/alerts/rows.ts';
import {entries, now, sampleAlerts} from './sample-alerts.ts';

const prices = new Map([
	['BTCUSDT', 70_100],
	['SHIBUSDT', 0.000_013],
]);

const input = (more: Partial<AlertsPanelInput> = {}): AlertsPanelInput => ({
	...{alerts: sampleAlerts, lastOf: symbol => prices.get(symbol), keyHint: keyHintOf(commands, false), now},
	...{size: {columns: 120, rows: 20}, ascii: false},
	...more,
});
const textOf = (lines: ReturnType<typeof alertsPanel>) => lines.map(lineText).join('\n');

describe('the list of alerts in every state', () => {
	test.each([
		['200x20', {size: {columns: 200, rows: 20}}],
		['120x36', {size: {columns: 120, rows: 36}}],
		['120x10-table', {size: {columns: 120, rows: 10}, alerts: {entries: entries.slice(0, 4), unseen: []}}],
		['80x21', {size: {columns: 80, rows: 21}}],
		['40x10', {size: {columns: 40, rows: 10}}],
		['40x10-second-page', {size: {columns: 40, rows: 10}, cursor: 'XRPUSDT * last > 1.02 * open'}],
		['40x10-last-page', {size: {columns: 40, rows: 10}, cursor: 'BTCUSDT BTCUSDT spread > 5 until 2026-11-22 14:00'}],
		['80x21-ascii', {size: {columns: 80, rows: 21}, ascii: true}],
	])('%s', async (name, more) => {
		const lines = alertsPanel(input(more));
		expect(lines.map(lineWidth)).toEqual(Array.from({length: more.size.rows}, () => more.size.columns));
		await expect(`${textOf(lines)}\n`).toMatchFileSnapshot(`../../../frames/alerts/${name}.txt`);
	});
});

test('the row under the cursor is inverse, whole', () => {
	const lines = alertsPanel(input({size: {columns: 40, rows: 10}}));
	const inverse = lines.flatMap(line => line.filter(span => span.inverse).map(({text}) => text));
	expect(inverse.map(text => text.trimEnd())).toEqual([
		' ! BTCUSDT last crosses 71000',
		'   armed, +1.28 % away · trades 0.4 s',
	]);
	expect(new Set(inverse.map(text => text.length))).toEqual(new Set([38]));
});

test('an empty list says how to add an alert', () => {
	const [, row = []] = alertsPanel(input({alerts: {entries: [], unseen: []}}));
	expect(lineText(row)).toContain(' no alerts yet; a adds one, such as last crosses 70000 ');
});

test.each([
	[
		{possible: {from: now - 120_000, to: now - 60_000, high: 71_020, low: 70_950}},
		'armed, it may have held between 14:03:00 and 14:04:00 (high 71,020, low 70,950) by the candles',
	],
	[{lookedUp: 'nothing'}, 'armed, the outcome from 14:02:00 to 14:05:00 is unknown (timed out)'],
] as const)('the list says what is not known of a time in which a rule was blind: %#', (end, state) => {
	const [entry] = entries;
	const [market] = entry?.markets ?? [];
	if (!entry || !market) throw new Error('no entry');
	const blindness = {type: 'blind', rule: entry.rule, symbol: market.symbol, time: now, ended: true} as const;
	const uncertain = {...blindness, since: now - 180_000, why: 'timed out', ...end};
	const lines = alertsPanel(input({alerts: {entries: [{...entry, markets: [{...market, uncertain}]}], unseen: []}}));
	expect(textOf(lines)).toContain(state);
});

test.each([
	[4900, 'trades 0.4 s'],
	[18_200, 'trades 0.4 s, up to 18 s late'],
])('the list says how late an alert can come where that is more than a few seconds: %i ms', (pollMs, judged) => {
	const [entry] = entries;
	const [market] = entry?.markets ?? [];
	if (!entry || !market) throw new Error('a rule with a market');
	const alerts = {entries: [{...entry, markets: [{...market, pollMs}]}], unseen: []};
	const [, , row = []] = alertsPanel(input({alerts}));
	expect(lineText(row)).toMatch(new RegExp(` {2}${judged} {2}`));
});

test('the list says why the last call failed', () => {
	const callFailure = {text: 'notify-send: not found', time: now};
	const [, row = []] = alertsPanel(input({alerts: {...sampleAlerts, callFailure}}));
	expect(lineText(row)).toContain(' the alert at 14:05:00 failed: notify-send: not found ');
});

test('names and notes of any script and any width leave the frame whole', () => {
	const hostile = entries.map(entry => ({
		...entry,
		rule: {...entry.rule, note: 'กี่ 👨‍👩‍👧 \u001B]0;x\u0007 ﷽'},
		markets: entry.markets.map(market => ({...market, symbol: '比特\u001B[2J币👍🏽'})),
	}));
	for (const columns of [40, 80, 120, 200]) {
		const lines = alertsPanel(input({alerts: {entries: hostile, unseen: []}, size: {columns, rows: 30}}));
		expect(new Set(lines.map(lineWidth))).toEqual(new Set([columns]));
		expect(textOf(lines)).not.toMatch(/[\u0000-\u0009\u000B-\u001F]/);
	}
});
