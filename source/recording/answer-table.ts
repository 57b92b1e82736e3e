import type {DatabaseSync, StatementSync} from 'node:sqlite';
import type {CacheUse} from '../client/exchange.ts';
import {operationOf} from '../client/middleware.ts';
import {marketOf, type Question} from '../client/question.ts';
import type {ExchangeInfo, Interface} from '../market/types.ts';
import {
	type Answered,
	answerTo,
	type Log,
	type Logged,
	type LoggedAnswer,
	type Outcome,
	periodOf,
	RecordedError,
	type RecordedFailure,
	recordedFailure,
} from './outcome-log.ts';
import {
	type Columns,
	DamagedError,
	definedFields,
	interfaceOf,
	jsonOf,
	requiredNumber,
	requiredTime,
	textOf,
} from './recorded-columns.ts';
import type {RecordedSessions} from './session-table.ts';
import type {RecordedSymbols} from './symbol-table.ts';
import type {Row} from './table-rows.ts';
import type {TapeNotes} from './trade-codec.ts';

/** The columns of the table `answer` that say how an outcome ended. `loggedAt`: epoch ms. */
export const endColumns = (outcome: Outcome, loggedAt: number): Row =>
	'failure' in outcome ? failureColumns(outcome.failure) : answerColumns(outcome, loggedAt);

/** What most answers do not have is written as notes. */
function answerColumns(outcome: Answered, loggedAt: number): Row {
	const {interface: from, receivedAt, serverTime = null, dropped} = outcome.answer;
	const {cache, rounded, cut, misdated, offPeriod, outside, preferredFailure} = outcome.answer;
	const book = answerTo('depth', outcome)?.data;
	const {bidsFailure} = book ?? {};
	const notes = {
		...(receivedAt !== loggedAt && {receivedAt}),
		...{cache, rounded, cut, misdated, offPeriod, outside},
		preferredFailure: preferredFailure && recordedFailure(preferredFailure),
		info: answerTo('info', outcome)?.data,
		bidsFailure: bidsFailure && recordedFailure(bidsFailure),
	};
	const isPlain = Object.values(notes).every(value => value === undefined);
	return {
		...{interface: from, server_time: serverTime, dropped},
		notes: isPlain ? null : JSON.stringify(notes),
		...(book && {bid: book.bids?.[0]?.[0] ?? null, ask: book.asks[0]?.[0] ?? null}),
	};
}

const failureColumns = (failure: RecordedFailure): Row => ({
	...{interface: failure.interface, dropped: 0},
	...{error: failure.kind, notes: JSON.stringify(failure)},
});

/** The column `notes` of a good answer: what few answers have. */
export type Notes = {
	/** If that was before it was known. */
	readonly receivedAt?: number;
	readonly cache?: CacheUse;
	readonly rounded?: number;
	readonly cut?: number;
	readonly misdated?: number;
	readonly offPeriod?: number;
	readonly outside?: {readonly before: boolean; readonly after: boolean};
	readonly preferredFailure?: RecordedFailure;
	readonly bidsFailure?: RecordedFailure;
	readonly info?: ExchangeInfo;
} & TapeNotes;

/** Throws an Error if they are damaged: a text in place of a number would make every age one. */
export function notesOf(row: Columns): Notes {
	const notes = jsonOf<Notes>(row.notes) ?? {};
	const {receivedAt, cache, rounded = 0, cut = 0, misdated = 0, offPeriod = 0, preferredFailure, bidsFailure} = notes;
	if (receivedAt !== undefined) requiredTime(receivedAt);
	for (const number of [cache?.ageMs ?? 0, rounded, cut, misdated, offPeriod]) requiredNumber(number);
	for (const failure of [preferredFailure, bidsFailure]) if (failure) requiredFailure(failure);
	return notes;
}

/** Its words are shown. */
function requiredFailure(failure: RecordedFailure): RecordedFailure {
	const {kind, operation, brief, message, words, status = 0, retryAfterMs = 0, other} = failure;
	for (const text of [kind, operation, brief, message]) requiredText(text);
	for (const number of [status, retryAfterMs]) requiredNumber(number);
	for (const text of words ? [words.brief, words.text, words.own, words.advice] : []) requiredText(text);
	if (other) requiredFailure(other);
	return failure;
}

function requiredText(text: unknown): void {
	if (typeof text !== 'string') throw new DamagedError('a text', text);
}

/** A row of the table `answer`. Throws an Error if it is damaged. */
export function readAnswerRow(row: Columns): Logged {
	const [id, endedAt, took] = [requiredNumber(row.id), requiredTime(row.received_at), requiredNumber(row.took)];
	if (row.error !== null) {
		const failure = jsonOf<RecordedFailure>(row.notes);
		if (!failure) throw new Error('a recorded failure has no words');
		return {id, sentAt: endedAt - took, endedAt, failure: requiredFailure(failure)};
	}

	const {receivedAt = endedAt, cache, preferredFailure, rounded, cut, misdated, offPeriod, outside} = notesOf(row);
	return {
		...{id, sentAt: receivedAt + (cache?.ageMs ?? 0) - took, endedAt},
		answer: definedFields({
			...{interface: interfaceOf(row.interface), receivedAt, cache},
			...{rounded, cut, misdated, offPeriod, outside},
			serverTime: row.server_time === null ? undefined : requiredTime(row.server_time),
			dropped: requiredNumber(row.dropped),
			preferredFailure: preferredFailure && new RecordedError(preferredFailure),
		}),
	};
}

/** An answer without its data. `market`: absent where the answer is of none. `time`: when it was known, epoch ms. */
export type AnswerHead = {
	readonly id: number;
	readonly operation: string;
	readonly market?: string | undefined;
	readonly interface: Interface;
	readonly time: number;
};

const headOf = (row: Columns): AnswerHead => ({
	id: requiredNumber(row.id),
	operation: textOf(row.operation) ?? '',
	market: textOf(row.name),
	interface: interfaceOf(row.interface),
	time: requiredTime(row.received_at),
});

/** An SQL condition on a row. */
type Condition = 'TRUE' | 'error IS NULL' | 'error IS NOT NULL';

/** The words of the index that has this operation: it is used only if they are in the query. */
function indexed(ask: Question['ask']): string {
	const operation = operationOf(ask);
	const isRare = operation === 'info' || operation === 'markets' || operation === 'candles';
	return `operation = '${operation}'${isRare ? " AND operation NOT IN ('depth', 'trades', 'ticker')" : ''}`;
}

/** No symbol has it. */
const unknownSymbol = 0;

type Limits = Parameters<Log['last']>[3];

/** The reads of a recording, without their data. */
export function createRecordedReads(db: DatabaseSync, sessions: RecordedSessions, symbols: RecordedSymbols) {
	const notesRow = db.prepare('SELECT notes FROM answer WHERE id = ?');
	const afterRows = db.prepare(
		`SELECT answer.id, operation, name, interface, received_at FROM answer LEFT JOIN symbol ON symbol.id = answer.symbol
		WHERE answer.id > ? AND error IS NULL ORDER BY answer.id LIMIT ?`,
	);
	const statements = new Map<string, StatementSync>();

	function statement(ask: Question['ask'], condition: Condition, order: 'ASC' | 'DESC'): StatementSync {
		const key = `${ask} ${condition} ${order}`;
		const prepared =
			statements.get(key) ??
			db.prepare(
				`SELECT id, session, received_at, took, interface, server_time, dropped, error, notes FROM answer
				WHERE ${indexed(ask)} AND symbol IS ? AND period IS ? AND id BETWEEN ? AND ? AND ${condition}
				ORDER BY id ${order}`,
			);
		statements.set(key, prepared);
		return prepared;
	}

	/** Rows from the answer `first` to the answer `last`. */
	function rows(
		question: Question,
		[first, last]: readonly [number, number],
		order: 'ASC' | 'DESC',
		condition: Condition = 'TRUE',
	) {
		const prepared = statement(question.ask, condition, order);
		const market = marketOf(question);
		const symbol = market === undefined ? null : (symbols.idOf(market) ?? unknownSymbol);
		const values = [symbol, periodOf(question) ?? null, first, last];
		return {
			first: (): Columns | undefined => prepared.get(...values),
			all: () => prepared.iterate(...values),
		};
	}

	function lastAnswer(session: number, question: Question, id: number): LoggedAnswer | undefined {
		const [first] = sessions.rangeOf(session);
		const row = rows(question, [first, id], 'DESC', 'error IS NULL').first();
		const read = row && readAnswerRow(row);
		return read && 'answer' in read ? read : undefined;
	}

	return {
		next(session: number, question: Question, id: number): Logged | undefined {
			const row = rows(question, [id + 1, Number.MAX_SAFE_INTEGER], 'ASC').first();
			return row?.session === session ? readAnswerRow(row) : undefined;
		},
		last(session: number, question: Question, to: number, {from, count}: Limits): readonly Logged[] {
			const [first] = sessions.rangeOf(session);
			const reads: Logged[] = [];
			for (const row of rows(question, [first, to], 'DESC').all().take(count)) {
				if (requiredNumber(row.received_at) < from) break;
				reads.push(readAnswerRow(row));
			}

			return reads.reverse();
		},
		failingSince(session: number, question: Question, id: number): number {
			const [first] = sessions.rangeOf(session);
			const answered = lastAnswer(session, question, id)?.id ?? first - 1;
			const row = rows(question, [answered + 1, id], 'ASC', 'error IS NOT NULL').first();
			if (!row) throw new Error(`the answer ${id} is no failure`);
			return requiredTime(row.received_at);
		},
		/** The newest one from the first answer of `session` up to `id` that was answered. */
		lastAnswer,
		/** The markets with reads in a session, in the order in which they were recorded first. */
		symbolsRead(session: number, operation: 'depth' | 'trades'): readonly string[] {
			const read = db.prepare(
				`SELECT name FROM symbol WHERE EXISTS (
					SELECT 1 FROM answer WHERE ${indexed(operation)} AND answer.symbol = symbol.id AND answer.id BETWEEN ? AND ?
				) ORDER BY id`,
			);
			return read.all(...sessions.rangeOf(session)).flatMap(({name}) => textOf(name) ?? []);
		},
		notes: (id: number): Notes => notesOf(notesRow.get(id) ?? {}),
		/** What was answered after the answer `id`, in order, at most `count`. */
		answeredAfter: (id: number, count: number): readonly AnswerHead[] => afterRows.all(id, count).map(headOf),
	};
}
