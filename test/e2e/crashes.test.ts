import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../helpers/folders.ts';
import {expectGivenBack, openJob} from './job.ts';
import {command, openJobs, processLives, type Size} from './program.ts';

/** Room for a stack. */
const size: Size = {columns: 100, rows: 28};

test.each([
	[
		'an error in a promise, when the answers of a distant terminal do not reach the shell,',
		"Promise.resolve().then(() => { throw new Error('defect'); })",
		/^Error: defect\n {4}at /m,
	],
	[
		'a heap that fills up',
		// Slow enough for the program to run before V8 gives up, however slow a collection is. One text: objects would be copied.
		"const leaked = []; setInterval(() => leaked.push(Buffer.alloc(500_000, 'x').toString('latin1')), 5)",
		/^tapewatch: out of memory: the heap of 128 MB is nearly full; allow Node more(?:\n|$)/,
	],
])('%s gives the terminal back, with its message to be read there', async (_, defect, message) => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'defect.mjs'), `process.on('SIGURG', () => { ${defect}; });`);
	const env = {NODE_OPTIONS: `--max-old-space-size=128 --import=${folder}/defect.mjs`};
	const job = await openJob({...size, env, link: {answerMs: 50}});
	process.kill(job.pid, 'SIGURG');
	await expectGivenBack(job, 1, message);
});

test('a reader that leaves ends watch quietly, gives the window title back, and leaves no process', async () => {
	const shell = await openJobs(size);
	const watch = `${command} watch BTCUSDT --json --alert "last > 1" --notify title`;
	const reader = `sed -n '/"type":"alert"/{s/.*/an alert/p;q}'`;
	shell.write(`clear; sh -c 'echo "pid $$" >&2; exec ${watch}' | ${reader}; echo "status $?"\r`);
	await shell.waitFor(/^status 0$/m);
	await shell.prompt();
	expect(shell.screen().filter(row => row !== '')).toEqual([
		expect.stringMatching(/^pid \d+$/),
		'tapewatch: DEMO data of the embedded exchange',
		'an alert',
		'status 0',
		'shell>',
	]);
	expect(shell.raw()).toMatch(/\u001B\]2;! BTCUSDT last > 1\u0007[\s\S]*\u001B\]2;\u0007\u001B\[23;2t/);
	const [, pid] = /pid (\d+)\r/.exec(shell.raw()) ?? [];
	expect(processLives(Number(pid))).toBe(false);
});
