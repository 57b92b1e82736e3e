import type {DatabaseSync, StatementSync} from 'node:sqlite';
import {type Notes, notesOf, readAnswerRow} from './answer-rows.ts';
import type {AnsweredChannelRead, Channel, PlaybackReader, RecordedRead} from './playback-reader.ts';
import {type Columns, requiredNumber, textOf} from './recorded-columns.ts';
import type {RecordedSessions} from './recorded-sessions.ts';
import type {RecordedSymbols} from './recorded-symbols.ts';

/** The reads of a recording, without their data. */
export type RecordedReads = Pick<PlaybackReader, 'next' | 'last' | 'failingSince'> & {
	/** The newest one from the first answer of `session` up to `id` that was answered. */
	lastAnswer(session: number, channel: Channel, id: number): AnsweredChannelRead | undefined;
	/** The markets with reads in a session, in the order in which they were recorded first. */
	symbolsRead(session: number, operation: 'depth' | 'trades'): readonly string[];
	notes(id: number): Notes;
};

/** Of a row, in SQL. */
type Condition = 'TRUE' | 'error IS NULL' | 'error IS NOT NULL';

/** The words of the index that has this operation: it is used only if they are in the query. */
function indexed(operation: Channel['operation']): string {
	const isRare = operation === 'info' || operation === 'markets' || operation === 'candles';
	return `operation = '${operation}'${isRare ? " AND operation NOT IN ('depth', 'trades', 'ticker')" : ''}`;
}

/** No symbol has it. */
const unknownSymbol = 0;

export function createRecordedReads(
	db: DatabaseSync,
	sessions: RecordedSessions,
	symbols: RecordedSymbols,
): RecordedReads {
	const notesRow = db.prepare('SELECT notes FROM answer WHERE id = ?');
	const statements = new Map<string, StatementSync>();
	/** The failure of each channel that was asked for last, and since when it failed: of thousands in a row, each is looked at once. */
	const failing = new Map<string, {readonly id: number; readonly since: number}>();

	function statement(operation: Channel['operation'], condition: Condition, order: 'ASC' | 'DESC'): StatementSync {
		const key = `${operation} ${condition} ${order}`;
		const prepared =
			statements.get(key) ??
			db.prepare(
				`SELECT id, session, received_at, took, interface, server_time, dropped, error, notes FROM answer
				WHERE ${indexed(operation)} AND symbol IS ? AND period IS ? AND id BETWEEN ? AND ? AND ${condition}
				ORDER BY id ${order}`,
			);
		statements.set(key, prepared);
		return prepared;
	}

	/** Rows from the answer `first` to the answer `last`. */
	function rows(
		{operation, symbol, period}: Channel,
		[first, last]: readonly [number, number],
		order: 'ASC' | 'DESC',
		condition: Condition = 'TRUE',
	) {
		const prepared = statement(operation, condition, order);
		const id = symbol === undefined ? null : (symbols.idOf(symbol) ?? unknownSymbol);
		const values = [id, period ?? null, first, last];
		return {
			first: (): Columns | undefined => prepared.get(...values),
			all: () => prepared.iterate(...values),
		};
	}

	function lastAnswer(session: number, channel: Channel, id: number): AnsweredChannelRead | undefined {
		const [first] = sessions.rangeOf(session);
		const row = rows(channel, [first, id], 'DESC', 'error IS NULL').first();
		const read = row && readAnswerRow(row);
		return read && 'answer' in read ? read : undefined;
	}

	return {
		next(session, channel, id) {
			const row = rows(channel, [id + 1, Number.MAX_SAFE_INTEGER], 'ASC').first();
			return row?.session === session ? readAnswerRow(row) : undefined;
		},
		last(session, channel, to, {from, count}) {
			const [first] = sessions.rangeOf(session);
			const reads: RecordedRead[] = [];
			for (const row of rows(channel, [first, to], 'DESC').all().take(count)) {
				if (requiredNumber(row.received_at) < from) break;
				reads.push(readAnswerRow(row));
			}

			return reads.reverse();
		},
		failingSince(session, channel, id) {
			const key = JSON.stringify([session, channel.operation, channel.symbol, channel.period]);
			const known = failing.get(key);
			if (known && known.id <= id && !rows(channel, [known.id, id], 'DESC', 'error IS NULL').first()) {
				failing.set(key, {...known, id});
				return known.since;
			}

			const [first] = sessions.rangeOf(session);
			const answered = lastAnswer(session, channel, id)?.id ?? first - 1;
			const row = rows(channel, [answered + 1, id], 'ASC', 'error IS NOT NULL').first();
			if (!row) throw new Error(`the answer ${id} is no failure`);
			const since = requiredNumber(row.received_at);
			failing.set(key, {id, since});
			return since;
		},
		lastAnswer,
		symbolsRead(session, operation) {
			const read = db.prepare(
				`SELECT name FROM symbol WHERE EXISTS (
					SELECT 1 FROM answer WHERE ${indexed(operation)} AND answer.symbol = symbol.id AND answer.id BETWEEN ? AND ?
				) ORDER BY id`,
			);
			return read.all(...sessions.rangeOf(session)).flatMap(({name}) => textOf(name) ?? []);
		},
		notes: id => notesOf(notesRow.get(id) ?? {}),
	};
}
