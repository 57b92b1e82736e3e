import type {Exchange} from '../client/exchange.ts';
import type {Clock} from '../market/clock.ts';
import type {Interface, Ticker} from '../market/types.ts';
import {createStore, type Store} from './create-store.ts';
import {createPoller, type Poller} from './poller.ts';
import {failing, isOlder, keeping, type Resource, ready, waiting} from './resource.ts';

/** The tickers of the interface that the monitor does not take its tickers from. */
export type SecondTicker = Store<Resource<readonly Ticker[]>> & {
	/** Polls this interface from now on, and forgets what another one answered. Undefined: stops polling, and keeps the last answer. */
	show(use: Interface | undefined): void;
};

type SecondTickerOptions = {
	readonly exchange: Pick<Exchange, 'tickers'>;
	readonly clock: Clock;
	/** In [0, 1), for the jitter of retries. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Interval between two polls. Default 15 s: one request answers for all markets. */
	readonly intervalMs?: number | undefined;
};

export function createSecondTicker(options: SecondTickerOptions): SecondTicker {
	const {exchange, clock, random = Math.random, intervalMs = 15_000} = options;
	const store = createStore<Resource<readonly Ticker[]>>(waiting);
	let poller: Poller | undefined;
	let used: Interface | undefined;
	const pollerOf = (use: Interface): Poller =>
		createPoller({
			...{clock, intervalMs, random, operation: 'ticker'},
			run: call => exchange.tickers({...call, use, priority: 2}),
			dated: answer => answer,
			onAnswer(answer) {
				const shown = store.getSnapshot();
				store.set(isOlder(answer, shown, use) ? keeping(shown, answer) : ready(answer, answer.data));
			},
			onFailure: failure => store.set(failing(store.getSnapshot(), failure)),
		});
	return {
		getSnapshot: store.getSnapshot,
		subscribe: store.subscribe,
		show(use) {
			poller?.stop();
			if (use === undefined) return;
			if (use !== used || !poller) {
				used = use;
				poller = pollerOf(use);
				store.set(waiting);
			}

			poller.start();
		},
	};
}
