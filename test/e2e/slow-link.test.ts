import {setTimeout as pause} from 'node:timers/promises';
import {describe, expect, test} from 'vitest';
import {bundle} from '../bench/support/bundle.ts';
import {age, followAge} from './age.ts';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, type Job, openJob} from './job.ts';
import {command, openProgram, openScript, processLives, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
/** Book and trades four times a second: more than a kilobyte of changes. */
const config = 'rate = 100\n[intervals]\ndepth = 0.25\ntrades = 0.25\n';
/** Longer than the program goes on without an answer: it asks at least every ten seconds, and waits for one. */
const stopMs = 12_000;
const bytesPerSecond = 1000;
/** Seconds: what changes while a frame is on its way takes as long again. */
const mostAge = 8;
/** Bytes that may be without an answer on a link that was well, with what asks about them, and then one more frame. */
const mostUnread = (session: Session): number =>
	16_500 +
	Math.max(
		...session
			.raw()
			.split('\u001B[?2026l')
			.map(frame => Buffer.byteLength(frame)),
	);

const faulty = await bundle('test/terminal/programs/faulty-monitor.ts');

/** The oldest that the screen gets, and the most bytes under way, within `ms`. */
async function watchFor(session: Session, ms: number) {
	const shownAge = followAge(session);
	let [oldest, underWay] = [0, 0];
	for (const end = Date.now() + ms; Date.now() < end; await pause(50)) {
		oldest = Math.max(oldest, shownAge());
		underWay = Math.max(underWay, session.link.underWay());
	}

	return {oldest, underWay};
}

const tilesAreLive = (rows: readonly string[]) => /^ live\b.* UTC \d\d:\d\d:\d\d$/.test(rows.at(-1) ?? '');

describe('on a link of 1 kB a second', () => {
	test('the monitor shows what is seconds old, says so, hears keys and gives the terminal back', async () => {
		const monitor = openProgram([], {...size, config, link: {bytesPerSecond}});
		await monitor.waitFor(isLive, 40_000);
		await monitor.waitFor(/slow link: \d+ frames dropped/, 40_000);
		const {oldest, underWay} = await watchFor(monitor, 10_000);
		expect(oldest).toBeLessThanOrEqual(mostAge);
		expect(underWay).toBeLessThan(mostAge * bytesPerSecond);

		monitor.press('?');
		await monitor.waitFor(/\? Keys/);
		monitor.press('<esc>');
		await monitor.waitFor(rows => isLive(rows) && frameFault(rows, size) === undefined);
		monitor.press('q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	});

	test('so does watch', async () => {
		const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--interval', '0.25'], {
			...size,
			config: 'rate = 100\n',
			link: {bytesPerSecond},
		});
		await watch.waitFor(tilesAreLive, 40_000);
		await watch.waitFor(rows => age(rows) <= 2, 40_000);
		const {oldest, underWay} = await watchFor(watch, 10_000);
		expect(oldest).toBeLessThanOrEqual(mostAge);
		expect(underWay).toBeLessThan(mostAge * bytesPerSecond);
		watch.press('q');
		expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
		expect([watch.alternate(), watch.cursorVisible()]).toEqual([false, true]);
	});
});

describe('a terminal behind a connection that stands still', () => {
	test('is sent the present when it goes on, with what keys did meanwhile', async () => {
		const monitor = openProgram([], {...size, config});
		await monitor.waitFor(isLive);
		monitor.link.stop();
		const from = monitor.raw().length;
		await pause(stopMs);
		const underWay = monitor.link.underWay();
		expect(underWay).toBeLessThan(mostUnread(monitor));
		monitor.press('n');
		await pause(stopMs / 3);
		// Nothing but a question or two was added.
		expect(monitor.link.underWay() - underWay).toBeLessThan(20);

		const resumed = Date.now();
		monitor.link.resume();
		const wasUnderWay = monitor.raw().length;
		await monitor.waitFor(rows => isLive(rows) && (rows[0] ?? '').startsWith(' ETH/USDT ') && age(rows) <= 1);
		const since = (await monitor.painted(from)).filter(({rawAt}) => rawAt > wasUnderWay);
		expect(since.length).toBeGreaterThan(0);
		const shownAt = (rows: readonly string[]) => Date.now() - age(rows) * 1000;
		expect(since.filter(({text}) => shownAt(text) < resumed - 2000)).toEqual([]);
		expect(since[0]?.text[0]).toMatch(/^ ETH\/USDT /);

		monitor.press('q');
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	});

	test('is given back when it goes on, though it was left before', async () => {
		const job = await openJob({...size, config});
		job.shell.link.stop();
		await pause(stopMs);
		job.shell.press('q');
		await pause(1000);
		job.shell.link.resume();
		await expectGivenBack(job, 0);
	});

	test('does not keep the program for longer than seconds', async () => {
		const monitor = openProgram([], {...size, config});
		await monitor.waitFor(isLive);
		monitor.link.stop();
		await pause(stopMs);
		const start = Date.now();
		monitor.press('q');
		await expect.poll(() => processLives(monitor.pid), {timeout: 20_000, interval: 100}).toBe(false);
		expect(Date.now() - start).toBeGreaterThan(4500);
		// What gives it back was sent.
		monitor.link.resume();
		expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	});

	test('lets the program go at once on a second Ctrl-C', async () => {
		const monitor = openProgram([], {...size, config});
		await monitor.waitFor(isLive);
		monitor.link.stop();
		await pause(stopMs);
		monitor.press('<ctrl-c>');
		await pause(500);
		const start = Date.now();
		monitor.press('<ctrl-c>');
		await expect.poll(() => processLives(monitor.pid), {timeout: 20_000, interval: 20}).toBe(false);
		expect(Date.now() - start).toBeLessThan(2000);
		monitor.link.resume();
		expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
	});
});

describe('answers that come from far away', () => {
	const link = {answerMs: 250};
	/** Until an answer is on its way. */
	const asked = ({shell}: Job) => shell.waitFor(() => shell.raw().endsWith('\u001B[5n'));

	test.each([
		['q', 0, (job: Job) => job.shell.press('q')],
		['Ctrl-C', 130, (job: Job) => job.shell.press('<ctrl-c>')],
		['SIGTERM', 143, ({pid}: Job) => process.kill(pid, 'SIGTERM')],
	])('are not left to the shell after %s', async (_, status, leave) => {
		const job = await openJob({...size, config, link});
		await asked(job);
		leave(job);
		await expectGivenBack(job, status);
	});

	test('nor by a crash', async () => {
		const roomForStack: Size = {columns: 120, rows: 40};
		const job = await openJob({...roomForStack, config, link}, `${process.execPath} ${faulty} timer`);
		await asked(job);
		process.kill(job.pid, 'SIGUSR2');
		await expectGivenBack(job, 1, /^Error: thrown in a timer\n {4}at /m);
	});

	test('nor when it is suspended, and it goes on after fg', async () => {
		const job = await openJob({...size, config, link});
		const {shell} = job;
		await asked(job);
		shell.press('<ctrl-z>');
		await shell.waitFor(rows => !shell.alternate() && rows.some(row => row.includes('Stopped')));
		expect(await shell.lineDiscipline()).toBe(job.before);
		shell.write('fg\r');
		await shell.waitFor(rows => shell.alternate() && isLive(rows) && age(rows) <= 1);
		shell.press('q');
		await shell.waitFor(() => !shell.alternate());
		await shell.prompt();
	});

	test('are no slow link', async () => {
		const monitor = openProgram([], {...size, config, link});
		await monitor.waitFor(isLive);
		const from = monitor.raw().length;
		await pause(5000);
		const painted = await monitor.painted(from);
		expect(painted.length).toBeGreaterThanOrEqual(13);
		expect(painted.filter(({text}) => text.some(row => row.includes('slow link')))).toEqual([]);
	});
});

describe('a terminal that never answers', () => {
	test('is drawn on all the same, asked a few times, and left without a wait', async () => {
		const monitor = openProgram([], {...size, config, answers: false});
		await monitor.waitFor(isLive);
		const from = monitor.raw().length;
		await pause(3000);
		expect((await monitor.painted(from)).length).toBeGreaterThanOrEqual(8);
		expect(monitor.raw().match(/\u001B\[(?:5n|c)/g)).toHaveLength(2);
		monitor.press('?');
		await monitor.waitFor(/\? Keys/);
		const start = Date.now();
		monitor.press('<ctrl-c>');
		expect(await monitor.exit).toEqual({exitCode: 130, signal: undefined});
		expect(Date.now() - start).toBeLessThan(2000);
	});

	test.each(['CI=true', 'TERM=dumb'])('%s: it is not asked', async variable => {
		const watch = openScript(`${variable} exec ${command} watch BTCUSDT --for 2 --interval 0.25`, size);
		await watch.exit;
		expect(watch.raw()).toContain('BTC');
		expect(watch.raw()).not.toMatch(/\u001B\[(?:5n|c)/);
	});
});
