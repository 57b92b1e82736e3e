import {closeSync, existsSync, openSync, readSync, statSync} from 'node:fs';
import type {DatabaseSync} from 'node:sqlite';

/** Of larger files, only the parts that a recorder changes are checked: all of a day takes seconds. */
const mostCheckedBytes = 64_000_000;
const smallTables = ['recording', 'session', 'symbol', 'alert'];
const grownTables = ['answer', 'trade', 'book', 'ticker', 'candle', 'market', 'sent_number'];

/** Whether pages of a recording that would be appended to are damaged. Throws what SQLite throws. */
export function hasDamagedPages(path: string, db: DatabaseSync): boolean {
	const isSmall = statSync(path).size <= mostCheckedBytes;
	const checks = isSmall ? ['(1)'] : smallTables.map(table => `(${table})`);
	if (checks.some(which => db.prepare(`PRAGMA quick_check${which}`).get()?.quick_check !== 'ok')) return true;
	if (isSmall) return false;
	// The newest row is where the next one is written.
	for (const table of grownTables) db.prepare(`SELECT * FROM ${table} ORDER BY 1 DESC LIMIT 1`).get();
	return false;
}

/** Whether a file is another name of the same one: each name would have a log of its own. */
export const hasOtherNames = (path: string): boolean => (statSync(path, {throwIfNoEntry: false})?.nlink ?? 1) > 1;

/** Whether a file belongs to a log (`-wal`) that is not there, as a copy of one that is being written. Call it before opening. */
export function lacksLog(path: string): boolean {
	return !existsSync(`${path}-wal`) && formatOf(path) === logFormat;
}

/** What a file is written with, see www.sqlite.org/fileformat2.html#file_format_version_numbers. */
const formatOffset = 18;
const logFormat = 2;

function formatOf(path: string): number | undefined {
	if (!existsSync(path)) return undefined;
	const file = openSync(path, 'r');
	try {
		const bytes = Buffer.alloc(1);
		return readSync(file, bytes, 0, 1, formatOffset) === 1 ? bytes[0] : undefined;
	} finally {
		closeSync(file);
	}
}
