import {describe, expect, test} from 'vitest';
import type {ReplayStatus} from '../../../../source/recording/replay-controls.ts';
import {commandsOver} from '../../../../source/view/commands/table.ts';
import {lineText, lineWidth} from '../../../../source/view/line.ts';
import {commandBarRows} from '../../../../source/view/panels/command-bar/rows.ts';
import {type StatusInput, statusLines} from '../../../../source/view/panels/status/rows.ts';
import {marketState, received} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';
import {timeout} from '../../../store/samples.ts';

const from = Date.UTC(2026, 10, 20, 14);
const minute = 60_000;
const replay: ReplayStatus = {
	...{label: 'REPLAY', time: from + 15 * minute, isPlaying: true, speed: 10, from, to: from + 60 * minute},
	gaps: [{from: from + 40 * minute, to: from + 50 * minute}],
	alerts: [from + 30 * minute],
};
const good = marketState({symbol: 'BTCUSDT', depth: received({asks: []}, replay.time)});
const lost = marketState({
	...{symbol: 'BTCUSDT', depth: {status: 'failed', failure: {error: timeout(), since: replay.time}}},
});

type Size = Pick<StatusInput, 'columns' | 'rows'>;
const sizes: Readonly<Record<string, Size>> = {
	'200x60': {columns: 200, rows: 2},
	'120x40': {columns: 120, rows: 2},
	'80x24': {columns: 80, rows: 1},
	'40x12': {columns: 40, rows: 1},
};

const linesOf = (size: Size, change: Partial<StatusInput> = {}) =>
	statusLines({
		...{state: good, exchangeName: 'sample', demo: false, now: replay.time, ascii: false, replay},
		...{commands: commandsOver(undefined), visible: new Set(['depth']), ...size, ...change},
	});
const texts = (...given: Parameters<typeof linesOf>) => linesOf(...given).map(line => lineText(line).trimEnd());

describe('the status line of a replay', () => {
	test.each<readonly [size: string, what: string, change: Partial<StatusInput>, first: string]>([
		[
			'120x40',
			'plays',
			{},
			' REPLAY  2026-11-20 14:15:00 ▶ ×10 ━━━━━━━━━━━━━━━━━━━━━●━━━━━━━━━━━━━━━━━━━━!━━━━━━━━━━━━━╱╱╱╱╱╱╱╱╱╱╱╱╱╱━━━━━━━━━━━━━━',
		],
		['80x24', 'plays', {}, ' REPLAY  2026-11-20 14:15:00 ▶ ×10 ━━━━●━━━!━━╱╱╱╱━━  : command  ? help  q quit'],
		[
			'80x24',
			'is watched',
			{more: 'page 2/3 held', demo: true},
			' REPLAY  2026-11-20 14:15:00 ▶ ×10 DEMO page 2/3 held ━━●━!━╱╱━  ? help  q quit',
		],
		[
			'40x12',
			'is paused',
			{replay: {...replay, isPlaying: false, speed: 1}},
			' REPLAY  14:15:00 paused ━━━●━━━!━╱╱╱━━',
		],
		[
			'120x40',
			'steps a live session back',
			{replay: {...replay, label: 'REWOUND 00:03:12', note: 'live goes on', isPlaying: false, speed: 1}},
			' REWOUND 00:03:12  2026-11-20 14:15:00 paused · live goes on ━━━━━━━━━━━━━━●━━━━━━━━━━━━━━!━━━━━━━━╱╱╱╱╱╱╱╱╱╱╱━━━━━━━━━',
		],
		[
			'80x24',
			'in ASCII',
			{ascii: true},
			' REPLAY  2026-11-20 14:15:00 > x10 ----O---!--////--  : command  ? help  q quit',
		],
		[
			'80x24',
			'fails',
			{state: lost},
			' REPLAY  14:15:00 ▶ ×10 timed out ━━━━●━━━━!━━╱╱╱━━━  : command  ? help  q quit',
		],
	])('at %s, %s', (name, _, change, first) => {
		const size = sizes[name] ?? {columns: 80, rows: 1};
		expect(texts(size, change)[0]).toBe(first);
	});

	test.each(Object.entries(sizes))('at %s keeps the mark and the time beside everything', (_, size) => {
		const changes: readonly Partial<StatusInput>[] = [
			{},
			{notice: 'this is the end of the recording'},
			{alert: {waiting: ['! BTCUSDT last crosses 70000 14:02:00', '! BTCUSDT'], blind: ['2 alerts blind']}},
			{notice: 'this is the end of the recording', alert: {waiting: ['! BTCUSDT last crosses 70000'], blind: []}},
			{state: lost, demo: true, alert: {waiting: [], blind: ['2 alerts blind']}},
			{ascii: true, demo: true, notice: 'a notice that is far too long for the room that a small terminal has'},
		];
		for (const change of changes) {
			const lines = linesOf(size, change);
			expect(lines).toHaveLength(size.rows);
			expect(lines.map(lineWidth).every(width => width <= size.columns)).toBe(true);
			expect(lineText(lines[0] ?? [])).toMatch(/^ REPLAY .*14:15:00/);
			if (change.demo) expect(lineText(lines[0] ?? [])).toContain('DEMO');
		}
	});

	test('says a notice and what waits', () => {
		const notice = 'this is the end of the recording';
		const alert = {waiting: ['! BTCUSDT last crosses 70000', '! BTCUSDT'], blind: []};
		expect(texts({columns: 120, rows: 2}, {notice})[1]).toBe(` ${notice}`);
		expect(texts({columns: 120, rows: 2}, {alert})[1]).toMatch(/^ ! BTCUSDT last crosses 70000 /);
		expect(texts({columns: 60, rows: 1}, {notice})).toEqual([` REPLAY  14:15:00 ${notice}`]);
		expect(texts({columns: 40, rows: 1}, {notice})).toEqual([' REPLAY  14:15:00 no effect here']);
		expect(texts({columns: 40, rows: 1}, {alert})).toEqual([' REPLAY  14:15:00 ! BTCUSDT']);
	});
});

test.each(Object.entries(sizes))('at %s the command line of a replay keeps the mark and the time', (_, size) => {
	for (const fault of [undefined, 'goto takes a time such as 14:03:10 or -5m']) {
		const line = {text: 'goto soon', ...(fault !== undefined && {fault})};
		const vocabulary = {...good, lists: new Map()};
		const lines = commandBarRows({...size, line, vocabulary, ascii: false, replay});
		expect(lines).toHaveLength(size.rows);
		expect(lines.map(lineWidth).every(width => width <= size.columns)).toBe(true);
		expect(lineText(lines[0] ?? [])).toMatch(/^ REPLAY {2}14:15:00 :.*oon/);
	}
});

test('the recorded moment names another zone than UTC', () => {
	const zone = zoneOf('Europe/Berlin');
	const firstOf = (size: string) =>
		texts(sizes[size] ?? {columns: 80, rows: 1}, {zone})[0]
			?.slice(0, 48)
			.trimEnd();
	expect([firstOf('120x40'), firstOf('40x12')]).toEqual([
		' REPLAY  2026-11-20 15:15:00 +01:00 ▶ ×10 ━━━━━━',
		' REPLAY  15:15:00 +01:00 ▶ ×10 ━━●━!╱╱━',
	]);
});
