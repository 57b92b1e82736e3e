import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'rolldown';

const root = join(import.meta.dirname, '../../..');

/** Bundles a module with components in it, which Node by itself cannot run: `path` from the root. The file that it made. */
async function bundle(path: string): Promise<string> {
	// Where its packages can be found from.
	const file = join(root, 'node_modules', '.cache', 'tapewatch', `${path.replace(/\W/g, '-')}.mjs`);
	await build({
		input: join(root, path),
		platform: 'node',
		// All that is no path.
		external: /^[^./]/,
		logLevel: 'warn',
		output: {file, codeSplitting: false},
	});
	return file;
}

/** Imports such a module. */
export async function importBundled<Module>(path: string): Promise<Module> {
	return import(pathToFileURL(await bundle(path)).href);
}
