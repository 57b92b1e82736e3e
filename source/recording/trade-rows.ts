import type {SQLOutputValue} from 'node:sqlite';
import {notesOf} from './answer-table.ts';
import {type Columns, DamagedError, interfaceOf, requiredTime} from './recorded-columns.ts';
import {type AddedTrades, decodeTrades, mostKeys, type NewTrades} from './trade-codec.ts';

/** A row of the table `trade` with the notes of its answer. Throws an Error if it is damaged. */
export function addedIn(row: Columns): AddedTrades {
	const {redatedMs = 0, former, gaps: others = [], missing} = notesOf(row);
	const isFormerRead = !former || (typeof former.id === 'string' && Number.isFinite(former.time));
	if (!isFormerRead || !Number.isFinite(redatedMs) || !Array.isArray(others) || others.length > mostKeys)
		throw new DamagedError('notes', row.notes);
	for (const [, from, to, reason] of missing ?? []) {
		requiredTime(from);
		requiredTime(to);
		if (typeof reason !== 'string') throw new DamagedError('a reason', reason);
	}

	const {gaps, ...added} = decodeTrades(row);
	const clock = {...(redatedMs !== 0 && {redatedMs}), ...(former && {former})};
	return {...added, gaps: [...gaps, ...others], ...clock, ...(missing && {missing})};
}

/** Of a row of the table `trade` with the interface and notes of its answer. Throws an Error if it is damaged. */
export const newTradesIn = (row: Columns): NewTrades => ({...addedIn(row), interface: interfaceOf(row.interface)});

/** Whether the notes of an answer may have more of its trades than that they are new. */
export const notesGaps = (notes: SQLOutputValue | undefined): boolean =>
	typeof notes === 'string' && /"(?:missing|gaps|former|redatedMs)"/.test(notes);
