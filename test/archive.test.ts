import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {
	copyFileSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	utimesSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';
import {unpackTar} from 'modern-tar';
import {afterAll, beforeAll, expect, test} from 'vitest';

const repository = fileURLToPath(new URL('..', import.meta.url));
const platform = `${process.platform}-${process.arch}`;
const name = `tapewatch-4.5.6-${platform}`;
let project = '';

/** A project whose program and Node are a few bytes. */
beforeAll(() => {
	project = mkdtempSync(join(tmpdir(), 'tapewatch-archive-'));
	for (const path of ['source/archive.ts', 'source/cli/completion/scripts.ts']) {
		mkdirSync(dirname(join(project, path)), {recursive: true});
		copyFileSync(join(repository, path), join(project, path));
	}

	const node = `node_modules/node-${platform}`;
	for (const folder of ['dist', `${node}/bin`]) mkdirSync(join(project, folder), {recursive: true});
	symlinkSync(join(repository, 'node_modules/modern-tar'), join(project, 'node_modules/modern-tar'));
	writeFileSync(join(project, 'package.json'), '{"type": "module", "version": "4.5.6"}');
	const files = ['dist/main.js', 'dist/chunk-A.js', 'dist/tapewatch.1', 'dist/licences.txt', 'LICENSE'];
	for (const path of [...files, `${node}/bin/node`, `${node}/LICENSE`]) writeFileSync(join(project, path), path);
});
afterAll(() => rmSync(project, {recursive: true}));

function archive(env: NodeJS.ProcessEnv = {}): Buffer {
	const run = spawnSync(process.execPath, [join(project, 'source/archive.ts'), project], {
		...{encoding: 'utf8', env: {...process.env, ...env}, cwd: tmpdir()},
	});
	expect(run).toMatchObject({stderr: '', status: 0});
	return readFileSync(join(project, `${name}.tar.gz`));
}

test('packs the same bytes from the same files, whenever they were written', async () => {
	const first = archive();
	utimesSync(join(project, 'dist/main.js'), new Date(), new Date(0));
	expect(archive({TZ: 'Asia/Tokyo'}).equals(first)).toBe(true);
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
		expect.arrayContaining(['LICENSE', 'dist/licences.txt', `node_modules/node-${platform}/LICENSE`]),
	);
});

test('writes the checksum as sha256sum -c reads it', () => {
	const checksum = createHash('sha256').update(archive()).digest('hex');
	expect(readFileSync(join(project, `${name}.tar.gz.sha256`), 'utf8')).toBe(`${checksum}  ${name}.tar.gz\n`);
});

test('says in one line that the program is not built, and leaves no half of an archive', () => {
	rmSync(join(project, `${name}.tar.gz`), {force: true});
	rmSync(join(project, 'dist/tapewatch.1'));
	const run = spawnSync(process.execPath, [join(project, 'source/archive.ts'), project], {encoding: 'utf8'});
	expect(run).toMatchObject({status: 1, stderr: expect.stringMatching(/^tapewatch: no archive: .*tapewatch\.1.*\n$/)});
	expect(() => readFileSync(join(project, `${name}.tar.gz`))).toThrow('ENOENT');
});
