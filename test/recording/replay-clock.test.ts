import {expect, test} from 'vitest';
import {createReplayClock} from '../../source/recording/replay-clock.ts';

test('timers run in the order of their times, those of one time as they were set', async () => {
	const clock = createReplayClock(1000, async () => {});
	const ran: (readonly [name: string, at: number])[] = [];
	for (const [name, ms] of [
		['second', 20],
		['third', 20],
		['first', 10],
		['late', 50],
	] as const) {
		clock.after(ms, () => ran.push([name, clock.now()]));
	}

	await clock.advanceTo(1040);
	expect(ran).toEqual([
		['first', 1010],
		['second', 1020],
		['third', 1020],
	]);
	expect(clock.now()).toBe(1040);
});

test('time that was to pass ends where the clock is set meanwhile', async () => {
	const clock = createReplayClock(1000, async () => {});
	const ran: string[] = [];
	clock.after(10, () => {
		clock.set(500);
		clock.after(10, () => ran.push('set after it'));
	});
	clock.after(20, () => ran.push('dropped'));
	await clock.advanceTo(2000);
	expect([clock.now(), ran]).toEqual([500, []]);
});
