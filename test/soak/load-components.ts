import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'esbuild';

/** From now on `import()` takes modules with components in them. */
export function loadComponents(): void {
	registerHooks({
		load(url, context, nextLoad) {
			if (!url.endsWith('.tsx')) return nextLoad(url, context);
			const text = readFileSync(fileURLToPath(url), 'utf8');
			const {code} = transformSync(text, {loader: 'tsx', format: 'esm', jsx: 'automatic', sourcefile: url});
			return {format: 'module', source: code, shortCircuit: true};
		},
	});
}
