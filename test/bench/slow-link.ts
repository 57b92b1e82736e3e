/**
 * What a monitor does on a link that is slow, or stalled, for ten minutes: memory, bytes on their way, and how old the
 * screen is. The link is a buffer without end in front of the terminal, as a connection's buffers are; or nobody reads from
 * the system. Measured with `npm run bench -- --long`; by itself `node test/bench/slow-link.ts [--minutes N]`.
 */
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {age, followAge} from '../e2e/age.ts';
import {isLive} from '../e2e/frame.ts';
import {openTerminal, type Terminal, type TerminalOptions} from '../helpers/terminal.ts';
import type {BenchRow} from './row.ts';
import {openDemo} from './support/demo.ts';
import {rssMb} from './support/process-use.ts';
import {built, size} from './support/program.ts';
import {median} from './support/quantile.ts';

const minuteMs = 60_000;
const patienceMs = 2 * minuteMs;
const sampleMs = 100;
/** Until lists are full and code is compiled. */
const settleMs = minuteMs;

/** Memory that grows so much more than behind a terminal that takes all is a queue, not the collector's whim. */
const most = {grownMb: 8, underWay: 64_000, ageSeconds: 10, resumeMs: 1500};

/** Nothing without `--long`. */
export async function bench(): Promise<readonly BenchRow[]> {
	return process.argv.includes('--long') ? measure(10) : [];
}

async function measure(minutes: number): Promise<readonly BenchRow[]> {
	if (!existsSync('/proc/self/status')) return [{name: 'slow link', measured: 'not measured: there is no /proc here'}];
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	const demo = await openDemo(home);
	try {
		const config = join(home, 'tapewatch');
		mkdirSync(config);
		writeFileSync(join(config, 'config.toml'), 'rate = 100\n[intervals]\ndepth = 0.25\ntrades = 0.25\n');
		const open = (options: Pick<TerminalOptions, 'link' | 'answers'>) =>
			openTerminal({
				...size,
				...options,
				file: process.execPath,
				args: [built, 'BTCUSDT', '--base-url', demo.url, '--legacy-base-url', demo.url],
				env: {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home},
			});
		const [normal, ...slow] = await Promise.all([
			keepUp(open({}), minutes),
			crawl(open({link: {bytesPerSecond: 1000}}), minutes),
			standStill(open({}), 'nothing comes through', minutes, ({link}) => [link.stop, link.resume]),
			standStill(open({answers: false}), 'nobody reads, who never answers', minutes, monitor => [
				monitor.pause,
				monitor.resume,
			]),
		]);
		return slow.flatMap(({name, memoryMb, rows}) => [memoryRow(name, memoryMb, normal.memoryMb), ...rows]);
	} finally {
		await demo.close();
		rmSync(home, {recursive: true, force: true});
	}
}

type MemoryMb = {readonly before: number; readonly after: number};

type Result = {readonly name: string; readonly memoryMb: MemoryMb; readonly rows: readonly BenchRow[]};

/** A terminal that takes all at once, to compare with. */
async function keepUp(monitor: Terminal, minutes: number): Promise<Result> {
	await monitor.waitFor(isLive, patienceMs);
	await setTimeout(settleMs);
	const before = rssMb(monitor.pid);
	await setTimeout(minutes * minuteMs);
	const after = rssMb(monitor.pid);
	await quit(monitor);
	return {name: 'slow link: none', memoryMb: {before, after}, rows: []};
}

/** A terminal that is sent 1 kB a second all the time. */
async function crawl(monitor: Terminal, minutes: number): Promise<Result> {
	const name = `slow link: 1 kB a second for ${minutes} minutes`;
	await monitor.waitFor(isLive, patienceMs);
	await setTimeout(settleMs);
	const before = rssMb(monitor.pid);
	const ages: number[] = [];
	const shownAge = followAge(monitor);
	let underWay = 0;
	for (const end = Date.now() + minutes * minuteMs; Date.now() < end; await setTimeout(sampleMs)) {
		ages.push(shownAge());
		underWay = Math.max(underWay, monitor.link.underWay());
	}

	const after = rssMb(monitor.pid);
	const oldest = Math.max(...ages);
	await quit(monitor);
	const rows = [
		{
			name: `${name}, the screen is old`,
			measured: `median ${median(ages).toFixed(1)} s, at most ${oldest.toFixed(1)} s`,
			target: `≤ ${most.ageSeconds} s`,
			met: oldest <= most.ageSeconds,
		},
		onItsWay(name, underWay),
	];
	return {name, memoryMb: {before, after}, rows};
}

type StopAndGo = (monitor: Terminal) => readonly [stop: () => void, go: () => void];

/** A terminal that is sent nothing for a while. */
async function standStill(monitor: Terminal, how: string, minutes: number, stopAndGo: StopAndGo): Promise<Result> {
	const name = `slow link: ${how} for ${minutes} minutes`;
	const [stop, go] = stopAndGo(monitor);
	await monitor.waitFor(isLive, patienceMs);
	await setTimeout(settleMs);
	const before = rssMb(monitor.pid);
	stop();
	const [came, start] = [monitor.bytes(), Date.now()];
	await setTimeout(minutes * minuteMs);
	const after = rssMb(monitor.pid);
	const resumed = Date.now();
	go();
	await monitor.waitFor(() => monitor.bytes() > came && age(monitor.screen()) <= 1, patienceMs);
	const ms = Date.now() - resumed;
	const waited = monitor.bytes() - came;
	await quit(monitor);
	const rows = [
		{
			name: `${name}, then until the screen is the present`,
			measured: `${ms} ms, after ${((resumed - start) / 1000).toFixed(0)} s`,
			target: `≤ ${most.resumeMs} ms`,
			met: ms <= most.resumeMs,
		},
		onItsWay(name, waited),
	];
	return {name, memoryMb: {before, after}, rows};
}

function memoryRow(name: string, {before, after}: MemoryMb, normal: MemoryMb): BenchRow {
	const grown = after - before;
	const normally = normal.after - normal.before;
	return {
		name: `${name}, memory before and after`,
		measured: `${before.toFixed(0)} MB, ${after.toFixed(0)} MB; on a link that is well ${normally.toFixed(0)} MB more`,
		target: `≤ ${most.grownMb} MB more than that`,
		met: grown - normally <= most.grownMb,
	};
}

const onItsWay = (name: string, bytes: number): BenchRow => ({
	name: `${name}, bytes on their way`,
	measured: `at most ${(bytes / 1000).toFixed(1)} kB`,
	target: `< ${most.underWay / 1000} kB`,
	met: bytes < most.underWay,
});

async function quit(monitor: Terminal): Promise<void> {
	monitor.write('q');
	await monitor.exit;
}

if (import.meta.main) {
	const {values} = parseArgs({options: {minutes: {type: 'string', default: '10'}}});
	for (const {name, measured, target, met} of await measure(Number(values.minutes))) {
		console.log(`${name}: ${measured} (${target}${met ? '' : ', MISSED'})`);
	}
}
