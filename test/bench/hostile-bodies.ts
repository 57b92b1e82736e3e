/**
 * What the costliest bodies within the limits cost each operation: how long keys wait, and memory. Alone:
 * `node --expose-gc test/bench/hostile-bodies.ts`.
 */

import {gzipSync} from 'node:zlib';
import {createBodyLimits} from '../../source/client/body-limits.ts';
import {connect} from '../../source/client/connect.ts';
import type {Operation} from '../../source/client/errors.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {
	paths,
	type Reply,
	sends,
	legacy as sendsLegacy,
	v2 as sendsV2,
	startExchangeServer,
} from '../helpers/exchange-server.ts';
import {hostileBodies} from '../helpers/hostile-bodies.ts';
import {legacyTicker, ticker, market as wireMarket} from '../helpers/wire-entries.ts';
import type {BenchRow} from './row.ts';

const mebibyte = 1024 * 1024;
const mostMs = 100;
const mostMemory = 64 * mebibyte;

const patient = {timeoutMs: 60_000, rate: 1_000_000};
const manyMarkets = 5000;
const market = 'AB';

type Read = (v2: Exchange, legacy: Exchange) => Promise<unknown>;

/** By name, with the operation whose limit it has. */
type Operations = Readonly<Record<string, readonly [Operation, Read]>>;

const lists: Operations = {
	markets: ['markets', v2 => v2.markets({})],
	tickers: ['ticker', v2 => v2.tickers({})],
	'legacy markets': ['ticker', (_, legacy) => legacy.markets({})],
	'legacy tickers': ['ticker', (_, legacy) => legacy.tickers({})],
};

const operations: Operations = {
	...lists,
	info: ['info', v2 => v2.info({})],
	depth: ['depth', v2 => v2.depth(market, {})],
	trades: ['trades', v2 => v2.trades(market, {})],
	candles: ['candles', v2 => v2.candles(market, {period: 60})],
	'legacy depth': ['depth', (_, legacy) => legacy.depth(market, {})],
	'legacy trades': ['trades', (_, legacy) => legacy.trades(market, {})],
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

/** The least time of up to three runs, as a busy computer makes single ones too long, and the most memory. */
async function leastCost(what: string, read: () => Promise<unknown>): Promise<Cost> {
	let least = await costOf(what, read);
	for (let run = 1; run < 3 && least.ms > mostMs / 2; run++) {
		const {ms, memory} = await costOf(what, read);
		least = {what, ms: Math.min(ms, least.ms), memory: Math.max(memory, least.memory)};
	}

	return least;
}

/** Lists of so many markets, by path. */
function honestLists(length: number): Readonly<Record<string, Reply>> {
	const names = Array.from({length}, (_, index) => `A${index}`);
	return {
		[paths.markets]: sendsV2(names.map(name => wireMarket(name))),
		[paths.ticker]: sendsV2(names.map(name => ticker({symbol: `${name}USDT`}))),
		[paths.legacyTicker]: sendsLegacy(Object.fromEntries(names.map(name => [`${name}USDT`, legacyTicker()]))),
	};
}

/** The costs of the hostile bodies, and of lists of `markets` markets that are read before each if it is given. */
async function measure(
	operations: Operations,
	markets?: number,
): Promise<Record<'hostile' | 'honest', readonly Cost[]>> {
	const limits = createBodyLimits();
	if (markets !== undefined) limits.learn('markets', Array(markets));
	const server = await startExchangeServer();
	// They know no list of markets yet.
	const exchanges = {
		v2: connect({baseUrl: server.url, ...patient}),
		legacy: connect({legacyBaseUrl: server.url, ...patient}),
	};
	const [hostile, honest]: [Cost[], Cost[]] = [[], []];
	for (const [operation, [limited, read]] of Object.entries(operations)) {
		const measured = (name: string) => leastCost(`${operation}: ${name}`, () => read(exchanges.v2, exchanges.legacy));
		if (markets !== undefined) {
			for (const [path, reply] of Object.entries(honestLists(markets))) server.answer(path, reply);
			honest.push(await measured(`${markets} markets`));
		}

		for (const [name, body] of Object.entries(hostileBodies(limits.of(limited)))) {
			const reply = sends(gzipSync(body, {level: 1}), {headers: {'content-encoding': 'gzip'}});
			for (const path of Object.values(paths)) server.answer(path, reply);
			hostile.push(await measured(name));
		}
	}

	await Promise.all([exchanges.v2.close(), exchanges.legacy.close(), server.close()]);
	return {hostile, honest};
}

/** What JSON.parse alone takes for a book of a megabyte, the measure of this computer. */
function parseMs(): number {
	const book = JSON.stringify({asks: Array.from({length: 40_000}, (_, index) => [60_000 + index / 100, 0.123_456_78])});
	const runs = Array.from({length: 5}, () => {
		const {user, system} = process.threadCpuUsage();
		JSON.parse(book);
		const after = process.threadCpuUsage();
		return (after.user + after.system - user - system) / 1000;
	});
	return Math.min(...runs);
}

const worst = (costs: readonly Cost[], by: 'ms' | 'memory'): Cost =>
	costs.reduce((most, cost) => (cost[by] > most[by] ? cost : most));
const msText = ({ms, what}: Cost): string => `${ms.toFixed(0)} ms (${what})`;

/** Rows for the body that keeps keys waiting longest, and for the one that takes most memory. */
export async function bench(): Promise<readonly BenchRow[]> {
	// Lists of up to 2,048 markets leave the limits as they are.
	const {hostile} = await measure(operations);
	const afterMany = await measure(lists, manyMarkets);
	const slow = worst(hostile, 'ms');
	const large = worst([...hostile, ...afterMany.hostile], 'memory');
	const slowList = worst(afterMany.hostile, 'ms');
	return [
		{
			name: `keys wait for the worst of ${hostile.length} hostile answers`,
			measured: msText(slow),
			target: `≤ ${mostMs} ms`,
			met: slow.ms <= mostMs,
		},
		{
			name: 'memory that one hostile body takes',
			measured: `${(large.memory / mebibyte).toFixed(0)} MiB (${large.what})`,
			target: `≤ ${mostMemory / mebibyte} MiB`,
			met: large.memory <= mostMemory,
		},
		{name: `keys wait for the worst hostile list after one of ${manyMarkets} markets`, measured: msText(slowList)},
		{name: 'keys wait for that list itself', measured: msText(worst(afterMany.honest, 'ms'))},
		{name: 'JSON.parse of a book of 1 MB, for comparison', measured: `${parseMs().toFixed(0)} ms`},
	];
}

if (import.meta.main) console.table(await bench());
