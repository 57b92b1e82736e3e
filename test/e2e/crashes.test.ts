import {expect, test} from 'vitest';
import {openFaultyJob} from './faulty.ts';
import {expectGivenBack, type Job} from './job.ts';
import {command, openJobs, processLives, type Size} from './program.ts';

/** Room for a stack. */
const size: Size = {columns: 100, rows: 28};

const provoke = ({pid}: Job) => void process.kill(pid, 'SIGURG');

test.each([
	['an error in a promise', 'promise', provoke, 1, /^Error: thrown in a promise\n {4}at /m],
	[
		'a heap that fills up',
		'leak',
		provoke,
		1,
		/^tapewatch: out of memory: the heap of 128 MB is nearly full; allow Node more(?:\n|$)/,
	],
] satisfies ReadonlyArray<readonly [string, string, (job: Job) => void, number, RegExp]>)(
	'%s gives the terminal back, with its message to be read there',
	async (_, place, provoke, status, message) => {
		const job = await openFaultyJob(place, size);
		provoke(job);
		await expectGivenBack(job, status, message);
	},
);

test('a reader that leaves ends watch quietly, and leaves no process', async () => {
	const shell = await openJobs(size);
	const watch = `sh -c 'echo "pid $$" >&2; exec ${command} watch BTCUSDT --json'`;
	shell.write(`clear; ${watch} | head -n 2 | cut -c 1-20; echo "status $?"\r`);
	await shell.waitFor(/^status 0$/m);
	await shell.prompt();
	expect(shell.screen().filter(row => row !== '')).toEqual([
		expect.stringMatching(/^pid \d+$/),
		'tapewatch: DEMO data of the embedded exchange',
		expect.stringMatching(/^\{"type":"/),
		expect.stringMatching(/^\{"type":"/),
		'status 0',
		'shell>',
	]);
	const [, pid] = /pid (\d+)\r/.exec(shell.raw()) ?? [];
	expect(processLives(Number(pid))).toBe(false);
});
