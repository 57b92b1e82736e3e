import type {Feeds} from '../../source/alerts/feeds.ts';
import type {MarketsData} from '../../source/alerts/market-data.ts';

type KnownFeeds = Feeds & {
	/** From now on this is known. */
	arrive(data: MarketsData): void;
	/** How many listen. */
	listeners(): number;
};

/** Feeds that poll nothing: a test says what is known. */
export function createKnownFeeds(): KnownFeeds {
	let data: MarketsData = new Map();
	const listeners = new Set<() => void>();
	return {
		arrive(next) {
			data = next;
			for (const listener of listeners) listener();
		},
		follow() {},
		data: () => data,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		pollMs: () => 0,
		listeners: () => listeners.size,
	};
}
