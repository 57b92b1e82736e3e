import {expect, test} from 'vitest';
import {createSlowLink} from '../../source/view/slow-link.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

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
