import {createMarketStore} from '../store/market-store.ts';
import type {MarketState, MarketStore, ResourceName} from '../store/state.ts';
import type {Context} from './context.ts';
import {exitStatus} from './exit.ts';
import {watchedSymbols} from './lookup.ts';
import {note, print} from './output.ts';
import {sharedTickers} from './shared-tickers.ts';
import {aborted, delay} from './wait.ts';
import {eventsBetween, failureOf, watchedResources} from './watch-events.ts';
import {createRowWriter, watchHeader, watchRow} from './watch-rows.ts';

export type WatchRequest = {
	/** Markets in any spelling; none: the configured one, else the exchange's default one. */
	readonly texts: readonly string[];
	/** Events as they come instead of lines. */
	readonly json: boolean;
	/** Ends when each market has been written once. */
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
	readonly signal: AbortSignal;
};

/**
 * Watches without a terminal until `signal` is aborted. Settles with the exit status: with `once` 1 when a read failed.
 * Rejects with a `UsageError` for a market that the exchange does not have.
 */
export async function runWatchLines(context: Context, request: WatchRequest, signal: AbortSignal): Promise<number> {
	const exchange = sharedTickers(context.exchange, context.clock);
	const symbols = await watchedSymbols({...context, exchange}, request.texts, signal);
	const stores = symbols.map(symbol => openStore({...context, exchange}, symbol, request.intervalMs));
	// Lines show no candles.
	const resources = watchedResources.filter(name => request.json || name !== 'candles');
	try {
		for (const store of stores) {
			store.show(new Set<ResourceName>(resources));
			store.start();
		}

		const write = request.json ? writeEvents : writeLines;
		return await write({stores, resources, context, request, signal});
	} finally {
		for (const store of stores) store.stop();
	}
}

function openStore({exchange, clock, options}: Context, symbol: string | undefined, intervalMs: number): MarketStore {
	const {period, choice, intervalsMs} = options;
	const intervals = {...intervalsMs, depth: intervalMs, trades: intervalMs, tickers: intervalMs};
	return createMarketStore({exchange, clock, symbol, period, choice, intervals});
}

/** A line for each market as soon as each has answered or failed, then one every interval. Failures go to stderr. */
async function writeLines(watch: Watch): Promise<number> {
	const {stores, context, request, signal} = watch;
	const {demo, clock, options} = context;
	const unsubscribe = onEachChange(watch, (before, now) => noteFailures(watch, before, now));
	const align = createRowWriter();
	try {
		await firstAnswers(watch);
		if (demo) await print('DEMO data of the embedded exchange\n');
		await print(`${align(watchHeader)}\n`);
		while (!signal.aborted) {
			for (const store of stores) {
				await print(`${align(watchRow(store.getSnapshot(), clock.now(), options.ascii))}\n`);
			}

			if (request.once) return statusOf(watch);
			await delay(clock, request.intervalMs, signal);
		}
	} finally {
		unsubscribe();
	}

	return exitStatus.done;
}

/** An event for everything that comes. */
async function writeEvents(watch: Watch): Promise<number> {
	const {context, request, signal} = watch;
	if (context.demo) note('DEMO data of the embedded exchange');
	const {promise: outputFailed, reject: failOutput} = Promise.withResolvers<never>();
	const unsubscribe = onEachChange(watch, (before, now) => {
		for (const event of eventsBetween(before, now, context.clock.now())) {
			print(`${JSON.stringify(event)}\n`).catch(failOutput);
		}
	});
	try {
		await Promise.race([request.once ? firstAnswers(watch) : aborted(signal), outputFailed]);
	} finally {
		unsubscribe();
	}

	return request.once ? statusOf(watch) : exitStatus.done;
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

/** Settles when nothing is waited for any more, or when the watch is interrupted. */
async function firstAnswers({stores, resources, signal}: Watch): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	const settle = () => {
		const states = stores.map(store => store.getSnapshot());
		if (states.every(state => resources.every(name => state[name].status !== 'waiting'))) resolve();
	};

	const unsubscribes = stores.map(store => store.subscribe(settle));
	signal.addEventListener('abort', () => resolve(), {once: true});
	settle();
	await promise;
	for (const unsubscribe of unsubscribes) unsubscribe();
}

function statusOf({stores, resources}: Watch): number {
	const failed = stores.some(store => resources.some(name => failureOf(store.getSnapshot()[name])));
	return failed ? exitStatus.failed : exitStatus.done;
}

function noteFailures({resources}: Watch, before: MarketState, now: MarketState): void {
	for (const name of resources) {
		const [old, failure] = [failureOf(before[name]), failureOf(now[name])];
		const market = now.symbol ?? 'default market';
		if (failure && old?.since !== failure.since) note(`${market}: ${failure.error.message}; trying again`);
		if (old && !failure) note(`${market}: ${old.error.operation} answers again`);
	}
}
