import {spawn, spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {describe, expect, onTestFinished, test} from 'vitest';
import {onPackaged, type Project, placeLauncher} from './helpers/launcher.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const {scripts} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const isWindows = process.platform === 'win32';
const running = process.versions.node;
const [major = 0, minor = 0] = running.split('.').map(Number);

/** A script in such a project, and how to start it. */
function startWith(script: string, project: Project) {
	const {folder, launcher, packaged} = placeLauncher(project);
	const file = join(folder, 'script.ts');
	writeFileSync(file, script);
	return {packaged, args: ['--expose-gc', launcher, file, 'one two', '--three']};
}

const report = `const {execArgv, argv, ppid, env} = process;
	console.log(JSON.stringify({flags: execArgv, args: argv.slice(2), name: argv[1], ppid, path: env.PATH}));
	process.exitCode = 7 as number;`;

describe('the launcher', () => {
	test.each([
		['in its own process, if this Node is new enough', {...onPackaged, needs: `${major}.${minor}`}, false],
		['in its own process, if this Node is of a later major version', {...onPackaged, needs: `${major - 1}.99`}, false],
		['on the Node of the packages, if this one is too old', {...onPackaged, needs: `${major}.${minor + 1}`}, true],
	])('runs a script with flags, arguments and status %s', (_, project, isOther) => {
		const {packaged, args} = startWith(report, project);
		const {pid, stdout, stderr, status} = spawnSync(process.execPath, args, {encoding: 'utf8'});
		expect({stderr, status}).toEqual({stderr: '', status: 7});
		const path = [dirname(isOther ? packaged : process.execPath), process.env.PATH].join(delimiter);
		const reported = {flags: ['--expose-gc'], args: args.slice(3), name: args[2], path};
		expect(JSON.parse(stdout)).toEqual({...reported, ppid: isOther ? pid : process.pid});
	});

	const tooOld = `needs Node 99.1 or newer: this is ${running}, and`;
	const unreadable = (file: string): void => writeFileSync(file, '', {mode: 0o644});
	test.each<[string, Project, RegExp]>([
		['packages', {needs: '22.19', hasPackages: false}, /^the packages are missing; run npm ci --ignore-scripts$/],
		['a Node for this platform', {needs: '99.1'}, /^the packages have none for [a-z]+-\w+; see https:\/\/nodejs.org$/],
		['a Node that starts', {needs: '99.1', place: unreadable}, /^\S+node_modules\S+ does not start \([A-Z]+\)$/],
	])('says in one line that it misses %s', (_, project, reason) => {
		const {args} = startWith(report, project);
		const {stdout, stderr, status} = spawnSync(process.execPath, args, {encoding: 'utf8'});
		expect({stdout, status}).toEqual({stdout: '', status: 2});
		const start = `tapewatch: ${project.needs === '99.1' ? `${tooOld} ` : ''}`;
		expect(stderr.slice(0, start.length)).toBe(start);
		expect(stderr.slice(start.length, -1)).toMatch(reason);
	});

	/** Starts a script on the packages' Node; settles when it has printed its process. */
	async function startOnPackaged(script: string) {
		const {args} = startWith(`${script}\nconsole.log(process.pid);`, onPackaged);
		const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']});
		onTestFinished(() => void child.kill('SIGKILL'));
		const [pid] = await once(child.stdout, 'data');
		return {child, ended: once(child, 'close'), pid: Number(pid)};
	}

	test.skipIf(isWindows)('passes signals on', async () => {
		const signals = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM'] as const;
		const {child, ended} = await startOnPackaged(`const waited = new Set(${JSON.stringify(signals)});
			for (const signal of waited) process.on(signal, () => waited.delete(signal) && !waited.size && process.exit(5));
			setInterval(() => {}, 1e6);`);
		for (const signal of signals) child.kill(signal);
		expect(await ended).toEqual([5, null]);
	});

	test.skipIf(isWindows)('ends by the signal that ended its script', async () => {
		const {ended, pid} = await startOnPackaged('setInterval(() => {}, 1e6);');
		process.kill(pid, 'SIGKILL');
		expect(await ended).toEqual([null, 'SIGKILL']);
	});
});

test('every npm script goes through the launcher', () => {
	const commands = Object.values<string>(scripts).flatMap(script => script.split(' && '));
	expect(commands.length).toBeGreaterThan(10);
	expect(commands.filter(command => !/^(?:npm run|node (?:--expose-gc )?launch\.cjs) /.test(command))).toEqual([]);
	const files = commands.flatMap(command => /launch\.cjs (\S+)/.exec(command)?.[1] ?? []);
	expect(files.filter(file => file !== 'dist/main.js' && !existsSync(join(root, file)))).toEqual([]);
});
