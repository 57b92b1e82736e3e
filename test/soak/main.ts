/**
 * `npm run soak -- [--hours N]`: the monitor on the demo exchange for a long time, of a clock as fast as it can follow; what it holds is
 * counted after each tenth. Exits with 1 when that grows, or when it was slow to wake.
 */
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {limitHeap, prepareEngine} from '../../source/cli/start.ts';
import {loadComponents} from './load-components.ts';
import {growth} from './measure.ts';
import type {Tenth} from './soak.ts';

const {values} = parseArgs({
	options: {hours: {type: 'string', default: '24'}},
});
const ms = Number(values.hours) * 3_600_000;
if (!(ms > 0)) {
	console.error('usage: npm run soak -- [--hours N]');
	process.exit(2);
}

// As the program runs: React's development build keeps more.
process.env.NODE_ENV = 'production';
const cache = mkdtempSync(join(tmpdir(), 'tapewatch-soak-cache-'));
process.on('exit', () => rmSync(cache, {recursive: true, force: true}));
prepareEngine({XDG_CACHE_HOME: cache});
loadComponents();
limitHeap();
const {boundsAfter, slowToWake, soak} = await import('./soak.ts');

const columns: ReadonlyArray<readonly [string, (tenth: Tenth) => string]> = [
	['tenth', ({tenth}) => String(tenth)],
	['heap MiB', ({heapMegabytes}) => heapMegabytes.toFixed(2)],
	['code MiB', ({codeMegabytes}) => codeMegabytes.toFixed(2)],
	['outside MiB', ({outsideMegabytes}) => outsideMegabytes.toFixed(2)],
	['resident MiB', ({residentMegabytes}) => residentMegabytes.toFixed(0)],
	['handles', ({handles}) => String(handles)],
	['files', ({files}) => String(files)],
	['listeners', ({listeners}) => String(listeners)],
	['timers', ({timers}) => String(timers)],
	['calls', ({calls}) => String(calls)],
	['requests', ({requests}) => String(requests)],
	['failed', ({failures}) => String(failures)],
	['frames', ({frames}) => String(frames)],
	['written MiB', ({bytes}) => (bytes / 1024 ** 2).toFixed(1)],
	['woken s', ({wokenMs}) => (wokenMs / 1000).toFixed(1)],
];
console.info(columns.map(([name]) => name).join('  '));

const startedAt = performance.now();
const onTenth = (tenth: Tenth) =>
	console.info(columns.map(([name, cell]) => cell(tenth).padStart(name.length)).join('  '));
const tenths = await soak({ms, onTenth});
const faults = [...growth(tenths, boundsAfter(ms)), ...slowToWake(tenths)];
const seconds = Math.round((performance.now() - startedAt) / 1000);
console.info(`${faults.length === 0 ? 'flat' : faults.join('; ')} after ${values.hours} h (${seconds} s)`);
if (faults.length > 0) process.exitCode = 1;
