import {readFileSync} from 'node:fs';
import {registerHooks} from 'node:module';
import {fileURLToPath} from 'node:url';
import {transformSync} from 'rolldown/utils';

/** From now on `import()` takes modules with components in them. */
export function loadComponents(): void {
	registerHooks({
		load(url, context, nextLoad) {
			if (!url.endsWith('.tsx')) return nextLoad(url, context);
			const path = fileURLToPath(url);
			const {code} = transformSync(path, readFileSync(path, 'utf8'));
			return {format: 'module', source: code, shortCircuit: true};
		},
	});
}
