import {EventEmitter} from 'node:events';
import {expect, test} from 'vitest';
import {watchSlowLink} from '../../source/terminal/slow-link.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

function open() {
	const [frames, clock] = [new EventEmitter(), createFakeClock()];
	const link = watchSlowLink(frames, clock);
	const told: number[] = [];
	link.subscribe(() => told.push(link.getSnapshot()));
	const drop = async (count: number, everyMs: number) => {
		for (let index = 0; index < count; index++) {
			frames.emit('drop', 1);
			await clock.advance(everyMs);
		}
	};

	return {frames, link, clock, told, drop};
}

test('tells once a second how many frames were dropped, and forgets them when the link keeps up again', async () => {
	const {frames, link, clock, told, drop} = open();
	await drop(8, 250);
	expect([told, link.getSnapshot()]).toEqual([[4, 8], 8]);
	await clock.advance(5000);
	expect([told, link.getSnapshot(), clock.timers]).toEqual([[4, 8, 0], 0, 0]);

	frames.emit('drop', 3);
	await clock.advance(1000);
	expect(told.at(-1)).toBe(3);
});

test('a link that keeps up costs no timer', () => {
	expect(open().clock.timers).toBe(0);
});

test('tells nothing after it was stopped', async () => {
	const {link, clock, told, drop} = open();
	await drop(2, 100);
	link.stop();
	await clock.advance(10_000);
	expect(told).toEqual([]);
});
