/** What the costliest bodies within the limits cost each operation: how long keys wait, and memory. Alone: `node --expose-gc test/bench/hostile-bodies.ts`. */

import {gzipSync} from 'node:zlib';
import {type BodyLimit, createBodyLimits} from '../../source/client/body-limits.ts';
import {connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {paths, sends, startExchangeServer} from '../helpers/exchange-server.ts';
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

const envelope = (data: string): string =>
	`{"success":true,"isSuccess":true,"message":"OK","timestamp":1723161600000,"data":${data}}`;

/** As many of a unit as the limit allows, in which it counts as `values`. */
function many(limit: BodyLimit, unit: string, values: number, open = '[', close = ']'): string {
	const count = Math.floor(Math.min((limit.bytes - 500) / (unit.length + 1), (limit.values - 20) / values));
	return envelope(open + Array<string>(count).fill(unit).join(',') + close);
}

/** One text of this content, as long as the limit allows. */
const text = ({bytes}: BodyLimit, unit: string, open: string, close: string): string =>
	envelope(open + unit.repeat(Math.floor((bytes - 500) / unit.length)) + close);

const tickerFields =
	'"symbol":"A","priceChange":1,"priceChangePercent":1,"lastPrice":1,"bidPrice":1,"bidQuantity":1,"askPrice":1,"askQuantity":1,"openPrice":1,"highPrice":1,"lowPrice":1,"volume":1,"state":"x"';
const marketFields = '"id":1,"marketName":"A","base":"A","quote":"B","state":"x","marketType":"s"';
const tradeFields = '"id":1,"quantity":1,"price":1,"time":1723161600000,"side":"buy"';
const long = '1.00000000000000000000000000001';

/** An object of as many names as the limit allows, each with a value that counts as `values`. */
const distinctKeys = (limit: BodyLimit, value: string, values: number): string => {
	const length = Math.floor((limit.values - 20) / values);
	return envelope(`{${Array.from({length}, (_, index) => `"M${index}":${value}`).join(',')}}`);
};

const bodiesAt = (limit: BodyLimit): Readonly<Record<string, string>> => ({
	numbers: many(limit, '1', 1),
	'empty objects': many(limit, '{}', 2),
	'empty lists': many(limit, '[]', 2),
	'long numbers': many(limit, long, 1),
	'long ids in trades': many(limit, `{${tradeFields.replace('1,', '12345678901234567890,')}}`, 6),
	'levels of long numbers': many(limit, `[${long},${long}]`, 3, '{"asks":[', ']}'),
	'levels of one price': many(limit, '[1,1]', 3, '{"asks":[', ']}'),
	'levels of texts': many(limit, '["1","1"]', 3, '{"asks":[', ']}'),
	'tickers of one market': many(limit, `{${tickerFields}}`, 14),
	'tickers of wrong fields': many(limit, `{${tickerFields.replaceAll(':1,', ':{},')}}`, 27),
	'markets of one name': many(limit, `{${marketFields}}`, 7),
	'markets with escape sequences': many(limit, `{${marketFields.replace('"x"', `"${'\\u001b]'.repeat(9)}"`)}}`, 7),
	'trades of one id': many(limit, `{${tradeFields}}`, 6),
	'trades of wrong fields': many(limit, `{${tradeFields.replaceAll(/:[\d"]\w*"?/g, ':[]')}}`, 11),
	'candles of one time': many(limit, '{"id":1723161600,"open":1,"close":1,"low":1,"high":1,"volume":1}', 7),
	'distinct keys': distinctKeys(limit, '1', 1),
	'legacy tickers': distinctKeys(limit, '{"last":1,"isFrozen":0}', 3),
	'a text of escape sequences': text(limit, '\\u001b[', '{"name":"', '"}'),
	'a text of unfinished escape sequences': text(limit, '\\u001b]', '{"name":"', '"}'),
	'a text of joiners': text(limit, '\\u200d', '{"name":"', '"}'),
	'a text of backslashes': text(limit, '\\\\', '{"description":"', '"}'),
	'a number of two million digits': text(limit, '1', '[', ']'),
	'points and digits': text(limit, '1.', '[', ']'),
	blanks: text(limit, ' ', '[', ']'),
	'lists in lists': envelope('['.repeat(limit.bytes / 4) + ']'.repeat(limit.bytes / 4)),
	'no JSON': 'x'.repeat(limit.bytes - 10),
});

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
		for (const [name, body] of Object.entries(bodiesAt(limit))) {
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
