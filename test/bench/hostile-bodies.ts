/** What the costliest bodies within the limits cost each operation: how long keys wait, and memory. Alone: `node --expose-gc test/bench/hostile-bodies.ts`. */

import {gzipSync} from 'node:zlib';
import {type BodyLimit, createBodyLimits} from '../../source/client/body-limits.ts';
import {connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {paths, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {hostileBodies} from '../helpers/hostile-bodies.ts';
import type {BenchRow} from './row.ts';

const mebibyte = 1024 * 1024;
const mostMs = 100;
const mostMemory = 64 * mebibyte;

const market = 'AB';
const limits = createBodyLimits();

type Read = (v2: Exchange, legacy: Exchange) => Promise<unknown>;

/** The ten operations, with the limit of their answers before a list of markets is known. */
const operations: Readonly<Record<string, readonly [BodyLimit, Read]>> = {
	info: [limits.of('info'), v2 => v2.info({})],
	markets: [limits.of('markets'), v2 => v2.markets({})],
	tickers: [limits.of('ticker'), v2 => v2.tickers({})],
	depth: [limits.of('depth'), v2 => v2.depth(market, {})],
	trades: [limits.of('trades'), v2 => v2.trades(market, {})],
	candles: [limits.of('candles'), v2 => v2.candles(market, {period: 60})],
	'legacy markets': [limits.of('ticker'), (_, legacy) => legacy.markets({})],
	'legacy tickers': [limits.of('ticker'), (_, legacy) => legacy.tickers({})],
	'legacy depth': [limits.of('depth'), (_, legacy) => legacy.depth(market, {})],
	'legacy trades': [limits.of('trades'), (_, legacy) => legacy.trades(market, {})],
};

type Cost = {readonly what: string; readonly ms: number; readonly memory: number};

/** The longest time of this thread's work between two turns of the event loop, and the most memory above that at the start. */
async function costOf(what: string, read: () => Promise<unknown>): Promise<Cost> {
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	let [ms, memory, ended] = [0, 0, false];
	let last = process.threadCpuUsage();
	const look = (): void => {
		const {user, system} = process.threadCpuUsage(last);
		ms = Math.max(ms, (user + system) / 1000);
		memory = Math.max(memory, process.memoryUsage.rss() - before);
		last = process.threadCpuUsage();
		if (!ended) setImmediate(look);
	};
	setImmediate(look);
	await read().catch(() => {});
	look();
	ended = true;
	return {what, ms, memory};
}

/** Rows for the body that keeps keys waiting longest, and for the one that takes most memory. */
export async function bench(): Promise<readonly BenchRow[]> {
	const costs: Cost[] = [];
	const server = await startExchangeServer();
	for (const [operation, [limit, read]] of Object.entries(operations)) {
		for (const [name, body] of Object.entries(hostileBodies(limit))) {
			const reply = sends(gzipSync(body), {headers: {'content-encoding': 'gzip'}});
			for (const path of Object.values(paths)) server.answer(path, reply);
			// They have not learned the number of markets.
			const v2 = connect({baseUrl: server.url, timeoutMs: 60_000});
			const legacy = connect({legacyBaseUrl: server.url, timeoutMs: 60_000});
			costs.push(await costOf(`${operation}: ${name}`, () => read(v2, legacy)));
			await Promise.all([v2.close(), legacy.close()]);
		}
	}

	await server.close();
	const slowest = costs.toSorted((a, b) => b.ms - a.ms);
	const largest = costs.toSorted((a, b) => b.memory - a.memory);
	const [slow, large] = [slowest[0], largest[0]];
	if (!slow || !large) return [];
	return [
		{
			name: `keys wait for the worst of ${costs.length} hostile answers`,
			measured: `${slow.ms.toFixed(0)} ms (${slow.what})`,
			target: `≤ ${mostMs} ms`,
			met: slow.ms <= mostMs,
		},
		{
			name: 'memory that one hostile body takes',
			measured: `${(large.memory / mebibyte).toFixed(0)} MiB (${large.what})`,
			target: `≤ ${mostMemory / mebibyte} MiB`,
			met: large.memory <= mostMemory,
		},
	];
}

if (import.meta.main) console.table(await bench());
