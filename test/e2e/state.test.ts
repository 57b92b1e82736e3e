import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {isLive} from './frame.ts';
import {expectGivenBack, type Job, openJob} from './job.ts';
import {openProgram, type Session} from './program.ts';

const size = {columns: 120, rows: 40};

function stateHome(): {home: string; path: string} {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-e2e-state-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	return {home, path: join(home, 'tapewatch', 'state.json')};
}

const start = (home: string, ...args: readonly string[]): Session =>
	openProgram(args, {...size, env: {XDG_STATE_HOME: home}});

const header = (pair: string) => (text: readonly string[]) => isLive(text) && (text[0] ?? '').startsWith(` ${pair} `);

test('market, period, chart and favourites survive a restart; a market on the command line overrides', async () => {
	const {home} = stateHome();
	const first = start(home);
	await first.waitFor(header('BTC/USDT'));
	first.press('fn]c');
	await first.waitFor(text => header('ETH/USDT')(text) && /2 Chart · 2h · bars/.test(text.join('\n')));
	first.press('q');
	expect(await first.exit).toEqual({exitCode: 0, signal: undefined});

	const second = start(home);
	await second.waitFor(text => header('ETH/USDT')(text) && /2 Chart · 2h · bars/.test(text.join('\n')));
	await second.waitFor(/★BTC\/USDT/);
	// SIGTERM ends the program like `q`: what was chosen is kept.
	second.press('p[');
	await second.waitFor(text => header('BTC/USDT')(text) && /2 Chart · 1h/.test(text.join('\n')));
	second.kill('SIGTERM');
	await second.exit;

	const third = start(home, 'sol-usdt');
	await third.waitFor(text => header('SOL/USDT')(text) && /2 Chart · 1h · bars/.test(text.join('\n')));
});

test('a broken state file is backed up and reported after the screen is closed', async () => {
	const {home, path} = stateHome();
	mkdirSync(join(home, 'tapewatch'));
	writeFileSync(path, '{"version": 1, oops');
	const program = start(home);
	await program.waitFor(isLive);
	program.press('q');
	expect(await program.exit).toEqual({exitCode: 0, signal: undefined});
	const last = program.raw().slice(program.raw().lastIndexOf('\u001B[?1049l'));
	expect(last.replaceAll(/\s+/g, ' ')).toMatch(/ is broken \(Expected .* in JSON at position 15\b.*\); backed up as /);
	const aside = readdirSync(join(home, 'tapewatch')).find(name => name.includes('broken')) ?? '';
	expect(readFileSync(join(home, 'tapewatch', aside), 'utf8')).toBe('{"version": 1, oops');
});

test('two instances that run at the same time keep the choices of both', async () => {
	const {home, path} = stateHome();
	const instances = [start(home, 'BTCUSDT'), start(home, 'ETHUSDT')];
	await Promise.all(
		instances.map((instance, index) => instance.waitFor(header(index === 0 ? 'BTC/USDT' : 'ETH/USDT'))),
	);
	// The header's market is the one that becomes a favourite.
	const stars = [/★BTC\/USDT/, /★ETH\/USDT/];
	for (const instance of instances) instance.press('2f');
	await Promise.all(instances.map((instance, index) => instance.waitFor(stars[index] ?? /never/)));
	for (const instance of instances) instance.press('q');
	await Promise.all(instances.map(instance => instance.exit));

	const {exchanges} = JSON.parse(readFileSync(path, 'utf8'));
	const [remembered] = Object.values<{favourites: string[]}>(exchanges);
	expect(remembered?.favourites.toSorted()).toEqual(['BTCUSDT', 'ETHUSDT']);
	expect(readdirSync(join(home, 'tapewatch'))).toEqual(['state.json']);
});

test.each([
	['q', 0, (job: Job) => job.shell.press('q')],
	['SIGTERM', 143, (job: Job) => process.kill(job.pid, 'SIGTERM')],
])('after %s a save that hangs delays the end by two seconds at most', async (_, status, end) => {
	const {home, path} = stateHome();
	const job = await openJob({columns: 200, rows: 40, env: {XDG_STATE_HOME: home}});
	await expect.poll(() => existsSync(path)).toBe(true);
	// To open a pipe for writing takes until somebody reads it.
	execFileSync('mkfifo', [`${path}.${job.pid}.tmp`]);
	job.shell.press('f');
	await job.shell.waitFor(/★/);
	end(job);
	await expectGivenBack(job, status, /it took longer than 2 s; favourites, layout and alerts are not saved$/);
});
