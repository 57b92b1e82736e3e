/** What it costs to show any moment of 24 recorded hours, and to try a rule on them, with the built program. */
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {formatDateTime} from '../../source/format/time.ts';
import {secondMs} from '../../source/market/units.ts';
import type {BenchRow} from './row.ts';
import {rssMb} from './support/process-use.ts';
import {built, openNode} from './support/program.ts';
import {median, quantile} from './support/quantile.ts';
import {recordDay} from './support/recorded-day.ts';
import {noMinutes, readMinutes} from './support/recorded-minutes.ts';

const seeks = 40;
/** Until code is compiled that each of them runs. */
const firstSeeks = 10;
const starts = 5;
/** Until nothing is drawn any more. */
const settleMs = 150;
const most = {seekMs: 100, moreMb: 40, rulesSeconds: 20};
const rule = 'last crosses 70000';

export async function bench(): Promise<readonly BenchRow[]> {
	const minutes = readMinutes();
	if (!minutes) return [{name: 'replay', measured: noMinutes}];
	if (!existsSync('/proc/self/status')) return [{name: 'replay', measured: 'not measured: there is no /proc here'}];
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	try {
		const path = join(home, 'day.twr');
		const {from, to} = recordDay(path, minutes);
		const moments = Array.from({length: firstSeeks + seeks}, (_, index) => {
			const share = ((index * 7919) % 997) / 997;
			return formatDateTime(Math.floor((from + share * (to - from)) / secondMs) * secondMs);
		});
		const firstFrames: number[] = [];
		for (let run = 0; run < starts; run++) firstFrames.push(await firstFrame(path, home));
		const {times, memoryMb, moreMb} = await seekIn(path, home, moments);
		const ruleSeconds = judgeAll(path, home);
		const [middle, p95] = [median(times), quantile(times, 0.95)];
		return [
			{name: 'replay: a recording of 24 hours', measured: `${(statSync(path).size / 1_000_000).toFixed(1)} MB`},
			{name: 'replay: start to its first frame', measured: `${median(firstFrames).toFixed(0)} ms`},
			{
				name: 'replay: any moment of it on the whole screen, 120×40',
				measured: `${middle.toFixed(0)} ms median, ${p95.toFixed(0)} ms p95`,
				...{target: `median ≤ ${most.seekMs} ms`, met: middle <= most.seekMs},
			},
			{
				name: `replay: memory after ${moments.length} moments`,
				measured: `${memoryMb.toFixed(0)} MB, ${moreMb.toFixed(0)} more than at its start`,
				...{target: `≤ ${most.moreMb} MB more`, met: moreMb <= most.moreMb},
			},
			{
				name: `replay: all of it judged by --alert '${rule}'`,
				measured: `${ruleSeconds.toFixed(1)} s CPU`,
				...{target: `≤ ${most.rulesSeconds} s CPU`, met: ruleSeconds <= most.rulesSeconds},
			},
		];
	} finally {
		rmSync(home, {recursive: true, force: true});
	}
}

async function firstFrame(path: string, home: string): Promise<number> {
	const program = openNode([built, 'replay', path], home);
	const at = await program.until(rows => shows(rows));
	program.write('q');
	await program.ended;
	return at;
}

async function seekIn(path: string, home: string, moments: readonly string[]) {
	const program = openNode([built, 'replay', path], home);
	await program.until(rows => shows(rows));
	program.write(' ');
	await setTimeout(secondMs);
	const startMb = rssMb(program.pid);
	const times: number[] = [];
	for (const moment of moments) {
		program.write(`:goto ${moment}`);
		await setTimeout(settleMs);
		const pressed = program.write('\r');
		times.push((await program.until(rows => shows(rows, moment))) - pressed);
		await setTimeout(settleMs);
	}

	const memoryMb = rssMb(program.pid);
	program.write('q');
	await program.ended;
	return {times: times.slice(firstSeeks), memoryMb, moreMb: memoryMb - startMb};
}

/** Seconds of CPU. */
function judgeAll(path: string, home: string): number {
	const run = [
		'-c',
		'"$@" > /dev/null; times',
		'sh',
		process.execPath,
		built,
		'replay',
		path,
		'--alert',
		rule,
		'--json',
	];
	const env = {PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_STATE_HOME: home};
	const {stdout} = spawnSync('sh', run, {env, encoding: 'utf8'});
	// The second line is of the children: user and system, as 0m1.234s.
	const parts = stdout.split('\n')[1]?.matchAll(/(\d+)m([\d.]+)s/g) ?? [];
	return [...parts].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

/** Whether the screen shows the moment, and all panels have data. */
const shows = (rows: readonly string[], moment = ''): boolean =>
	rows.at(-2)?.startsWith(` REPLAY  ${moment}`) === true && !rows.some(row => /waiting|not recorded/.test(row));

if (import.meta.main) for (const row of await bench()) console.log(Object.values(row).join(' | '));
