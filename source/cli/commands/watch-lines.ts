import {createMarketStore} from '../../store/market-store.ts';
import type {MarketState, MarketStore, ResourceName} from '../../store/state.ts';
import type {Context} from '../context.ts';
import {exitStatus} from '../exit.ts';
import {note, print} from '../output.ts';
import {metBy} from './condition-values.ts';
import {watchedSymbols} from './lookup.ts';
import {sharedTickers} from './shared-tickers.ts';
import {aborted, delay, unlessAborted} from './wait.ts';
import {noteWaits} from './wait-notes.ts';
import {onWatchEnd, statusAtEnd, type WatchEnd, type WatchLimits} from './watch-end.ts';
import {eventsBetween, failureOf, metEvent, watchedResources} from './watch-events.ts';
import {createEventQueue} from './watch-queue.ts';
import {createRowWriter, demoTitle, watchHeader, watchRow} from './watch-rows.ts';

export type WatchRequest = WatchLimits & {
	/** Markets in any spelling; none: the configured one, else the exchange's default one. */
	readonly texts: readonly string[];
	/** Events as they come instead of lines. */
	readonly json: boolean;
	/** Ends when each market has been written once; `until` is held against what was written. */
	readonly once: boolean;
	/** Between two lines of a market, and between two polls. */
	readonly intervalMs: number;
};

/** What a run needs of its stores, clock and surroundings. */
type Watch = {
	readonly stores: readonly MarketStore[];
	/** What is polled and written. */
	readonly resources: readonly (typeof watchedResources)[number][];
	readonly context: Context;
	readonly request: WatchRequest;
	/** From outside: nothing need be written any more. */
	readonly interrupted: AbortSignal;
	/** From outside or by itself: what is written last still has to be. */
	readonly ended: AbortSignal;
	/** The markets that met the condition; none while it is not met. */
	met(): readonly MarketState[];
};

/**
 * Watches without a terminal until `interrupted` is aborted or the watch ends by itself as `request` says. Settles with
 * the exit status: 0 when done or when the condition is met; with `once` 1 when a read failed; 124 when the time is over
 * and the condition was not met, or `once` not done. Rejects with a `UsageError` for a market that the exchange lacks.
 */
export async function runWatchLines(
	context: Context,
	request: WatchRequest,
	interrupted: AbortSignal,
): Promise<number> {
	const {json, once, until, forMs, texts, intervalMs} = request;
	const {clock} = context;
	const shared = {...context, exchange: sharedTickers(context.exchange, clock)};
	const ending = new AbortController();
	const ended = AbortSignal.any([interrupted, ending.signal]);
	let end: WatchEnd | undefined;
	const finish = (by: WatchEnd) => {
		end ??= by;
		ending.abort();
	};

	const stops = [onWatchEnd({forMs}, [], clock, finish)];
	try {
		const symbols = (await unlessAborted(watchedSymbols(shared, texts, ended), ended)) ?? [];
		const stores = symbols.map(symbol => openStore(shared, symbol, intervalMs));
		// Lines show no candles.
		const resources = watchedResources.filter(name => json || name !== 'candles');
		for (const store of stores) {
			store.show(new Set<ResourceName>(resources));
			stops.push(store.stop);
			store.start();
		}

		stops.push(noteWaits(stores, clock));

		if (!once) stops.push(onWatchEnd({until}, stores, clock, finish));
		const met = () => {
			if (once) return (until && metBy(until, snapshots(stores), clock.now())) ?? [];
			return end?.reason === 'met' ? end.states : [];
		};
		const watch = {stores, resources, context, request, interrupted, ended, met};
		await (json ? writeEvents(watch) : writeLines(watch));
		if (once && met().length === 0) return statusOfOnce(watch);
		return end ? statusAtEnd(end, request) : exitStatus.done;
	} finally {
		for (const stop of stops) stop();
	}
}

function openStore({exchange, clock, options}: Context, symbol: string | undefined, intervalMs: number): MarketStore {
	const {period, choice, intervalsMs} = options;
	const intervals = {...intervalsMs, depth: intervalMs, trades: intervalMs, tickers: intervalMs};
	return createMarketStore({exchange, clock, symbol, period, choice, intervals});
}

const snapshots = (stores: readonly MarketStore[]) => stores.map(store => store.getSnapshot());

/**
 * A line for each market as soon as each has answered or failed, then one every interval, each taken by the system before
 * the next is made; at the end a line for each market that met the condition. Failures go to stderr.
 */
async function writeLines(watch: Watch): Promise<void> {
	const {stores, context, request, interrupted, ended} = watch;
	const {demo, clock, options} = context;
	const align = createRowWriter();
	const row = (state: MarketState) => print(`${align(watchRow(state, clock.now(), options.ascii))}\n`);
	const unsubscribe = onEachChange(watch, (before, now) => noteFailures(watch, before, now));
	try {
		await firstAnswers(watch);
		if (interrupted.aborted) return;
		const title = demo ? `${demoTitle}\n` : '';
		await unlessAborted(print(`${title}${align(watchHeader)}\n`), interrupted);
		if (request.once) {
			for (const state of snapshots(stores)) await unlessAborted(row(state), interrupted);
			return;
		}

		while (!ended.aborted) {
			for (const store of stores) if (!ended.aborted) await unlessAborted(row(store.getSnapshot()), ended);
			await delay(clock, request.intervalMs, ended);
		}

		for (const state of watch.met()) await unlessAborted(row(state), interrupted);
	} finally {
		unsubscribe();
	}
}

/** An event for everything that comes, and at the end one for each market that met the condition. */
async function writeEvents(watch: Watch): Promise<void> {
	const {context, request, interrupted, ended} = watch;
	const {clock, demo} = context;
	if (demo) note(demoTitle);
	const queue = createEventQueue(print, clock.now);
	const unsubscribe = onEachChange(watch, (before, now) => queue.push(eventsBetween(before, now, clock.now())));
	try {
		await Promise.race([request.once ? firstAnswers(watch) : aborted(ended), queue.failed]);
		const {until} = request;
		if (until) queue.push(watch.met().map(state => metEvent(until, state, clock.now())));
		await unlessAborted(queue.drained(), interrupted);
	} finally {
		unsubscribe();
	}
}

/** Calls with a store's snapshots before and after each of its changes. */
function onEachChange({stores}: Watch, listener: (before: MarketState, now: MarketState) => void): () => void {
	const unsubscribes = stores.map(store => {
		let before = store.getSnapshot();
		return store.subscribe(() => {
			const now = store.getSnapshot();
			listener(before, now);
			before = now;
		});
	});
	return () => {
		for (const unsubscribe of unsubscribes) unsubscribe();
	};
}

/** Settles when nothing is waited for any more, or when the watch ends; with `once` nothing is polled after that. */
async function firstAnswers({stores, resources, request, ended}: Watch): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const settle = () => {
		if (snapshots(stores).every(state => resources.every(name => state[name].status !== 'waiting'))) resolve();
	};

	const unsubscribes = stores.map(store => store.subscribe(settle));
	settle();
	await unlessAborted(promise, ended);
	for (const unsubscribe of unsubscribes) unsubscribe();
	if (request.once) for (const store of stores) store.stop();
}

function statusOfOnce({stores, resources, request}: Watch): number {
	const states = snapshots(stores);
	const some = (holds: (resource: MarketState[(typeof resources)[number]]) => boolean) =>
		states.some(state => resources.some(name => holds(state[name])));
	// What is there, and only waits to be asked for again, has not failed.
	if (some(resource => (failureOf(resource)?.error.kind ?? 'waits') !== 'waits')) return exitStatus.failed;
	const isDone = states.length > 0 && !some(({status}) => status === 'waiting');
	return isDone && !request.until ? exitStatus.done : exitStatus.timedOut;
}

function noteFailures({resources}: Watch, before: MarketState, now: MarketState): void {
	for (const name of resources) {
		const [old, failure] = [failureOf(before[name]), failureOf(now[name])];
		const market = now.symbol ?? 'default market';
		if (failure?.error.kind === 'waits' || old?.error.kind === 'waits') continue;
		if (failure && old?.since !== failure.since) note(`${market}: ${failure.error.message}; trying again`);
		if (old && !failure) note(`${market}: ${old.error.operation} answers again`);
	}
}
