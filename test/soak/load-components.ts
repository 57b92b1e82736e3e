import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'esbuild';

/** Ink keeps whole panels as keys of this cache; source/build.ts gives the program a small one, and so must this. */
const inkCache = {file: '/ink/build/measure-text.js', before: 'maxSize: 4096', after: 'maxSize: 32'};

/** From now on `import()` takes modules with components in them, and Ink with the cache that the program ships. */
export function loadComponents(): void {
	const build = readFileSync(new URL('../../source/build.ts', import.meta.url), 'utf8');
	if (!build.includes(`'${inkCache.before}', '${inkCache.after}'`)) {
		throw new Error('source/build.ts ships Ink with another cache than the one measured here');
	}

	registerHooks({
		load(url, context, nextLoad) {
			if (url.endsWith('.tsx')) {
				const text = readFileSync(fileURLToPath(url), 'utf8');
				const {code} = transformSync(text, {loader: 'tsx', format: 'esm', jsx: 'automatic', sourcefile: url});
				return {format: 'module', source: code, shortCircuit: true};
			}

			if (url.endsWith(inkCache.file)) {
				const text = readFileSync(fileURLToPath(url), 'utf8');
				if (!text.includes(inkCache.before)) throw new Error(`Ink has no cache of ${inkCache.before} any more`);
				return {format: 'module', source: text.replace(inkCache.before, inkCache.after), shortCircuit: true};
			}

			return nextLoad(url, context);
		},
	});
}
