import type {Feeds} from '../../source/alerts/feeds.ts';
import type {MarketsData} from '../../source/alerts/market-data.ts';

type KnownFeeds = Feeds & {
	/** From now on this is known. */
	arrive(data: MarketsData): void;
};

/** Feeds that poll nothing: a test says what is known. */
export function createKnownFeeds(): KnownFeeds {
	let data: MarketsData = new Map();
	let arrived = () => {};
	return {
		arrive(next) {
			data = next;
			arrived();
		},
		follow() {},
		data: () => data,
		subscribe(listener) {
			arrived = listener;
			return () => {};
		},
		pollMs: () => 0,
	};
}
