import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, realpathSync, statSync} from 'node:fs';
import {join, posix, relative} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {unpackTar} from 'modern-tar';
import {beforeAll, describe, expect, test} from 'vitest';
import {documents} from '../helpers/documents.ts';
import {shippedSchemas} from '../helpers/json-schemas.ts';
import {oldestNode} from '../helpers/npm-tools.ts';
import {offlineEnvironment, pack} from '../helpers/package.ts';
import {openTerminal} from '../helpers/terminal.ts';

const {bin} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const packed = pack();
const tarball = join(packed.folder, packed.filename);
const demoNotice = 'tapewatch: DEMO data of the embedded exchange\n';

test('the tarball holds the program, its schemas and its documents in at most 1 MB', () => {
	expect(statSync(tarball).size).toBe(packed.size);
	expect(packed.size).toBeLessThanOrEqual(1_000_000);
	const documents = /^(?:(?:README|CHANGELOG|CONTRIBUTING|SECURITY|docs\/[a-z]+)\.md|docs\/pictures\/[a-z]+\.svg)$/;
	const built = /^dist\/(?:[\w-]+\.js|types\/[\w/-]+\.d\.ts|licences\.txt|tapewatch\.1)$/;
	const schemas = /^schema\/[a-z-]+\.json$/;
	const known = [documents, built, schemas];
	const others = packed.files.filter(({path}) => !known.some(pattern => pattern.test(path)));
	expect(packed.files.filter(({path}) => schemas.test(path))).toHaveLength(shippedSchemas.size);
	expect(others.map(({path}) => path)).toEqual(['LICENSE', 'package.json']);
	expect(packed.files.find(({path}) => path === bin.tapewatch)?.mode).toBe(0o755);
});

test('the documents name the tarball in words that fit each version', () => {
	const named = documents.flatMap(({text}) => text.match(/\btapewatch-[\w.*]+\.tgz\b/g) ?? []);
	expect(new Set(named)).toEqual(new Set(['tapewatch-VERSION.tgz', 'tapewatch-*.tgz']));
	expect(packed.filename).toMatch(/^tapewatch-\d+\.\d+\.\d+\.tgz$/);
});

describe('unpacked, the tarball', () => {
	const files = new Map<string, string>();
	beforeAll(async () => {
		const entries = await unpackTar(gunzipSync(readFileSync(tarball)));
		for (const {header, data} of entries)
			files.set(header.name.replace('package/', ''), new TextDecoder().decode(data));
	});

	test('holds every file and picture that its documents link to', () => {
		const links = [...files]
			.filter(([path]) => path.endsWith('.md'))
			.flatMap(([path, text]) =>
				[...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link = '']) => posix.join(path, '..', link)),
			);
		expect(links).toEqual(expect.arrayContaining(['docs/pictures/tour.svg', 'docs/archive.md', 'schema']));
		const paths = [...files.keys()];
		expect(links.filter(link => !paths.some(path => path === link || path.startsWith(`${link}/`)))).toEqual([]);
		expect(paths.filter(path => path.endsWith('.svg')).filter(path => !links.includes(path))).toEqual([]);
	});

	test('holds all that package.json names, and runs nothing when it is installed', () => {
		const {bin, man, types, exports, scripts, keywords, author} = JSON.parse(files.get('package.json') ?? '');
		const named = [bin.tapewatch, ...man, types, exports['.'].types, exports['.'].default];
		expect(named.map(path => path.replace('./', '')).filter(path => !files.has(path))).toEqual([]);
		// npm runs these, and node-gyp where there is a binding.gyp.
		const run = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
		expect([
			...run.filter(name => name in scripts),
			...[...files.keys()].filter(path => path.endsWith('.gyp')),
		]).toEqual([]);
		expect(keywords.length).toBeGreaterThan(5);
		expect(files.get('LICENSE')).toContain(author);
	});
});

/** A user whose Node this is, in an empty folder; nothing answers where a registry would. */
function userOf(node: string) {
	const home = mkdtempSync(join(packed.folder, 'home-'));
	const prefix = join(home, 'prefix');
	const env = {...offlineEnvironment(node, home), npm_config_prefix: prefix};
	return {
		...{home, prefix, env},
		run(file: string, ...args: string[]) {
			const {stdout, stderr, status} = spawnSync(file, args, {env, cwd: home, encoding: 'utf8'});
			return {stdout, stderr, status};
		},
	};
}

test('npx runs the tarball on the oldest Node, without a warning', {tags: 'oldest-node'}, () => {
	const {home, run} = userOf(oldestNode);
	expect(run('npx', '--yes', relative(home, tarball), 'ticker', 'BTCUSDT')).toEqual({
		stdout: expect.stringMatching(/^DEMO · 24 h tickers.*\nsymbol .*\nBTCUSDT .*\n$/),
		...{stderr: '', status: 0},
	});
});

describe('installed on the oldest Node', {tags: 'oldest-node'}, () => {
	let user: ReturnType<typeof userOf>;
	let program = '';
	beforeAll(() => {
		user = userOf(oldestNode);
		program = join(user.prefix, 'bin', 'tapewatch');
		const stdout = expect.stringMatching(/^\nadded 1 package in \S+\n$/);
		expect(user.run('npm', 'install', '--global', tarball)).toEqual({stdout, stderr: '', status: 0});
	});

	test('it brings its manual page', () => {
		const page = realpathSync(join(user.prefix, 'share/man/man1/tapewatch.1'));
		expect(readFileSync(page, 'utf8')).toMatch(/^\.Dt TAPEWATCH 1$/m);
	});

	test('it records and reads a recording without a warning', () => {
		expect(user.run(program, 'record', 'BTCUSDT', '--out', 'night.twr', '--for', '8s')).toEqual({
			stdout: expect.stringContaining('night.twr'),
			...{stderr: demoNotice, status: 0},
		});
		expect(user.run(program, 'trades', 'BTCUSDT', '--recording', 'night.twr')).toEqual({
			stdout: expect.stringMatching(/^DEMO · RECORDED /),
			...{stderr: '', status: 0},
		});
	});

	test('the monitor opens, and leaves nothing on the terminal', async () => {
		const terminal = openTerminal({file: program, columns: 100, rows: 30, env: user.env, cwd: user.home});
		await terminal.waitFor(/live · DEMO/);
		terminal.write('q');
		expect(await terminal.exit).toEqual({exitCode: 0, signal: undefined});
		expect(terminal.screen().join('')).toBe('');
	});
});
