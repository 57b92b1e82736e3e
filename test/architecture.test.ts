import {readFileSync} from 'node:fs';
import {describe, expect, test} from 'vitest';
import {codeOf, type Import, importsOf, readFiles, type SourceFile} from './helpers/source-files.ts';

/** What a floor of the house may import, beside itself. */
type Floor = {
	/** Folders of source/, or single files of them. */
	readonly parts: readonly string[];
	/** May be named in `import type` only. */
	readonly types?: readonly string[];
	/** All that it imports, no more. */
	readonly packages: readonly string[];
	/** Whether Node's own modules may be used. */
	readonly node: boolean;
};

const exchangeWords = [
	'client/question.ts',
	'client/exchange.ts',
	'client/middleware.ts',
	'client/errors.ts',
	'client/messages.ts',
];

const floors: Readonly<Record<string, Floor>> = {
	market: {parts: [], packages: ['trading-signals'], node: false},
	format: {parts: ['market'], packages: ['string-width'], node: false},
	client: {parts: ['market', 'format'], types: ['schema'], packages: ['undici'], node: true},
	terminal: {parts: ['market', 'format'], packages: [], node: true},
	store: {parts: ['market', 'format', 'client/retry.ts', ...exchangeWords], packages: [], node: false},
	alerts: {
		parts: ['market', 'format', 'store', 'client/middleware.ts'],
		types: exchangeWords,
		packages: [],
		node: false,
	},
	recording: {parts: ['market', 'format', 'store', ...exchangeWords], packages: ['hyparquet-writer'], node: true},
	view: {
		parts: ['market', 'format', 'store', 'alerts', 'recording/replay-controls.ts', 'recording/replay-controls.ts'],
		types: exchangeWords,
		packages: ['react', 'ink', 'asciichart', 'fuzzysort'],
		node: false,
	},
	cli: {
		parts: ['market', 'format', 'client', 'store', 'alerts', 'recording', 'view', 'terminal', 'demo', 'serve'],
		// Its schemas would have to be loaded when the program starts.
		types: ['schema'],
		packages: ['commander', 'smol-toml', 'prom-client', 'zod', 'react', 'ink'],
		node: true,
	},
	demo: {parts: ['market', 'format'], packages: [], node: true},
	serve: {parts: ['market', 'format'], packages: ['ssh2'], node: true},
	'library.ts': {parts: ['market', 'client'], packages: [], node: false},
	schema: {parts: ['market', 'client/errors.ts'], packages: ['zod'], node: false},
	'build.ts': {parts: [], packages: ['rolldown'], node: true},
	'archive.ts': {parts: ['cli/completion/scripts.ts'], packages: ['modern-tar'], node: true},
	'write-schemas.ts': {parts: ['schema'], packages: [], node: true},
};

/** Rooms of one floor that know nothing of each other: imports from the first of each pair to the second. */
const strangers: ReadonlyArray<readonly [RegExp, RegExp]> = [
	[/^client\/wire\/v1\//, /^client\/wire\/v2\//],
	[/^client\/wire\/v2\//, /^client\/wire\/v1\//],
	[/^client\/(wire|inspect)\//, /^client\/(connect|failover)\.ts$/],
	[/^view\/plot\//, /^view\/(app\.tsx$|panels\/|commands\/)/],
	[/^cli\/(options|state)\//, /^cli\/commands\//],
];

const isIn = (part: string, path: string): boolean => path === `source/${part}` || path.startsWith(`source/${part}/`);

function mayImport(path: string, {target, typeOnly}: Import): boolean {
	const own = path.split('/')[1] ?? '';
	const floor = floors[own];
	if (!floor) return false;
	if (target.startsWith('node:')) return floor.node;
	if (!target.startsWith('source/')) return floor.packages.includes(target);
	const [from, to] = [path.slice('source/'.length), target.slice('source/'.length)];
	if (strangers.some(([room, other]) => room.test(from) && other.test(to))) return false;
	const parts = [own, ...floor.parts, ...(typeOnly ? (floor.types ?? []) : [])];
	return parts.some(part => isIn(part, target));
}

function forbiddenImports(file: SourceFile): string[] {
	return importsOf(file)
		.filter(entry => !mayImport(file.path, entry))
		.map(({target, typeOnly}) => `${file.path} imports ${typeOnly ? 'types of ' : ''}${target}`);
}

const packageJson = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Packages that a floor lists and does not import, or that are not installed. */
function idlePackages(name: string, {packages}: Floor, files: readonly SourceFile[]): string[] {
	const imported = files
		.filter(({path}) => isIn(name, path))
		.flatMap(file => importsOf(file).map(({target}) => target));
	const installed = Object.keys(packageJson.devDependencies);
	return packages.filter(each => !imported.includes(each) || !installed.includes(each)).map(each => `${name}: ${each}`);
}

/** Something that only some files may contain. */
type Confinement = {
	readonly what: string;
	readonly pattern: RegExp;
	readonly allowed: (path: string) => boolean;
};

const confinements: readonly Confinement[] = [
	{
		what: 'words of the wire',
		pattern:
			/\b(?:higestBid|lowestAsk|high24hr|low24hr|percentChange|isFrozen|isSuccess|createdOn|tradeId|marketName|marketType|priceChange|priceChangePercent)\b/,
		allowed: path => isIn('client', path) || isIn('demo', path),
	},
	{
		what: 'the time or a timer that is not an argument',
		pattern: /\bDate\.now\b|\bnew Date\(\)|\bset(?:Timeout|Interval)\(|\bAbortSignal\.timeout\b/,
		allowed: path => ['source/market/clock.ts', 'source/terminal/lifecycle.ts'].includes(path) || isIn('cli', path),
	},
	{
		what: 'a stopwatch',
		pattern: /\bperformance\.now\b/,
		// It yields to the event loop between slices of work; no figure depends on it.
		allowed: path => path === 'source/demo/simulation.ts',
	},
	{
		what: 'a listener to the end of the process',
		pattern: /\bprocess\.(?:on|once|(?:add|prepend\w*)Listener)\((?!"(?:warning|SIG(?:TSTP|CONT|WINCH|USR1|XFSZ))")/,
		// Serve reads its keys again at SIGHUP.
		allowed: path => ['source/terminal/ending.ts', 'source/cli/serve/serve.ts'].includes(path),
	},
	{
		what: 'chance that is not an argument',
		pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/,
		// The default of an argument: jitter.
		allowed: path =>
			['market-store.ts', 'comparison.ts', 'second-ticker.ts'].some(file => path === `source/store/${file}`) ||
			path === 'source/client/connect.ts' ||
			isIn('cli', path),
	},
	{
		what: 'a way to standard error or output past the one that cleans or awaits it',
		pattern: /\bstd(?:err|out)\.write\(/,
		// Screens, and what a Node reads that is too old for the rest.
		allowed: path =>
			isIn('terminal', path) ||
			['main', 'output', 'own-tty', 'standard-error'].some(name => path === `source/cli/${name}.ts`),
	},
	{
		what: 'sums or formatting in a component',
		pattern: /\bMath\.|\bIntl\.|\.to(?:Fixed|Precision|Exponential|Locale\w*)\(/,
		allowed: path => path.endsWith('.ts'),
	},
	{
		what: 'the name of a key',
		pattern: /"(?:enter|esc|space|tab|shift\+tab|backspace|pgup|pgdn|ctrl\+[a-z])"/,
		allowed: path =>
			!isIn('view', path) ||
			isIn('view/commands', path) ||
			['source/view/keys.ts', 'source/view/text-edit.ts'].includes(path),
	},
	{
		what: 'a key in a text',
		pattern: /\b(?:Enter|Esc|Space|Tab|Backspace|PgUp|PgDn|Ctrl-[A-Z])\b|(?<=["`( ]):[a-z]/,
		// What a shell prints names the default keys; a test compares them.
		allowed: path => path === 'source/view/keys.ts' || !isIn('view', path),
	},
	{
		what: 'a subscription',
		pattern: /\buseSyncExternalStore\(/,
		// The hooks of the panels; and the root, which is all that follows the state of the screen itself.
		allowed: path => ['source/view/use-market.ts', 'source/view/app.tsx'].includes(path),
	},
];

function strays(file: SourceFile): string[] {
	const code = codeOf(file);
	return confinements.flatMap(({what, pattern, allowed}) => {
		const found = allowed(file.path) ? undefined : code.match(pattern)?.[0];
		return found === undefined ? [] : [`${file.path} has ${what}: ${found}`];
	});
}

/** Files that import themselves in a circle, types included, as the chain that leads back to the first. */
function importCircles(files: readonly SourceFile[]): string[] {
	const targets = new Map(files.map(file => [file.path, importsOf(file).map(({target}) => target)]));
	const done = new Set<string>();
	const circles: string[] = [];
	function walk(path: string, chain: readonly string[]): void {
		if (chain.includes(path)) circles.push([...chain.slice(chain.indexOf(path)), path].join(' → '));
		if (chain.includes(path) || done.has(path)) return;
		for (const next of targets.get(path) ?? []) walk(next, [...chain, path]);
		done.add(path);
	}

	for (const path of targets.keys()) walk(path, []);
	return circles;
}

const roomOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\..*$/, '');

/** Whether the file belongs to a panel: each panel has its own model, rows and list. */
const isPanel = (path: string): boolean => isIn('view/panels', path);

/** Pairs of files of the same name in folders of which one imports the other. Two panels may share a name. */
function namesakes(files: readonly SourceFile[]): string[] {
	const bonds = new Set(
		files.flatMap(file => importsOf(file).map(({target}) => [roomOf(file.path), roomOf(target)].join())),
	);
	const know = (one: string, other: string) => bonds.has([roomOf(one), roomOf(other)].join());
	const paths = files.map(({path}) => path);
	return paths.flatMap((one, index) =>
		paths
			.slice(index + 1)
			.filter(other => nameOf(one) === nameOf(other) && (know(one, other) || know(other, one)))
			.filter(other => !(isPanel(one) && isPanel(other)))
			.map(other => `${one} and ${other}`),
	);
}

/** The constants, functions and types of a file, each without comments, line breaks and `export`. */
const definitionsOf = ({text}: SourceFile): readonly string[] =>
	text
		.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
		.split(/\n(?=[a-z])/)
		.map(code =>
			code
				.replace(/^export /, '')
				.replace(/\s+/g, ' ')
				.trim(),
		)
		.filter(code => /^(?:const|(?:async )?function|type) /.test(code));

/** Constants, functions and types that stand in several files with one name and one body. */
function repetitions(files: readonly SourceFile[]): string[] {
	const places = Map.groupBy(
		files.flatMap(file => definitionsOf(file).map(code => ({code, path: file.path}))),
		({code}) => code,
	);
	return [...places]
		.filter(([, found]) => found.length > 1)
		.map(([code, found]) => `${code} in ${found.map(({path}) => path).join(' and ')}`);
}

const source = readFiles('source');

describe('the house', () => {
	test('each part imports only from the floors below it', () => {
		expect(source.flatMap(forbiddenImports)).toEqual([]);
	});

	test('every listed package is installed and used on its floor', () => {
		expect(Object.entries(floors).flatMap(([name, floor]) => idlePackages(name, floor, source))).toEqual([]);
	});

	test('wire names, time, randomness, arithmetic and subscriptions stay where they belong', () => {
		expect(source.flatMap(strays)).toEqual([]);
	});

	test('no imports form a circle', () => {
		expect(importCircles(source)).toEqual([]);
	});

	test('folders that import each other share no file name', () => {
		expect(namesakes(source)).toEqual([]);
	});

	test('no constant, function or type stands in two files', () => {
		expect(repetitions(source)).toEqual([]);
	});
});

describe('the architecture test', () => {
	test.each([
		['market/tape.ts', "import {x} from '../format/number.ts';", 'source/format/number.ts'],
		['market/tape.ts', "import type {x} from '../format/number.ts';", 'types of source/format/number.ts'],
		['format/number.ts', "export * from '../client/errors.ts';", 'source/client/errors.ts'],
		['store/poller.ts', "import {\n\tone,\n\ttwo,\n} from '../client/http.ts';", 'source/client/http.ts'],
		['store/poller.ts', "import {useState} from 'react';", 'react'],
		['view/app.tsx', "import {ExchangeError} from '../client/errors.ts';", 'source/client/errors.ts'],
		['view/app.tsx', "const x = import('../cli/main.ts');", 'source/cli/main.ts'],
		['view/app.tsx', "type X = import('../client/http.ts').Http;", 'types of source/client/http.ts'],
		['terminal/lifecycle.ts', "import {x} from '../view/line.ts';", 'source/view/line.ts'],
		['client/wire/v1/client.ts', "import {x} from '../v2/schemas.ts';", 'source/client/wire/v2/schemas.ts'],
		[
			'client/wire/v2/client.ts',
			"import type {x} from '../v1/schemas.ts';",
			'types of source/client/wire/v1/schemas.ts',
		],
		['view/plot/canvas.ts', "import {x} from '../app.tsx';", 'source/view/app.tsx'],
		['cli/state/saved-state.ts', "import {x} from '../commands/read.ts';", 'source/cli/commands/read.ts'],
		['demo/server.ts', "import {x} from '../client/wire/v1/schemas.ts';", 'source/client/wire/v1/schemas.ts'],
		['demo/server.ts', "import {z} from 'zod/mini';", 'zod'],
		['view/line.ts', "import 'node:fs';", 'node:fs'],
		['attic/line.ts', "import {x} from '../market/types.ts';", 'source/market/types.ts'],
	])('finds a forbidden import in source/%s with %j', (path, text, offence) => {
		const file = {path: `source/${path}`, text};
		expect(forbiddenImports(file)).toEqual([`${file.path} imports ${offence}`]);
	});

	test.each([
		['view/app.tsx', 'const price = entry.priceChange;', 'words of the wire: priceChange'],
		['store/poller.ts', 'const at = Date.now();', 'the time or a timer that is not an argument: Date.now'],
		['demo/random.ts', 'const at = new Date();', 'the time or a timer that is not an argument: new Date()'],
		['view/app.tsx', 'const x = <T>{Math.max(a, b)}</T>;', 'sums or formatting in a component: Math.'],
		['view/app.tsx', 'const x = <T>{a.toFixed(2)}</T>;', 'sums or formatting in a component: .toFixed('],
		['cli/log.ts', "process.once('exit', f);", 'a listener to the end of the process: process.once('],
		['cli/log.ts', 'process.on(signal, f);', 'a listener to the end of the process: process.on('],
		['demo/random.ts', 'const x = Math.random();', 'chance that is not an argument: Math.random'],
		['view/tick.ts', 'const x = performance.now();', 'a stopwatch: performance.now'],
		['view/line.ts', "const x = key === 'enter';", 'the name of a key: "enter"'],
		['view/commands/table.ts', "const x = 'Ctrl-C always quits';", 'a key in a text: Ctrl-C'],
		['view/line.ts', "const x = 'see :compare';", 'a key in a text: :c'],
		['view/help/help.tsx', 'useSyncExternalStore(a, b);', 'a subscription: useSyncExternalStore('],
	])('finds a violation in source/%s with %j', (path, text, offence) => {
		expect(strays({path: `source/${path}`, text})).toEqual([`source/${path} has ${offence}`]);
	});

	test('finds no violation in a comment or a type', () => {
		const text = '// Date.now() and higestBid\nconst x: typeof Date.now = clock.now;';
		expect(strays({path: 'source/store/poller.ts', text})).toEqual([]);
	});

	test('finds a listed package that is not used', () => {
		const files = [{path: 'source/market/a.ts', text: "import {x} from 'zod';\nimport 'chalk';"}];
		const floor = {parts: [], packages: ['zod', 'ink', 'chalk'], node: false};
		expect(idlePackages('market', floor, files)).toEqual(['market: ink', 'market: chalk']);
	});

	test('finds a circle of imports, types included', () => {
		const file = (name: string, text: string) => ({path: `source/market/${name}.ts`, text});
		const ring = [
			file('a', "import './b.ts';"),
			file('b', "import type {C} from './c.ts';"),
			file('c', "import './b.ts';"),
		];
		expect(importCircles(ring)).toEqual(['source/market/b.ts → source/market/c.ts → source/market/b.ts']);
	});

	test('finds a file name shared by two folders, one of which imports the other', () => {
		const files = [
			{path: 'source/view/line.ts', text: "import {x} from './commands/table.ts';"},
			{path: 'source/view/commands/line.tsx', text: ''},
			{path: 'source/market/line.ts', text: ''},
		];
		expect(namesakes(files)).toEqual(['source/view/line.ts and source/view/commands/line.tsx']);
	});

	test('finds a constant and a function defined twice', () => {
		const text = 'const hourMs = 3_600_000;\nconst dayMs = 5;\nexport function twice(n: number) {\n\treturn 2 * n;\n}';
		const files = [
			{path: 'source/market/a.ts', text},
			{path: 'source/view/b.ts', text: text.replace('export ', '// Again.\n').replace('= 5', '= 7')},
		];
		expect(repetitions(files)).toEqual([
			'const hourMs = 3_600_000; in source/market/a.ts and source/view/b.ts',
			'function twice(n: number) { return 2 * n; } in source/market/a.ts and source/view/b.ts',
		]);
	});
});
