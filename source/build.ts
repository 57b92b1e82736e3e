/** Bundles the program into dist/: `node source/build.ts [--if-needed]`. */
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
import {basename, join} from 'node:path';
import type {BuildResult} from 'esbuild';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const bin = join(dist, 'main.js');
const shebang = '#!/usr/bin/env node\n';

/** Folders count too: removing or renaming a file changes only its folder's time. */
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

/** In the place of a package of which the program needs nothing. */
const nothing = 'data:text/javascript,export default () => {}';

async function bundle(version: string): Promise<BuildResult<{write: false; metafile: true}>> {
	const {build} = await import('esbuild');
	return build({
		absWorkingDir: root,
		entryPoints: {main: 'source/cli/main.ts'},
		outdir: 'dist',
		write: false,
		metafile: true,
		bundle: true,
		minify: true,
		// Whatever is imported by `await import()` becomes a file beside main.js, read when it is needed.
		splitting: true,
		format: 'esm',
		platform: 'node',
		target: 'node22.19',
		// Node 22 has these; what esbuild makes of them otherwise is compiled when it is loaded, needed or not.
		supported: {'regexp-unicode-property-escapes': true, 'regexp-set-notation': true},
		// Of a text with one character beyond Latin-1 V8 keeps two bytes for each.
		charset: 'ascii',
		legalComments: 'none',
		// CommonJS dependencies call require for Node's own modules; an ES module has none.
		banner: {js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);"},
		// Each segmenter takes milliseconds to make, and few texts need one.
		inject: ['source/format/late-segmenter.ts'],
		define: {
			'Intl.Segmenter': 'LateSegmenter',
			'process.env.NODE_ENV': '"production"',
			'process.env.DEV': '"false"',
			'process.env.TAPEWATCH_VERSION': JSON.stringify(version),
			// Yoga asks whether there is one for a part of itself that is here; to load it takes longer than all the rest.
			fetch: 'undefined',
		},
		alias: {
			'string-width': './source/format/late-string-width.ts',
			// Ink loads the developer tools only when DEV is set, yet names the package in an import.
			'react-devtools-core': nothing,
			// The cursor is given back with the terminal, see lifecycle.ts; standard error may be a file.
			'restore-cursor': nothing,
		},
		logLevel: 'warning',
	});
}

/** The licence text of every bundled package, as the licences ask for. */
function licences(inputs: readonly string[]): string {
	const folders = new Set(inputs.flatMap(path => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
	return [...folders]
		.sort()
		.map(folder => {
			const {name, version, license} = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
			const file = readdirSync(join(root, folder)).find(entry => /^licen[cs]e/i.test(entry));
			const text = file === undefined ? '' : `\n${readFileSync(join(root, folder, file), 'utf8').trim()}\n`;
			return `${name} ${version} (${license})\n${text}`;
		})
		.join(`\n${'-'.repeat(80)}\n\n`);
}

/** Swaps the finished folder in, so that dist/ is the old build or the new one, never a part of either. */
function replaceDist(files: ReadonlyMap<string, string>): void {
	const workshop = mkdtempSync(join(root, '.dist-'));
	const [fresh, old] = [join(workshop, 'new'), join(workshop, 'old')];
	try {
		mkdirSync(fresh);
		for (const [name, text] of files) writeFileSync(join(fresh, name), text);
		chmodSync(join(fresh, basename(bin)), 0o755);
		if (statSync(dist, {throwIfNoEntry: false})) renameSync(dist, old);
		renameSync(fresh, dist);
	} finally {
		rmSync(workshop, {recursive: true, force: true});
	}
}

async function buildDist(): Promise<void> {
	const {version} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	const {outputFiles, metafile} = await bundle(version);
	const files = new Map(outputFiles.map(file => [basename(file.path), file.text]));
	const main = files.get('main.js') ?? '';
	files.set('main.js', main.startsWith('#!') ? main : shebang + main);
	files.set('licences.txt', licences(Object.keys(metafile.inputs)));
	replaceDist(files);
}

if (!(process.argv.includes('--if-needed') && isUpToDate())) {
	try {
		await buildDist();
	} catch (error) {
		// esbuild has already printed where each error is.
		const reason = error instanceof Error ? error.message.split(/:?\n/, 1)[0] : String(error);
		console.error(`${reason}; dist/ is left as it was`);
		process.exitCode = 1;
	}
}
