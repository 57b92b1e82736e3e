import type {DatabaseSync} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import {brokenOff, emptyTape, mergeTape, type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {isRedated} from '../store/tape-feed.ts';
import type {Insert} from './table-rows.ts';
import {encodeTrades, tapeOfRows} from './trade-codec.ts';

/** A page of the exchange has at most 1,000 trades: enough to know which of them are new. */
const knownTrades = 3000;

/** Writes each trade of an interface once. */
export type WrittenTrades = {
	/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
	write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number;
};

export function createWrittenTrades(db: DatabaseSync, insert: Insert): WrittenTrades {
	/** By symbol and interface: each interface has ids of its own. */
	const tapes = new Map<string, Tape>();
	const rowsOf = db.prepare(
		`SELECT trade.* FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND interface = ? ORDER BY answer.id DESC`,
	);

	return {
		write(answer, symbol, page) {
			const key = `${symbol} ${page.interface}`;
			// What earlier sessions have written is not written again.
			const last = tapes.get(key) ?? tapeOfRows(rowsOf.iterate(symbol, page.interface), knownTrades);
			// As the tape on the screen, it starts over if the exchange sets its clock or begins its ids again.
			const startsOver = isRedated(last, page.data);
			const before = startsOver ? emptyTape : last;
			const merged = mergeTape(before, page.data, knownTrades);
			const after = startsOver ? brokenOff(merged) : merged;
			tapes.set(key, after);
			// Most pages have few trades that a tape of thousands does not have.
			const unknown = new Set(page.data.map(tradeKey));
			for (const trade of before.trades) unknown.delete(tradeKey(trade));
			const fresh = after.trades.filter(trade => unknown.has(tradeKey(trade))).toReversed();
			const gone = before.gaps.difference(after.gaps);
			const closed = gone.size === 0 ? gone : gone.intersection(new Set(after.trades.map(tradeKey)));
			if (fresh.length + closed.size > 0)
				insert('trade', {answer, symbol, ...encodeTrades(fresh, after.gaps, closed, startsOver)});
			return fresh.length;
		},
	};
}
