import {expect, test} from 'vitest';
import {createBeat} from '../../source/store/beat.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function setUp(start = 12_300) {
	const clock = createFakeClock(start);
	const beat = createBeat(clock, 1000);
	const done: [name: string, second: number][] = [];
	const note = (name: string) => () => done.push([name, Math.floor(clock.now() / 1000)]);
	return {clock, beat, done, note};
}

test('ends timers at the first multiple of the gap that is not before their time, in the order in which they were set', async () => {
	const {clock, beat, done, note} = setUp();
	beat.after(701, note('late'));
	beat.after(700, note('on the beat'));
	beat.after(0, note('at once'));
	beat.after(-1, note('overdue'));
	await clock.advance(3000);
	expect(done).toEqual([
		['on the beat', 13],
		['at once', 13],
		['overdue', 13],
		['late', 14],
	]);
	expect(clock.timers).toBe(0);
});

test('never ends a timer at the beat that it was set in', async () => {
	const {clock, beat, done, note} = setUp(12_000);
	beat.after(0, () => beat.after(0, note('next')));
	await clock.advance(3000);
	expect(done).toEqual([['next', 14]]);
});

test('runs what is due in one go', async () => {
	const {clock, beat} = setUp();
	let ended = 0;
	const seen: number[] = [];
	for (const ms of [10, 400, 700]) {
		beat.after(ms, () => {
			if (ended++ === 0) queueMicrotask(() => seen.push(ended));
		});
	}

	await clock.advance(2000);
	expect(seen).toEqual([3]);
});

test('does not end a timer that was cancelled, by another one of the same beat either, and waits for nothing', async () => {
	const {clock, beat, done, note} = setUp();
	const cancels: (() => void)[] = [];
	beat.after(10, () => cancels[0]?.());
	cancels.push(beat.after(20, note('cancelled')));
	await clock.advance(2000);
	const cancel = beat.after(10, note('cancelled'));
	expect(clock.timers).toBe(1);
	cancel();
	expect([done, clock.timers]).toEqual([[], 0]);
	beat.after(10, note('set again'));
	await clock.advance(2000);
	expect(done).toEqual([['set again', 15]]);
});

test('ends timers in time when the clock is set', async () => {
	for (const ms of [-3_600_000, 3_600_000]) {
		const {clock, beat, done, note} = setUp();
		beat.after(500, note('before'));
		clock.jump(ms);
		beat.after(500, note('after'));
		await clock.advance(1000);
		expect(done.map(([name]) => name).toSorted()).toEqual(['after', 'before']);
	}
});
