import type {DatabaseSync} from 'node:sqlite';
import {requiredNumber, textOf} from './recorded-columns.ts';

/** The markets of a recording, which has a number for each. */
export type RecordedSymbols = {
	nameOf(id: number): string;
	/** Undefined if the market was not recorded. */
	idOf(name: string): number | undefined;
	/** In the order in which they were recorded first. */
	all(): readonly string[];
};

export function createRecordedSymbols(db: DatabaseSync): RecordedSymbols {
	const rows = db.prepare('SELECT id, name FROM symbol ORDER BY id');
	const names = new Map<number, string>();
	const ids = new Map<string, number>();

	/** A market can be added while it is recorded. */
	function read(): void {
		for (const row of rows.iterate()) {
			const [id, name] = [requiredNumber(row.id), textOf(row.name) ?? ''];
			names.set(id, name);
			ids.set(name, id);
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
