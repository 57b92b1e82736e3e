import {describe, expect, test} from 'vitest';
import {createSlowLink, createTick} from '../../source/view/clock-stores.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const start = Date.UTC(2026, 0, 1, 12, 0, 0, 400);

describe('the tick', () => {
	test('ticks at the start of each second', async () => {
		const clock = createFakeClock(start);
		const tick = createTick(clock);
		const snapshots: number[] = [];
		const unsubscribe = tick.subscribe(() => snapshots.push(tick.getSnapshot() - start));

		expect(tick.getSnapshot()).toBe(start);
		await clock.advance(599);
		expect(snapshots).toEqual([]);
		await clock.advance(2001);
		unsubscribe();
		await clock.advance(1000);

		expect(snapshots).toEqual([600, 1600, 2600]);
		expect(tick.getSnapshot() - start).toBe(3600);
	});

	test('ticks on the second again after the clock was set', async () => {
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
});

describe('the slow link', () => {
	function open() {
		const clock = createFakeClock();
		const link = createSlowLink(clock);
		const counts: number[] = [];
		link.subscribe(() => counts.push(link.getSnapshot()));
		const drop = async (count: number, everyMs: number) => {
			for (let index = 0; index < count; index++) {
				link.dropped(1);
				await clock.advance(everyMs);
			}
		};

		return {link, clock, counts, drop};
	}

	test('publishes the dropped frames once a second and forgets them when the link keeps up again', async () => {
		const {link, clock, counts, drop} = open();
		await drop(8, 250);
		expect([counts, link.getSnapshot()]).toEqual([[4, 8], 8]);
		await clock.advance(5000);
		expect([counts, link.getSnapshot(), clock.timers]).toEqual([[4, 8, 0], 0, 0]);

		link.dropped(3);
		await clock.advance(1000);
		expect(counts.at(-1)).toBe(3);
	});

	test('a link that keeps up costs no timer', () => {
		expect(open().clock.timers).toBe(0);
	});

	test('publishes nothing after it was stopped', async () => {
		const {link, clock, counts, drop} = open();
		await drop(2, 100);
		link.stop();
		await clock.advance(10_000);
		expect(counts).toEqual([]);
	});
});
