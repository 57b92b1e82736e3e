import type {DatabaseSync} from 'node:sqlite';
import {formatExact} from '../format/number.ts';
import {isSameName, symbolKey} from '../market/symbol.ts';
import {mostSymbols} from './recorded-symbols.ts';
import {RecordingError} from './recording-file.ts';
import type {Insert} from './table-rows.ts';

/** The table `symbol`. A market is one, however a user spells it; its name becomes the exchange's as soon as that is known. */
export type WrittenSymbols = {
	/** The id of a market in a list of the exchange. */
	listed(name: string): number;
	/** The id of a market in any spelling. */
	asked(text: string): number;
};

export function createWrittenSymbols(db: DatabaseSync, insert: Insert): WrittenSymbols {
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
		listed(name) {
			const known = ids.get(name);
			if (known !== undefined) {
				unlisted.delete(known);
				return known;
			}

			const asked = idsByKey.get(symbolKey(name));
			if (asked === undefined || !unlisted.delete(asked)) return add(name);
			rename.run(name, asked);
			return know(name, asked);
		},
		asked(text) {
			const alike = idsByKey.get(symbolKey(text));
			const known = ids.get(text) ?? (isSameName(names.get(alike ?? 0) ?? '', text) ? alike : undefined);
			if (known !== undefined) return known;
			const id = add(text);
			unlisted.add(id);
			return id;
		},
	};
}
