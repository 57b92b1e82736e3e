import type {DatabaseSync} from 'node:sqlite';
import {operationOf} from '../client/middleware.ts';
import {type Answers, type Ask, marketOf, type Question, type QuestionOf} from '../client/question.ts';
import type {Tape} from '../market/tape.ts';
import {type DepthBook, type ExchangeInfo, largestPage, type Period} from '../market/types.ts';
import {minuteMs} from '../market/units.ts';
import {resourceNames} from '../store/polling.ts';
import {findGaps} from './answer-gaps.ts';
import {createRecordedReads} from './answer-table.ts';
import {createRecordedBooks} from './book-table.ts';
import {createRecordedLists} from './list-tables.ts';
import {compareGaps, type Log, RecordedError, type RecordedGap} from './outcome-log.ts';
import {
	type Columns,
	definedFields,
	numberIn,
	RecordingError,
	requiredNumber,
	requiredTime,
	textOf,
} from './recorded-columns.ts';
import type {RecordedAlert} from './recorder.ts';
import {openToRead, type RecordedExchange, recordingProblem} from './recording-file.ts';
import {createRecordedSessions} from './session-table.ts';
import {createRecordedSymbols} from './symbol-table.ts';
import type {AddedTrades, NewTrades} from './trade-codec.ts';
import {createTradesOfRecording, type TradeExtent} from './trade-table.ts';

/**
 * Reads a recording, also one that is still written: what is known up to an answer does not change any more. Throws a
 * `RecordingError` where the file is damaged or gone.
 */
export type RecordingReader = ReturnType<typeof createReader>;

type RecordedCount = {
	readonly ask: Ask;
	readonly market?: string;
	readonly period?: Period;
	readonly answers: number;
	readonly failures: number;
};

/** Opens the recording at `path`. Throws a `RecordingError`. */
export function openRecording(path: string): RecordingReader {
	const db = openToRead(path);
	try {
		return withProblems(path, createReader(db));
	} catch (error) {
		db.close();
		throw problemOf(path, error);
	}
}

/** Answers in which gaps are found at a time. */
const answersAtOnce = 2000;
/** Allowed difference of clocks beyond what the recording says. */
const lateMs = minuteMs;

function createReader(db: DatabaseSync) {
	const sessions = createRecordedSessions(db);
	const symbols = createRecordedSymbols(db);
	const reads = createRecordedReads(db, sessions, symbols);
	const bookOf = createRecordedBooks(db);
	const lists = createRecordedLists(db, sessions);
	const trades = createTradesOfRecording(db);
	const aboutRow = db.prepare('SELECT * FROM recording');
	const countRows = db.prepare(
		`SELECT operation, symbol, period, sum(error IS NULL) AS answers, sum(error IS NOT NULL) AS failures
		FROM answer GROUP BY operation, symbol, period ORDER BY symbol, period`,
	);
	const alertRows = db.prepare('SELECT alert.*, name FROM alert JOIN symbol ON id = symbol ORDER BY time');
	const {next, last, failingSince, lastAnswer, symbolsRead, answeredAfter} = reads;
	/** No symbol has the number 0. */
	const idOf = (symbol: string): number => symbols.idOf(symbol) ?? 0;

	const tape = (market: string, id: number, count: number): Tape => trades.upTo(idOf(market), id, count);

	function bookAt(market: string, id: number): DepthBook {
		const book = bookOf(idOf(market), id);
		if (!book) throw new Error('the book of an answer is missing');
		const bidsFailure = book.bids ? undefined : reads.notes(id).bidsFailure;
		return bidsFailure ? {...book, bidsFailure: new RecordedError(bidsFailure)} : book;
	}

	function infoAt(id: number): ExchangeInfo {
		const {info} = reads.notes(id);
		if (!info) throw new Error('the exchange info of an answer is missing');
		return info;
	}

	function dataAt(question: Question, id: number): Answers[Ask] {
		switch (question.ask) {
			case 'info':
				return infoAt(id);
			case 'markets':
				return lists.markets(id);
			case 'tickers':
				return lists.tickers(id);
			case 'depth':
				return bookAt(question.market, id);
			case 'trades':
				return tape(marketOf(question) ?? '', id, question.limit ?? largestPage).trades;
			case 'candles':
				return lists.candles(idOf(question.market), question.period, id, question.limit);
		}
	}

	return {
		about(): RecordedExchange {
			const {exchange, base_url: base, legacy_base_url: legacy} = aboutRow.get() ?? {};
			return {name: textOf(exchange) ?? '', ...definedFields({baseUrl: textOf(base), legacyBaseUrl: textOf(legacy)})};
		},
		/** Those with answers, in order. */
		sessions: sessions.all,
		/** In the order in which they were recorded first. */
		symbols: symbols.all,
		/** In order of time. */
		alerts: (): readonly RecordedAlert[] => alertRows.all().map(alertOf),
		/** How many reads of each kind, market and period were recorded. */
		counts: (): readonly RecordedCount[] =>
			countRows.all().map(row => ({
				...questionIn(row, symbols.nameOf),
				...{answers: requiredNumber(row.answers), failures: requiredNumber(row.failures)},
			})),
		gaps: () => [...findGaps(db, symbols.nameOf, answersAtOnce)].flat().sort(compareGaps),
		/** The gaps of so many answers at a time: by default some milliseconds of work. */
		gapPages: (answers = answersAtOnce): Generator<readonly RecordedGap[]> => findGaps(db, symbols.nameOf, answers),
		idAt: sessions.idAt,
		intervals: sessions.intervals,
		...{next, last, failingSince, lastAnswer, symbolsRead, answeredAfter},
		...{changedTickers: lists.changedTickers, finalCandles: lists.finalCandles},
		data: <Wanted extends Question>(question: Wanted, id: number) => dataAt(question, id) as Answers[Wanted['ask']],
		tape,
		trades: (_: string, id: number): AddedTrades => trades.newIn(id),
		changedCandles: (_: Question, id: number) => lists.changedCandles(id),
		hasCandles(session: number, question: QuestionOf<'candles'>): boolean {
			const [, end] = sessions.rangeOf(session);
			// Where no candle is, all answers to reads of candles would be looked through.
			return (
				lists.hasCandles(idOf(question.market), question.period) && lastAnswer(session, question, end) !== undefined
			);
		},
		/** The new trades of each answer that has some of the time from `from` to `to` (epoch ms), or gaps in it, in order of the answers. */
		tradesBetween: (symbol: string, from: number, to: number): Generator<NewTrades> =>
			trades.between(idOf(symbol), sessions.firstSince(from - lateMs), from, to),
		/** From when to when the trades of a market are known; undefined: there is none. */
		tradeExtent: (symbol: string): TradeExtent | undefined => trades.extent(idOf(symbol)),
		close: () => db.close(),
	} satisfies Log & Record<string, unknown>;
}

function questionIn(
	row: Columns,
	nameOf: (symbol: number) => string,
): Pick<RecordedCount, 'ask' | 'market' | 'period'> {
	const [symbol, period] = [numberIn(row.symbol), numberIn(row.period)];
	const ask = resourceNames.find(each => operationOf(each) === row.operation);
	if (!ask) throw new Error('the recording has an unknown operation');
	return {ask, ...(symbol !== undefined && {market: nameOf(symbol)}), ...(period !== undefined && {period})};
}

const alertOf = (row: Columns): RecordedAlert => ({
	time: requiredTime(row.time),
	symbol: textOf(row.name) ?? '',
	rule: textOf(row.rule) ?? '',
	message: textOf(row.message) ?? '',
});

/** The reader, whose errors are one line for the user. */
function withProblems(path: string, reader: RecordingReader): RecordingReader {
	function* guarded<Page>(pages: Generator<Page>): Generator<Page> {
		try {
			yield* pages;
		} catch (error) {
			throw problemOf(path, error);
		}
	}

	const guard =
		(read: (...values: never[]) => unknown) =>
		(...values: never[]) => {
			try {
				const result = read(...values);
				return result instanceof Iterator ? guarded(result as Generator<unknown>) : result;
			} catch (error) {
				throw problemOf(path, error);
			}
		};
	const guards = Object.entries(reader).map(([name, read]) => [name, guard(read)]);
	return Object.fromEntries(guards) as RecordingReader;
}

function problemOf(path: string, error: unknown): RecordingError {
	if (error instanceof RecordingError) return error;
	const isOwn = error instanceof Error && error.constructor === Error && !('code' in error);
	const isFromSqlite = error instanceof Error && 'errcode' in error;
	// What else is thrown has met data that no recorder writes.
	const text = isOwn || isFromSqlite ? recordingProblem(path, error) : `${path} is damaged`;
	return new RecordingError(text, {cause: error});
}
