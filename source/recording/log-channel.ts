import {isDeepStrictEqual} from 'node:util';
import {deflateRawSync, inflateRawSync} from 'node:zlib';
import type {Answer} from '../client/exchange.ts';
import type {Candle, DepthBook, Interface} from '../market/types.ts';
import {mostCandles} from '../store/candle-feed.ts';
import {type BookChunk, type BookRow, createBookChunk, readBookChunk} from './book-codec.ts';
import {
	type Answered,
	answerTo,
	type Logged,
	type LoggedAnswer,
	type Outcome,
	RecordedError,
	type RecordedFailure,
} from './outcome-log.ts';
import type {Columns} from './recorded-columns.ts';
import {knownTrades} from './trade-codec.ts';
import {createTradePages, type TradePages} from './trade-pages.ts';
import {tapeOfRows} from './trade-rows.ts';

/** A read. `data`: tickers by market, candles by time, a `BookPart`, new trades as `[row]`, else as it was answered. */
export type Entry = {readonly data?: unknown; readonly since?: number | undefined} & Logged;

/** What changed in a book since the one before in its chunk, see book-codec.ts. */
type BookPart = {readonly levels: string; readonly bidsFailure?: RecordedFailure | undefined};

/** Reads in a row, the first of them with all of its data. */
type Chunk = {
	readonly session: number;
	readonly firstId: number;
	lastId: number;
	count: number;
	bytes: number;
	/** Where it is full. */
	mostBytes: number;
	/** JSON of its entries, with merge patches of the data before; deflated when no more is added. */
	content: string[] | Buffer;
	books?: BookChunk | undefined;
};

/** The books of a chunk that are not read yet, and the last one that was. */
type Books = {readonly entries: readonly Entry[]; readonly rest: Generator<BookRow>; row: BookRow};

const noRows: readonly Columns[] = [];
/** Larger ones take less space, and longer to read. */
const mostChunkBytes = 64_000;
/** Chunks that are kept as they were read, of all channels of a log: a moment is put together from a few. */
const mostDecoded = 12;
/** Of books, in levels. */
const mostChunkWork = 1_000_000;

/** What was read last of all channels of a log, latest at the end. */
export type Decoded = Map<object, readonly Entry[]>;

/** The reads of one market's data of one kind, or of all markets', in memory. */
export type LogChannel = ReturnType<typeof createLogChannel>;

export function createLogChannel(decoded: Decoded) {
	const chunks: Chunk[] = [];
	let last: Entry | undefined;
	let newTrades: TradePages | undefined;
	let books: Books | undefined;

	function begin(session: number, id: number): Chunk {
		pack();
		const chunk = {session, firstId: id, lastId: id, count: 0, bytes: 0, mostBytes: mostChunkBytes, content: []};
		chunks.push(chunk);
		return chunk;
	}

	function pack(): void {
		const chunk = chunks.at(-1);
		if (!chunk || !Array.isArray(chunk.content)) return;
		chunk.content = deflateRawSync(`[${chunk.content.join()}]`);
		chunk.bytes = chunk.content.length;
		chunk.books = undefined;
	}

	/** The chunk to which a read is added. */
	function openChunk(session: number, id: number, book: DepthBook | undefined): Chunk {
		const open = chunks.at(-1);
		const hasRoom = Array.isArray(open?.content) && open.bytes < open.mostBytes && open.session === session;
		const chunk = open && hasRoom ? open : begin(session, id);
		if (!book) return chunk;
		const row = {answer: chunk.count, book};
		if (chunk.books && chunk.books.work() < mostChunkWork && chunk.books.add(row)) return chunk;
		const own = chunk.books ? begin(session, id) : chunk;
		own.books = createBookChunk({...row, answer: own.count});
		return own;
	}

	function dataOf(outcome: Answered, id: number, bookChunk: BookChunk | undefined): unknown {
		const {data} = outcome.answer;
		switch (outcome.question.ask) {
			case 'info':
				return data;
			case 'markets':
				return isDeepStrictEqual(last?.data, data) ? last?.data : data;
			case 'tickers':
				return Object.fromEntries((answerTo('tickers', outcome)?.data ?? []).map(ticker => [ticker.symbol, ticker]));
			case 'candles': {
				const sent = Object.fromEntries(
					(answerTo('candles', outcome)?.data ?? []).map(candle => [candle.time, candle]),
				);
				const all = {...(last?.data as Readonly<Record<string, Candle>>), ...sent};
				return Object.keys(all).length > mostCandles ? sent : all;
			}
			case 'trades': {
				newTrades ??= createTradePages({
					tape: from => tapeOfRows(rows(id, from), knownTrades),
					newest: () => pages(id).find(({row}) => row.first_id !== '')?.interface,
				});
				const page = answerTo('trades', outcome);
				const {row, notes} = page ? newTrades.add(page) : {};
				return row ? [{...row, notes: notes ? JSON.stringify(notes) : null}] : noRows;
			}
			case 'depth': {
				const bidsFailure = answerTo('depth', outcome)?.data.bidsFailure;
				return {levels: Buffer.from(bookChunk?.part() ?? []).toString('base64'), bidsFailure} satisfies BookPart;
			}
		}
	}

	function entriesOf(chunk: Chunk): readonly Entry[] {
		const cached = decoded.get(chunk);
		const entries = cached?.length === chunk.count ? cached : decode(chunk);
		decoded.delete(chunk);
		decoded.set(chunk, entries);
		const [oldest = chunk] = decoded.keys();
		if (decoded.size > mostDecoded) decoded.delete(oldest);
		return entries;
	}

	/** The reads up to `id`, newest first. */
	function* back(id: number, session?: number): Generator<Entry> {
		for (const chunk of chunks.toReversed()) {
			if (chunk.firstId > id) continue;
			if (session !== undefined && chunk.session !== session) return;
			for (const entry of entriesOf(chunk).toReversed()) if (entry.id <= id) yield entry;
		}
	}

	/** The new trades of answers up to `id`, newest first. */
	function* pages(id: number): Generator<{readonly interface: Interface; readonly row: Columns}> {
		for (const entry of back(id)) {
			if (!('answer' in entry)) continue;
			for (const row of entry.data as readonly Columns[]) yield {interface: entry.answer.interface, row};
		}
	}

	/** Those of an interface. */
	function* rows(id: number, from: Interface): Generator<Columns> {
		for (const page of pages(id)) if (page.interface === from) yield page.row;
	}

	return {
		/** Its first read, and from where on it is no more needed; undefined: the newest reads are in it. */
		nextChunk: (): number | undefined => chunks[1]?.firstId,
		/** Undefined: there is none. */
		newest: (): number | undefined => chunks.at(-1)?.lastId,
		bytes: () => chunks.reduce((sum, {bytes}) => sum + bytes, 0),
		isIn: (session: number) => chunks.some(chunk => chunk.session === session),
		/** `since`: of a failure, when the first one in a row failed. Ids rise. */
		add(outcome: Outcome, session: number, {since, ...read}: Pick<Entry, 'id' | 'sentAt' | 'endedAt' | 'since'>) {
			const chunk = openChunk(session, read.id, answerTo('depth', outcome)?.data);
			const entry =
				'failure' in outcome
					? {...read, since, failure: outcome.failure, data: last?.data}
					: {...read, answer: headOf(outcome.answer), data: dataOf(outcome, read.id, chunk.books)};
			const {data} = entry;
			const before = chunk.count > 0 && last ? {data: last.data} : {};
			const text = JSON.stringify({...entry, data: undefined, patch: patchOf(before, {data})});
			if (Array.isArray(chunk.content)) chunk.content.push(text);
			if (chunk.count === 0) chunk.mostBytes += 2 * text.length;
			chunk.bytes += text.length;
			chunk.lastId = read.id;
			chunk.count++;
			last = entry;
		},
		/** Keeps nothing that only a next read needs. */
		rest() {
			pack();
			newTrades = undefined;
			last = undefined;
		},
		/** Drops its oldest chunk, and returns the id from which on nothing was dropped. */
		dropFirst(): number {
			const dropped = chunks.shift();
			if (dropped) decoded.delete(dropped);
			return chunks[0]?.firstId ?? (dropped?.lastId ?? 0) + 1;
		},
		back,
		pages,
		rows,
		/** The first read after `id`. */
		next(session: number, id: number): Entry | undefined {
			const chunk = chunks.find(({lastId}) => lastId > id);
			return chunk?.session === session ? entriesOf(chunk).find(entry => entry.id > id) : undefined;
		},
		/** As of an answer. Cheap if it is called with rising ids. */
		book(id: number): DepthBook | undefined {
			const chunk = chunks.findLast(({firstId}) => firstId <= id);
			if (!chunk) return undefined;
			const entries = entriesOf(chunk);
			const place = entries.findLastIndex(entry => entry.id <= id && 'answer' in entry);
			if (!books || books.entries !== entries || books.row.answer > place) books = readBooks(entries);
			while (books.row.answer < place) {
				const {value} = books.rest.next();
				if (!value) return undefined;
				books.row = value;
			}

			const {bidsFailure} = (entries[place]?.data ?? {}) as Partial<BookPart>;
			return {...books.row.book, ...(bidsFailure && {bidsFailure: new RecordedError(bidsFailure)})};
		},
	};
}

function decode({content}: Chunk): readonly Entry[] {
	const text = Array.isArray(content) ? `[${content.join()}]` : inflateRawSync(content).toString();
	let before: JsonObject = {};
	return (JSON.parse(text) as readonly (Entry & {readonly patch: JsonObject})[]).map(({patch, ...entry}) => {
		before = patched(before, patch);
		return {...entry, ...before};
	});
}

function readBooks(entries: readonly Entry[]): Books {
	const answers = entries.filter(entry => 'answer' in entry);
	const levels = Buffer.concat(answers.map(({data}) => Buffer.from((data as BookPart).levels, 'base64')));
	const rest = readBookChunk(
		levels,
		entries.findIndex(entry => 'answer' in entry),
	);
	return {entries, rest, row: {answer: -1, book: {asks: []}}};
}

/** What a replay tells of an answer. */
function headOf(answer: Answer<unknown>): LoggedAnswer['answer'] {
	const {data: _data, sentAt: _sent, sentNumbers: _numbers, besideDropped: _beside, incomplete: _why, ...head} = answer;
	return head;
}

type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** A market may have the name of something that every object has. */
const own = (fields: JsonObject, name: string): unknown => (Object.hasOwn(fields, name) ? fields[name] : undefined);

/** What turns `before` into `after`, as a JSON merge patch (RFC 7396): null removes a field. Lists are replaced unless they are the same. */
function patchOf(before: JsonObject, after: JsonObject): JsonObject {
	const names = new Set([...Object.keys(before), ...Object.keys(after)]);
	const changes: [name: string, change: unknown][] = [];
	for (const name of names) {
		const [old, value] = [own(before, name), own(after, name)];
		if (old === value) continue;
		const change = isObject(old) && isObject(value) ? patchOf(old, value) : (value ?? null);
		if (!isObject(change) || !isObject(old) || Object.keys(change).length > 0) changes.push([name, change]);
	}

	return Object.fromEntries(changes);
}

/** Values that do not change keep their identity. */
function patched(before: JsonObject, patch: JsonObject): JsonObject {
	let removes = false;
	const changes = Object.entries(patch).map(([name, change]) => {
		removes ||= change === null;
		const old = isObject(change) ? own(before, name) : undefined;
		return [name, isObject(old) && isObject(change) ? patched(old, change) : change];
	});
	const after = {...before, ...Object.fromEntries(changes)};
	return removes ? Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null)) : after;
}
