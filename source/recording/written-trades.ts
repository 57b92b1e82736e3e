import type {DatabaseSync} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import {emptyTape, mergeTape, type Tape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import type {Insert} from './rows.ts';
import {decodeTrades, encodeTrades, readTradeColumns} from './trade-codec.ts';

/** A page of the exchange has at most 1,000 trades: enough to know which of them are new. */
const knownTrades = 3000;
/** Rows with gaps that a page may still close. */
const openRows = 20;

/** Writes each trade once. */
export type WrittenTrades = {
	/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
	write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number;
};

export function createWrittenTrades(db: DatabaseSync, insert: Insert): WrittenTrades {
	/** By symbol and interface: each interface has ids of its own. */
	const tapes = new Map<string, Tape>();
	const rowsOf = db.prepare('SELECT * FROM trade WHERE symbol = ? ORDER BY answer DESC');
	const rowsWithGaps = db.prepare(
		'SELECT * FROM trade WHERE symbol = ? AND gaps IS NOT NULL ORDER BY answer DESC LIMIT ?',
	);

	/** What an earlier session has written, so that it is not written again. */
	function writtenBefore(symbol: number): Tape {
		let tape = emptyTape;
		for (const row of rowsOf.iterate(symbol)) {
			const {trades, gaps} = decodeTrades(readTradeColumns(row));
			tape = {trades: [...tape.trades, ...trades.toReversed()], gaps: new Set([...tape.gaps, ...gaps])};
			if (tape.trades.length >= knownTrades) break;
		}

		return tape;
	}

	function closeGaps(symbol: number, closed: ReadonlySet<string>): void {
		for (const row of rowsWithGaps.all(symbol, openRows)) {
			const {trades, gaps} = decodeTrades(readTradeColumns(row));
			if (!gaps.some(key => closed.has(key))) continue;
			const open = new Set(gaps.filter(key => !closed.has(key)));
			insert('trade', {...row, gaps: encodeTrades(trades, open).gaps});
		}
	}

	return {
		write(answer, symbol, page) {
			const key = `${symbol} ${page.interface}`;
			const before = tapes.get(key) ?? writtenBefore(symbol);
			const known = new Set(before.trades.map(tradeKey));
			const after = mergeTape(before, page.data, knownTrades);
			tapes.set(key, after);
			const fresh = after.trades.filter(trade => !known.has(tradeKey(trade))).toReversed();
			const closed = before.gaps.difference(after.gaps).intersection(new Set(after.trades.map(tradeKey)));
			if (closed.size > 0) closeGaps(symbol, closed);
			if (fresh.length > 0) insert('trade', {answer, symbol, ...encodeTrades(fresh, after.gaps)});
			return fresh.length;
		},
	};
}
