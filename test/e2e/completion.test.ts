import {once} from 'node:events';
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {text} from 'node:stream/consumers';
import {afterAll, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';
import {inProcess} from '../cli/in-process.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {type ExchangeServer, paths, startExchangeServer, v2} from '../helpers/exchange-server.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {market} from '../helpers/wire-entries.ts';
import {tapewatch} from './tapewatch.ts';

const size = {columns: 100, rows: 30};
let home = '';
let env: Readonly<Record<string, string>> = {};

/** Answers in this process: a start of the program for each Tab takes most of the time. */
let answered: Promise<unknown> = Promise.resolve();
const program = createServer({allowHalfOpen: true}, async socket => {
	// A shell that has ended reads no answer.
	socket.on('error', () => {});
	const args = (await text(socket)).split('\n').slice(0, -1);
	answered = answered.then(async () => socket.end((await inProcess(args, {env})).stdout));
});

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), 'tapewatch-completion-'));
	mkdirSync(join(home, 'bin'));
	const [file, socket] = [join(home, 'bin', 'tapewatch'), join(home, 'socket')];
	writeFileSync(file, `#!/bin/sh\nprintf '%s\\n' "$@" | nc -N -U ${socket}\n`);
	chmodSync(file, 0o755);
	await once(program.listen(socket), 'listening');
	writeFileSync(join(home, 'my day.twr'), '');
	env = {
		...programEnvironment(),
		...{PATH: [join(home, 'bin'), process.env.PATH].join(delimiter), HOME: home, ZDOTDIR: home},
		...{XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home},
	};
});
afterAll(async () => {
	program.close();
	await answered;
	rmSync(home, {recursive: true});
});

/** The markets of an exchange that is not the embedded one. */
let exchange: ExchangeServer;
let reads = 0;
beforeAll(async () => {
	exchange = await startExchangeServer();
	exchange.answer(paths.markets, v2([market('QXZ')]));
	// Read before: a read that takes a second, as on a busy machine, completes nothing.
	const complete = (found: string, ...words: string[]) =>
		vi.waitFor(
			async () => {
				const {stdout} = await inProcess(['complete', '--', String(words.length - 1), ...words], {env});
				expect(stdout).toContain(found);
			},
			{timeout: 60_000, interval: 1000},
		);
	await complete('BTCUSDT', 'depth', 'btcu');
	await complete('QXZUSDT', 'depth', '--base-url', exchange.url, 'qx');
	reads = exchange.requests.length;
});
afterAll(() => exchange.close());

/** What is typed before Tab, and what the line is then; in fish, if it differs. */
const lines = (): ReadonlyArray<readonly [typed: string, completed: string, inFish?: string]> => [
	['tapewatch tic', 'tapewatch ticker'],
	['tapewatch depth btcu', 'tapewatch depth BTCUSDT'],
	['tapewatch watch BTCUSDT,ethu', 'tapewatch watch BTCUSDT,ETHUSDT'],
	['tapewatch depth "btcu', 'tapewatch depth "BTCUSDT"', 'tapewatch depth BTCUSDT'],
	[`tapewatch depth --base-url "${exchange.url}" qx`, `tapewatch depth --base-url "${exchange.url}" QXZUSDT`],
	['tapewatch watch --notify bell,ti', 'tapewatch watch --notify bell,title'],
	['tapewatch watch --base-url http://127.0.0.1:1 --time', 'tapewatch watch --base-url http://127.0.0.1:1 --time'],
	["tapewatch watch --until 'last > 1' --onc", "tapewatch watch --until 'last > 1' --once"],
	['tapewatch replay my', 'tapewatch replay my\\ day.twr'],
	['tapewatch record --out=my', 'tapewatch record --out=my\\ day.twr'],
];

/** How a shell is started without the user's files, and takes the script. */
const shells = {
	bash: {args: ['--norc', '--noprofile', '-i', '-u'], start: 'source <(tapewatch completion bash)'},
	zsh: {args: ['-f', '-i'], start: 'autoload -Uz compinit && compinit -D -u; source <(tapewatch completion zsh)'},
	fish: {
		args: ['--no-config', '--private'],
		start:
			'function fish_prompt; echo -n "$PS1"; end; set fish_autosuggestion_enabled 0; tapewatch completion fish | source',
	},
} as const;

/** The periods that a shell lists, which it does column by column. */
function periodsIn(screen: readonly string[]): string {
	const rows = screen
		.map(row => row.trim().split(/\s+/))
		.filter(words => words.every(word => /^\d+[mhdwM]$/.test(word)));
	return (rows[0] ?? []).flatMap((_, column) => rows.flatMap(row => row[column] ?? [])).join(' ');
}

describe.each(['bash', 'zsh', 'fish'] as const)('%s', shell => {
	test('completes what is typed, also after an alias with options, and periods by length', {
		tags: shell === 'bash' ? 'nc' : ['nc', shell],
	}, async () => {
		const {args, start} = shells[shell];
		const terminal = openTerminal({...size, file: shell, args, env: {...env, PS1: '$ '}, cwd: home});
		onTestFinished(async () => {
			terminal.kill('SIGKILL');
			await terminal.exit;
		});
		terminal.write(`alias tapewatch='tapewatch --ascii --theme light'; ${start}; echo rea''dy\r`);
		await terminal.waitFor(/^ready/m);
		for (const [typed, completed, inFish = completed] of lines()) {
			const expected = `$ ${shell === 'fish' ? inFish : completed}`;
			terminal.write(`\u000C${typed}\t`);
			await terminal.waitFor(rows =>
				rows.some(row => row.trimEnd().endsWith(expected) || row.includes(`${expected} `)),
			);
			terminal.write('\u0015');
		}

		terminal.write('\u000Ctapewatch candles BTCUSDT --period \t\t');
		await terminal.waitFor(rows => periodsIn(rows) === '1m 3m 5m 15m 30m 1h 2h 4h 12h 1d 1w 1M');

		// Every shell takes its markets from the cache.
		expect(exchange.requests).toHaveLength(reads);
	});
});

test('the built program completes', async () => {
	const {stdout, stderr, status} = await tapewatch(['complete', '--', '0', 'tic']);
	expect({stdout, stderr, status}).toEqual({stdout: expect.stringMatching(/^ticker\t.*\n$/), stderr: '', status: 0});
});
