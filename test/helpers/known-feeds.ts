import type {Feeds} from '../../source/alerts/feeds.ts';
import type {KnownMarkets} from '../../source/alerts/known.ts';

type KnownFeeds = Feeds & {
	/** From now on this is known. */
	arrive(known: KnownMarkets): void;
};

/** Feeds that poll nothing: a test says what is known. */
export function createKnownFeeds(): KnownFeeds {
	let known: KnownMarkets = new Map();
	let arrived = () => {};
	return {
		arrive(next) {
			known = next;
			arrived();
		},
		follow() {},
		known: () => known,
		subscribe(listener) {
			arrived = listener;
			return () => {};
		},
		pollMs: () => 0,
	};
}
