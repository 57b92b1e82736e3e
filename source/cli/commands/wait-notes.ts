import {formatAge} from '../../format/time.ts';
import type {Clock} from '../../market/clock.ts';
import type {MarketState, MarketStore} from '../../store/state.ts';
import {note} from '../output.ts';
import {watchedResources} from './watch-events.ts';

/** Why nothing comes, and for how long. */
export const waitText = (ms: number): string => `waits ${formatAge(ms)}: exchange asks to`;

/** So much later a wait must end to be another one. */
const leastChangeMs = 1000;

/** Says on stderr each time the exchange asks to be left alone for long. Returns the function that ends that. */
export function noteWaits(stores: readonly MarketStore[], clock: Clock): () => void {
	let told = 0;
	const look = (state: MarketState) => {
		const until = Math.max(...watchedResources.map(name => heldUntil(state[name])));
		if (until < told + leastChangeMs) return;
		told = until;
		note(waitText(until - clock.now()));
	};
	const unsubscribes = stores.map(store => store.subscribe(() => look(store.getSnapshot())));
	return () => {
		for (const unsubscribe of unsubscribes) unsubscribe();
	};
}

function heldUntil(resource: MarketState[(typeof watchedResources)[number]]): number {
	const failure = resource.status === 'waiting' ? resource.held : resource.failure;
	return (failure?.error.kind === 'waits' && failure.retryAt) || 0;
}
