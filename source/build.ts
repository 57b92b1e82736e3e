/** Bundles the program into dist/: `node source/build.ts [--if-needed]`. */
import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, dirname, join, posix} from 'node:path';
import {stripVTControlCharacters} from 'node:util';
import type {CodeSplittingGroup, RolldownOutput} from 'rolldown';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const bin = join(dist, 'main.js');

/** The newest time of all inputs. Folders count too: removing or renaming a file changes only its folder's time. */
function newestInput(): number {
	const source = join(root, 'source');
	const inputs = readdirSync(source, {recursive: true, encoding: 'utf8'}).map(path => join(source, path));
	const times = [source, ...inputs, join(root, 'package.json'), join(root, 'package-lock.json')].map(
		path => statSync(path).mtimeMs,
	);
	return Math.max(...times);
}

function isUpToDate(): boolean {
	const built = statSync(bin, {throwIfNoEntry: false});
	return built !== undefined && built.mtimeMs >= newestInput();
}

/**
 * Parts that nothing here calls: of ssh2 its client, file transfer (22 kB of the package) and keys with a passphrase (19 kB), of
 * undici all for bodies that are sent, and one of its two parsers (24 kB), for processors that can do the same to several bytes
 * at once.
 */
const uncalled = new RegExp(
	[
		'/ssh2/lib/(client|agent|http-agents|protocol/SFTP)',
		'/bcrypt-pbkdf/index',
		'/undici/lib/(llhttp/llhttp_simd-wasm|web/.*)',
	]
		.map(path => `${path.replaceAll('/', '[/\\\\]')}\\.js$`)
		.join('|'),
);

/** What this program takes from undici, in place of all that it exports: 79 kB less, with the parts that are not called. */
const undici = `
	const {prototype} = require('./lib/dispatcher/dispatcher');
	prototype.request = require('./lib/api/api-request');
	prototype.connect = require('./lib/api/api-connect');
	exports.Agent = require('./lib/dispatcher/agent');
	exports.Pool = require('./lib/dispatcher/pool');
	exports.ProxyAgent = require('./lib/dispatcher/proxy-agent');
	exports.buildConnector = require('./lib/core/connect');
	exports.errors = require('./lib/core/errors');
`;

/** Packages that the program does without, and why. */
const unneeded = [
	// Ink loads the developer tools only if DEV is set, but always imports the package.
	'react-devtools-core',
	// The cursor is restored with the terminal, see lifecycle.ts; standard error may be a file.
	'restore-cursor',
	// Compiled for the computer that it is installed on; ssh2 does without.
	'cpu-features',
];

const nothing = '\0nothing';

const library = 'source/library.ts';

/** The program, the library and the thread of the recorder, which share files. */
const entryPoints = ['source/cli/begin.ts', library, 'source/recording/recording-worker.ts'];

/**
 * Of files that are loaded together, in this order: each takes these modules with all that they import, but for what the ones
 * before it have. What only an `await import()` needs becomes files of its own. The monitor's first frame needs these and no
 * others; a read needs all but the last one, help neither of the last two.
 */
const together: readonly CodeSplittingGroup[] = [
	{name: 'start', test: /[/\\]cli[/\\]start\.ts$/},
	{name: 'client', test: /[/\\]source[/\\]library\.ts$/},
	{name: 'recorder', test: /[/\\]recording[/\\](recorder|recording-file|program-version)\.ts$/},
	{name: 'program', test: /[/\\]program[/\\]own-commands\.ts$/},
	// Those that show a screen are three.
	{name: 'shared', minShareCount: 4},
	{name: 'monitor', test: /[/\\]commands[/\\]monitor\.tsx$/},
];

async function bundle(version: string): Promise<RolldownOutput> {
	const {build} = await import('rolldown');
	return build({
		cwd: root,
		input: entryPoints,
		platform: 'node',
		write: false,
		logLevel: 'warn',
		transform: {
			target: 'node22.19',
			define: {
				'process.env.NODE_ENV': '"production"',
				'process.env.DEV': '"false"',
				// Of undici's parsers, a bundle has llhttp: 55 kB less.
				esbuildDetection: 'true',
				'process.env.TAPEWATCH_VERSION': JSON.stringify(version),
				// Yoga would fetch its WebAssembly from a data: URL. For that Node loads another HTTP client: 5 MB, and 47 ms of a start.
				fetch: 'undefined',
				// Without it, ssh2 does not load: the MACs that it brings as WebAssembly look where their file is, although they have none.
				__dirname: '""',
			},
			// A segmenter takes 13 ms to create, and few texts need one.
			inject: {'Intl.Segmenter': [join(root, 'source/format/late-segmenter.ts'), 'LateSegmenter']},
		},
		// Its patterns take 20 ms to make, and few texts need it.
		resolve: {alias: {'string-width': join(root, 'source/format/late-string-width.ts')}},
		plugins: [
			{
				name: 'uncalled',
				resolveId: id => (unneeded.includes(id) ? nothing : undefined),
				load(id) {
					if (id === nothing) return 'export default () => {}';
					if (uncalled.test(id)) return '';
					return /[/\\]undici[/\\]index\.js$/.test(id) ? undici : undefined;
				},
			},
		],
		output: {
			entryFileNames: '[name].js',
			chunkFileNames: '[name]-[hash].js',
			codeSplitting: {groups: [...together]},
			comments: false,
			// One character beyond Latin-1 would make V8 store the whole text with two bytes per character.
			minify: {compress: true, mangle: true, codegen: {asciiOnly: true}},
		},
	});
}

/** The file that is run: even a Node that is too old can read it, and says so. */
async function programFile(): Promise<string> {
	const {minifySync, transformSync} = await import('rolldown/utils');
	const path = 'source/cli/main.ts';
	const target = 'node12.22';
	const plain = transformSync(path, readFileSync(join(root, path), 'utf8'), {target});
	const {code} = minifySync('main.js', plain.code, {module: true, compress: {target}});
	return `#!/usr/bin/env node\n${code.replace('./begin.ts', './begin.js')}`;
}

/** The licence text of every bundled package, as the licences require. */
function licences(inputs: readonly string[]): string {
	const folders = new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
	return [...folders]
		.sort()
		.map(folder => {
			const {name, version, license, licenses} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
			const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
			const text = file === undefined ? '' : `\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
			return `${name} ${version} (${license ?? licenses[0].type})\n${text}`;
		})
		.join(`\n${'-'.repeat(80)}\n\n`);
}

/** A path to another file of the library, in an import or in a type that names one, up to its extension. */
const otherFile = /((?:from |import\()['"])(\.[^'"]*)\.ts(?=['"])/g;

/**
 * The declarations of the library and of all that they name, by path, without what is marked as `@internal`. Types are not
 * checked, which takes a second.
 */
function declarations(): ReadonlyMap<string, string> {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-types-'));
	const options = [
		...['--ignoreConfig', '--noCheck', '--strict', '--target', 'es2024', '--module', 'nodenext', '--types', 'node'],
		...['--allowImportingTsExtensions', '--declaration', '--emitDeclarationOnly', '--stripInternal'],
		...['--rootDir', 'source', '--outDir', folder],
	];
	try {
		const compiler = join(root, 'node_modules/typescript/bin/tsc');
		execFileSync(process.execPath, [compiler, ...options, library], {cwd: root, stdio: 'inherit'});
		const files = new Map<string, string>();
		const paths = [`${basename(library, '.ts')}.d.ts`];
		for (const path of paths) {
			const text = readFileSync(join(folder, path), 'utf8');
			// Every way to resolve modules finds the declarations of a .js file.
			files.set(path, text.replace(otherFile, '$1$2.js'));
			const named = [...text.matchAll(otherFile)].map(([, , name]) => posix.join(posix.dirname(path), `${name}.d.ts`));
			paths.push(...named.filter(name => !paths.includes(name)));
		}

		return files;
	} finally {
		rmSync(folder, {recursive: true, force: true});
	}
}

/** Replaces dist/ in one step, so that it is the old build or the new one, never a mixture. */
function replaceDist(files: ReadonlyMap<string, string>): void {
	const workshop = mkdtempSync(join(root, '.dist-'));
	const [fresh, old] = [join(workshop, 'new'), join(workshop, 'old')];
	try {
		for (const [name, text] of files) {
			mkdirSync(dirname(join(fresh, name)), {recursive: true});
			writeFileSync(join(fresh, name), text);
		}

		const program = join(fresh, basename(bin));
		chmodSync(program, 0o755);
		const env = {...process.env, NODE_DISABLE_COMPILE_CACHE: '1'};
		writeFileSync(join(fresh, 'tapewatch.1'), execFileSync(process.execPath, [program, 'manual'], {env}));
		if (statSync(dist, {throwIfNoEntry: false})) renameSync(dist, old);
		renameSync(fresh, dist);
	} finally {
		rmSync(workshop, {recursive: true, force: true});
	}
}

async function buildDist(): Promise<void> {
	const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const {output} = await bundle(version);
	const chunks = output.filter(file => file.type === 'chunk');
	const files = new Map(chunks.map(({fileName, code}) => [fileName, code]));
	for (const [path, text] of declarations()) files.set(`types/${path}`, text);
	files.set('main.js', await programFile());
	files.set('licences.txt', licences(chunks.flatMap(({moduleIds}) => moduleIds)));
	replaceDist(files);
}

if (!(process.argv.includes('--if-needed') && isUpToDate())) {
	try {
		await buildDist();
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		console.error(`${stripVTControlCharacters(reason).trimEnd()}\ndist/ is left as it was`);
		process.exitCode = 1;
	}
}
