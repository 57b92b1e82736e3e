import {expect, test} from 'vitest';
import type {Terminal} from './monitor.tsx';
import {at, openRecorded, openRewindable, recordSessions} from './recorded-monitor.tsx';

const tiny = {columns: 40, rows: 12};
const sizes = [
	['120x40', {columns: 120, rows: 40}],
	['80x24', {columns: 80, rows: 24}],
	['40x12', tiny],
] as const;

const expectFrame = (monitor: Terminal, name: string) =>
	expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/replay/${name}.txt`);

test.each(sizes)('frames of a replay at %s', async (name, size) => {
	const path = await recordSessions();
	const moments = {paused: 15.3, failing: 32.3, unrecorded: 75, 'after-gap': 102.7, end: 130};
	for (const [moment, second] of Object.entries(moments)) {
		await expectFrame(await openRecorded(path, {size, from: at(second)}), `${name}-${moment}`);
	}

	const monitor = await openRecorded(path, {size, from: at(15.3), ascii: true, demo: true});
	await monitor.press('space');
	await monitor.clock.advance(3000);
	await expectFrame(monitor, `${name}-playing-ascii`);
	await monitor.press(':', 'g', 'o', 't');
	await expectFrame(monitor, `${name}-typing-ascii`);
	await monitor.press('esc', 'esc', '!');
	await expectFrame(monitor, `${name}-notice-ascii`);
	await monitor.press('?');
	await expectFrame(monitor, `${name}-help-ascii`);
});

test('frames of each panel where nothing was recorded', async () => {
	const monitor = await openRecorded(await recordSessions(), {size: tiny, from: at(75)});
	for (const [name, key] of [
		['markets', '1'],
		['book', '3'],
		['tape', '4'],
		['ticker', '5'],
		['info', 'i'],
	] as const) {
		await monitor.press(key);
		await expectFrame(monitor, `40x12-unrecorded-${name}`);
	}
});

test.each(sizes)('frames of a live session that is stepped back at %s', async (name, size) => {
	for (const ascii of [false, true]) {
		const monitor = await openRewindable({size, ascii, demo: ascii});
		const suffix = ascii ? '-ascii' : '';
		await monitor.press('<', '<');
		await monitor.clock.advance(5000);
		await expectFrame(monitor, `${name}-rewound${suffix}`);
		await monitor.press('d');
		await expectFrame(monitor, `${name}-rewound-notice${suffix}`);
		await monitor.press(':');
		await monitor.type('alert last < 61823.99 every 10s\r');
		await monitor.clock.advance(10_000);
		await expectFrame(monitor, `${name}-rewound-alert${suffix}`);
		await monitor.press('!');
		await expectFrame(monitor, `${name}-rewound-alerts${suffix}`);
	}
});
