import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {programEnvironment} from '../helpers/environment.ts';
import {openTerminal} from '../helpers/terminal.ts';
import {findTool} from '../ssh/server.ts';

const size = {columns: 100, rows: 30};
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
let home = '';
let env: Readonly<Record<string, string>> = {};

beforeAll(() => {
	home = mkdtempSync(join(tmpdir(), 'tapewatch-completion-'));
	mkdirSync(join(home, 'bin'));
	symlinkSync(program, join(home, 'bin', 'tapewatch'));
	writeFileSync(join(home, 'my day.twr'), '');
	const {PATH = ''} = process.env;
	env = {
		...programEnvironment(),
		...{PATH: [join(home, 'bin'), dirname(process.execPath), PATH].join(':'), HOME: home, ZDOTDIR: home},
		...{XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, XDG_DATA_HOME: home},
	};
});
afterAll(() => rmSync(home, {recursive: true}));

/** What is typed before Tab, and what the line is then. */
const lines = [
	['tapewatch tic', 'tapewatch ticker'],
	['tapewatch depth btcu', 'tapewatch depth BTCUSDT'],
	['tapewatch depth btc/u', 'tapewatch depth BTC/USDT'],
	['tapewatch watch --palette=cl', 'tapewatch watch --palette=classic'],
	['tapewatch watch --base-url http://127.0.0.1:1 --time', 'tapewatch watch --base-url http://127.0.0.1:1 --time'],
	['tapewatch watch --base-url http://127.0.0.1:1 --timez', 'tapewatch watch --base-url http://127.0.0.1:1 --timezone'],
	["tapewatch watch --until 'last > 1' --onc", "tapewatch watch --until 'last > 1' --once"],
	['tapewatch replay my', 'tapewatch replay my\\ day.twr'],
] as const;

/** How a shell is started without the user's files, and takes the script. */
const shells = {
	bash: {args: ['--norc', '--noprofile', '-i'], start: ''},
	zsh: {args: ['-f', '-i'], start: 'autoload -Uz compinit && compinit -D -u; '},
} as const;

describe.each(['bash', 'zsh'] as const)('%s', shell => {
	const path = findTool(shell);
	test.skipIf(path === undefined && !process.env.CI)('completes what is typed', async () => {
		const {args, start} = shells[shell];
		const terminal = openTerminal({...size, file: path ?? shell, args, env: {...env, PS1: '$ '}, cwd: home});
		onTestFinished(async () => {
			terminal.kill('SIGKILL');
			await terminal.exit;
		});
		terminal.write(`${start}source <(tapewatch completion ${shell}); echo rea''dy\r`);
		await terminal.waitFor(/^ready/m);
		for (const [typed, completed] of lines) {
			terminal.write(`\u000C${typed}\t`);
			await terminal.waitFor(rows =>
				rows.some(row => row.trimEnd().endsWith(`$ ${completed}`) || row.includes(`$ ${completed} `)),
			);
			terminal.write('\u0015');
		}
	});
});

test.skipIf(findTool('fish') === undefined && !process.env.CI)('fish completes what is typed', () => {
	const complete = (line: string) =>
		execFileSync(
			findTool('fish') ?? 'fish',
			['--no-config', '-c', 'tapewatch completion fish | source; complete -C "$LINE"'],
			{env: {...env, LINE: line}, encoding: 'utf8', cwd: home},
		)
			.split('\n')
			.filter(text => text !== '')
			.map(text => text.split('\t')[0]);
	expect(complete('tapewatch tic')).toEqual(['ticker']);
	expect(complete('tapewatch depth btcu')).toEqual(['BTCUSDT']);
	expect(complete('tapewatch depth btc/u')).toEqual(['BTC/USDT']);
	expect(complete('tapewatch watch --palette=cl')).toEqual(['--palette=classic']);
	expect(complete('tapewatch watch --notify bell,ti')).toEqual(['bell,title']);
	expect(complete('tapewatch replay my')).toEqual(['my day.twr']);
	expect(complete('tapewatch record --out=my')).toEqual(['--out=my day.twr']);
});
