import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {temporaryFolder} from '../helpers/folders.ts';
import {isLive} from './frame.ts';
import {openProgram, type Session} from './program.ts';

const size = {columns: 120, rows: 40};

function stateHome(): {home: string; path: string} {
	const home = temporaryFolder();
	return {home, path: join(home, 'tapewatch', 'state.json')};
}

const start = (home: string, ...args: readonly string[]): Session =>
	openProgram(args, {...size, env: {XDG_STATE_HOME: home}});

const header = (pair: string) => (text: readonly string[]) => isLive(text) && (text[0] ?? '').startsWith(` ${pair} `);

test('the first start says what to press next and the next one no more; a broken state file is backed up and reported, and choices survive a restart, also those of two instances at a time', async () => {
	const {home, path} = stateHome();
	mkdirSync(join(home, 'tapewatch'));
	writeFileSync(path, '{"version": 1, oops');
	const first = start(home);
	const hint = ' press ? for all keys, n for the next market, Tab for the next panel, q to quit, : for commands';
	await first.waitFor(text => header('BTC/USDT')(text) && text.at(-1) === hint);
	// However the first one ends, the next one knows of it.
	await expect.poll(() => (existsSync(path) ? readFileSync(path, 'utf8') : '')).toMatch(/^\{\s*"version": 1,(?! oops)/);
	first.press('fn]c');
	await first.waitFor(text => header('ETH/USDT')(text) && /2 Chart · 2h · bars/.test(text.join('\n')));
	first.press('q');
	expect(await first.exit).toEqual({exitCode: 0, signal: undefined});
	// After the screen is closed.
	const last = first.raw().slice(first.raw().lastIndexOf('\u001B[?1049l'));
	expect(last.replaceAll(/\s+/g, ' ')).toMatch(/ is broken \(Expected .* in JSON at position 15\b.*\); backed up as /);
	const files = () => readdirSync(join(home, 'tapewatch')).toSorted();
	const [aside = '', ...others] = files().filter(name => name !== 'state.json');
	expect(others).toEqual([]);
	expect(readFileSync(join(home, 'tapewatch', aside), 'utf8')).toBe('{"version": 1, oops');

	const second = start(home);
	// A market on the command line overrides.
	const third = start(home, 'sol-usdt');
	await second.waitFor(text => header('ETH/USDT')(text) && /2 Chart · 2h · bars/.test(text.join('\n')));
	await third.waitFor(text => header('SOL/USDT')(text) && /2 Chart · 2h · bars/.test(text.join('\n')));
	await second.waitFor(/★BTC\/USDT/);
	// The header's market is the one that becomes a favourite.
	second.press('2f');
	third.press('2f');
	await Promise.all([second.waitFor(/★ETH\/USDT/), third.waitFor(/★SOL\/USDT/)]);
	third.press('q');
	await third.exit;
	// SIGTERM ends the program like `q`: what was chosen is kept.
	second.press('p[');
	await second.waitFor(text => header('BTC/USDT')(text) && /2 Chart · 1h/.test(text.join('\n')));
	second.kill('SIGTERM');
	await second.exit;
	expect((await second.painted()).filter(({text}) => text.join('').includes('press ?'))).toEqual([]);

	const {exchanges, view} = JSON.parse(readFileSync(path, 'utf8'));
	const [remembered] = Object.values<{market: string; favourites: string[]}>(exchanges);
	expect([remembered?.market, view.period, view.chart]).toEqual(['BTCUSDT', 60, 'bars']);
	expect(remembered?.favourites.toSorted()).toEqual(['BTCUSDT', 'ETHUSDT', 'SOLUSDT']);
	expect(files()).toEqual(['state.json', aside].toSorted());
});
