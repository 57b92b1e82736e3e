import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, onTestFinished, test} from 'vitest';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What is in the files that a run of the program has loaded, by words that survive the bundling. */
const parts = {react: 'Symbol.for("react.', yoga: 'YGNodeStyle', undici: 'EnvHttpProxyAgent', zod: 'ZodError'} as const;

/** The parts that Node loaded to run the program with these arguments. */
function loadedParts(...args: readonly string[]): string[] {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-loading-'));
	onTestFinished(() => rmSync(home, {recursive: true}));
	const env = {
		PATH: process.env.PATH,
		HOME: home,
		XDG_CONFIG_HOME: home,
		// Node then writes which scripts it ran.
		NODE_V8_COVERAGE: join(home, 'coverage'),
	};
	const {status, stderr} = spawnSync(process.execPath, [join(dist, 'main.js'), ...args], {env, encoding: 'utf8'});
	expect([status, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
	const reports = readdirSync(env.NODE_V8_COVERAGE).map(name => readFileSync(join(env.NODE_V8_COVERAGE, name), 'utf8'));
	const urls: string[] = reports.flatMap(text => JSON.parse(text).result.map(({url}: {url: string}) => url));
	const loaded = urls.filter(url => url.startsWith('file:') && fileURLToPath(url).startsWith(dist));
	const texts = loaded.map(url => readFileSync(fileURLToPath(url), 'utf8'));
	return Object.entries(parts).flatMap(([name, word]) => (texts.some(text => text.includes(word)) ? [name] : []));
}

test('a read loads neither React nor Ink', () => {
	expect(loadedParts('ticker', 'BTCUSDT')).toEqual(['undici', 'zod']);
	expect(loadedParts('watch', 'BTCUSDT', '--once')).toEqual(['undici', 'zod']);
});

test('help and version load nothing of them', () => {
	expect(loadedParts('--help')).toEqual([]);
	expect(loadedParts('--version')).toEqual([]);
});
