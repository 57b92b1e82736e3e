import {isDeepStrictEqual} from 'node:util';
import {deflateRawSync, inflateRawSync} from 'node:zlib';
import type {Answer} from '../client/exchange.ts';
import {setLast} from '../market/memo.ts';
import type {DepthBook, Interface, Trade} from '../market/types.ts';
import {mostCandles} from '../store/candle-feed.ts';
import {type BookChunk, type BookReader, createBookChunk, createBookReader} from './book-codec.ts';
import {answerTo, type Logged, type LoggedAnswer, type Outcome, type RecordedFailure} from './outcome-log.ts';
import {keptTrades, type NewTrades} from './trade-codec.ts';
import {createTradeGaps} from './trade-gaps.ts';
import {createTradePages, type TradePages, tapeOfPages} from './trade-pages.ts';

/** A read without its data. `since`: of a failure, when the first one in a row failed. */
export type Entry = {
	readonly since?: number | undefined;
	readonly bidsFailure?: RecordedFailure | undefined;
} & Logged;

/** JSON texts in a row, deflated when no more is added. */
type Texts = string[] | Buffer;

/** Reads in a row, the first of them with all of its data. */
type Chunk = {
	readonly session: number;
	readonly firstId: number;
	lastId: number;
	count: number;
	bytes: number;
	/** Where it is full. */
	mostBytes: number;
	entries: Texts;
	/** `News` of some of them: the first one has all data. Of a chunk of books, when no more is added, these. */
	news: Texts;
	books?: BookChunk | undefined;
};

/** The fields of a ticker or a candle. */
type EntryFields = Readonly<Record<string, unknown>>;
/** Tickers by market, candles by time. */
type Entries = ReadonlyMap<string, EntryFields>;
/** The changed fields of each entry: null for a field, or an entry, that is gone. */
type Changes = Readonly<Record<string, EntryFields | null>>;
/** What is new in a read: trades, changes of a list, or all that was answered. */
type News = {readonly id: number} & {
	readonly page?: NewTrades;
	readonly changes?: Changes;
	readonly whole?: unknown;
};
/** The data as of a read: `Entries`, or as it was answered. */
type State = {readonly id: number; readonly data: unknown};

/** Larger ones take less space, and longer to read. */
const mostChunkBytes = 64_000;
/** Texts that are kept as they were read, of all channels of a log: a moment is put together from a few. */
const mostDecoded = 12;
/** Maximum levels in the books of a chunk. */
const mostChunkWork = 500_000;

/** What was read last of all channels of a log, latest at the end. */
export type Decoded = Map<Texts, readonly unknown[]>;

/** The reads of one market's data of one kind, or of all markets', in memory. */
export type LogChannel = ReturnType<typeof createLogChannel>;

export function createLogChannel(decoded: Decoded) {
	const chunks: Chunk[] = [];
	/** The newest data, of lists and the info. */
	let last: unknown;
	let newTrades: TradePages | undefined;
	const tradeGaps = createTradeGaps();
	let books: {readonly chunk: Chunk; readonly bookOf: BookReader} | undefined;

	function begin(session: number, id: number): Chunk {
		pack();
		const sizes = {count: 0, bytes: 0, mostBytes: mostChunkBytes};
		const chunk = {session, firstId: id, lastId: id, ...sizes, entries: [], news: []};
		chunks.push(chunk);
		return chunk;
	}

	function pack(): void {
		const chunk = chunks.at(-1);
		if (!chunk || !Array.isArray(chunk.entries)) return;
		chunk.news = deflateRawSync(chunk.books?.whole() ?? textOf(chunk.news));
		chunk.entries = deflateRawSync(textOf(chunk.entries));
		chunk.bytes = chunk.entries.length + chunk.news.length;
		chunk.books = undefined;
	}

	/** The chunk to which a read is added. Books begin with their chunk. */
	function openChunk(session: number, id: number, book: DepthBook | undefined): Chunk {
		const open = chunks.at(-1);
		const hasRoom = Array.isArray(open?.entries) && open.bytes < open.mostBytes && open.session === session;
		const chunk = open && hasRoom ? open : begin(session, id);
		if (!book) return chunk;
		const row = {answer: id, book};
		if (chunk.books && chunk.books.work() < mostChunkWork && chunk.books.add(row)) return chunk;
		const own = chunk.count > 0 ? begin(session, id) : chunk;
		own.books = createBookChunk(row);
		return own;
	}

	function put(chunk: Chunk, to: 'entries' | 'news', value: object | undefined): void {
		const texts = chunk[to];
		if (!value || !Array.isArray(texts)) return;
		const text = JSON.stringify(value);
		texts.push(text);
		chunk.bytes += text.length;
	}

	/** What is known after an outcome, of lists and the info; undefined: that did not change. */
	function stateAfter(outcome: Outcome): unknown {
		const listed = answerTo('tickers', outcome)?.data;
		if (listed) return new Map(listed.map(ticker => [ticker.symbol, ticker]));
		const candles = answerTo('candles', outcome)?.data;
		if (candles) {
			const sent = new Map(candles.map(candle => [String(candle.time), candle]));
			const all = new Map([...((last ?? []) as Entries), ...sent]);
			return all.size > mostCandles ? sent : all;
		}

		const data = (answerTo('info', outcome) ?? answerTo('markets', outcome))?.data;
		return isDeepStrictEqual(last, data) ? undefined : data;
	}

	/** The trades of a page that are new. */
	function newPage(page: Answer<readonly Trade[]>, id: number): NewTrades | undefined {
		newTrades ??= createTradePages({
			tape: from => tapeOfPages(pages(id, from), keptTrades),
			newest: () => pages(id).find(({trades}) => trades.length > 0)?.interface,
		});
		const added = newTrades.add(page);
		if (!added) return undefined;
		const {missing: _missing, ...kept} = added;
		tradeGaps.add({...added, interface: page.interface});
		return {...kept, interface: page.interface};
	}

	/** Undefined: there are none. */
	function newsOf(outcome: Outcome, id: number, isFirst: boolean): News | undefined {
		const trades = answerTo('trades', outcome);
		if (trades) {
			const page = newPage(trades, id);
			return page && {id, page};
		}

		const before = isFirst ? undefined : last;
		last = stateAfter(outcome) ?? last;
		if (last === before) return undefined;
		return last instanceof Map ? {id, changes: changesOf((before ?? new Map()) as Entries, last)} : {id, whole: last};
	}

	function valuesOf<Value>(texts: Texts, read: (texts: Texts) => readonly Value[]): readonly Value[] {
		const cached = decoded.get(texts);
		const isWhole = cached !== undefined && (!Array.isArray(texts) || cached.length === texts.length);
		const values = isWhole ? (cached as readonly Value[]) : read(texts);
		setLast(decoded, texts, values, mostDecoded);
		return values;
	}

	const chunkAt = (id: number): Chunk | undefined => chunks.findLast(({firstId}) => firstId <= id);

	/** The reads up to `id`, newest first. */
	function* back(id: number, session?: number): Generator<Entry> {
		for (const chunk of upTo(chunks, ({firstId}) => firstId <= id)) {
			if (session !== undefined && chunk.session !== session) return;
			yield* upTo(valuesOf<Entry>(chunk.entries, parsed), entry => entry.id <= id);
		}
	}

	/** The new trades of answers up to `id`, newest first; `from`: of an interface. */
	function* pages(id: number, from?: Interface): Generator<NewTrades> {
		for (const chunk of upTo(chunks, ({firstId}) => firstId <= id)) {
			for (const {page} of upTo(parsed<News>(chunk.news), each => each.id <= id))
				if (page && page.interface === (from ?? page.interface)) yield page;
		}
	}

	return {
		/** Its first read, and from where on it is no more needed; undefined: the newest reads are in it. */
		nextChunk: (): number | undefined => chunks[1]?.firstId,
		/** Undefined: there is none. */
		newest: (): number | undefined => chunks.at(-1)?.lastId,
		bytes: () => chunks.reduce((sum, {bytes}) => sum + bytes, 0),
		isIn: (session: number) => chunks.some(chunk => chunk.session === session),
		/** Ids rise. */
		add(outcome: Outcome, session: number, {since, ...read}: Pick<Entry, 'id' | 'sentAt' | 'endedAt' | 'since'>) {
			const {id} = read;
			const book = answerTo('depth', outcome)?.data;
			const chunk = openChunk(session, id, book);
			const entry =
				'failure' in outcome
					? {...read, since, failure: outcome.failure}
					: {...read, answer: headOf(outcome.answer), bidsFailure: book?.bidsFailure};
			put(chunk, 'entries', entry);
			put(chunk, 'news', newsOf(outcome, id, chunk.count === 0));
			chunk.bytes += chunk.books?.part().length ?? 0;
			if (chunk.count === 0) chunk.mostBytes += 2 * chunk.bytes;
			chunk.lastId = id;
			chunk.count++;
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
			for (const texts of dropped ? [dropped.entries, dropped.news] : []) decoded.delete(texts);
			return chunks[0]?.firstId ?? (dropped?.lastId ?? 0) + 1;
		},
		back,
		pages,
		tradeGaps,
		/** The first read after `id`. */
		next(session: number, id: number): Entry | undefined {
			const chunk = chunks.find(({lastId}) => lastId > id);
			if (chunk?.session !== session) return undefined;
			return valuesOf<Entry>(chunk.entries, parsed).find(entry => entry.id > id);
		},
		/** The data as of a read. */
		state(id: number): unknown {
			const chunk = chunkAt(id);
			return chunk && valuesOf(chunk.news, statesIn).findLast(state => state.id <= id)?.data;
		},
		/** The new trades of an answer. */
		page(id: number): NewTrades | undefined {
			const chunk = chunkAt(id);
			return chunk && valuesOf<News>(chunk.news, parsed).find(each => each.id === id)?.page;
		},
		/** Of an answer. Cheap if it is called with rising ids. */
		book(id: number): DepthBook | undefined {
			const chunk = chunkAt(id);
			const read = books?.chunk === chunk ? books?.bookOf(id) : undefined;
			if (read || !chunk) return read;
			const {firstId, news} = chunk;
			const levels = Array.isArray(news) ? Buffer.from(chunk.books?.whole() ?? []) : inflateRawSync(news);
			books = {chunk, bookOf: createBookReader(levels, firstId)};
			return books.bookOf(id);
		},
	};
}

/** The last of `list` first. `isUpTo`: of those from the beginning. */
const upTo = <Value>(list: readonly Value[], isUpTo: (value: Value) => boolean): readonly Value[] =>
	list.slice(0, list.findLastIndex(isUpTo) + 1).reverse();

const textOf = (texts: Texts): string =>
	Array.isArray(texts) ? `[${texts.join()}]` : inflateRawSync(texts).toString();

const parsed = <Value>(texts: Texts): Value[] => JSON.parse(textOf(texts));

function statesIn(texts: Texts): readonly State[] {
	let data: unknown;
	return parsed<News>(texts).map(({id, changes, whole}) => {
		data = changes ? changed((data ?? new Map()) as Entries, changes) : whole;
		return {id, data};
	});
}

/** What a replay tells of an answer. */
function headOf(answer: Answer<unknown>): LoggedAnswer['answer'] {
	const {data: _data, sentAt: _sent, sentNumbers: _numbers, besideDropped: _beside, incomplete: _why, ...head} = answer;
	return head;
}

/** What turns `before` into `after`. A market may have the name of something that every object has. */
function changesOf(before: Entries, after: Entries): Changes {
	const gone = [...before.keys()].filter(name => !after.has(name)).map(name => [name, null] as const);
	const others = [...after].flatMap(([name, entry]) => {
		const old = before.get(name) ?? {};
		const names = old === entry ? [] : Object.keys({...old, ...entry}).filter(each => old[each] !== entry[each]);
		return names.length > 0
			? [[name, Object.fromEntries(names.map(each => [each, entry[each] ?? null]))] as const]
			: [];
	});
	return Object.fromEntries([...gone, ...others]);
}

/** Entries that do not change keep their identity. */
function changed(before: Entries, changes: Changes): Entries {
	const after = new Map(before);
	for (const [name, change] of Object.entries(changes)) {
		const fields: Record<string, unknown> = {...after.get(name), ...change};
		for (const field in change) if (change[field] === null) delete fields[field];
		if (change) after.set(name, fields);
		else after.delete(name);
	}

	return after;
}
