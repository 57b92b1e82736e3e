import {execFile, spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {build} from 'rolldown';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import type * as Library from '../../source/library.ts';
import {systemClock} from '../../source/market/clock.ts';
import {documents} from '../helpers/documents.ts';
import {demoNow} from '../helpers/environment.ts';
import {oldestNode} from '../helpers/npm-tools.ts';
import {offlineEnvironment} from '../helpers/package.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'tapewatch-library-'));
const installed = join(project, 'node_modules/tapewatch');
const document = documents.find(({name}) => name === 'docs/library.md')?.text ?? '';
const examples = [...document.matchAll(/^```js\n(.*?)^```/gms)].map(([, text = '']) => text);
/** Its market stands still. */
let demo: Demo;
let library: typeof Library;

beforeAll(async () => {
	const now = demoNow();
	demo = await startDemo({clock: {...systemClock, now: () => now}});
	writeFileSync(join(project, 'package.json'), '{"type": "module"}');
	// As installed: package.test.ts installs the tarball, which has all that package.json names, and no other package.
	for (const part of ['dist', 'schema', 'package.json'])
		cpSync(join(root, part), join(installed, part), {recursive: true});
	for (const [index, text] of examples.entries()) {
		const here = text.replaceAll(/https:\/\/(?:api|old)\.example\.com/g, demo.url);
		for (const extension of ['js', 'ts']) writeFileSync(join(project, `example-${index}.${extension}`), here);
	}

	library = await import(pathToFileURL(join(installed, 'dist/library.js')).href);
});
afterAll(async () => {
	await demo.close();
	rmSync(project, {recursive: true});
});

/** Runs a file of the project; rejects where that fails. */
const run = (node: string, ...args: string[]) =>
	promisify(execFile)(node, args, {cwd: project, env: offlineEnvironment(node, project)});

test('gives its version and the schemas by name, and no file of its own', () => {
	const require = createRequire(join(project, 'bot.js'));
	expect(require('tapewatch/package.json').name).toBe('tapewatch');
	expect(require('tapewatch/schema/ticker.json')).toHaveProperty('$schema');
	expect(() => require('tapewatch/dist/main.js')).toThrow(
		expect.objectContaining({code: 'ERR_PACKAGE_PATH_NOT_EXPORTED'}),
	);
});

test('the example of errors prints the outcome and what to do', async () => {
	const stdout = 'depth: http\nbad request 422: choose another market\n';
	expect(await run(process.execPath, 'example-1.js')).toEqual({stdout, stderr: ''});
});

test('on the oldest Node, the bot prints each trade once and stops at Ctrl-C', {tags: 'oldest-node'}, async () => {
	const bot = spawn(oldestNode, ['example-2.js'], {cwd: project, env: offlineEnvironment(oldestNode, project)});
	let [stdout, stderr] = ['', ''];
	bot.stderr.on('data', text => {
		stderr += text;
	});
	const lines = Promise.withResolvers<void>();
	bot.stdout.on('data', text => {
		stdout += text;
		if (stdout.split('\n').length > 100) lines.resolve();
	});
	const ended = once(bot, 'close');
	await Promise.race([lines.promise, ended]);
	bot.kill('SIGINT');
	expect([await ended, stderr]).toEqual([[0, null], '']);
	expect(stdout.trimEnd().split('\n')).toEqual(
		Array(100).fill(expect.stringMatching(/^2026-11-20T1[12]:\S+Z (?:buy|sell) [\d.]+ [\d.]+$/)),
	);
});

test('an exchange that is left open keeps no program running', async () => {
	const script = `import {connect} from 'tapewatch';
		await connect({baseUrl: '${demo.url}'}).tickers();
		setImmediate(() => console.log(process.getActiveResourcesInfo().filter(name => /Socket|Timeout/.test(name))));`;
	expect(await run(process.execPath, '--eval', script)).toEqual({stdout: '[]\n', stderr: ''});
});

test('the documents name all that is exported, and all that an exchange does', () => {
	const exchange = library.connect({baseUrl: demo.url});
	const names = [...Object.keys(library), ...Object.keys(exchange).map(name => `exchange.${name}`)];
	expect(names).toContain('exchange.depth');
	expect(names.filter(name => !document.includes(name))).toEqual([]);
});

test('loads no package but undici', async () => {
	const packages = new Set<string>();
	await build({
		...{cwd: root, input: 'source/library.ts', platform: 'node', write: false},
		external(id) {
			if (/^[./]|^node:/.test(id)) return false;
			packages.add(id);
			return true;
		},
	});
	expect([...packages]).toEqual(['undici']);
});

test('the six lines of the documents print the best prices, and read no file that has Ink or React in it', async () => {
	expect(examples[0]?.trimEnd().split('\n')).toHaveLength(6);
	const exchange = library.connect({legacyBaseUrl: demo.url});
	const {bids, asks} = (await exchange.depth('BTCUSDT')).data;
	await exchange.close();
	const list = `import {registerHooks} from 'node:module';
		const load = (url, context, next) => { console.error(url); return next(url, context); };
		registerHooks({load});`;
	writeFileSync(join(project, 'list.js'), list);
	const {stdout, stderr} = await run(process.execPath, '--import', './list.js', 'example-0.js');
	expect(stdout).toBe(`legacy: bid ${bids?.[0]?.[0]}, ask ${asks[0]?.[0]}\n`);
	const folder = pathToFileURL(join(installed, 'dist/')).href;
	const urls = stderr.trimEnd().split('\n');
	const loaded = urls.filter(url => url.startsWith(folder)).map(url => url.slice(folder.length));
	expect(loaded).toEqual(expect.arrayContaining(['library.js', expect.stringMatching(/^transport-/)]));
	const shipped = readdirSync(join(installed, 'dist')).filter(name => name.endsWith('.js'));
	const having = (word: string) => shipped.filter(name => readFileSync(join(installed, 'dist', name)).includes(word));
	for (const word of ['react.transitional.element', 'ink-text', 'undici']) {
		const files = having(word);
		expect(files, word).not.toEqual([]);
		expect(files.filter(name => loaded.includes(name)).length > 0, word).toBe(word === 'undici');
	}
});

/** What a program writes that uses the types. */
const typed = `import * as all from 'tapewatch';
import {type Answer, connect, type DepthBook, type Interface, type Trade} from 'tapewatch';

const exchange = connect({baseUrl: 'https://api.example.com', observe: ({error}) => console.log(error?.kind)});
const answer: Answer<DepthBook> = await exchange.depth('BTCUSDT', {use: 'legacy', priority: 0});
const source: 'v2' | 'legacy' = answer.interface;
// @ts-expect-error It is called legacy.
const other: Interface = 'v1';
// @ts-expect-error A period is needed.
const candles = exchange.candles('BTCUSDT', {limit: 2});
// @ts-expect-error Only the program replaces the clock.
connect({baseUrl: 'https://api.example.com', clock: {now: () => 0}});
const failure: unknown = await exchange.trades({id: '1'}, {limit: 1}).catch((error: unknown) => error);
if (failure instanceof all.HttpStatusError) console.log(failure.status.toFixed(), failure.retryAfterMs, failure.other?.kind);
const trades = (failure as Answer<readonly Trade[]>).data;
// @ts-expect-error A side may be unknown.
trades[0]?.side.length;
await exchange[Symbol.asyncDispose]();
export {candles, other, source};
`;

test.each([
	[
		'Node',
		['example-0.ts', 'example-1.ts', 'example-2.ts', 'typed.ts'],
		{module: 'nodenext', target: 'es2023', lib: ['es2023'], types: ['node'], exactOptionalPropertyTypes: true},
	],
	[
		'a bundler',
		['example-0.ts', 'typed.ts'],
		{module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['es2022', 'dom'], types: []},
	],
])('declares types for %s that need no others', async (name, files, compilerOptions) => {
	writeFileSync(join(project, 'typed.ts'), typed);
	const types = join(project, 'node_modules/@types');
	mkdirSync(types, {recursive: true});
	if (!readdirSync(types).includes('node')) symlinkSync(join(root, 'node_modules/@types/node'), join(types, 'node'));
	const config = `${name.replaceAll(' ', '-')}.json`;
	// Not those of the language, which are large.
	const strict = {strict: true, skipLibCheck: false, skipDefaultLibCheck: true, noEmit: true};
	writeFileSync(join(project, config), JSON.stringify({files, compilerOptions: {...compilerOptions, ...strict}}));
	const compiled = run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'), '--project', config);
	expect(await compiled.catch(({stdout}) => stdout)).toEqual({stdout: '', stderr: ''});
});

test('declares what it exports: no type of a dependency, nothing of the program, and legacy by that name', () => {
	const folder = join(installed, 'dist/types');
	const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter(name => name.endsWith('.d.ts'));
	expect(names.toSorted()).toEqual(
		[...['client/errors', 'client/exchange', 'client/messages', 'client/question'], ...['library', 'market/types']].map(
			name => `${name}.d.ts`,
		),
	);
	const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
	const texts = names.map(textOf).join('\n');
	expect(texts.match(/\bv1\b|\b(?:from |import\()["'][^.].*|\b(?:cli|store|view)\/.*|[\w-]+\.ts\b/gi)).toEqual(null);
	const declared = [...textOf('client/exchange.d.ts').matchAll(/^export (?:declare )?\w+ (\w+)/gm)].map(
		([, name]) => name,
	);
	const exported = textOf('library.d.ts');
	expect(declared).toContain('Answer');
	expect(declared.filter(name => !new RegExp(`\\b${name}\\b`).test(exported))).toEqual([]);
});
