/**
 * What a monitor does on a link that is slow, or stands still, for ten minutes: memory, bytes on their way, and how old the
 * screen is. The link is a buffer without end in front of the terminal, as a connection's buffers are; or nobody reads from
 * the system. Measured with `npm run bench -- --long`; by itself `node test/bench/slow-link.ts [--minutes N]`.
 */
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {parseArgs} from 'node:util';
import {isLive} from '../e2e/frame.ts';
import {openTerminal, type Terminal, type TerminalOptions} from '../helpers/terminal.ts';
import type {BenchRow} from './row.ts';
import {openDemo} from './support/demo.ts';
import {built, size} from './support/program.ts';
import {median} from './support/quantile.ts';

const minuteMs = 60_000;
const patienceMs = 2 * minuteMs;
const sampleMs = 100;
/** Until lists are full and code is compiled. */
const settleMs = minuteMs;

/** Growth of memory that is not a queue: what the collector has not come to yet. */
const most = {grownMb: 20, underWay: 64_000, ageSeconds: 10, resumeMs: 1500};

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
		const rows = await Promise.all([
			crawl(open({link: {bytesPerSecond: 1000}}), minutes),
			standStill(open({}), 'nothing comes through', minutes, link => [link.link.stop, link.link.resume]),
			standStill(open({answers: false}), 'nobody reads, who never answers', minutes, link => [link.pause, link.resume]),
		]);
		return rows.flat();
	} finally {
		await demo.close();
		rmSync(home, {recursive: true, force: true});
	}
}

/** A terminal that is sent 1 kB a second all the time. */
async function crawl(monitor: Terminal, minutes: number): Promise<readonly BenchRow[]> {
	const name = `slow link: 1 kB a second for ${minutes} minutes`;
	await monitor.waitFor(isLive, patienceMs);
	await setTimeout(settleMs);
	const before = rssMb(monitor);
	const ages: number[] = [];
	let underWay = 0;
	for (const end = Date.now() + minutes * minuteMs; Date.now() < end; await setTimeout(sampleMs)) {
		ages.push(age(monitor));
		underWay = Math.max(underWay, monitor.link.underWay());
	}

	const after = rssMb(monitor);
	const oldest = Math.max(...ages);
	await quit(monitor);
	return [
		memory(name, before, after),
		{
			name: `${name}, the screen is old`,
			measured: `median ${median(ages)} s, at most ${oldest} s`,
			target: `≤ ${most.ageSeconds} s`,
			met: oldest <= most.ageSeconds,
		},
		onItsWay(name, underWay),
	];
}

type StopAndGo = (monitor: Terminal) => readonly [stop: () => void, go: () => void];

/** A terminal that is sent nothing for a while. */
async function standStill(
	monitor: Terminal,
	how: string,
	minutes: number,
	stopAndGo: StopAndGo,
): Promise<readonly BenchRow[]> {
	const name = `slow link: ${how} for ${minutes} minutes`;
	const [stop, go] = stopAndGo(monitor);
	await monitor.waitFor(isLive, patienceMs);
	await setTimeout(settleMs);
	const before = rssMb(monitor);
	stop();
	const [came, start] = [monitor.bytes(), Date.now()];
	await setTimeout(minutes * minuteMs);
	const after = rssMb(monitor);
	const resumed = Date.now();
	go();
	await monitor.waitFor(() => monitor.bytes() > came && age(monitor) <= 1, patienceMs);
	const ms = Date.now() - resumed;
	const waited = monitor.bytes() - came;
	await quit(monitor);
	return [
		memory(name, before, after),
		{
			name: `${name}, then until the screen is the present`,
			measured: `${ms} ms, after ${((resumed - start) / 1000).toFixed(0)} s`,
			target: `≤ ${most.resumeMs} ms`,
			met: ms <= most.resumeMs,
		},
		onItsWay(name, waited),
	];
}

const memory = (name: string, before: number, after: number): BenchRow => ({
	name: `${name}, memory before and after`,
	measured: `${before.toFixed(0)} MB, ${after.toFixed(0)} MB`,
	target: `≤ ${most.grownMb} MB more`,
	met: after - before <= most.grownMb,
});

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

/** Seconds since the time on the screen. */
function age(monitor: Terminal): number {
	const [, ...time] = /UTC (\d\d):(\d\d):(\d\d)$/m.exec(monitor.screen().join('\n')) ?? [];
	const [hours = Number.NaN, minutes = 0, seconds = 0] = time.map(Number);
	const day = 24 * 60 * 60;
	return (Math.floor(Date.now() / 1000) - ((hours * 60 + minutes) * 60 + seconds) + day) % day;
}

function rssMb({pid}: Terminal): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

if (import.meta.main) {
	const {values} = parseArgs({options: {minutes: {type: 'string', default: '10'}}});
	for (const {name, measured, target, met} of await measure(Number(values.minutes))) {
		console.log(`${name}: ${measured} (${target}${met ? '' : ', MISSED'})`);
	}
}
