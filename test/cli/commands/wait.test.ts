import {expect, test} from 'vitest';
import {afterLong, delay, unlessAborted} from '../../../source/cli/commands/wait.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';

test('a delay ends with its time, or with the signal, and leaves no timer', async () => {
	const clock = createFakeClock();
	const controller = new AbortController();
	const ends: string[] = [];
	void delay(clock, 1000, controller.signal).then(() => ends.push('short'));
	void delay(clock, 5000, controller.signal).then(() => ends.push('long'));
	await clock.advance(1000);
	expect(ends).toEqual(['short']);
	controller.abort();
	await clock.advance(0);
	expect([ends, clock.timers]).toEqual([['short', 'long'], 0]);
});

test('what is waited for is given on, its failure too, unless the signal comes first', async () => {
	const controller = new AbortController();
	expect(await unlessAborted(Promise.resolve('there'), controller.signal)).toBe('there');
	await expect(unlessAborted(Promise.reject(new Error('broken')), controller.signal)).rejects.toThrow('broken');
	const endless = unlessAborted(new Promise(() => {}), controller.signal);
	controller.abort();
	expect(await endless).toBeUndefined();
});

test('a time longer than a timer of the system holds comes once, when it is over', async () => {
	const dayMs = 86_400_000;
	const clock = createFakeClock();
	let calls = 0;
	afterLong(clock, 40.5 * dayMs, () => calls++);
	await clock.advance(40.5 * dayMs - 1);
	expect(calls).toBe(0);
	await clock.advance(1);
	expect([calls, clock.timers]).toEqual([1, 0]);
});

test('a long time can be cancelled at any moment', async () => {
	const clock = createFakeClock();
	let calls = 0;
	const cancel = afterLong(clock, 3 * 86_400_000, () => calls++);
	await clock.advance(2.5 * 86_400_000);
	cancel();
	await clock.advance(86_400_000);
	expect([calls, clock.timers]).toEqual([0, 0]);
});
