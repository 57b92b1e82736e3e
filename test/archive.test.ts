import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {delimiter, join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {unpackTar} from 'modern-tar';
import {beforeAll, expect, test} from 'vitest';
import {createArchiveProject, unpackArchive} from './helpers/archive.ts';
import {documents} from './helpers/documents.ts';

const platform = `${process.platform}-${process.arch}`;
const name = `tapewatch-4.5.6-${platform}`;
/** In place of Node: says what it would run. */
const node = '#!/bin/sh\necho "$@"\n';
const ran = (lib: string) => ({stdout: `${lib}/lib/tapewatch/main.js --version\n`, stderr: '', status: 0});
let project = '';
let unpacked: ReturnType<typeof unpackArchive>;

/** A project whose program is a few bytes. */
beforeAll(() => {
	project = createArchiveProject(node);
	mkdirSync(join(project, 'dist'));
	writeFileSync(join(project, 'package.json'), '{"type": "module", "version": "4.5.6"}');
	const files = ['dist/main.js', 'dist/chunk-A.js', 'dist/tapewatch.1', 'dist/licences.txt', 'LICENSE'];
	for (const path of files) writeFileSync(join(project, path), path);
	unpacked = unpackArchive(project);
});

const archive = (env: NodeJS.ProcessEnv = {}) =>
	spawnSync(process.execPath, [join(project, 'source/archive.ts'), project], {
		...{encoding: 'utf8', env: {...process.env, ...env}, cwd: tmpdir()},
	});

test('packs the same bytes from the same files, whenever they were written', async () => {
	const first = readFileSync(join(unpacked.folder, `${name}.tar.gz`));
	utimesSync(join(project, 'dist/main.js'), new Date(), new Date(0));
	expect(archive({TZ: 'Asia/Tokyo'})).toMatchObject({stderr: '', status: 0});
	expect(readFileSync(join(project, `${name}.tar.gz`)).equals(first)).toBe(true);
	const entries = await unpackTar(gunzipSync(first));
	const modes = entries.map(({header}) => [header.name, header.mode]);
	const program = ['chunk-A.js', 'main.js'].map(file => [`${name}/lib/tapewatch/${file}`, 0o644]);
	expect(modes.slice(0, 5)).toEqual([
		[`${name}/bin/tapewatch`, 0o755],
		[`${name}/lib/tapewatch/node`, 0o755],
		[`${name}/lib/tapewatch/package.json`, 0o644],
		...program,
	]);
	const paths = modes.map(([path]) => String(path));
	expect(paths.filter(path => !path.startsWith(`${name}/`))).toEqual([]);
	const licences = entries.filter(({header}) => header.name.includes('/share/doc/'));
	expect(licences.map(({data}) => String(Buffer.from(data ?? [])))).toEqual(
		expect.arrayContaining(['LICENSE', 'dist/licences.txt', 'the licence of Node']),
	);
});

test('the launcher runs its own Node with an empty PATH, from its folder, from elsewhere and through links', () => {
	const {folder, root, launcher} = unpacked;
	const links = join(folder, 'links');
	mkdirSync(links);
	symlinkSync(launcher, join(links, 'absolute'));
	symlinkSync('absolute', join(links, 'tapewatch'));
	symlinkSync(join(root, 'bin'), join(folder, 'programs'));
	const run = (file: string, cwd: string, ...args: string[]) => {
		const {stdout, stderr, status} = spawnSync(file, [...args, '--version'], {cwd, env: {PATH: ''}, encoding: 'utf8'});
		expect({stdout, stderr, status}).toEqual(ran(root));
	};
	run(launcher, '/');
	run('./tapewatch', join(root, 'bin'));
	run('links/tapewatch', folder);
	run('programs/tapewatch', folder);
	run('/bin/sh', links, 'tapewatch');
});

test('the commands of docs/archive.md install and upgrade it, and leave nothing of it behind', () => {
	const text = documents.find(({name}) => name === 'docs/archive.md')?.text ?? '';
	const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
	const [bin, host] = ['stubs', 'host'].map(each => mkdtempSync(join(project, `${each}-`))) as [string, string];
	// The archive is made already, and the host is a folder.
	const stubs = {
		npm: '[ "$*" = "run archive" ]',
		scp: `for file; do [ "$file" = HOST: ] || cp "$file" "${host}"; done`,
	};
	for (const [stub, script] of Object.entries(stubs)) {
		writeFileSync(join(bin, stub), `#!/bin/sh\n${script}\n`);
		chmodSync(join(bin, stub), 0o755);
	}

	const sh = (script: string, cwd = host) => {
		const env = {PATH: `${bin}${delimiter}${process.env.PATH}`, HOME: host};
		const {stdout, stderr, status} = spawnSync('/bin/sh', ['-ec', script], {cwd, env, encoding: 'utf8'});
		expect({stderr, status}, script).toEqual({stderr: '', status: 0});
		return stdout;
	};
	const [copy = '', unpack = '', install = '', upgrade = '', uninstall = ''] = blocks;
	expect(blocks).toHaveLength(5);
	sh(copy, unpacked.folder);
	expect(sh(unpack)).toBe(`${name}.tar.gz: OK\n${ran(join(host, name)).stdout}`);
	for (const block of [install, upgrade]) {
		sh(block);
		expect(sh('~/.local/bin/tapewatch --version')).toBe(ran(join(host, '.local')).stdout);
	}

	sh(uninstall);
	const left = readdirSync(join(host, '.local'), {recursive: true, withFileTypes: true});
	expect(left.filter(entry => !entry.isDirectory() || entry.name === 'tapewatch')).toEqual([]);
});

test('says in one line that the program is not built, and leaves no half of an archive', () => {
	rmSync(join(project, `${name}.tar.gz`), {force: true});
	rmSync(join(project, 'dist/tapewatch.1'));
	expect(archive()).toMatchObject({
		status: 1,
		stderr: expect.stringMatching(/^tapewatch: no archive: .*tapewatch\.1.*\n$/),
	});
	expect(() => readFileSync(join(project, `${name}.tar.gz`))).toThrow('ENOENT');
});
