import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBeat} from '../../source/store/beat.ts';
import {createPublisher} from '../../source/store/create-store.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function setUp() {
	const clock = createFakeClock(0);
	const times: number[] = [];
	const publisher = createPublisher(clock, 250, () => times.push(clock.now()));
	return {clock, times, publisher};
}

test('publishes the first change at once and gathers those that follow', async () => {
	const {clock, times, publisher} = setUp();
	publisher.soon();
	await clock.advance(10);
	publisher.soon();
	await clock.advance(10);
	publisher.soon();
	await clock.advance(1000);
	expect(times).toEqual([0, 250]);
});

test('publishes a user action at once, with pending changes, and nothing afterwards', async () => {
	const {clock, times, publisher} = setUp();
	publisher.soon();
	await clock.advance(10);
	publisher.soon();
	publisher.now();
	await clock.advance(1000);
	expect(times).toEqual([0, 10]);
	expect(clock.timers).toBe(0);
});

test('does not let an action without new data delay the data', async () => {
	const {clock, times, publisher} = setUp();
	publisher.now();
	await clock.advance(5);
	publisher.soon();
	expect(times).toEqual([0, 5]);
});

test('does not wait longer when the clock is set back', async () => {
	const {clock, times, publisher} = setUp();
	publisher.soon();
	clock.jump(-3_600_000);
	publisher.soon();
	await clock.advance(250);
	expect(times).toEqual([0, -3_600_000 + 250]);
});

test('publishes what is shown first in one go, and what follows in the gap later', async () => {
	const {clock, times, publisher} = setUp();
	publisher.soon(true);
	publisher.soon(true);
	publisher.soon();
	expect(times).toEqual([]);
	await clock.advance(0);
	publisher.soon(true);
	await clock.advance(1000);
	expect(times).toEqual([0, 250]);
});

test('publishes at the beat, and what is shown first without it', async () => {
	const clock = createFakeClock(12_300);
	const times: number[] = [];
	const publisher = createPublisher(clock, 250, () => times.push(clock.now()), createBeat(clock, 1000));
	publisher.soon();
	publisher.soon(true);
	publisher.soon(true);
	expect(times).toEqual([]);
	await clock.advance(10);
	publisher.soon();
	publisher.soon(true);
	await clock.advance(300);
	publisher.soon();
	publisher.soon();
	await clock.advance(3000);
	expect(times.map(time => Math.floor(time / 10) * 10)).toEqual([12_300, 12_550, 13_000]);
	publisher.soon();
	publisher.cancel();
	expect(clock.timers).toBe(0);
});

test('leaves nothing pending when cancelled', async () => {
	const {clock, times, publisher} = setUp();
	publisher.soon();
	publisher.soon();
	publisher.cancel();
	await clock.advance(1000);
	expect(times).toEqual([0]);
	expect(clock.timers).toBe(0);
});

test('publishes every change within 250 ms, at most four times in any second', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.nat({max: 300}), {maxLength: 40}), async waits => {
			const {clock, times, publisher} = setUp();
			const changes: number[] = [];
			for (const ms of waits) {
				await clock.advance(ms);
				changes.push(clock.now());
				publisher.soon();
			}

			await clock.advance(250);
			for (const change of changes) {
				expect(times.some(time => time >= change && time - change <= 250)).toBe(true);
			}

			for (const time of times) {
				expect(times.filter(other => other >= time && other < time + 1000).length).toBeLessThanOrEqual(4);
			}
		}),
	);
});
