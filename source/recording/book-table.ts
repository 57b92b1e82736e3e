import type {DatabaseSync} from 'node:sqlite';
import {deflateRawSync, inflateRawSync} from 'node:zlib';
import type {DepthBook} from '../market/types.ts';
import {
	type BookChunk,
	type BookReader,
	type BookRow,
	createBookChunk,
	createBookReader,
	mostWork,
} from './book-codec.ts';
import {numberIn} from './recorded-columns.ts';
import type {Insert} from './table-rows.ts';

/** Longer ones take less space, and longer to read. */
const chunkMs = 120_000;
/** Maximum size of a chunk before it is deflated. Books of 5,000 levels with non-decimal prices reach it in a minute. */
const mostChunkBytes = 8_000_000;

const isSmall = (books: BookChunk): boolean => books.whole().length < mostChunkBytes && books.work() < mostWork / 2;

type OpenChunk = {readonly answer: number; readonly begunAt: number; readonly books: BookChunk; newest: number};

/** Writes books in chunks: part by part while a chunk grows, so that little is lost, and at its end all in one, which is small. */
export function createWrittenBooks(db: DatabaseSync, insert: Insert) {
	const chunks = new Map<number, OpenChunk>();
	const removeParts = db.prepare('DELETE FROM book WHERE symbol = ? AND begins_at = ?');

	function writePart(symbol: number, {answer, newest, books}: OpenChunk): void {
		const levels = books.part();
		if (levels.length > 0) insert('book', {answer: newest, symbol, begins_at: answer, levels});
	}

	function end(symbol: number, {answer, books}: OpenChunk): void {
		removeParts.run(symbol, answer);
		insert('book', {answer, symbol, begins_at: null, levels: deflateRawSync(books.whole())});
		chunks.delete(symbol);
	}

	return {
		/** `symbol`: an id. `time`: epoch ms. */
		add(symbol: number, row: BookRow, time: number): void {
			const open = chunks.get(symbol);
			const goesOn = open !== undefined && time - open.begunAt < chunkMs && isSmall(open.books);
			if (goesOn && open.books.add(row)) {
				open.newest = row.answer;
				return;
			}

			if (open) end(symbol, open);
			const {answer} = row;
			chunks.set(symbol, {answer, begunAt: time, books: createBookChunk(row), newest: answer});
		},
		/** Writes what was added since the last flush. */
		flush(): void {
			for (const [symbol, chunk] of chunks) writePart(symbol, chunk);
		},
		/** Ends all chunks. */
		close(): void {
			for (const [symbol, chunk] of chunks) end(symbol, chunk);
		},
	};
}

/** Maximum size of an inflated chunk, so that a hostile file does not fill the memory: twice what a recorder writes. */
const maxOutputLength = 16_000_000;

/**
 * The book of an answer. Cheap if it is called with rising answers. `symbol`: an id. Undefined if the recording does not have it.
 */
export function createRecordedBooks(db: DatabaseSync): (symbol: number, answer: number) => DepthBook | undefined {
	const rowUpTo = db.prepare(
		'SELECT answer, begins_at FROM book WHERE symbol = ? AND answer <= ? ORDER BY answer DESC LIMIT 1',
	);
	const rowAfter = db.prepare(
		'SELECT answer, begins_at FROM book WHERE symbol = ? AND answer > ? ORDER BY answer LIMIT 1',
	);
	const rowsFrom = db.prepare(
		'SELECT answer, begins_at, levels FROM book WHERE symbol = ? AND answer >= ? ORDER BY answer',
	);
	const readers = new Map<number, BookReader>();

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

	return (symbol, answer) => {
		const book = readers.get(symbol)?.(answer);
		if (book) return book;
		const first = chunkOf(symbol, answer);
		if (first === undefined) return undefined;
		const reader = createBookReader(levelsOf(symbol, first), first);
		readers.set(symbol, reader);
		return reader(answer);
	};
}
