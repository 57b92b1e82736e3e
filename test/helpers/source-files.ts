import {readdirSync, readFileSync} from 'node:fs';
import {posix} from 'node:path';
import {minifySync, transformSync} from 'rolldown/utils';

const root = new URL('../../', import.meta.url);

export type Import = {
	/** A path from the root of the repository for our own files, otherwise the package (`node:fs`, `@scope/name`). */
	readonly target: string;
	/** Erased before the program runs. */
	readonly typeOnly: boolean;
};

export type SourceFile = {
	/** From the root of the repository, e.g. `source/market/tape.ts`. */
	readonly path: string;
	readonly text: string;
};

/** Every TypeScript file in a top-level folder. */
export function readFiles(folder: 'source' | 'test'): readonly SourceFile[] {
	return readdirSync(new URL(folder, root), {recursive: true, encoding: 'utf8'})
		.filter(name => /\.tsx?$/.test(name))
		.map(name => posix.join(folder, name))
		.sort()
		.map(path => ({path, text: readFileSync(new URL(path, root), 'utf8')}));
}

const statement = /^(?:import|export)\s+(type\s+)?(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
const expression = /(typeof\s+)?\bimport\(\s*['"`]([^'"`]+)['"`]\s*\)(\.[A-Z])?/g;

/** Static imports and re-exports, `await import()`, and `import('…').Type` in a type. */
export function importsOf({path, text}: SourceFile): readonly Import[] {
	const statements = [...text.matchAll(statement)].map(([, type, name = '']) => ({name, typeOnly: type !== undefined}));
	const expressions = [...text.matchAll(expression)].map(([, typeQuery, name = '', member]) => ({
		name,
		typeOnly: (typeQuery ?? member) !== undefined,
	}));
	return [...statements, ...expressions].map(({name, typeOnly}) => ({target: resolve(name, path), typeOnly}));
}

function resolve(name: string, from: string): string {
	if (name.startsWith('.')) return posix.join(posix.dirname(from), name);
	return name.startsWith('node:') ? name : (name.match(/^(?:@[^/]+\/)?[^/]+/)?.[0] ?? name);
}

/** What runs: without types and comments. */
export function codeOf({path, text}: SourceFile): string {
	const {code} = transformSync(path, text);
	const asWritten = {compress: false, mangle: false, codegen: {removeWhitespace: false}};
	return minifySync(path.replace(/tsx?$/, 'js'), code, asWritten).code;
}
