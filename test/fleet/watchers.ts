/**
 * Many watchers of an exchange in a process of their own, each with a client of its own, as if on computers of their own.
 * `openWatchers` starts it, and asks it in messages what they show.
 */
import {setTimeout} from 'node:timers/promises';
import {connect} from '../../source/client/connect.ts';
import {systemClock} from '../../source/market/clock.ts';
import {createMarketStore} from '../../source/store/market-store.ts';
import {pollIntervals} from '../../source/store/polling.ts';
import {createSharedExchange} from '../../source/store/shared-exchange.ts';
import type {MarketState} from '../../source/store/state.ts';
import type {Shown} from './open-watchers.ts';

const [url = '', count = ''] = process.argv.slice(2);
const markets = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT'];
const watched = ['tickers', 'depth', 'trades', 'candles'] as const;
/** Candles have no time of the exchange. */
const dated = ['tickers', 'depth', 'trades'] as const;
/** Within which all start. */
const startMs = 2000;

const stores: ReturnType<typeof createMarketStore>[] = [];
let errorsMs: number[] = [];
let failures = 0;
let takenAt = 0;

/** As `watch --json` does. */
function openWatcher(): void {
	const client = connect({
		...{baseUrl: url, legacyBaseUrl: url, rate: 20},
		// They are a hundred on this machine.
		timeoutMs: 30_000,
		observe({error, startedAt}) {
			if (error && startedAt > takenAt) failures++;
		},
	});
	const intervals = pollIntervals();
	const exchange = createSharedExchange({exchange: client, clock: systemClock, random: Math.random, intervals}).join();
	for (const symbol of markets) {
		const store = createMarketStore({exchange, clock: systemClock, symbol});
		stores.push(store);
		let before: MarketState | undefined;
		store.subscribe(() => {
			const state = store.getSnapshot();
			for (const name of dated) errorsMs.push(...errorOf(state[name], before?.[name]));
			before = state;
		});
		store.show(new Set(watched));
		store.start();
	}
}

/** How much younger a new answer seems than it is; the exchange has the clock of this computer. */
function errorOf(resource: MarketState[(typeof dated)[number]], before: typeof resource | undefined): number[] {
	if (resource.status !== 'ready' || resource.serverTime === undefined) return [];
	const isNew = before?.status !== 'ready' || before.receivedAt !== resource.receivedAt;
	return isNew ? [resource.receivedAt - resource.serverTime] : [];
}

/** The failures that a market shows, by what is polled. */
const failuresOf = (state: MarketState) =>
	watched.flatMap(name => {
		const resource = state[name];
		return resource.status !== 'waiting' && resource.failure ? [{name, retryAt: resource.failure.retryAt}] : [];
	});

function shown(): Shown {
	const now = systemClock.now();
	const states = stores.map(store => store.getSnapshot());
	const failing = states.map(failuresOf);
	const says = (found: (typeof failing)[number], name: string) => found.some(each => each.name === name);
	const waitsMs = failing
		.filter(found => found.length > 0)
		.map(found => Math.min(...found.map(({retryAt = Infinity}) => retryAt - now)));
	const taken = {answers: errorsMs.length, untrue: errorsMs.filter(each => each < -1 || each > 200), failures};
	errorsMs = [];
	failures = 0;
	takenAt = now;
	return {
		...{stores: stores.length, ...taken, waitMs: Math.max(0, ...waitsMs)},
		saying: failing.filter(found => says(found, 'depth') && says(found, 'trades')).length,
		well: states.filter(
			state => watched.every(name => state[name].status === 'ready') && failuresOf(state).length === 0,
		).length,
	};
}

process.on('message', () => process.send?.(shown()));
for (let watcher = 0; watcher < Number(count); watcher++) {
	openWatcher();
	await setTimeout((startMs / Number(count)) * 2 * Math.random());
}
