import type {DatabaseSync} from 'node:sqlite';
import {numberIn, requiredNumber, textOf} from './recorded-columns.ts';
import {formerGapsView, gapsView, tables, views} from './schema.ts';
import {inTransaction} from './table-rows.ts';
import {createTradeGaps, type TradeGaps} from './trade-gaps.ts';
import {newTradesIn} from './trade-table.ts';

/** What makes a file no recording of this version, and what the user can do; undefined: its schema is ours. `ours`: an empty database. */
export function schemaDifference(db: DatabaseSync, ours: DatabaseSync): string | undefined {
	ours.exec(`${tables} ${views}`);
	const expected = new Map(definitions(ours).map(each => [each.key, each]));
	for (const {key, type, name, sql} of definitions(db, expected.size + 1)) {
		const own = expected.get(key);
		const what = `${type} ${JSON.stringify(name)}`;
		if (!own) return `it has the ${what}, which no recorder creates: remove it, or read another copy`;
		if (own.sql !== sql && !(name === 'gaps' && sql === formerGapsView))
			return `its ${what} differs: read it with the version that recorded it`;
		expected.delete(key);
	}

	const [missing] = expected.values();
	return missing && `the ${missing.type} ${missing.name} is missing: read it with the version that recorded it`;
}

/** Gives a recording that an earlier version began the view of gaps, and the notes that it reads. Throws what SQLite throws. */
export function renewGaps(db: DatabaseSync): void {
	const view = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'gaps'").get();
	if (view?.sql === gapsView) return;
	const rows = db.prepare(
		'SELECT trade.*, interface, notes FROM trade JOIN answer ON answer.id = answer ORDER BY answer',
	);
	const addNotes = db.prepare(`UPDATE answer SET notes = json_patch(coalesce(notes, '{}'), ?) WHERE id = ?`);
	const bySymbol = new Map<number, TradeGaps>();
	inTransaction(db, () => {
		db.exec(`DROP VIEW gaps; ${gapsView}`);
		for (const row of rows.iterate()) {
			const symbol = requiredNumber(row.symbol);
			const gaps = bySymbol.get(symbol) ?? createTradeGaps();
			bySymbol.set(symbol, gaps);
			const missing = gaps.add(newTradesIn(row)).missing.filter(([, from]) => from !== -Infinity);
			if (missing.length > 0) addNotes.run(JSON.stringify({missing}), requiredNumber(row.answer));
		}
	});
}

type Definition = {readonly key: string; readonly type: string; readonly name: string; readonly sql: string};

/** Longer than any of ours. */
const mostCharacters = 10_000;
const mostNameCharacters = 60;

function definitions(db: DatabaseSync, most = -1): readonly Definition[] {
	const rows = db.prepare(
		`SELECT type, name, tbl_name, substr(sql, 1, ${mostCharacters}) AS sql, rootpage FROM sqlite_schema LIMIT ?`,
	);
	return rows.all(most).map(row => {
		const [type = '', name = '', table = ''] = [textOf(row.type), textOf(row.name), textOf(row.tbl_name)];
		const isStored = (numberIn(row.rootpage) ?? 0) > 0;
		const sql = withoutComments(row.sql === null ? '' : String(row.sql));
		return {key: JSON.stringify([type, name, table, isStored]), type, name: name.slice(0, mostNameCharacters), sql};
	});
}

/** Versions differ in lines of comments only. */
const withoutComments = (sql: string): string => sql.replaceAll(/^[\t ]*--.*\n/gm, '');
