import {spawnSync} from 'node:child_process';
import {mkdtempSync, readdirSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';

const script = fileURLToPath(new URL('../../source/archive.ts', import.meta.url));

type Unpacked = {
	/** Of the archive, removed when the process ends. */
	readonly folder: string;
	/** What the archive unpacks to. */
	readonly root: string;
	readonly launcher: string;
	/** Of the archive, in bytes. */
	readonly size: number;
};

/** The archive of the built program, unpacked in an empty folder with a space in its name. It takes seconds to make. */
export function unpackArchive(): Unpacked {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch archive-'));
	process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
	const run = (file: string, ...args: string[]) => {
		const {status, stderr} = spawnSync(file, args, {cwd: folder, encoding: 'utf8'});
		if (status !== 0 || stderr !== '') throw new Error(`${file} ended with ${status}: ${stderr}`);
	};
	run(process.execPath, script, folder);
	const [archive = ''] = readdirSync(folder).filter(name => name.endsWith('.tar.gz'));
	run('sha256sum', '--check', '--quiet', `${archive}.sha256`);
	run('tar', '-xzf', archive);
	const root = join(folder, archive.replace('.tar.gz', ''));
	return {folder, root, launcher: join(root, 'bin/tapewatch'), size: statSync(join(folder, archive)).size};
}
