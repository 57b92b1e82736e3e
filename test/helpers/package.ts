import {spawnSync} from 'node:child_process';
import {accessSync, constants, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {programEnvironment} from './environment.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Packed = {
	/** The folder of the tarball, removed when the process ends. */
	readonly folder: string;
	/** Its name. */
	readonly filename: string;
	/** In bytes, as packed. */
	readonly size: number;
	readonly files: readonly {readonly path: string; readonly mode: number}[];
};

/** Packs the built program as `npm pack` does, but for the build before. */
export function pack(): Packed {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-package-'));
	process.on('exit', () => rmSync(folder, {recursive: true, force: true}));
	const packing = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
		cwd: root,
		encoding: 'utf8',
	});
	if (packing.status !== 0) throw new Error(packing.stderr);
	const [packed] = JSON.parse(packing.stdout);
	return {...packed, folder};
}

/** For npm and programs that run on `node`, with a home of their own and no way to a registry. */
export function offlineEnvironment(node: string, home: string): Record<string, string> {
	// Else the next one on the PATH would run them.
	accessSync(node, constants.X_OK);
	return {
		...programEnvironment(),
		PATH: `${dirname(node)}:${process.env.PATH}`,
		HOME: home,
		npm_config_cache: join(home, 'npm'),
		npm_config_registry: 'http://127.0.0.1:1',
		npm_config_update_notifier: 'false',
	};
}
