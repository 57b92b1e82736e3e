import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'esbuild';
import {lightened} from '../../source/light-ink.ts';

const inkText = new URL('../../source/terminal/ink-text.ts', import.meta.url).href;

/** From now on `import()` takes modules with components in them, and Ink as the program ships it. */
export function loadComponents(): void {
	registerHooks({
		resolve: (specifier, context, nextResolve) =>
			specifier === 'ink-text' ? {url: inkText, shortCircuit: true} : nextResolve(specifier, context),
		load(url, context, nextLoad) {
			if (!url.startsWith('file:')) return nextLoad(url, context);
			const path = fileURLToPath(url);
			const text = () => readFileSync(path, 'utf8');
			if (path.endsWith('.tsx')) {
				const {code} = transformSync(text(), {loader: 'tsx', format: 'esm', jsx: 'automatic', sourcefile: url});
				return {format: 'module', source: code, shortCircuit: true};
			}

			const source = lightened(path, text);
			return source === undefined ? nextLoad(url, context) : {format: 'module', source, shortCircuit: true};
		},
	});
}
