import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {build} from 'esbuild';

const root = join(import.meta.dirname, '../../..');

/** Imports a module with components in it, which Node by itself cannot: `path` from the root of the repository. */
export async function importBundled<Module>(path: string): Promise<Module> {
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
	return import(pathToFileURL(outfile).href);
}
