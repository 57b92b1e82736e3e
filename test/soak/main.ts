/**
 * `npm run soak -- [--minutes N | --virtual HOURSh] [--unsized]`: the monitor on the demo exchange for a long time; what it holds is
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
	options: {minutes: {type: 'string', default: '10'}, virtual: {type: 'string'}, unsized: {type: 'boolean'}},
});
const virtualHours = values.virtual === undefined ? undefined : Number(/^(\d+(?:\.\d+)?)h$/.exec(values.virtual)?.[1]);
const ms = virtualHours === undefined ? Number(values.minutes) * 60_000 : virtualHours * 3_600_000;
if (!(ms > 0)) {
	console.error('usage: npm run soak -- [--minutes N | --virtual HOURSh] [--unsized]');
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
const virtual = virtualHours !== undefined;
const onTenth = (tenth: Tenth) =>
	console.info(columns.map(([name, cell]) => cell(tenth).padStart(name.length)).join('  '));
const tenths = await soak({ms, virtual, unsized: values.unsized ?? false, onTenth});
const faults = [...growth(tenths, boundsAfter({ms, virtual})), ...slowToWake(tenths)];
const seconds = Math.round((performance.now() - startedAt) / 1000);
const time = values.virtual ?? `${values.minutes} min`;
console.info(`${faults.length === 0 ? 'flat' : faults.join('; ')} after ${time} (${seconds} s)`);
if (faults.length > 0) process.exitCode = 1;
