import type {DatabaseSync} from 'node:sqlite';
import {deflateRawSync} from 'node:zlib';
import {type BookChunk, type BookRow, createBookChunk, mostWork} from './book-codec.ts';
import type {Insert} from './table-rows.ts';

/** Writes books in chunks: part by part while a chunk grows, so that little is lost, and at its end all in one, which is small. */
export type WrittenBooks = {
	/** `symbol`: an id. `time`: epoch ms. */
	add(symbol: number, row: BookRow, time: number): void;
	/** Writes what was added since the last flush. */
	flush(): void;
	/** Ends all chunks. */
	close(): void;
};

/** Longer ones take less space, and longer to read. */
const chunkMs = 120_000;
/** Before it is deflated. Books of 5,000 levels with prices that are no decimals reach it in a minute. */
const mostChunkBytes = 8_000_000;

const isSmall = (books: BookChunk): boolean => books.whole().length < mostChunkBytes && books.work() < mostWork / 2;

type OpenChunk = {readonly answer: number; readonly begunAt: number; readonly books: BookChunk; newest: number};

export function createWrittenBooks(db: DatabaseSync, insert: Insert): WrittenBooks {
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
		add(symbol, row, time) {
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
		flush() {
			for (const [symbol, chunk] of chunks) writePart(symbol, chunk);
		},
		close() {
			for (const [symbol, chunk] of chunks) end(symbol, chunk);
		},
	};
}
