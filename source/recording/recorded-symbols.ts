import type {DatabaseSync} from 'node:sqlite';
import {DamagedError, requiredNumber, textOf} from './recorded-columns.ts';

/** The markets of a recording, which has a number for each. */
export type RecordedSymbols = {
	nameOf(id: number): string;
	/** Undefined if the market was not recorded. */
	idOf(name: string): number | undefined;
	/** In the order in which they were recorded first. */
	all(): readonly string[];
};

/** A list of the exchange has at most 5,000: more come when it lists others. */
export const mostSymbols = 10_000;

export function createRecordedSymbols(db: DatabaseSync): RecordedSymbols {
	const rows = db.prepare(`SELECT id, name FROM symbol WHERE id > ? ORDER BY id LIMIT ${mostSymbols + 1}`);
	const names = new Map<number, string>();
	const ids = new Map<string, number>();
	let newest = 0;

	/** A market can be added while it is recorded. */
	function read(): void {
		for (const row of rows.iterate(newest)) {
			const [id, name] = [requiredNumber(row.id), textOf(row.name) ?? ''];
			names.set(id, name);
			ids.set(name, id);
			newest = id;
			if (names.size > mostSymbols) throw new DamagedError(`at most ${mostSymbols} markets`, id);
		}
	}

	return {
		nameOf(id) {
			if (!names.has(id)) read();
			return names.get(id) ?? '';
		},
		idOf(name) {
			if (!ids.has(name)) read();
			return ids.get(name);
		},
		all() {
			read();
			return [...ids.keys()];
		},
	};
}
