import {spawnSync} from 'node:child_process';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {expect, test} from 'vitest';
import {programEnvironment} from '../helpers/environment.ts';
import {temporaryFolder} from '../helpers/folders.ts';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What is in the files that a run of the program has loaded, by words that survive the bundling. */
const parts = {
	react: 'Symbol.for("react.',
	yoga: 'YGNodeStyle',
	undici: 'Proxy opts.clientFactory',
	zod: 'ZodError',
} as const;

/** Runs the program without a terminal, with these variables and nothing of the user's. */
function run(home: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}): void {
	const {NODE_COMPILE_CACHE: _, ...usual} = programEnvironment();
	const env = {...usual, HOME: home, XDG_CONFIG_HOME: home, ...variables};
	const {status, stderr} = spawnSync(process.execPath, [join(dist, 'main.js'), ...args], {env, encoding: 'utf8'});
	expect([status, stderr.replace(/^tapewatch: DEMO data.*\n/, '')]).toEqual([0, '']);
}

/** The parts that Node loaded to run the program with these arguments. */
function loadedParts(...args: readonly string[]): string[] {
	const home = temporaryFolder();
	const coverage = join(home, 'coverage');
	// Node then writes which scripts it ran.
	run(home, args, {NODE_V8_COVERAGE: coverage});
	const reports = readdirSync(coverage).map(name => readFileSync(join(coverage, name), 'utf8'));
	const urls: string[] = reports.flatMap(text => JSON.parse(text).result.map(({url}: {url: string}) => url));
	const loaded = urls.filter(url => url.startsWith('file:') && fileURLToPath(url).startsWith(dist));
	const texts = loaded.map(url => readFileSync(fileURLToPath(url), 'utf8'));
	return Object.entries(parts).flatMap(([name, word]) => (texts.some(text => text.includes(word)) ? [name] : []));
}

test('a read loads neither React nor Ink', () => {
	expect(loadedParts('watch', 'BTCUSDT', '--once')).toEqual(['undici', 'zod']);
});

test('help loads neither client nor view', () => {
	expect(loadedParts('--help')).toEqual([]);
});

test('compiled code is cached for the next start, if a cache can be written', () => {
	const home = temporaryFolder();
	run(home, ['--version'], {XDG_CACHE_HOME: '/dev/null/cache'});
	expect(readdirSync(home)).toEqual([]);
	run(home, ['--version']);
	expect(readdirSync(join(home, '.cache'))).toEqual(['tapewatch']);
	run(home, ['--version'], {XDG_CACHE_HOME: join(home, 'cache')});
	expect(readdirSync(join(home, 'cache'))).toEqual(['tapewatch']);
});
