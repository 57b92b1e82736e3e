import type {DatabaseSync, SQLInputValue, StatementSync} from 'node:sqlite';

export type Row = Readonly<Record<string, SQLInputValue>>;

/** Writes a row, in place of one with the same primary key, and returns its rowid. */
export type Insert = (table: string, row: Row) => number;

export function inserter(db: DatabaseSync): Insert {
	const statements = new Map<string, StatementSync>();
	return (table, row) => {
		const columns = Object.keys(row).join(', ');
		const key = `${table} ${columns}`;
		let statement = statements.get(key);
		if (!statement) {
			const places = Object.keys(row).map(() => '?');
			statement = db.prepare(`INSERT OR REPLACE INTO ${table} (${columns}) VALUES (${places.join(', ')})`);
			statements.set(key, statement);
		}

		return Number(statement.run(...Object.values(row)).lastInsertRowid);
	};
}

/** The column `value` of the first row; 0 if there is none or it is NULL. */
export function numberOf(db: DatabaseSync, sql: string, ...parameters: readonly (string | number)[]): number {
	return Number(db.prepare(sql).get(...parameters)?.value ?? 0);
}

/** All of `work`, or nothing of it if it throws. */
export function inTransaction(db: DatabaseSync, work: () => void): void {
	db.exec('BEGIN IMMEDIATE');
	try {
		work();
		db.exec('COMMIT');
	} catch (error) {
		// SQLite has rolled back some failures itself.
		if (db.isTransaction) db.exec('ROLLBACK');
		throw error;
	}
}
