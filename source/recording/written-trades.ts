import type {DatabaseSync} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import {type Continued, continueTape, type KnownTrades} from '../market/continued-tape.ts';
import {compareTrades, emptyTape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import type {Insert} from './table-rows.ts';
import {encodeTrades, type TapeNotes, type TradeColumns} from './trade-codec.ts';
import {tapeOfRows} from './trade-rows.ts';

/** A page of the exchange has at most 1,000 trades: enough to know which of them are new. */
const knownTrades = 3000;

/** Writes each trade of an interface once. */
export type WrittenTrades = {
	/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
	write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number;
};

export function createWrittenTrades(db: DatabaseSync, insert: Insert): WrittenTrades {
	/** By symbol and interface: each interface has ids of its own. */
	const tapes = new Map<string, KnownTrades>();
	const rowsOf = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND interface = ? ORDER BY answer.id DESC`,
	);
	const addNotes = db.prepare(`UPDATE answer SET notes = json_patch(coalesce(notes, '{}'), ?) WHERE id = ?`);

	return {
		write(answer, symbol, page) {
			const key = `${symbol} ${page.interface}`;
			// What earlier sessions have written is not written again.
			const last = tapes.get(key) ?? tapeOfRows(rowsOf.iterate(symbol, page.interface), knownTrades);
			const {known, count, row, notes} = encodeNewTrades(last, page);
			tapes.set(key, known);
			if (notes) addNotes.run(JSON.stringify(notes), answer);
			if (row) insert('trade', {answer, symbol, ...row});
			return count;
		},
	};
}

/** What is written of a page of trades. */
type NewPage = {
	/** The trades known from now on. */
	readonly known: KnownTrades;
	/** How many of the page are new. */
	readonly count: number;
	/** Absent: there is nothing new. */
	readonly row?: TradeColumns | undefined;
	readonly notes?: TapeNotes | undefined;
};

function encodeNewTrades(last: KnownTrades, page: Answer<readonly Trade[]>): NewPage {
	const {data: trades, besideDropped, receivedAt} = page;
	// As the tape on the screen, it starts over if the exchange sets its clock or begins its ids again.
	const next = continueTape(last, {trades, besideDropped, receivedAt}, knownTrades);
	const {data: after, former, newAt, reach} = next;
	const known = {data: after, former, newAt, reach};
	const before = next.startsOver ? emptyTape : last.data;
	// Most pages have few trades that a tape of thousands does not have.
	const unknown = new Set(trades.map(tradeKey));
	for (const trade of before.trades) unknown.delete(tradeKey(trade));
	const added = after.trades.filter(trade => unknown.has(tradeKey(trade)));
	const fresh = [...added, ...next.leftOut].sort(compareTrades).reverse();
	const gone = before.gaps.difference(after.gaps);
	const closed = gone.size === 0 ? gone : gone.intersection(new Set(after.trades.map(tradeKey)));
	const gaps = after.gaps.difference(before.gaps).difference(unknown);
	const notes = notesOf(next, gaps);
	const isNew = notes !== undefined || fresh.length + closed.size > 0;
	const row = isNew ? encodeTrades(fresh, after.gaps, closed, next.startsOver) : undefined;
	return {known, count: fresh.length, row, notes};
}

/** Undefined unless the exchange has set its clock, or trades are missing next to those of earlier answers. */
function notesOf({redatedMs, former, isSet}: Continued, gaps: ReadonlySet<string>): TapeNotes | undefined {
	if (redatedMs === 0 && !isSet && gaps.size === 0) return undefined;
	return {
		...(redatedMs !== 0 && {redatedMs}),
		...(isSet && former && {former}),
		...(gaps.size > 0 && {gaps: [...gaps]}),
	};
}
