import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import type {Tape} from '../market/tape.ts';
import {type Interface, largestPage} from '../market/types.ts';
import {clockPages, type LastTrades, lastTrades} from './known-trades.ts';
import {type Columns, interfaceOf, requiredNumber} from './recorded-columns.ts';
import type {AddedTrades} from './trade-codec.ts';
import {addedIn, bounded, tapeOfRows} from './trade-rows.ts';

/** The trades of a recording. A market is named by the id of its symbol. */
export type TradesOfRecording = {
	/** The trades that were new in this answer. */
	newIn(answer: number): AddedTrades;
	/** The newest trades up to an answer, of its interface: ids of another one name other trades. */
	upTo(symbol: number, answer: number, count: number): Tape;
	/**
	 * The new trades of each answer from `first` on with some of the time from `from` to `to` (epoch ms), then those of the next ones,
	 * which show what is missing at its end; in order.
	 */
	between(symbol: number, first: number, from: number, to: number): Generator<NewTrades>;
	known(symbol: number): TradesKnown | undefined;
};

/** `first`: the time of the first trade, epoch ms. */
export type TradesKnown = LastTrades & {readonly first: number};

/** The trades that were new in an answer. */
export type NewTrades = AddedTrades & {readonly interface: Interface};

/** After so many answers whose trades are all later, none fills a gap any more. */
const mostLater = 100;

export function createTradesOfRecording(db: DatabaseSync): TradesOfRecording {
	const rowOf = db.prepare(
		'SELECT trade.*, notes FROM trade JOIN answer ON answer.id = trade.answer WHERE trade.answer = ?',
	);
	const newestRows = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id <= ?
		AND interface = (SELECT interface FROM answer WHERE id = ?) ORDER BY answer.id DESC`,
	);
	const rowsFrom = db.prepare(
		`SELECT trade.*, interface, notes, received_at FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id >= ? ORDER BY answer.id`,
	);
	const firstRow = db.prepare(
		`SELECT from_time FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND times <> '[]' ORDER BY answer.id LIMIT 1`,
	);
	const leastTime = db.prepare(
		`SELECT min(from_time) AS from_time FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND times <> '[]'`,
	);
	const lastRows = db.prepare(
		`SELECT answer.id, received_at, took, interface, server_time, dropped, error, notes, trade.*
		FROM answer LEFT JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND error IS NULL ORDER BY answer.id DESC LIMIT ${clockPages}`,
	);

	return {
		newIn(answer) {
			const row = rowOf.get(answer);
			return row ? addedIn(row) : {trades: [], gaps: [], closed: [], startsOver: false};
		},
		upTo(symbol, answer, count) {
			// A later page may have filled a gap further down.
			const {trades, gaps} = tapeOfRows(newestRows.iterate(symbol, answer, answer), count + largestPage).data;
			return {trades: trades.slice(0, count), gaps};
		},
		*between(symbol, first, from, to) {
			let later = 0;
			for (const row of rowsFrom.iterate(symbol, first)) {
				const [begin, end] = [requiredNumber(row.from_time), requiredNumber(row.to_time)];
				const hasTrades = row.times !== '[]';
				// Where the exchange's clock was ahead, what happens later is dated earlier.
				const isLater = begin > to && requiredNumber(row.received_at) > to;
				if (hasTrades && isLater && ++later > mostLater) return;
				if (hasTrades && end < from && row.closed_gaps === null && !tellsGaps(row.notes)) continue;
				yield newTradesIn(row);
			}
		},
		known(symbol) {
			const first = firstRow.get(symbol);
			const rows = first ? [...bounded(lastRows.iterate(symbol))] : [];
			// Ids of another interface name other trades.
			const last = lastTrades(rows.filter(row => row.interface === rows[0]?.interface));
			if (!first || !last) return undefined;
			const begin = requiredNumber(first.from_time);
			// The first trades may be dated by a clock that was ahead, and was set since.
			return {first: begin <= last.last ? begin : requiredNumber(leastTime.get(symbol)?.from_time), ...last};
		},
	};
}

/** Of a row of the table `trade` with the interface and notes of its answer. Throws an Error if it is damaged. */
export const newTradesIn = (row: Columns): NewTrades => ({...addedIn(row), interface: interfaceOf(row.interface)});

/** Whether the notes of an answer may have more of its trades than that they are new. */
export const tellsGaps = (notes: SQLOutputValue | undefined): boolean =>
	typeof notes === 'string' && /"(?:missing|gaps|former|redatedMs)"/.test(notes);
