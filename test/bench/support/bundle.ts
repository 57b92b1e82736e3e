import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** Bundles a module with components in it, which Node by itself cannot run: `path` from the root. The file that it made. */
async function bundle(path: string): Promise<string> {
	// Where its packages can be found from.
	const outfile = join(root, 'node_modules', '.cache', 'tapewatch', `${path.replace(/\W/g, '-')}.mjs`);
	await build({
		entryPoints: [join(root, path)],
		outfile,
		bundle: true,
		platform: 'node',
		format: 'esm',
		jsx: 'automatic',
		packages: 'external',
		logLevel: 'warning',
	});
	return outfile;
}

/** Imports such a module. */
export async function importBundled<Module>(path: string): Promise<Module> {
	return import(pathToFileURL(await bundle(path)).href);
}
