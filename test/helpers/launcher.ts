import {copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';

const isWindows = process.platform === 'win32';
/** As the packages of Node name it. */
const platform = `${isWindows ? 'win' : process.platform}-${process.arch}`;

export type Project = {
	/** The oldest Node that it runs on. */
	readonly needs: string;
	/** Puts the Node of the packages at this path; absent: there is none. */
	readonly place?: (file: string) => void;
	readonly hasPackages?: boolean;
};

/** The launcher in a project of its own, which goes with the test. */
export function placeLauncher({needs, place, hasPackages = true}: Project) {
	const folder = mkdtempSync(join(tmpdir(), 'tapewatch-launch-'));
	onTestFinished(() => rmSync(folder, {recursive: true}));
	const packaged = join(folder, 'node_modules', `node-${platform}`, 'bin', isWindows ? 'node.exe' : 'node');
	const launcher = join(folder, 'launch.cjs');
	copyFileSync(fileURLToPath(new URL('../../launch.cjs', import.meta.url)), launcher);
	writeFileSync(join(folder, 'package.json'), JSON.stringify({engines: {node: `>=${needs}`}}));
	if (hasPackages) mkdirSync(join(folder, 'node_modules'));
	if (place) {
		mkdirSync(dirname(packaged), {recursive: true});
		place(packaged);
	}

	return {folder, launcher, packaged};
}

/** A project on whose packages' Node the launcher starts everything; it is that of the tests. */
export const onPackaged: Project = {needs: '99.1', place: file => symlinkSync(process.execPath, file)};
