/**
 * What a monitor that runs costs: CPU, memory, and the time from a key to what it changes. The exchange is the demo
 * exchange in a process of its own, whose costs are not counted. `--long` also waits for ten minutes.
 */
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {isLive} from '../e2e/frame.ts';
import type {BenchRow} from './row.ts';
import {openDemo} from './support/demo.ts';
import {cpuMs, rssMb} from './support/process-use.ts';
import {built, openNode, type Program, type Size, size as standard} from './support/program.ts';
import {median, quantile} from './support/quantile.ts';

const others: readonly Size[] = [
	{columns: 80, rows: 24},
	{columns: 200, rows: 60},
];
const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** Until code is compiled and lists are full. */
const settleMs = 15 * secondMs;
const windowMs = 30 * secondMs;
const keys = 100;
const keyGapMs = 137;

const long = process.argv.includes('--long');

const most = {cpu: 3, slowCpu: 1.5, pausedCpu: 0.2, keyMedianMs: 5, keyP95Ms: 10, rssMb: 115};

export async function bench(): Promise<readonly BenchRow[]> {
	if (!existsSync('/proc/self/stat')) return [{name: 'monitor', measured: 'not measured: there is no /proc here'}];
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const demo = await openDemo(home);
	try {
		const {url} = demo;
		// The one with targets by itself: what others do would be measured with it.
		const alone = await measure(standard, url, home);
		const together = await Promise.all(others.map(size => measure(size, url, home)));
		return [alone, ...together].flat();
	} finally {
		await demo.close();
		rmSync(home, {recursive: true, force: true});
	}
}

async function measure(size: Size, url: string, home: string): Promise<readonly BenchRow[]> {
	const start = performance.now();
	const until = (ms: number) => setTimeout(Math.max(0, ms - (performance.now() - start)));
	const fast = openMonitor(size, url, home, 0.25);
	const slow = openMonitor(size, url, home, 1);
	await Promise.all([fast, slow].map(monitor => monitor.until(isLive)));
	await setTimeout(settleMs);
	const [atFour, atOne] = await Promise.all([use(fast), use(slow)]);
	slow.write('q');
	await slow.ended;
	const times = await keyToPaint(fast);
	await until(minuteMs);
	const minuteMb = rssMb(fast.pid);
	if (long) await until(10 * minuteMs);
	const longMb = rssMb(fast.pid);
	fast.write(' ');
	await setTimeout(secondMs);
	const paused = await use(fast);
	fast.write('q');
	await fast.ended;

	const row = (name: string, value: number, unit: string, limit?: number): BenchRow => ({
		name: `monitor: ${size.columns}×${size.rows}, ${name}`,
		measured: `${value.toFixed(unit === 'MB' ? 0 : 1)} ${unit}`,
		...(size === standard && limit !== undefined && {target: `≤ ${limit} ${unit}`, met: value <= limit}),
	});
	const share = '% of a core';
	return [
		row('4 updates a second', atFour.percent, share, most.cpu),
		row('1 update a second', atOne.percent, share, most.slowCpu),
		row('paused', paused.percent, share, most.pausedCpu),
		row('all that a frame costs', atFour.msPerFrame, 'ms'),
		row('key to paint, median', median(times), 'ms', most.keyMedianMs),
		row('key to paint, 95 of 100', quantile(times, 0.95), 'ms', most.keyP95Ms),
		row('memory after 1 minute', minuteMb, 'MB', most.rssMb),
		...(long ? [row('memory after 10 minutes', longMb, 'MB', most.rssMb)] : []),
	];
}

/** Polls book and trades anew every `seconds`. */
function openMonitor(size: Size, url: string, home: string, seconds: number): Program {
	const config = join(home, `${size.columns}-${seconds}`);
	mkdirSync(join(config, 'tapewatch'), {recursive: true});
	const intervals = `[intervals]\ndepth = ${seconds}\ntrades = ${seconds}\n`;
	writeFileSync(join(config, 'tapewatch', 'config.toml'), `rate = 100\n${intervals}`);
	return openNode([built, 'BTCUSDT', '--base-url', url, '--legacy-base-url', url], config, size);
}

type Use = {readonly percent: number; readonly msPerFrame: number};

/** What the process, with all its threads, uses for a while. */
async function use(monitor: Program): Promise<Use> {
	const [cpuBefore, framesBefore, start] = [cpuMs(monitor.pid), frames(monitor), performance.now()];
	await setTimeout(windowMs);
	const used = cpuMs(monitor.pid) - cpuBefore;
	return {
		percent: (100 * used) / (performance.now() - start),
		msPerFrame: used / (frames(monitor) - framesBefore),
	};
}

const frames = ({pieces}: Program): number =>
	pieces.reduce((sum, {data}) => sum + data.split('\u001B[?2026l').length - 1, 0);

/** Ms from Tab to the screen that shows the focus somewhere else, while data goes on coming. */
async function keyToPaint(monitor: Program): Promise<readonly number[]> {
	const times: number[] = [];
	let focus = '';
	const focusOf = (rows: readonly string[]) => /┏━ (\d)/.exec(rows.join('\n'))?.[1] ?? '';
	await monitor.until(rows => {
		focus = focusOf(rows);
		return true;
	});
	for (let key = 0; key < keys; key++) {
		const before = focus;
		const pressed = monitor.write('\t');
		const painted = await monitor.until(rows => {
			focus = focusOf(rows);
			return focus !== before;
		});
		times.push(painted - pressed);
		await setTimeout(keyGapMs);
	}

	return times;
}

if (import.meta.main) {
	for (const {name, measured, target} of await bench())
		console.log(`${name}: ${measured}${target ? ` (${target})` : ''}`);
}
