import {execFileSync, spawnSync} from 'node:child_process';
import {chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {documents} from '../helpers/documents.ts';
import {findTool} from '../helpers/tools.ts';
import {recordQuarterHour} from '../recording/recordings.ts';
import {openScript, command as program, startDemoProcess} from './program.ts';
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

const tiles = / live · DEMO/;
const quit = 'q';
const interrupt = '<ctrl-c>';
const courses: readonly Course[] = [
	{command: 'npm ci --ignore-scripts && npm start', shows: /live .*DEMO/, press: quit},
	{command: 'npm start -- BTCUSDT --base-url', shows: /live /, press: quit},
	{command: 'npx --yes', shows: /live .*DEMO/, press: quit},
	// Ten pictures take four minutes, and so would the moving one.
	{
		command: 'npm run build && node launch.cjs test/pictures/capture.ts',
		instead: ['pictures/capture.ts', 'pictures/capture.ts --size 40x12 --settle 0 --text /dev/null'],
	},
	{
		command: 'npm run build && node launch.cjs test/pictures/animate.ts',
		instead: ['pictures/animate.ts', 'pictures/animate.ts --still 0 --out /dev/null'],
	},
	{command: 'tapewatch watch BTCUSDT -o table', shows: /^\S+ [\d:]+ +BTCUSDT +[\d,.]+/m, press: interrupt, status: 130},
	// With a request for each check, and a warning on a machine that is so slow.
	{
		command: 'tapewatch doctor --base-url',
		instead: ['old.example.com', 'old.example.com --samples 1 --rate 50 || [ $? -eq 3 ]'],
		shows: /^(?:Healthy|No problem found|Usable with)/m,
	},
	{command: "tapewatch watch BTCUSDT --alert '*", shows: tiles, press: quit},
	{command: "tapewatch watch BTCUSDT --alert 'bidDepth", shows: tiles, press: quit},
	{command: 'tapewatch watch BTCUSDT ETHUSDT --alert', shows: tiles, press: quit},
	// Without the pause between two watches, and shown as well as kept.
	{
		command: 'while sleep 5',
		instead: ['>> alerts.jsonl', '| tee -a alerts.jsonl'],
		shows: /"type":"alert".*"rule":"BTCUSDT last > 1"/s,
		press: interrupt,
		status: 130,
	},
	{command: "tapewatch watch BTCUSDT --until 'last > 70000 and", shows: tiles, press: interrupt, status: 130},
	{command: 'tapewatch watch BTCUSDT ETHUSDT --json | jq', shows: /"trade"/, press: interrupt, status: 130},
	{command: 'tapewatch record BTCUSDT', shows: /recording trades, books/, press: interrupt, status: 130},
	{command: 'tapewatch replay night.twr BTCUSDT --from', shows: /REPLAY/, press: quit},
	{command: 'tapewatch watch BTCUSDT --recording', shows: /--until was not met in the recording/, status: 124},
	{command: 'tapewatch watch BTCUSDT ETHUSDT --recording', shows: /REPLAY/, press: quit},
	// The config file has no exchange of that name, and another program may listen on the port.
	{
		command: 'tapewatch serve',
		instead: ['--exchange mine --listen 0.0.0.0:2222', '--listen 127.0.0.1:0'],
		...{shows: /SHA256:/, press: interrupt, status: 130},
	},
	{command: 'ssh -p 2222 HOST  ', shows: /live .*DEMO/, press: quit},
	{command: 'ssh -t -p 2222 HOST ETHUSDT', shows: /ETH\/USDT.*live .*DEMO/s, press: quit},
	{command: 'ssh -t -p 2222 HOST watch', shows: tiles, press: quit},
	{command: 'ssh -p 2222 HOST watch BTCUSDT --json', shows: /"trade"/, press: interrupt, status: 130},
	{command: 'ssh -p 2222 HOST "watch', shows: /BTCUSDT/, press: interrupt, status: 130},
];

/** A line of a block, with those that follow while the shell needs more of it. */
function commandsOf(block: string): readonly string[] {
	const commands: string[] = [];
	let begun = '';
	for (const line of block.split('\n')) {
		begun = begun === '' ? line : `${begun}\n${line}`;
		if (spawnSync('sh', ['-n'], {input: begun}).status !== 0) continue;
		if (begun.trim() !== '' && !begun.startsWith('#')) commands.push(begun);
		begun = '';
	}

	return begun === '' ? commands : [...commands, begun];
}

// pipelines.test.ts, fleet.test.ts and archive.test.ts run these, with what they need.
const ownTests = ['docs/pipelines.md', 'docs/fleet.md', 'docs/archive.md'];
const tried = documents.filter(({name}) => !ownTests.includes(name));
const written = tried.flatMap(({name, text}) =>
	[...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) =>
		commandsOf(block).map(command => ({name, command})),
	),
);

const folder = mkdtempSync(join(tmpdir(), 'tapewatch-documents-'));
afterAll(() => rmSync(folder, {recursive: true}));
const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts: Readonly<Record<string, string>> = {
	tapewatch: `exec ${program} "$@"`,
	// What npm does of the documents' commands: packages are installed and the program is built before this test, and
	// package.test.ts packs and installs it.
	npm: `case "$1 $2" in
		'ci --ignore-scripts' | 'test ' | 'run build' | 'pack ' | 'install --global' | 'uninstall --global') ;;
		'start ' | 'start --') shift; [ "$1" = -- ] && shift; exec ${program} "$@" ;;
		*) echo "npm $* is not tried" >&2; exit 1 ;;
	esac`,
	npx: `exec ${program}`,
	sleep: '',
	'notify-send': '',
};

/** With an exchange that answers in place of the documents' examples. */
async function withAddresses(command: string): Promise<string> {
	const example = /https:\/\/(?:api|old)\.example\.com/g;
	return command.search(example) === -1 ? command : command.replaceAll(example, (await startDemoProcess()).url);
}

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
		server = await serveViewers(bin);
	});

	afterAll(async () => {
		server.kill('SIGTERM');
		await server.outcome;
	});

	test.each(written)('of $name ends as expected: $command', async ({command}) => {
		const course = courses.findLast(other => command.startsWith(other.command));
		const {shows, press, status = 0, instead: [from, to] = ['', '']} = course ?? {};
		const script = await withAddresses(command.replace(from, to));
		const own = mkdtempSync(join(folder, 'run-'));
		for (const [file] of command.matchAll(/(?<!--out )\b\w+\.twr\b/g)) recordQuarterHour(join(own, file));
		const cwd = script.includes('launch.cjs') ? root : own;
		// What the documents ask for in the monitor before.
		const state = {favourites: ['BTCUSDT'], lists: {majors: ['BTCUSDT', 'ETHUSDT']}};
		mkdirSync(join(own, 'tapewatch'));
		writeFileSync(
			join(own, 'tapewatch', 'state.json'),
			JSON.stringify({version: 1, exchanges: {demo: state}, view: {}}),
		);
		if (command.includes('--authorized-keys')) copyFileSync(join(folder, 'user.pub'), join(own, 'keys'));
		const session = openScript(`cd ${cwd} && ${script}`, {
			...{columns: 120, rows: 40, config: '[[alerts]]\nrule = "BTCUSDT last > 1"\n'},
			env: {PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH ?? ''}`, HOME: own, XDG_STATE_HOME: own},
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
