import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {documents} from '../helpers/documents.ts';
import {triedDocuments} from '../helpers/examples.ts';
import {findTool} from '../helpers/tools.ts';
import {recordQuarterHour} from '../recording/recordings.ts';
import {openScript, command as program} from './program.ts';
import {type Run, startTapewatch} from './tapewatch.ts';

/** How a command ends that does not by itself with status 0. */
type Course = {
	/** The beginning of the command. */
	readonly command: string;
	/** Waited for on the screen; then `press` is pressed. */
	readonly shows?: RegExp;
	readonly press?: string;
	/** Default: 0. */
	readonly status?: number;
	/** Replaced before it runs. Each needs a reason beside it. */
	readonly instead?: readonly [string, string];
};

const quit = 'q';
const interrupt = '<ctrl-c>';
const courses: readonly Course[] = [
	// Ten pictures take four minutes, and so would the moving one.
	{
		command: 'npm run build && node launch.cjs test/pictures/capture.ts',
		instead: ['pictures/capture.ts', 'pictures/capture.ts --size 40x12 --settle 0 --text /dev/null'],
	},
	{
		command: 'npm run build && node launch.cjs test/pictures/animate.ts',
		instead: ['pictures/animate.ts', 'pictures/animate.ts --still 0 --out /dev/null'],
	},
	// Without the pause between two watches, and shown as well as kept.
	{
		command: 'while sleep 5',
		instead: ['>> alerts.jsonl', '| tee -a alerts.jsonl'],
		shows: /"type":"alert".*"rule":"BTCUSDT last > 1"/s,
		press: interrupt,
		status: 130,
	},
	{command: 'ssh -p 2222 HOST  ', shows: /live .*DEMO/, press: quit},
	{command: 'ssh -t -p 2222 HOST ETHUSDT', shows: /ETH\/USDT.*live .*DEMO/s, press: quit},
	{command: 'ssh -t -p 2222 HOST watch', shows: / live · DEMO/, press: quit},
	{command: 'ssh -p 2222 HOST watch BTCUSDT --json', shows: /"trade"/, press: interrupt, status: 130},
	{command: 'ssh -p 2222 HOST "watch', shows: /BTCUSDT/, press: interrupt, status: 130},
];

/** A line of a block, with those that follow while the shell needs more of it. */
function commandsOf(block: string): readonly string[] {
	const commands: string[] = [];
	let begun = '';
	for (const line of block.split('\n')) {
		begun = begun === '' ? line : `${begun}\n${line}`;
		if (begun.endsWith('\\') || spawnSync('sh', ['-n'], {input: begun}).status !== 0) continue;
		if (begun.trim() !== '' && !begun.startsWith('#')) commands.push(begun);
		begun = '';
	}

	return begun === '' ? commands : [...commands, begun];
}

/** Tried elsewhere: the program by test/cli/examples.test.ts, npm and its package by package.test.ts and .ci/run. */
const triedElsewhere = /^(?:tapewatch|npx|npm (?!run build && node)|rm -rf ~)/;
const written = triedDocuments.flatMap(({name, text}) =>
	[...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
		commandsOf(block)
			.filter(command => !triedElsewhere.test(command))
			.map(command => ({name, command})),
	),
);

const folder = mkdtempSync(join(tmpdir(), 'tapewatch-documents-'));
afterAll(() => rmSync(folder, {recursive: true}));
const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts: Readonly<Record<string, string>> = {
	tapewatch: `exec ${program} "$@"`,
	// The program is built before this test.
	npm: '[ "$*" = "run build" ]',
	sleep: '',
};

/** Lets `user` in, and makes `ssh` lead there whatever host and port it is given: those that are set first count. */
async function serveViewers(bin: string): Promise<Run> {
	execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'user')]);
	const server = startTapewatch([
		'serve',
		'--listen',
		'127.0.0.1:0',
		'--authorized-keys',
		join(folder, 'user.pub'),
		'--json',
	]);
	let printed = '';
	await server.wrote(stdout => {
		printed = stdout;
		return stdout.endsWith('\n');
	});
	const options = {
		...{HostName: '127.0.0.1', Port: JSON.parse(printed).port, IdentityFile: join(folder, 'user')},
		...{StrictHostKeyChecking: 'no', UserKnownHostsFile: '/dev/null', LogLevel: 'ERROR'},
	};
	const words = Object.entries(options).map(([name, value]) => `-o ${name}=${value}`);
	addScript(bin, 'ssh', `exec ${findTool('ssh')} ${words.join(' ')} "$@"`);
	return server;
}

function addScript(bin: string, name: string, script: string): void {
	writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
	chmodSync(join(bin, name), 0o755);
}

describe('a command of the documents', {tags: ['jq', 'sqlite3', 'ssh']}, () => {
	let server: Run;
	beforeAll(async () => {
		const bin = join(folder, 'bin');
		mkdirSync(bin);
		for (const [name, script] of Object.entries(scripts)) addScript(bin, name, script);
		// What the documents ask for in the monitor before.
		mkdirSync(join(folder, 'tapewatch'));
		const exchanges = {demo: {favourites: ['BTCUSDT']}};
		writeFileSync(join(folder, 'tapewatch/state.json'), JSON.stringify({version: 1, exchanges, view: {}}));
		server = await serveViewers(bin);
	});

	afterAll(async () => {
		server.kill('SIGTERM');
		await server.outcome;
	});

	test.each(written)('of $name ends as expected: $command', async ({command}) => {
		const course = courses.findLast(other => command.startsWith(other.command));
		const {shows, press, status = 0, instead: [from, to] = ['', '']} = course ?? {};
		const recording = join(folder, 'night.twr');
		if (command.startsWith('sqlite3') && !existsSync(recording)) recordQuarterHour(recording);
		const script = command.replace(from, to);
		const cwd = script.includes('launch.cjs') ? root : folder;
		const session = openScript(`cd ${cwd} && ${script}`, {
			...{columns: 120, rows: 40, config: '[[alerts]]\nrule = "BTCUSDT last > 1"\n'},
			env: {PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`, HOME: folder, XDG_STATE_HOME: folder},
		});
		if (shows) await session.waitFor(rows => shows.test(rows.join('\n')) || shows.test(session.raw()));
		if (press) session.press(press);
		const {exitCode, signal} = await session.exit;
		// A shell whose program ended by Ctrl-C may end by it as well.
		const ended = signal === 'SIGINT' ? 130 : exitCode;
		expect(ended, session.screen().join('\n')).toBe(status);
	});
});

test('tmux takes every setting that the documents have for it', {tags: 'tmux'}, () => {
	const settings = new Set(documents.flatMap(({text}) => text.match(/(?<=`)set -[^`]+/g) ?? []));
	expect(settings.size).toBeGreaterThan(4);
	const config = join(mkdtempSync(join(folder, 'tmux-')), 'tmux.conf');
	writeFileSync(config, [...settings].join('\n'));
	const server = ['-S', join(folder, 'tmux.socket'), '-f', '/dev/null'];
	const commands = ['new-session', '-d', 'cat', ';', 'source-file', config, ';', 'kill-server'];
	const {status, stderr} = spawnSync('tmux', [...server, ...commands], {encoding: 'utf8'});
	expect({status, stderr}).toEqual({status: 0, stderr: ''});
});

test('every course is that of a command', () => {
	const unused = courses.filter(({command}) => !written.some(other => other.command.startsWith(command)));
	expect(unused).toEqual([]);
});

test('every npm script that a document names exists', () => {
	const {scripts: defined} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const named = documents.flatMap(({text}) =>
		[...text.matchAll(/(?:`|^)npm run ([\w:-]+)/gm)].map(([, name = '']) => name),
	);
	expect(named.length).toBeGreaterThan(5);
	expect(named.filter(name => !(name in defined))).toEqual([]);
});
