import {spawnSync} from 'node:child_process';
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {afterAll, beforeAll, expect, test} from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
let project = '';

const inProject = (...path: string[]): string => join(project, ...path);

/** A project with the real build script and a program of a few lines, built once; each test goes on where the last one ended. */
beforeAll(() => {
	project = mkdtempSync(join(tmpdir(), 'tapewatch-build-'));
	for (const part of ['cli', 'client', 'format', 'recording']) mkdirSync(inProject('source', part), {recursive: true});
	for (const path of ['source/build.ts', 'source/format/late-segmenter.ts', 'source/format/late-string-width.ts']) {
		copyFileSync(join(repository, path), inProject(path));
	}

	symlinkSync(join(repository, 'node_modules'), inProject('node_modules'));
	writeFileSync(inProject('package.json'), '{"type": "module", "version": "4.5.6"}');
	writeFileSync(inProject('package-lock.json'), '{}');
	writeFileSync(
		inProject('source/cli/main.ts'),
		"const {version}: {version: string} = process;\nif (version) import('./begin.ts');\n",
	);
	writeFileSync(
		inProject('source/cli/begin.ts'),
		"console.log('▲', process.env.TAPEWATCH_VERSION);\nconst {width} = await import('./lazy.ts');\nconsole.log(width);\n",
	);
	writeFileSync(
		inProject('source/cli/lazy.ts'),
		"import stringWidth from 'string-width';\nexport const width: number = stringWidth('市');\n",
	);
	writeFileSync(inProject('source/recording/recording-worker.ts'), "console.log('a thread');\n");
	writeFileSync(
		inProject('source/library.ts'),
		"import {hidden} from './client/hidden.ts';\nimport type {Width} from './client/width.ts';\nexport const width: Width = hidden();\n",
	);
	writeFileSync(inProject('source/client/width.ts'), '/** In cells. */\nexport type Width = number;\n');
	writeFileSync(inProject('source/client/hidden.ts'), 'export const hidden = (): number => 3;\n');
	expect(build()).toEqual({status: 0, stderr: ''});
});

afterAll(() => rmSync(project, {recursive: true}));

function build(...args: string[]): {status: number | null; stderr: string} {
	const {status, stderr} = spawnSync(process.execPath, [inProject('source/build.ts'), ...args], {encoding: 'utf8'});
	return {status, stderr};
}

const distFiles = (): string[] => readdirSync(inProject('dist')).sort();
const builtAt = (): number => statSync(inProject('dist/main.js')).mtimeMs;

/** As if the file or folder had been changed after the build, and before the next one. */
function touch(path: string): void {
	const later = new Date(builtAt() + 2);
	utimesSync(inProject(path), later, later);
}

test('builds a program that runs, with its lazily loaded parts beside it', () => {
	const beside = [/^client-[\w-]+\.js$/, /^lazy-[\w-]+\.js$/].map(name => expect.stringMatching(name));
	const others = ['library.js', 'licences.txt', 'main.js', 'recording-worker.js', 'tapewatch.1', 'types'];
	expect(distFiles()).toEqual(['begin.js', ...beside, ...others]);
	expect(statSync(inProject('dist/main.js')).mode & 0o777).toBe(0o755);
	// Of modules that an old Node may not be able to read, it names none that is loaded before it runs.
	expect(readFileSync(inProject('dist/main.js'), 'utf8')).toBe(
		'#!/usr/bin/env node\nconst{version:e}=process;e&&import(`./begin.js`);',
	);
	const run = spawnSync(process.execPath, [inProject('dist/main.js')], {encoding: 'utf8'});
	expect([run.stdout, run.stderr]).toEqual(['▲ 4.5.6\n2\n', '']);
	// The engine keeps one byte a character of such text.
	expect(readFileSync(inProject('dist/begin.js'), 'utf8')).toMatch(/^[\0-\x7F]*$/);
});

test('builds a library with the declarations of all that it names, and no others', async () => {
	const {width} = await import(inProject('dist/library.js'));
	expect(width).toBe(3);
	const types = readdirSync(inProject('dist/types'), {recursive: true, encoding: 'utf8'}).sort();
	expect(types).toEqual(['client', 'client/width.d.ts', 'library.d.ts']);
	const library = "import type { Width } from './client/width.js';\nexport declare const width: Width;\n";
	expect(readFileSync(inProject('dist/types/library.d.ts'), 'utf8')).toBe(library);
	const documented = '/** In cells. */\nexport type Width = number;\n';
	expect(readFileSync(inProject('dist/types/client/width.d.ts'), 'utf8')).toBe(documented);
});

test('includes the licence of every bundled package', () => {
	const licences = readFileSync(inProject('dist/licences.txt'), 'utf8');
	const names = [...licences.matchAll(/^(\S+) \d\S* \(MIT\)$/gm)].map(([, name]) => name);
	expect(names).toEqual(['get-east-asian-width', 'string-width', 'ansi-regex', 'strip-ansi'].toSorted());
	expect(licences.split('Permission is hereby granted')).toHaveLength(names.length + 1);
});

test('a new build leaves no file of the old one', () => {
	writeFileSync(inProject('source/cli/lazy.ts'), 'export const width = 7;\n');
	const [, , before] = distFiles();
	expect(build()).toEqual({status: 0, stderr: ''});
	expect(distFiles()).toHaveLength(9);
	expect(distFiles()[2]).not.toBe(before);
});

test('a failed build says where, and leaves the old one unchanged', () => {
	const before = [distFiles(), builtAt()];
	writeFileSync(inProject('source/cli/lazy.ts'), 'export const width = ;\n');
	const {status, stderr} = build();
	expect(status).toBe(1);
	const [reason, ...frame] = stderr.trimEnd().split('\n');
	expect([reason, frame.at(-1)]).toEqual(['Build failed with 1 error:', 'dist/ is left as it was']);
	expect(frame.join('\n')).toContain('source/cli/lazy.ts:1:22');
	expect([distFiles(), builtAt()]).toEqual(before);
	expect(readdirSync(project).filter(name => name.startsWith('.dist-'))).toEqual([]);
});

/** As if nothing had been changed since the build. */
function makeOld(): void {
	const early = new Date(builtAt() - 1000);
	for (const path of readdirSync(inProject('source'), {recursive: true, encoding: 'utf8'})) {
		utimesSync(inProject('source', path), early, early);
	}
	for (const path of ['source', 'package-lock.json']) utimesSync(inProject(path), early, early);
}

// A build that is begun fails now, which is quicker.
test.each([
	['nothing', () => {}, 0],
	['a file was changed', () => touch('source/cli/lazy.ts'), 1],
	['a file was removed', () => touch('source/cli'), 1],
	['a dependency was changed', () => touch('package-lock.json'), 1],
	['there is no build', () => rmSync(inProject('dist/main.js')), 1],
])('--if-needed builds only when something was changed: %s', (_, change, expected) => {
	makeOld();
	change();
	expect(build('--if-needed').status).toBe(expected);
});
