import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync} from 'node:fs';
import {constants, tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tapewatch-ending-'));
beforeAll(() => {
	execFileSync('mkfifo', [join(folder, 'pipe')]);
});
afterAll(() => rmSync(folder, {recursive: true}));

const ending = JSON.stringify(new URL('../../source/terminal/ending.ts', import.meta.url));

/** Runs the code in a process of its own. */
function end(code: string) {
	const program = `import {openSync, promises, writeSync} from 'node:fs';
import {Worker} from 'node:worker_threads';
import {atExit, endSignals, onEndSignals, reportStuckThread} from ${ending};
const write = text => () => writeSync(1, text + '\\n');
${code}`;
	const {status, signal, stdout, stderr} = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
		cwd: folder,
		encoding: 'utf8',
		timeout: 60_000,
	});
	return {status, signal, lines: stdout.split('\n').slice(0, -1), stderr};
}

const lastSteps = `for (const step of ['notices', 'files', 'answers', 'screen', 'title']) atExit(step, write(step));`;

test('the last steps run once and in order, and one that throws keeps none from running', () => {
	const {lines, status, stderr} = end(`atExit('screen', () => { throw new Error('broken step'); });
const forget = atExit('files', write('forgotten'));
${lastSteps}
forget();
process.exit(3)`);
	expect(lines).toEqual(['title', 'screen', 'answers', 'files', 'notices']);
	expect({status, stderr}).toEqual({status: 3, stderr: expect.stringContaining('broken step')});
});

test('the screen is left before an error that nothing catches is printed', () => {
	const {lines, status, stderr} = end(`${lastSteps}
process.on('uncaughtExceptionMonitor', write('printed'));
throw new Error('defect')`);
	expect(lines).toEqual(['title', 'screen', 'printed', 'answers', 'files', 'notices']);
	expect({status, stderr}).toEqual({status: 1, stderr: expect.stringContaining('Error: defect')});
});

test('copies of a signal that come soon after it are ignored', () => {
	const {lines} = end(`let now = 0;
Date.now = () => now;
onEndSignals(['SIGINT', 'SIGTERM'], status => write(now + ' ms: ' + status)());
for (const ms of [0, 2, 299, 300]) {
	now = ms;
	process.emit('SIGINT', 'SIGINT');
}
process.emit('SIGTERM', 'SIGTERM');`);
	expect(lines).toEqual(['0 ms: 130', '300 ms: 130', '300 ms: 143']);
});

test('every signal that would end the program without its last steps is passed on as its exit status', () => {
	const names = [
		...(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGPROF'] as const),
		...(['SIGIO', 'SIGSYS', 'SIGSTKFLT', 'SIGPWR', 'SIGABRT', 'SIGTRAP'] as const),
	];
	const {lines, status} = end(`const names = ${JSON.stringify(names)};
let left = names.length;
onEndSignals(endSignals, status => {
	write(status)();
	if (--left === 0) process.exit();
});
setInterval(() => {}, 1000);
for (const name of names) process.kill(process.pid, name);`);
	const statuses = names.map(name => 128 + constants.signals[name]);
	expect({status, statuses: lines.map(Number).toSorted()}).toEqual({status: 0, statuses: statuses.toSorted()});
});

/** To open a pipe for writing takes until something reads it. */
const stuck = {
	'a file operation': `promises.open('pipe', 'w').catch(() => {});`,
	'a worker': `await new Promise(resolve => new Worker("require('fs').openSync('pipe', 'w')", {eval: true}).on('online', resolve));`,
};

test.each([
	['a file operation', 143, {signal: 'SIGTERM', status: null}],
	['a worker', 130, {signal: 'SIGINT', status: null}],
	['a file operation', 0, {signal: 'SIGKILL', status: null}],
] as const)('%s that hangs, reported twice, does not delay the end with status %i', (thread, status, outcome) => {
	const {stderr, lines, ...ended} = end(`${lastSteps}
onEndSignals(['SIGTERM', 'SIGINT'], () => {});
reportStuckThread();
reportStuckThread();
${stuck[thread]}
process.exit(${status})`);
	expect({lines, stderr, ...ended}).toEqual({
		...outcome,
		lines: ['title', 'screen', 'answers', 'files', 'notices'],
		stderr: '',
	});
});
