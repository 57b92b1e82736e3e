import type {DatabaseSync} from 'node:sqlite';
import {formatExact} from '../format/number.ts';
import {isSameName, symbolKey} from '../market/symbol.ts';
import {DamagedError, RecordingError, requiredNumber, textOf} from './recorded-columns.ts';
import {mostSymbols} from './schema.ts';
import type {Insert} from './table-rows.ts';

/** The markets of a recording, which has a number for each. */
export type RecordedSymbols = ReturnType<typeof createRecordedSymbols>;

export function createRecordedSymbols(db: DatabaseSync) {
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
		nameOf(id: number): string {
			if (!names.has(id)) read();
			return names.get(id) ?? '';
		},
		/** Undefined if the market was not recorded. */
		idOf(name: string): number | undefined {
			if (!ids.has(name)) read();
			return ids.get(name);
		},
		/** In the order in which they were recorded first. */
		all(): readonly string[] {
			read();
			return [...ids.keys()];
		},
	};
}

/** Writes markets. One is one, however a user spells it; its name becomes the exchange's as soon as that is known. */
export type WrittenSymbols = ReturnType<typeof createWrittenSymbols>;

export function createWrittenSymbols(db: DatabaseSync, insert: Insert) {
	const ids = new Map<string, number>();
	const idsByKey = new Map<string, number>();
	const names = new Map<number, string>();
	/** Ids of markets that no list has named yet. */
	const unlisted = new Set<number>();
	const rename = db.prepare('UPDATE symbol SET name = ? WHERE id = ?');
	for (const {id, name} of db.prepare('SELECT id, name FROM symbol').all()) know(String(name), Number(id));

	function know(name: string, id: number): number {
		ids.set(name, id);
		names.set(id, name);
		if (!idsByKey.has(symbolKey(name))) idsByKey.set(symbolKey(name), id);
		return id;
	}

	function add(name: string): number {
		if (names.size === mostSymbols)
			throw new RecordingError(`a recording has at most ${formatExact(mostSymbols)} markets: choose another file`);
		return know(name, insert('symbol', {name}));
	}

	return {
		/** The id of a market in a list of the exchange. */
		listed(name: string): number {
			const id = ids.get(name);
			if (id !== undefined) {
				unlisted.delete(id);
				return id;
			}

			const unlistedId = idsByKey.get(symbolKey(name));
			if (unlistedId === undefined || !unlisted.delete(unlistedId)) return add(name);
			rename.run(name, unlistedId);
			return know(name, unlistedId);
		},
		/** The id of a market in any spelling. */
		spelled(text: string): number {
			const alike = idsByKey.get(symbolKey(text));
			const listed = ids.get(text) ?? (isSameName(names.get(alike ?? 0) ?? '', text) ? alike : undefined);
			if (listed !== undefined) return listed;
			const id = add(text);
			unlisted.add(id);
			return id;
		},
	};
}
