import {type BookHistory, emptyHistory, interrupted, remember} from '../market/liquidity.ts';
import {symbolKey} from '../market/symbol.ts';
import type {DepthBook} from '../market/types.ts';

type BookHistories = {
	/** The market's history with a book that was received at `time` (epoch ms). */
	seen(symbol: string, book: DepthBook, time: number): BookHistory;
	/** The history of a market that is selected now. */
	selected(symbol: string): BookHistory;
};

/** Each takes about 1.5 MB when it is full. */
const mostMarkets = 4;

/** What was seen of the books of the markets that were looked at last. */
export function createBookHistories(): BookHistories {
	const histories = new Map<string, BookHistory>();

	function put(symbol: string, history: BookHistory): BookHistory {
		const key = symbolKey(symbol);
		// The map's order is that of the last look.
		histories.delete(key);
		histories.set(key, history);
		for (const oldest of histories.keys()) {
			if (histories.size <= mostMarkets) break;
			histories.delete(oldest);
		}

		return history;
	}

	const of = (symbol: string) => histories.get(symbolKey(symbol)) ?? emptyHistory;
	return {
		seen: (symbol, book, time) => put(symbol, remember(of(symbol), book, time)),
		selected(symbol) {
			const known = histories.get(symbolKey(symbol));
			return known ? put(symbol, interrupted(known)) : emptyHistory;
		},
	};
}
