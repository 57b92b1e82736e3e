import {expect, onTestFinished, test, vi} from 'vitest';
import {playRecording} from '../../../source/cli/commands/play-recording.ts';
import {minuteMs} from '../../../source/market/units.ts';
import {openRecording} from '../../../source/recording/recording-reader.ts';
import {answered, readSample, recordSample, startedAt} from '../../recording/recordings.ts';

/** What is written while two minutes and, an hour later, two more are played, each of which takes `tookMs`. */
async function written(isTTY: boolean, tookMs: number): Promise<string> {
	const book = {asks: [[101, 1] as const], bids: []};
	const minutes = (from: number) => [0, 1, 2].map(minute => answered.depth(book, from + minute * minuteMs));
	const path = recordSample(minutes(startedAt));
	const reader = openRecording(recordSample(minutes(startedAt + 60 * minuteMs), path, startedAt + 60 * minuteMs));
	let text = '';
	const add = (added: unknown, done?: unknown) => {
		text += String(added);
		if (typeof done === 'function') done();
		return true;
	};
	const setTerminal = (value: boolean) =>
		Object.defineProperty(process.stderr, 'isTTY', {value, configurable: true, writable: true});
	const before = process.stderr.isTTY;
	setTerminal(isTTY);
	const spies = [vi.spyOn(process.stderr, 'write'), vi.spyOn(process.stdout, 'write')];
	for (const spy of spies) spy.mockImplementation(add);
	onTestFinished(() => {
		for (const spy of spies) spy.mockRestore();
		setTerminal(before);
		reader.close();
	});
	let now = 0;
	let pieces = 0;
	const texts: string[] = [];
	await playRecording({reader, clock: {now: () => now, after: () => () => {}}}, new AbortController().signal, {
		texts,
		begin: () => () => {},
		isDone() {
			now += tookMs;
			if (++pieces === 5) texts.push('line\n');
			return false;
		},
	});
	return text.replaceAll('\u001B[K', '|');
}

test('a long replay shows on a terminal how far it is, and leaves nothing of that', async () => {
	expect(await written(true, 700)).toBe(
		[
			'\rtapewatch: 2026-11-22 14:01:00, 25 %|\rtapewatch: 2026-11-22 14:02:00, 50 %|\r|',
			'line\n\rtapewatch: 2026-11-22 15:01:00, 75 %|\rtapewatch: 2026-11-22 15:02:00, 100 %|\r|',
		].join(''),
	);
});

test.each([
	['elsewhere', false, 700],
	['where it is short', true, 100],
])('it shows nothing %s', async (_, isTTY, tookMs) => {
	expect(await written(isTTY, tookMs)).toBe('line\n');
});

test('hears signals while it plays a minute with more work than a turn of the event loop should have', async () => {
	const book = {asks: [[101, 1] as const], bids: []};
	const path = recordSample([0, 1].map(minute => answered.depth(book, startedAt + minute * minuteMs)));
	const reader = readSample(path);
	const controller = new AbortController();
	let [now, steps] = [0, 0];
	const played = playRecording({reader, clock: {now: () => now, after: () => () => {}}}, controller.signal, {
		begin({clock}) {
			clock.after(1, function step() {
				now += 10;
				steps++;
				clock.after(1, step);
			});
			setImmediate(() => controller.abort());
			return () => {};
		},
	});
	await expect(played).rejects.toThrow('aborted');
	expect(steps).toBe(5);
});
