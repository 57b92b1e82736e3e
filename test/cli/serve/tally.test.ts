import {expect, test} from 'vitest';
import {createTally, reportEveryMinute} from '../../../source/cli/serve/tally.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {timeout} from '../../store/samples.ts';

const minute = 60_000;
const outcome = {operation: 'depth', interface: 'v2', url: '', startedAt: 0, durationMs: 1, dropped: 0} as const;

function open(logged?: object[]) {
	const clock = createFakeClock();
	const counts = createTally();
	const notes: string[] = [];
	let [viewers, bytes] = [0, 0];
	const stop = reportEveryMinute({
		clock,
		output: {note: text => notes.push(text)},
		log: logged && {served: fields => void logged.push(fields)},
		viewers: () => viewers,
		tally: () => ({...counts.now(), bytes}),
	});
	const serve = (count: number, sent: number) => {
		viewers = count;
		bytes += sent;
	};
	return {clock, counts, notes, stop, serve};
}

test('a line a minute says what was done in it', async () => {
	const {clock, counts, notes, stop, serve} = open();
	serve(2, 1_250_000);
	counts.add('logins', 3);
	counts.add('droppedFrames', 1);
	counts.observe(outcome);
	counts.observe({...outcome, error: timeout()});
	await clock.advance(minute - 1);
	expect(notes).toEqual([]);
	await clock.advance(1);
	serve(1, 0);
	counts.add('refusals', 2);
	counts.add('defects', 1);
	await clock.advance(minute);
	expect(notes).toEqual([
		'2 viewers · 3 log-ins, 0 refused · 2 requests, 1 failed · 1.3 MB sent · 1 frame dropped',
		'1 viewer · 0 log-ins, 2 refused · 0 requests, 0 failed · 0.0 MB sent · 0 frames dropped · 1 defect',
	]);
	stop();
	expect(clock.timers).toBe(0);
});

test('with a log, it has the counts instead', async () => {
	const logged: object[] = [];
	const {clock, counts, notes, stop, serve} = open(logged);
	serve(1, 7);
	counts.add('logins', 1);
	await clock.advance(minute);
	const none = {refusals: 0, requests: 0, failures: 0, droppedFrames: 0, defects: 0};
	expect([logged, notes]).toEqual([[{...none, viewers: 1, logins: 1, bytes: 7}], []]);
	stop();
});
