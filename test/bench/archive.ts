/** What the archive of `npm run archive` takes, and how it starts beside the built program. */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {unpackArchive} from '../helpers/archive.ts';
import type {BenchRow} from './row.ts';
import {startMonitor} from './start-up.ts';
import {built, openFile, openNode} from './support/program.ts';
import {median} from './support/quantile.ts';

const runs = 15;
/** The launcher takes 6 ms of CPU, which is a twentieth of `--version`. */
const mostRatio = {version: 1.2, frame: 1.1};

export async function bench(): Promise<readonly BenchRow[]> {
	const {launcher, size} = unpackArchive();
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const times = {version: [] as number[], ownVersion: [] as number[], frame: [] as number[], ownFrame: [] as number[]};
	try {
		// The first start of each compiles what the others find compiled.
		await startMonitor(home);
		await startMonitor(home, launcher, []);
		// In turns, so that a busy moment of the machine meets both.
		for (let run = 0; run < runs; run++) {
			times.version.push(await openNode([built, '--version'], home).ended);
			times.ownVersion.push(await openFile(launcher, ['--version'], home).ended);
			times.frame.push((await startMonitor(home)).frame);
			times.ownFrame.push((await startMonitor(home, launcher, [])).frame);
		}
	} finally {
		rmSync(home, {recursive: true, force: true});
	}

	const ratio = (name: string, own: readonly number[], ofBuilt: readonly number[], most: number): BenchRow => {
		const value = median(own) / median(ofBuilt);
		return {
			name: `archive: ${name}, beside the installed program`,
			measured: `${value.toFixed(2)} × (${median(own).toFixed(0)} ms)`,
			target: `≤ ${most}`,
			met: value <= most,
		};
	};
	return [
		{name: 'archive: size', measured: `${(size / 1e6).toFixed(1)} MB`},
		ratio('--version', times.ownVersion, times.version, mostRatio.version),
		ratio('monitor, first frame with the layout', times.ownFrame, times.frame, mostRatio.frame),
	];
}
