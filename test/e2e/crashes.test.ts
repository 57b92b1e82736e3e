import {expect, test} from 'vitest';
import {bundle} from '../bench/support/bundle.ts';
import {expectGivenBack, type Job, openJob} from './job.ts';
import {command, openJobs, processLives, type Size} from './program.ts';

/** Room for a stack. */
const size: Size = {columns: 120, rows: 40};
const program = await bundle('test/terminal/programs/faulty-monitor.ts');

test.each([
	['drawing', 'render', ({shell}) => shell.press('i'), /^tapewatch: thrown in a render$/],
	['a promise', 'promise', ({pid}) => process.kill(pid, 'SIGUSR2'), /^Error: thrown in a promise\n {4}at /m],
] satisfies ReadonlyArray<readonly [string, string, (job: Job) => void, RegExp]>)(
	'an error in %s ends with 1 and can be read on the terminal given back',
	async (_, place, provoke, message) => {
		const job = await openJob(size, `${process.execPath} ${program} ${place}`);
		provoke(job);
		await expectGivenBack(job, 1, message);
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
