import {expect, test} from 'vitest';
import {createTick} from '../../source/view/tick.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const start = Date.UTC(2026, 0, 1, 12, 0, 0, 400);

test('turns when the second does', async () => {
	const clock = createFakeClock(start);
	const tick = createTick(clock);
	const seen: number[] = [];
	const unsubscribe = tick.subscribe(() => seen.push(tick.getSnapshot() - start));

	expect(tick.getSnapshot()).toBe(start);
	await clock.advance(599);
	expect(seen).toEqual([]);
	await clock.advance(2001);
	unsubscribe();
	await clock.advance(1000);

	expect(seen).toEqual([600, 1600, 2600]);
	expect(tick.getSnapshot() - start).toBe(3600);
});

test('finds the second again after the clock was set', async () => {
	const clock = createFakeClock(start);
	const tick = createTick(clock);
	clock.jump(250);
	await clock.advance(600);
	expect(tick.getSnapshot() - start).toBe(850);
	await clock.advance(750);
	expect(tick.getSnapshot() - start).toBe(1600);
});

test('leaves no timer behind', async () => {
	const clock = createFakeClock(start);
	const tick = createTick(clock);
	await clock.advance(2000);
	tick.stop();
	expect(clock.timers).toBe(0);
});
