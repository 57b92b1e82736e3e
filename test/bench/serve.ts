/**
 * What many viewers of `tapewatch serve` cost: CPU, memory, requests to the exchange, the time until they see something, and
 * what is left of those who are gone. Exchange and viewers are in processes of their own, whose costs are not counted.
 * Measured with `npm run bench`; parts by `node test/bench/serve.ts monitors tiles comings`.
 */
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {loadavg, tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {BenchRow} from './row.ts';
import {inspect} from './support/inspected.ts';
import {openCountedExchange} from './support/open-counted-exchange.ts';
import {openServer} from './support/open-server.ts';
import {openViewers} from './support/open-viewers.ts';
import {cpuMs, openFiles, rssMb} from './support/process-use.ts';
import {median, quantile} from './support/quantile.ts';

const viewerCount = 100;
/** Of them, those whose keys are timed. */
const watched = 4;
/** Who join when all others are there. */
const lateCount = 20;
const servers = 5;
const markets = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'] as const;
const secondMs = 1000;
/** Until code is compiled and lists are full. */
const settleMs = 15 * secondMs;
const windowMs = 10 * secondMs;
const windows = 3;
const keyRounds = 8;
const connections = 5000;
const firstConnections = 500;
const atOnce = 10;

type Exchange = Awaited<ReturnType<typeof openCountedExchange>>;

const most = {cpu: 35, viewerMb: 2, requests: 1.05, frameMs: 150, keyMs: 60, grownMb: 5};

const parts = {firsts, monitors, tiles, comings: comingAndGoing};

export async function bench(names: readonly string[] = Object.keys(parts)): Promise<readonly BenchRow[]> {
	if (!existsSync('/proc/self/stat')) return [{name: 'serve', measured: 'not measured: there is no /proc here'}];
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-bench-'));
	mkdirSync(join(home, 'tapewatch'));
	// Else requests wait for the rate limit, whoever looks.
	writeFileSync(join(home, 'tapewatch', 'config.toml'), 'rate = 100\n');
	const exchange = await openCountedExchange();
	try {
		const rows = [await reference()];
		for (const [name, part] of Object.entries(parts)) {
			if (names.includes(name)) rows.push(...(await part(home, exchange)));
		}

		return rows;
	} finally {
		await exchange.close();
		rmSync(home, {recursive: true, force: true});
	}
}

/** How fast and how busy the machine is. */
async function reference(): Promise<BenchRow> {
	const times: number[] = [];
	for (let run = 0; run < 5; run++) {
		const start = performance.now();
		await once(spawn(process.execPath, ['--eval', '0']), 'exit');
		times.push(performance.now() - start);
	}

	const [load = 0] = loadavg();
	return {
		name: 'serve: an empty Node beside it',
		measured: `${median(times).toFixed(0)} ms, at a load of ${load.toFixed(1)}`,
	};
}

const ms = (times: readonly number[]): string =>
	`median ${median(times).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms`;

const within = (name: string, times: readonly number[], mostMs: number): BenchRow => ({
	...{name, measured: ms(times)},
	...{target: `p95 ≤ ${mostMs} ms`, met: quantile(times, 0.95) <= mostMs},
});

/** Who comes first to a server that has just started. Before the first of these, no code was compiled. */
async function firsts(home: string, {url}: Exchange): Promise<readonly BenchRow[]> {
	const times: number[] = [];
	for (let run = 0; run < servers; run++) {
		const server = await openServer(home, url);
		const viewers = openViewers(server.port);
		const [joined] = await viewers.join([marketAt(0)], 0);
		times.push(joined?.frameMs ?? Number.NaN);
		await viewers.close();
		await server.close();
	}

	const slowest = Math.max(...times);
	return [
		{
			name: 'serve: first viewer of a server, first frame after log-in',
			measured: `median ${median(times).toFixed(0)} ms, slowest of ${servers} ${slowest.toFixed(0)} ms`,
			...{target: `≤ ${most.frameMs} ms`, met: slowest <= most.frameMs},
		},
	];
}

/** In % of a core: of each window, so that a busy moment of the machine does not count. */
async function cpuPercents(pid: number): Promise<readonly number[]> {
	const percents: number[] = [];
	for (let window = 0; window < windows; window++) {
		const [before, start] = [cpuMs(pid), performance.now()];
		await setTimeout(windowMs);
		percents.push((100 * (cpuMs(pid) - before)) / (performance.now() - start));
	}

	return percents;
}

/** What comes in a second while `work` runs. */
async function rate<T>(count: () => Promise<number>, work: () => Promise<T>): Promise<{perSecond: number; result: T}> {
	const [before, start] = [await count(), performance.now()];
	const result = await work();
	return {perSecond: (secondMs * ((await count()) - before)) / (performance.now() - start), result};
}

const marketAt = (index: number): string => markets[index % markets.length] ?? markets[0];
const marketsOf = (count: number): readonly string[] => Array.from({length: count}, (_, index) => marketAt(index + 1));

async function monitors(home: string, exchange: Exchange): Promise<readonly BenchRow[]> {
	const server = await openServer(home, exchange.url);
	const viewers = openViewers(server.port);
	const {pid} = server;
	try {
		await viewers.join([marketAt(0)], 1);
		await setTimeout(settleMs);
		const oneMb = rssMb(pid);
		const onePercent = median(await cpuPercents(pid));
		const alone = await viewers.press(keyRounds);

		const joined = await viewers.join(marketsOf(viewerCount - 1), watched - 1);
		await setTimeout(settleMs);
		const before = await viewers.received();
		const {perSecond, result: percents} = await rate(exchange.requests, () => cpuPercents(pid));
		const after = await viewers.received();
		const percent = median(percents);
		const each = (name: 'bytes' | 'frames') =>
			((after[name] - before[name]) * secondMs) / viewerCount / (windows * windowMs);
		const eachMb = (rssMb(pid) - oneMb) / (viewerCount - 1);
		const pressed = await viewers.press(keyRounds);

		const [usedMs, start] = [cpuMs(pid), performance.now()];
		const late = await viewers.join(marketsOf(lateCount), 0);
		const othersMs = ((performance.now() - start) * percent) / 100;
		const joinMs = (cpuMs(pid) - usedMs - othersMs) / lateCount;
		const all = [...joined, ...late];
		const name = `serve: ${viewerCount} monitors`;
		return [
			{name: 'serve: 1 monitor, CPU', measured: `${onePercent.toFixed(1)} % of a core`},
			{name: 'serve: 1 monitor, memory', measured: `${oneMb.toFixed(0)} MB`},
			{name: 'serve: 1 monitor, key to paint', measured: ms([...alone.help, ...alone.next])},
			{name: 'serve: 1 monitor, Esc to paint', measured: ms(alone.escape)},
			{
				name: `${name}, CPU`,
				measured: `${percent.toFixed(1)} % of a core, ${each('frames').toFixed(2)} frames a second each`,
				...{target: `≤ ${most.cpu} %`, met: percent <= most.cpu},
			},
			{
				name: `${name}, memory of each beyond the first, after a minute`,
				measured: `${eachMb.toFixed(2)} MB`,
				...{target: `≤ ${most.viewerMb} MB`, met: eachMb <= most.viewerMb},
			},
			{name: `${name}, sent to each`, measured: `${(each('bytes') / 1000).toFixed(2)} kB/s`},
			{
				name: `${name}, requests to the exchange`,
				measured: `${perSecond.toFixed(2)} a second for ${markets.length} markets`,
			},
			{name: `${name}, log-in while the others look`, measured: ms(all.map(({loginMs}) => loginMs))},
			within(
				`${name}, first frame after log-in`,
				all.map(({frameMs}) => frameMs),
				most.frameMs,
			),
			{name: `${name}, first prices after log-in`, measured: ms(all.map(({dataMs}) => dataMs))},
			{name: `${name}, CPU of a log-in and its first frame`, measured: `${joinMs.toFixed(1)} ms`},
			within(`${name}, key to paint`, [...pressed.help, ...pressed.next], most.keyMs),
			// Until 50 ms after it, it can be the beginning of another key.
			{name: `${name}, Esc to paint`, measured: ms(pressed.escape)},
		];
	} finally {
		await viewers.close();
		await server.close();
	}
}

async function tiles(home: string, exchange: Exchange): Promise<readonly BenchRow[]> {
	const server = await openServer(home, exchange.url);
	const viewers = openViewers(server.port);
	const command = `watch ${markets.join(' ')}`;
	const measure = async () => {
		await setTimeout(settleMs);
		const {perSecond, result} = await rate(exchange.requests, () => cpuPercents(server.pid));
		return {perSecond, percent: median(result)};
	};
	try {
		await viewers.join([command], 0);
		const one = await measure();
		await viewers.join(Array<string>(viewerCount - 1).fill(command), 0);
		const many = await measure();
		const name = `serve: ${viewerCount} viewers of ${markets.length} tiles`;
		return [
			{
				name: `${name}, CPU`,
				measured: `${many.percent.toFixed(1)} % of a core, of one ${one.percent.toFixed(1)} %`,
				...{target: `≤ ${most.cpu} %`, met: many.percent <= most.cpu},
			},
			{
				name: `${name}, requests to the exchange`,
				measured: `${many.perSecond.toFixed(2)} a second, of one viewer ${one.perSecond.toFixed(2)}`,
				target: `≤ ${most.requests} × those of one`,
				met: many.perSecond <= most.requests * one.perSecond,
			},
		];
	} finally {
		await viewers.close();
		await server.close();
	}
}

async function comingAndGoing(home: string, {url}: Exchange): Promise<readonly BenchRow[]> {
	const server = await openServer(home, url, ['--inspect=127.0.0.1:0']);
	const inside = await inspect(server.inspector ?? '');
	const viewers = openViewers(server.port);
	const use = async () => {
		// Connections that were cut are found, and what waits for them ends.
		await setTimeout(settleMs);
		const heapMb = await inside.heapMb();
		return {heapMb, open: await inside.open(), rssMb: rssMb(server.pid), files: openFiles(server.pid)};
	};
	try {
		// Code is compiled, and lists are full.
		await viewers.churn(firstConnections, atOnce);
		const before = await use();
		const start = performance.now();
		const {failed} = await viewers.churn(connections, atOnce);
		const seconds = (performance.now() - start) / secondMs;
		const after = await use();
		const grown = Object.keys({...before.open, ...after.open})
			.map(name => ({name, count: (after.open[name] ?? 0) - (before.open[name] ?? 0)}))
			.filter(({count}) => count > 0);
		const name = `serve: ${connections} connects and disconnects`;
		return [
			{
				name: `${name}, time`,
				measured: `${seconds.toFixed(0)} s, ${failed} refused`,
				target: 'none refused',
				met: failed === 0,
			},
			{
				name: `${name}, memory in use`,
				measured: `${before.heapMb.toFixed(1)} MB before, ${after.heapMb.toFixed(1)} MB after`,
				...{target: `≤ ${most.grownMb} MB more`, met: after.heapMb - before.heapMb <= most.grownMb},
			},
			{
				name: `${name}, memory of the process`,
				measured: `${before.rssMb.toFixed(0)} MB before, ${after.rssMb.toFixed(0)} MB after`,
			},
			{
				name: `${name}, handles and listeners left`,
				measured: grown.map(({name: kind, count}) => `${count} ${kind}`).join(', ') || 'none',
				...{target: 'none', met: grown.length === 0},
			},
			{
				name: `${name}, open files`,
				measured: `${before.files} before, ${after.files} after`,
				...{target: 'no more', met: after.files <= before.files},
			},
		];
	} finally {
		inside.close();
		await viewers.close();
		await server.close();
	}
}

if (import.meta.main) {
	const names = process.argv.slice(2);
	for (const {name, measured, target = '', met} of await bench(names.length > 0 ? names : undefined))
		console.log(`${name}: ${measured} ${target}${met === false ? ' MISSED' : ''}`);
}
