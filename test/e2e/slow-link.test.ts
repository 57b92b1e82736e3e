import {setTimeout as pause} from 'node:timers/promises';
import {describe, expect, onTestFinished, test} from 'vitest';
import {mouseOff, mouseOn} from '../../source/terminal/mouse.ts';
import {demoNow} from '../helpers/environment.ts';
import {age, followAge} from './age.ts';
import {openFaultyJob} from './faulty.ts';
import {frameFault, isLive} from './frame.ts';
import {expectGivenBack, foreground, type Job, openJob} from './job.ts';
import {command, openProgram, openScript, processLives, type Session, type Size} from './program.ts';

const size: Size = {columns: 80, rows: 24};
/** Book and trades four times a second: more than a kilobyte of changes. */
const config = 'rate = 100\n[intervals]\ndepth = 0.25\ntrades = 0.25\n';
/** The program asks the terminal at least every ten seconds, and then waits for its answer. */
const stopMs = 12_000;
const patience = {timeout: 60_000, interval: 20};
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

/** The oldest that the screen gets, and the most bytes under way, within `ms`. */
async function watchFor(session: Session, ms: number) {
	const shownAge = followAge(session);
	let [oldest, underWay] = [0, 0];
	for (const end = performance.now() + ms; performance.now() < end; await pause(50)) {
		oldest = Math.max(oldest, shownAge());
		underWay = Math.max(underWay, session.link.underWay());
	}

	return {oldest, underWay};
}

/** In one of three stretches: what a busy machine holds up is not the link's delay. */
async function expectSecondsOld(session: Session): Promise<void> {
	let seen = await watchFor(session, 5000);
	for (let more = 0; more < 2 && seen.oldest > mostAge; more++) seen = await watchFor(session, 5000);
	expect(seen.oldest).toBeLessThanOrEqual(mostAge);
	expect(seen.underWay).toBeLessThan(mostAge * bytesPerSecond);
}

async function expectLeavesAfterQ(session: Session): Promise<void> {
	session.press('q');
	expect(await session.exit).toEqual({exitCode: 0, signal: undefined});
	expect([session.alternate(), session.cursorVisible()]).toEqual([false, true]);
}

// One screen at a time: a processor that two of them share would be counted as the link's delay.
test('on a link of 1 kB/s the monitor is seconds old, takes keys and restores the terminal', async () => {
	const monitor = openProgram([], {...size, config, link: {bytesPerSecond}});
	await monitor.waitFor(isLive);
	await monitor.waitFor(/slow link: \d+ frames? dropped/);
	await expectSecondsOld(monitor);
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('<esc>');
	await monitor.waitFor(rows => isLive(rows) && frameFault(rows, size) === undefined);
	await expectLeavesAfterQ(monitor);
});

test('a stalled terminal gets the current screen on resume, or its program exits in time', async () => {
	const open = async () => {
		const monitor = openProgram([], {...size, config});
		await monitor.waitFor(isLive);
		return monitor;
	};
	const [kept, quit, killed] = await Promise.all([open(), open(), open()]);
	for (const monitor of [kept, quit, killed]) monitor.link.stop();
	const from = kept.raw().length;
	await pause(stopMs);
	const underWay = kept.link.underWay();
	expect(underWay).toBeLessThan(mostUnread(kept));

	const leftAt = performance.now();
	kept.press('n');
	quit.press('q');
	killed.press('<ctrl-c>');
	await pause(500);
	killed.press('<ctrl-c>');
	await expect.poll(() => processLives(killed.pid), patience).toBe(false);
	// The second Ctrl-C does not wait for the terminal, q does.
	expect(processLives(quit.pid)).toBe(true);
	await expect.poll(() => processLives(quit.pid), patience).toBe(false);
	expect(performance.now() - leftAt).toBeGreaterThan(4500);
	// Only a question or two was added.
	expect(kept.link.underWay() - underWay).toBeLessThan(20);

	for (const [monitor, exitCode] of [
		[quit, 0],
		[killed, 130],
	] as const) {
		monitor.link.resume();
		expect(await monitor.exit).toEqual({exitCode, signal: undefined});
		expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);
	}

	const resumed = demoNow();
	kept.link.resume();
	const wasUnderWay = kept.raw().length;
	await kept.waitFor(rows => isLive(rows) && (rows[0] ?? '').startsWith(' ETH/USDT ') && age(rows) <= 1);
	const since = (await kept.painted(from)).filter(({rawAt}) => rawAt > wasUnderWay);
	expect(since.length).toBeGreaterThan(0);
	expect(since.filter(({text}) => demoNow() - age(text) * 1000 < resumed - 2000)).toEqual([]);
	expect(since[0]?.text[0]).toMatch(/^ ETH\/USDT /);
	kept.press('q');
	expect(await kept.exit).toEqual({exitCode: 0, signal: undefined});
});

describe('late answers of a distant terminal', () => {
	const link = {answerMs: 250};
	/** Until an answer is on its way. */
	const hasQuestion = ({shell}: Job) => shell.waitFor(() => shell.raw().endsWith('\u001B[6n\u001B8'));

	test('do not reach the shell after a crash', async () => {
		const roomForStack: Size = {columns: 100, rows: 28};
		const job = await openFaultyJob('timer', {...roomForStack, config, link});
		await hasQuestion(job);
		process.kill(job.pid, 'SIGURG');
		await expectGivenBack(job, 1, /^Error: thrown in a timer\n {4}at /m);
	});

	test('do not reach the shell on suspend, nor after fg and q', async () => {
		const job = await openJob({...size, config, link});
		const {shell} = job;
		await hasQuestion(job);
		shell.press('<ctrl-z>');
		await shell.waitFor(rows => !shell.alternate() && rows.some(row => row.includes('Stopped')));
		expect(await shell.lineDiscipline()).toBe(job.before);
		foreground(job);
		await shell.waitFor(rows => shell.alternate() && isLive(rows) && age(rows) <= 1);
		await hasQuestion(job);
		shell.press('q');
		await expectGivenBack(job, 0);
	});

	test('do not reach the shell after q while the wheel turns', async () => {
		const job = await openJob({...size, link: {answerMs: 600}});
		const {shell} = job;
		await shell.waitFor(() => shell.raw().includes(mouseOn));
		// A terminal reports until it is told not to.
		const turn = (): void => {
			if (!shell.raw().includes(mouseOff)) shell.link.answer('\u001B[<65;10;10M');
		};
		const wheel = setInterval(turn, 20);
		onTestFinished(() => clearInterval(wheel));
		await pause(700);
		shell.press('q');
		await expectGivenBack(job, 0);
	});
});

test('a terminal that never answers is drawn on, gets few questions, holds up no key when it does not read, and can be left', async () => {
	const monitor = openProgram([], {...size, config, answers: false});
	await monitor.waitFor(isLive);
	const live = monitor.raw().length;
	await monitor.waitFor(() => monitor.raw().slice(live).split('\u001B[?2026l').length > 8);
	expect(monitor.raw().match(/\u001B\[6n/g)?.length).toBeLessThan(6);
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('<esc>');
	await monitor.waitFor(isLive);

	const from = monitor.raw().length;
	monitor.pause();
	// Far more than the system takes for a terminal.
	for (let turn = 0; turn < 100; turn++) {
		monitor.press(turn % 2 === 0 ? '?' : '<esc>');
		await pause(30);
	}

	monitor.press('i');
	await pause(100);
	monitor.resume();
	await monitor.waitFor(/ i Exchange/);
	// What the system took, the frame on its way, and the present.
	expect(monitor.raw().slice(from).split('\u001B[?2026l').length).toBeLessThan(60);

	monitor.pause();
	monitor.press('<esc>?<esc>?q');
	await expect.poll(() => processLives(monitor.pid), patience).toBe(false);
	monitor.resume();
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
});

test('with CI=true the terminal gets no question', async () => {
	const watch = openScript(`CI=true exec ${command} watch BTCUSDT --until 'last > 1'`, size);
	await watch.exit;
	expect(watch.raw()).toContain('BTC');
	expect(watch.raw()).not.toMatch(/\u001B\[6n/);
});
