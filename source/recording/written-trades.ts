import type {DatabaseSync} from 'node:sqlite';
import type {Answer} from '../client/exchange.ts';
import type {Trade} from '../market/types.ts';
import {interfaceOf} from './recorded-columns.ts';
import type {Insert} from './table-rows.ts';
import {knownTrades} from './trade-codec.ts';
import {createTradePages, type TradePages} from './trade-pages.ts';
import {tapeOfRows} from './trade-rows.ts';

/** Writes each trade of an interface once. */
export type WrittenTrades = {
	/** Writes the trades of a page that are new, and returns how many. `answer` and `symbol` are ids. */
	write(answer: number, symbol: number, page: Answer<readonly Trade[]>): number;
	/** How many stretches between trades of this recorder are not proven whole. */
	gaps(): number;
};

export function createWrittenTrades(db: DatabaseSync, insert: Insert): WrittenTrades {
	const markets = new Map<number, TradePages>();
	const rowsOf = db.prepare(
		`SELECT trade.*, notes FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND interface = ? ORDER BY answer.id DESC`,
	);
	const newestRow = db.prepare(
		`SELECT interface FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND first_id <> '' ORDER BY answer.id DESC LIMIT 1`,
	);
	const addNotes = db.prepare(`UPDATE answer SET notes = json_patch(coalesce(notes, '{}'), ?) WHERE id = ?`);

	/** What earlier sessions have written is not written again. */
	const begin = (symbol: number): TradePages =>
		createTradePages({
			tape: from => tapeOfRows(rowsOf.iterate(symbol, from), knownTrades),
			newest() {
				const row = newestRow.get(symbol);
				return row && interfaceOf(row.interface);
			},
		});

	return {
		write(answer, symbol, page) {
			const market = markets.get(symbol) ?? begin(symbol);
			markets.set(symbol, market);
			const {count, row, notes} = market.add(page);
			if (notes) addNotes.run(JSON.stringify(notes), answer);
			if (row) insert('trade', {answer, symbol, ...row});
			return count;
		},
		gaps: () => markets.values().reduce((sum, market) => sum + market.gaps(), 0),
	};
}
