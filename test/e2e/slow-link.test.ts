import {setTimeout as pause} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {age} from './age.ts';
import {frameFault, isLive} from './frame.ts';
import {openProgram, processLives, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
/** Book and trades four times a second: more than a kilobyte of changes. */
const config = 'rate = 100\n[intervals]\ndepth = 0.25\ntrades = 0.25\n';
const frameEnd = '\u001B[?2026l';
/** Few enough for frames to wait on a machine so busy that it draws one a second. */
const bytesPerSecond = 500;
/** Bytes that may be without an answer, with what asks about them, and then one more frame. */
const mostUnread = (session: Session): number =>
	16_500 +
	Math.max(
		...session
			.raw()
			.split(frameEnd)
			.map(frame => Buffer.byteLength(frame)),
	);

test('on a link of 500 B/s the monitor is seconds old and takes keys; when the link stalls it sends little, then the current screen; and a second signal ends it during a stall', async () => {
	const monitor = openProgram([], {...size, config, link: {bytesPerSecond}});
	await monitor.waitFor(isLive);
	await monitor.waitFor(/slow link: \d+ frames? dropped/);
	await monitor.waitFor(rows => age(rows) <= 16);
	expect(monitor.link.underWay()).toBeLessThan(16 * bytesPerSecond);
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('<esc>');
	await monitor.waitFor(rows => isLive(rows) && frameFault(rows, size) === undefined);

	monitor.link.stop();
	const stalled = monitor.raw().length;
	await settled(monitor);
	const underWay = monitor.link.underWay();
	expect(underWay).toBeLessThan(mostUnread(monitor));
	monitor.press('n');
	await settled(monitor);
	// Questions were added, and no frame.
	expect(monitor.link.underWay() - underWay).toBeLessThan(100);
	monitor.link.resume();
	const resumed = monitor.raw().length;
	await monitor.waitFor(rows => isLive(rows) && (rows[0] ?? '').startsWith(' ETH/USDT '));
	const since = (await monitor.painted(stalled)).filter(({rawAt}) => rawAt > resumed);
	expect(since[0]?.text[0]).toMatch(/^ ETH\/USDT /);

	monitor.link.stop();
	await settled(monitor);
	const before = monitor.link.underWay();
	monitor.kill('SIGTERM');
	await expect.poll(monitor.link.underWay).toBeGreaterThan(before + 30);
	// Does not wait for the terminal, which the first one does.
	monitor.kill('SIGINT');
	await expect.poll(() => processLives(monitor.pid)).toBe(false);
	monitor.link.resume();
	expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
});

/** Settles when nothing more is written on a link that lets nothing through. */
async function settled({link}: Session): Promise<void> {
	for (let before = -1; link.underWay() !== before; await pause(1500)) before = link.underWay();
}

test('a terminal that never answers is drawn on, gets few questions, holds up no key when it does not read, and can be left', async () => {
	const monitor = openProgram([], {...size, answers: false});
	await monitor.waitFor(isLive);
	const live = monitor.raw().length;
	await monitor.waitFor(() => monitor.raw().slice(live).split(frameEnd).length > 4);
	expect(monitor.raw().match(/\u001B\[6n/g)?.length).toBeLessThan(6);
	monitor.pause();
	// Far more than the system takes for a terminal.
	for (let turn = 0; turn < 80; turn++) {
		monitor.press(turn % 2 === 0 ? '?' : '<esc>');
		await pause(30);
	}

	monitor.press('q');
	await expect.poll(() => processLives(monitor.pid)).toBe(false);
	monitor.resume();
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});
