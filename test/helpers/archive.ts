import {spawnSync} from 'node:child_process';
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const archiver = 'source/archive.ts';

/**
 * A project that packs `node` as its Node, the text of a script, which takes no time: Node itself takes seconds. Removed when the process
 * ends. It still needs `package.json`, `LICENSE` and `dist`.
 */
export function createArchiveProject(node: string): string {
	const project = mkdtempSync(join(tmpdir(), 'tapewatch-archive-'));
	process.on('exit', () => rmSync(project, {recursive: true, force: true}));
	const packaged = join(project, `node_modules/node-${process.platform}-${process.arch}`);
	mkdirSync(join(packaged, 'bin'), {recursive: true});
	writeFileSync(join(packaged, 'bin/node'), node);
	chmodSync(join(packaged, 'bin/node'), 0o755);
	writeFileSync(join(packaged, 'LICENSE'), 'the licence of Node');
	for (const path of [archiver, 'source/cli/completion/scripts.ts']) {
		mkdirSync(dirname(join(project, path)), {recursive: true});
		cpSync(join(repository, path), join(project, path));
	}

	symlinkSync(join(repository, 'node_modules/modern-tar'), join(project, 'node_modules/modern-tar'));
	return project;
}

type Unpacked = {
	/** Of the archive, removed when the process ends. */
	readonly folder: string;
	/** What the archive unpacks to. */
	readonly root: string;
	readonly launcher: string;
	/** Of the archive, in bytes. */
	readonly size: number;
};

/** The archive of a project, by default of the built program, unpacked in an empty folder with a space in its name. */
export function unpackArchive(project = repository): Unpacked {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch archive-'));
	process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
	const run = (file: string, ...args: string[]) => {
		const {status, stderr} = spawnSync(file, args, {cwd: folder, encoding: 'utf8'});
		if (status !== 0 || stderr !== '') throw new Error(`${file} ended with ${status}: ${stderr}`);
	};
	run(process.execPath, join(project, archiver), folder);
	const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tar.gz'));
	run('sha256sum', '--check', '--quiet', `${archive}.sha256`);
	run('tar', '-xzf', archive);
	const root = join(folder, archive.replace('.tar.gz', ''));
	return {folder, root, launcher: join(root, 'bin/tapewatch'), size: statSync(join(folder, archive)).size};
}
