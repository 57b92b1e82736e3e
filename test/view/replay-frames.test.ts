import {expect, test} from 'vitest';
import type {Terminal} from './monitor.tsx';
import {at, openRecorded, openRewindable, recordSessions} from './recorded-monitor.tsx';

const standard = {columns: 120, rows: 40};
const tiny = {columns: 40, rows: 12};
const sizes = [
	['120x40', standard],
	['80x24', {columns: 80, rows: 24}],
	['40x12', tiny],
] as const;

const expectFrame = (monitor: Terminal, name: string) =>
	expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/replay/${name}.txt`);

/** The frames of one moment: the monitor is resized to each size, and ends at the first one. */
async function expectFrames(monitor: Terminal, name: string): Promise<void> {
	for (const [prefix, size] of sizes) {
		await monitor.resize(size);
		await expectFrame(monitor, `${prefix}-${name}`);
	}

	await monitor.resize(standard);
}

test('frames of a replay', async () => {
	const path = await recordSessions();
	const moments = {paused: 15.3, failing: 32.3, unrecorded: 75, 'after-gap': 102.7, end: 130};
	for (const [moment, second] of Object.entries(moments)) {
		await expectFrames(await openRecorded(path, {size: standard, from: at(second)}), moment);
	}

	const monitor = await openRecorded(path, {size: standard, from: at(15.3), ascii: true, demo: true});
	await monitor.press('space');
	await monitor.clock.advance(3000);
	await expectFrames(monitor, 'playing-ascii');
	await monitor.press(':', 'g', 'o', 't');
	await expectFrames(monitor, 'typing-ascii');
	await monitor.press('esc', 'esc', '!');
	await expectFrames(monitor, 'notice-ascii');
	await monitor.press('i');
	await expectFrames(monitor, 'info-ascii');

	const small = await openRecorded(path, {size: tiny, from: at(75)});
	for (const [name, key] of [
		['markets', '1'],
		['book', '3'],
		['tape', '4'],
		['ticker', '5'],
		['info', 'i'],
	] as const) {
		await small.press(key);
		await expectFrame(small, `40x12-unrecorded-${name}`);
	}
});

test.each([false, true])('frames of a live session that is stepped back, in ASCII: %s', async ascii => {
	const monitor = await openRewindable({size: standard, ascii, demo: ascii});
	const suffix = ascii ? '-ascii' : '';
	await monitor.press('<', '<');
	await monitor.clock.advance(5000);
	await expectFrames(monitor, `rewound${suffix}`);
	await monitor.press('d');
	await expectFrames(monitor, `rewound-notice${suffix}`);
	await monitor.press(':');
	await monitor.type('alert last < 61823.99 every 10s\r');
	await monitor.clock.advance(10_000);
	await expectFrames(monitor, `rewound-alert${suffix}`);
	await monitor.press('!');
	await expectFrames(monitor, `rewound-alerts${suffix}`);
});
