import type {DatabaseSync} from 'node:sqlite';
import {compareTrades, type Tape} from '../market/tape.ts';
import {type Interface, largestPage, type Trade} from '../market/types.ts';
import {interfaceOf} from './recorded-columns.ts';
import {decodeTrades, type RecordedTrades, readTradeColumns} from './trade-codec.ts';

/** The trades of a recording. A market is named by the id of its symbol. */
export type TradesOfRecording = {
	/** The trades that were new in this answer. */
	newIn(answer: number): RecordedTrades;
	/** The newest trades up to an answer, of its interface: ids of another one name other trades. */
	upTo(symbol: number, answer: number, count: number): Tape;
	/** The new trades of each answer that has some of the time from `from` to `to` (epoch ms), in the order of the answers. */
	between(symbol: number, from: number, to: number): Generator<NewTrades>;
};

export type NewTrades = RecordedTrades & {readonly answer: number; readonly interface: Interface};

export function createTradesOfRecording(db: DatabaseSync): TradesOfRecording {
	const rowOf = db.prepare('SELECT * FROM trade WHERE answer = ?');
	const newestRows = db.prepare(
		`SELECT trade.* FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id <= ?
		AND interface = (SELECT interface FROM answer WHERE id = ?) ORDER BY answer.id DESC`,
	);
	const rowsBetween = db.prepare(
		`SELECT trade.*, interface FROM trade JOIN answer ON answer.id = answer
		WHERE trade.symbol = ? AND to_time >= ? AND from_time <= ? ORDER BY answer`,
	);

	return {
		newIn(answer) {
			const row = rowOf.get(answer);
			return row ? decodeTrades(readTradeColumns(row)) : {trades: [], gaps: [], closed: []};
		},
		upTo(symbol, answer, count) {
			const trades: Trade[] = [];
			const gaps = new Set<string>();
			const closed = new Set<string>();
			for (const row of newestRows.iterate(symbol, answer, answer)) {
				const page = decodeTrades(readTradeColumns(row));
				trades.push(...page.trades.toReversed());
				// Newest rows come first: what one of them has closed is closed.
				for (const key of page.gaps) if (!closed.has(key)) gaps.add(key);
				for (const key of page.closed) closed.add(key);
				// A later page may have filled a gap further down.
				if (trades.length >= count + largestPage) break;
			}

			return {trades: trades.sort(compareTrades).slice(0, count), gaps};
		},
		*between(symbol, from, to) {
			for (const row of rowsBetween.iterate(symbol, from, to)) {
				yield {
					...decodeTrades(readTradeColumns(row)),
					answer: Number(row.answer),
					interface: interfaceOf(row.interface),
				};
			}
		},
	};
}
