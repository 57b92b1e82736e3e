/** Packs the built program with its Node: `node source/archive.ts [FOLDER]` writes the archive and its checksum there. */
import {createHash} from 'node:crypto';
import {createWriteStream, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {pipeline} from 'node:stream/promises';
import {createGzip} from 'node:zlib';
import {packTar, type TarSource} from 'modern-tar/fs';
import {scripts} from './cli/completion/scripts.ts';

const project = (...path: readonly string[]): string => join(import.meta.dirname, '..', ...path);
const isWindows = process.platform === 'win32';
const node = isWindows ? 'node.exe' : 'node';

/** Links to it work from anywhere; it needs no PATH. */
const unixLauncher = `#!/bin/sh
case $0 in
*/*) self=$0 ;;
*) self=./$0 ;;
esac
while [ -h "$self" ]; do
	target=$(command -p readlink "$self")
	case $target in
	/*) self=$target ;;
	*) self=\${self%/*}/$target ;;
	esac
done
lib=$(CDPATH= cd -P -- "\${self%/*}/../lib/tapewatch" && pwd -P) || exit 1
exec "$lib/node" "$lib/main.js" "$@"
`;

const windowsLauncher = '@"%~dp0..\\lib\\tapewatch\\node.exe" "%~dp0..\\lib\\tapewatch\\main.js" %*\r\n';

/** A Node that needs no other part of an installation: that of the packages, else this one. */
function completeNode(): {readonly binary: string; readonly licence: string} {
	const packaged = project('node_modules', `node-${isWindows ? 'win' : process.platform}-${process.arch}`);
	const binary = existsSync(packaged) ? join(packaged, 'bin', node) : process.execPath;
	const isShared = Object.entries(process.config.variables).some(
		([name, value]) => name.startsWith('node_shared') && value === true,
	);
	const folders = [dirname(binary), dirname(dirname(binary))];
	const licence = folders.map(folder => join(folder, 'LICENSE')).find(path => existsSync(path));
	if (licence !== undefined && (binary !== process.execPath || !isShared)) return {binary, licence};
	throw new Error(
		`${binary} is only a part of a Node; run npm with one that was unpacked from https://nodejs.org/dist`,
	);
}

/** The same files make the same bytes, whoever packs them, when and where. */
const fixed = {mtime: new Date(0), uid: 0, gid: 0, uname: '', gname: ''};
const file = (target: string, source: string, mode = 0o644): TarSource => ({
	...fixed,
	type: 'file',
	target,
	source,
	mode,
});
const text = (target: string, content = '', mode = 0o644): TarSource => ({
	...{...fixed, type: 'content', target, content, mode},
});

function contents(): readonly TarSource[] {
	const {binary, licence} = completeNode();
	const built = (name: string) => project('dist', name);
	const program = readdirSync(built(''))
		.filter(name => name.endsWith('.js'))
		.toSorted();
	return [
		isWindows ? text('bin/tapewatch.cmd', windowsLauncher) : text('bin/tapewatch', unixLauncher, 0o755),
		file(`lib/tapewatch/${node}`, binary, 0o755),
		text('lib/tapewatch/package.json', '{"type": "module"}\n'),
		...program.map(name => file(`lib/tapewatch/${name}`, built(name))),
		file('share/man/man1/tapewatch.1', built('tapewatch.1')),
		text('share/bash-completion/completions/tapewatch', scripts.bash),
		text('share/zsh/site-functions/_tapewatch', scripts.zsh),
		text('share/fish/vendor_completions.d/tapewatch.fish', scripts.fish),
		file('share/doc/tapewatch/LICENSE', project('LICENSE')),
		file('share/doc/tapewatch/licences.txt', built('licences.txt')),
		file('share/doc/tapewatch/licence-node.txt', licence),
	];
}

async function writeArchive(folder: string): Promise<void> {
	const {version} = JSON.parse(readFileSync(project('package.json'), 'utf8'));
	const name = `tapewatch-${version}-${process.platform}-${process.arch}`;
	const path = join(folder, `${name}.tar.gz`);
	const placed = contents().map(entry => ({...entry, target: `${name}/${entry.target}`}));
	try {
		await pipeline(packTar(placed), createGzip(), createWriteStream(path));
	} catch (error) {
		rmSync(path, {force: true});
		throw error;
	}

	const checksum = createHash('sha256').update(readFileSync(path)).digest('hex');
	writeFileSync(`${path}.sha256`, `${checksum}  ${name}.tar.gz\n`);
	console.log(`${path}: ${Math.round(statSync(path).size / 1e5) / 10} MB`);
}

try {
	await writeArchive(process.argv[2] ?? project());
} catch (error) {
	console.error(`tapewatch: no archive: ${error instanceof Error ? error.message : error}`);
	process.exitCode = 1;
}
