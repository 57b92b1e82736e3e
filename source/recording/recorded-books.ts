import type {DatabaseSync} from 'node:sqlite';
import {inflateRawSync} from 'node:zlib';
import type {DepthBook} from '../market/types.ts';
import {type BookRow, readBookChunk} from './book-codec.ts';
import {numberIn} from './recorded-columns.ts';

/** The books of a recording. A market is named by the id of its symbol, a book by that of its answer. */
export type RecordedBooks = {
	/** Cheap if it is called with rising answers. Undefined if the recording does not have it. */
	bookOf(symbol: number, answer: number): DepthBook | undefined;
};

/** The books of a chunk that are not read yet, and the last one that was. */
type Cursor = {readonly rest: Generator<BookRow>; row: BookRow | undefined};

/** Of a chunk, inflated: twice what a recorder writes. A hostile file must not fill the memory. */
const maxOutputLength = 16_000_000;

export function createRecordedBooks(db: DatabaseSync): RecordedBooks {
	const rowUpTo = db.prepare(
		'SELECT answer, begins_at FROM book WHERE symbol = ? AND answer <= ? ORDER BY answer DESC LIMIT 1',
	);
	const rowAfter = db.prepare(
		'SELECT answer, begins_at FROM book WHERE symbol = ? AND answer > ? ORDER BY answer LIMIT 1',
	);
	const rowsFrom = db.prepare(
		'SELECT answer, begins_at, levels FROM book WHERE symbol = ? AND answer >= ? ORDER BY answer',
	);
	const cursors = new Map<number, Cursor>();

	/** The first answer of the chunk that has the answer, if one has it. */
	function chunkOf(symbol: number, answer: number): number | undefined {
		const after = rowAfter.get(symbol, answer);
		const begun = numberIn(after?.begins_at);
		if (begun !== undefined && begun <= answer) return begun;
		const before = rowUpTo.get(symbol, answer);
		return numberIn(before?.begins_at) ?? numberIn(before?.answer);
	}

	/** Reads a chunk in one statement: a recorder may put a whole one in the place of its parts at any time. */
	function levelsOf(symbol: number, first: number): Buffer {
		const parts: Buffer[] = [];
		for (const {answer, begins_at: begun, levels} of rowsFrom.iterate(symbol, first)) {
			const bytes = Buffer.from(levels instanceof Uint8Array ? levels : []);
			if (begun === null && answer === first) return inflateRawSync(bytes, {maxOutputLength});
			if (begun !== first) break;
			parts.push(bytes);
		}

		return Buffer.concat(parts);
	}

	const readChunk = (symbol: number, first: number | undefined): Generator<BookRow> =>
		first === undefined ? noBooks() : readBookChunk(levelsOf(symbol, first), first);

	function advance(cursor: Cursor | undefined, answer: number): DepthBook | undefined {
		if (!cursor) return undefined;
		while (cursor.row === undefined || cursor.row.answer < answer) {
			const next = cursor.rest.next();
			if (next.done) return undefined;
			cursor.row = next.value;
		}

		return cursor.row.answer === answer ? cursor.row.book : undefined;
	}

	return {
		bookOf(symbol, answer) {
			const book = advance(cursors.get(symbol), answer);
			if (book) return book;
			const cursor: Cursor = {rest: readChunk(symbol, chunkOf(symbol, answer)), row: undefined};
			cursors.set(symbol, cursor);
			return advance(cursor, answer);
		},
	};
}

function* noBooks(): Generator<BookRow> {}
