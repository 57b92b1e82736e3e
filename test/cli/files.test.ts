import {expect, test} from 'vitest';
import {inTime} from '../../source/cli/files.ts';
import {hasStuckThread} from '../../source/terminal/ending.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

test('work that takes two seconds is given up, and is not waited for at the end of the process until it is done', async () => {
	const clock = createFakeClock();
	const {promise, resolve} = Promise.withResolvers<void>();
	let signal: AbortSignal | undefined;
	const settled = inTime(clock, given => {
		signal = given;
		return promise;
	}).catch(error => error.message);
	await clock.advance(1999);
	expect(signal?.aborted).toBe(false);
	await clock.advance(1);
	expect([await settled, signal?.aborted]).toEqual(['it took longer than 2 s', true]);
	expect([hasStuckThread(), clock.timers]).toEqual([true, 0]);
	resolve();
	await clock.advance(0);
	expect(hasStuckThread()).toBe(false);
});

test('work that is done in time settles at once', async () => {
	const clock = createFakeClock();
	expect(await inTime(clock, async () => 7)).toBe(7);
	await expect(inTime(clock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
	expect(clock.timers).toBe(0);
});
