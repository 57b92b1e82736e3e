/** The files and commands of docs/fleet.md, with Debian's nginx, Varnish and systemd. */
import {spawnSync} from 'node:child_process';
import {subscribe} from 'node:diagnostics_channel';
import {readFileSync, writeFileSync} from 'node:fs';
import type {IncomingMessage} from 'node:http';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {systemClock} from '../../source/market/clock.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import {startTapewatch} from '../e2e/tapewatch.ts';
import {commands, env, openPlace, type Place} from './document.ts';

let demo: Demo;
let place: Place;

beforeAll(async () => {
	demo = await startDemo();
	place = await openPlace(demo.port);
});

afterAll(async () => {
	await demo.close();
	place.remove();
});

/** The status of an answer, and whether it came from the cache; asked for twice. */
async function twice(port: number, path: string): Promise<unknown> {
	const ask = async () => {
		const answer = await fetch(`http://127.0.0.1:${port}${path}`);
		await answer.arrayBuffer();
		return [answer.status, answer.headers.get('x-cache-status')];
	};
	return [await ask(), await ask()];
}

const outcomes = (status: number, ...found: readonly string[]) => found.map(each => [status, each]);
const tickers = '/engine/v2/public/ticker';
const candles = '/trade-chart/v2/public/kline?symbol=BTCUSDT&period=60&limit=4';
const v2Depth = '/engine/v2/public/depth?symbol=BTCUSDT';
const legacyDepth = '/api-ordermatch/api/v1/public/depth?symbol=BTCUSDT';

/** Runs what the document has each viewer run against the cache at this port, until a line for the market comes. */
async function watch(port: number): Promise<void> {
	const [, ...words] = place.command(`tapewatch watch BTCUSDT --base-url http://127.0.0.1:${port}`).split(' ');
	expect(words.splice(-2)).toEqual(['--for', '3']);
	// On a busy machine three seconds would show nothing.
	const watch = startTapewatch(words);
	await watch.wrote(text => /^\S+ \S+ +BTCUSDT +[\d,.]+/m.test(text));
	watch.kill('SIGINT');
	expect(await watch.outcome).toMatchObject({status: 130, stderr: ''});
}

test('every command of docs/fleet.md is run by a test of this file', () => {
	const run = [
		'nginx ',
		'varnishd ',
		'tapewatch watch BTCUSDT --base-url ',
		'systemd-analyze verify ',
		'systemd-analyze security ',
	];
	expect(commands.filter(command => !run.some(start => command.startsWith(start)))).toEqual([]);
});

/** Tries the cache at this port. */
async function tryCache(port: number): Promise<void> {
	for (const path of [tickers, candles, v2Depth, legacyDepth]) {
		// The seconds that an answer belongs to may end between the two.
		await expect.poll(() => twice(port, path)).toEqual(outcomes(200, 'MISS', 'HIT'));
	}

	expect(await twice(port, '/none')).toEqual(outcomes(404, 'MISS', 'MISS'));
	demo.faults.add({on: 'v2.*', fault: 'status-429'});
	demo.faults.add({on: 'legacy.*', fault: 'status-500'});
	// What was kept is given for its time, and not after it.
	await expect.poll(() => twice(port, v2Depth)).toEqual(outcomes(429, 'MISS', 'MISS'));
	await expect.poll(() => twice(port, legacyDepth)).toEqual(outcomes(500, 'MISS', 'MISS'));
	demo.faults.clear();
	await watch(port);
}

let requests = 0;
subscribe('http.server.request.start', message => {
	if ((message as {request: IncomingMessage}).request.socket.localPort === demo.port) requests++;
});

const [watchers, symbols] = [4, ['BTCUSDT', 'ETHUSDT']];
const watched = ['tickers', 'depth', 'trades', 'candles'] as const;

/** Watchers with a client of their own, as `watch --json` has it: a store for each market. */
function openWatchers(url: string) {
	let [answers, failures, since] = [0, 0, 0];
	const stores = Array.from({length: watchers}, () => {
		const client = connect({
			...{baseUrl: url, legacyBaseUrl: url, rate: 20, timeoutMs: 30_000},
			observe({error, startedAt}) {
				if (!error) answers++;
				else if (startedAt > since) failures++;
			},
		});
		onTestFinished(client.close);
		const intervals = pollIntervals();
		const exchange = createSharedExchange({
			exchange: client,
			clock: systemClock,
			random: Math.random,
			intervals,
		}).join();
		return symbols.map(symbol => {
			const store = createMarketStore({exchange, clock: systemClock, symbol});
			onTestFinished(store.stop);
			store.show(new Set(watched));
			store.start();
			return store;
		});
	}).flat();
	const failuresOf = (index: number) =>
		watched.flatMap(name => {
			const resource = stores[index]?.getSnapshot()[name];
			return resource && resource.status !== 'waiting' && resource.failure ? [{name, ...resource.failure}] : [];
		});
	return {
		answers: () => answers,
		/** Of requests that are sent from now on. */
		countFailures() {
			[since, failures] = [Date.now(), 0];
			return () => failures;
		},
		/** Of each store. */
		failures: () => stores.map((_, index) => failuresOf(index)),
		areWell: () =>
			stores.every((store, index) => {
				const state = store.getSnapshot();
				return watched.every(name => state[name].status === 'ready') && failuresOf(index).length === 0;
			}),
	};
}

describe('a fleet', () => {
	test('asks the exchange about as often as one watcher, says when nginx stops, and is well a poll after it is back', {
		tags: 'nginx',
	}, async () => {
		await place.startNginx();
		onTestFinished(() => place.stopNginx().catch(() => {}));
		const fleet = openWatchers(`http://127.0.0.1:${place.nginx}`);
		await expect.poll(fleet.areWell).toBe(true);
		const [asked, answered] = [requests, fleet.answers()];
		await expect.poll(fleet.answers).toBeGreaterThan(answered + watchers * symbols.length * 2 * 5);
		// On a busy machine a watcher may be late for what nginx keeps for the others.
		expect(requests - asked).toBeLessThanOrEqual((fleet.answers() - answered) / 2);

		await place.stopNginx();
		const sayBoth = () =>
			fleet.failures().every(found => ['depth', 'trades'].every(name => found.some(each => each.name === name)));
		await expect.poll(sayBoth).toBe(true);
		const now = Date.now();
		const waitsMs = fleet.failures().map(found => Math.min(...found.map(({retryAt = Infinity}) => retryAt - now)));
		expect(Math.max(...waitsMs)).toBeLessThanOrEqual(pollIntervals().depth);
		await place.startNginx();
		const failures = fleet.countFailures();
		await expect.poll(fleet.areWell).toBe(true);
		expect(failures()).toBe(0);
	});

	test('asks through nginx, which keeps answers of both interfaces for a while, and neither errors nor 429', {
		tags: 'nginx',
	}, async () => {
		await place.startNginx();
		await tryCache(place.nginx).finally(place.stopNginx);
	});

	test('can use Varnish instead', {tags: 'varnishd'}, async () => {
		const stop = await place.startVarnish();
		await tryCache(place.varnish).finally(stop);
	});

	test('is a hardened service', {tags: 'systemd-analyze'}, () => {
		const run = (start: string) =>
			spawnSync('sh', ['-c', place.command(start)], {cwd: place.folder, env, encoding: 'utf8'});
		// The program is not installed there.
		const file = join(place.folder, 'tapewatch.service');
		writeFileSync(file, readFileSync(file, 'utf8').replace('/usr/bin/tapewatch', '/bin/true'));
		expect(run('systemd-analyze verify')).toMatchObject({status: 0, stderr: ''});
		expect(run('systemd-analyze security')).toMatchObject({status: 0});
	});
});
