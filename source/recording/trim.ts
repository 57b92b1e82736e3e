import type {DatabaseSync} from 'node:sqlite';
import {minuteMs} from '../market/units.ts';
import {numberOf} from './table-rows.ts';

/** Candles that are kept before the time: as many as one answer has at most. */
const keptCandles = 1000;

/** After the row with the newest trade of a market, at most this many rows have only older trades. */
const mostFillingRows = 100;

/**
 * Removes what was known before `time` (epoch ms), in the current transaction. Of the session of that time, the last answer to each
 * read stays, and then has all that was known: what is newer can still be read. `recorded`: the session that is being recorded.
 */
export function trimBefore(db: DatabaseSync, time: number, recorded: number): void {
	const newest = numberOf(db, 'SELECT max(id) AS value FROM answer');
	const firstKept = numberOf(db, 'SELECT id AS value FROM answer WHERE received_at >= ? ORDER BY id LIMIT 1', time);
	// The ids of answers must not begin anew.
	const last = (firstKept || newest) - 1;
	const session =
		numberOf(db, 'SELECT session AS value FROM answer WHERE id > ? ORDER BY id LIMIT 1', last) || recorded;
	const first = numberOf(db, 'SELECT min(id) AS value FROM answer WHERE session = ?', session);
	for (const table of ['ticker', 'market', 'candle', 'trade']) {
		db.prepare(`DELETE FROM ${table} WHERE answer < ?`).run(Math.min(first, last + 1));
	}

	db.exec(`CREATE TEMP TABLE kept AS
		SELECT max(id) AS id, operation, symbol, period FROM answer WHERE session = ${session} AND id <= ${last}
		GROUP BY operation, symbol, period, error IS NULL`);
	trimTrades(db, last);
	db.exec(`DELETE FROM answer WHERE id <= ${last} AND id NOT IN (SELECT id FROM temp.kept)`);
	db.exec('DELETE FROM temp.kept WHERE id IN (SELECT id FROM answer WHERE error IS NOT NULL)');
	trimLists(db, last);
	trimCandles(db, last, time);
	trimBooks(db, last);
	db.exec(`DELETE FROM sent_number WHERE answer <= ${last}`);
	db.prepare('DELETE FROM alert WHERE time < ?').run(time);
	db.prepare('DELETE FROM session WHERE id < ? AND id <> ?').run(session, recorded);
	db.prepare('UPDATE session SET from_time = min(max(from_time, ?), to_time) WHERE id = ?').run(time, session);
	db.exec('DROP TABLE temp.kept');
}

/** The newest entry of each market moves to the last answer that is kept. */
function trimLists(db: DatabaseSync, last: number): void {
	for (const [table, operation] of [
		['ticker', 'ticker'],
		['market', 'markets'],
	] as const) {
		const kept = `(SELECT id FROM temp.kept WHERE operation = '${operation}')`;
		db.exec(`DELETE FROM ${table} WHERE answer <= ${last} AND (${kept} IS NULL OR state IS NULL OR EXISTS (
			SELECT 1 FROM ${table} AS newer
			WHERE newer.symbol = ${table}.symbol AND newer.answer > ${table}.answer AND newer.answer <= ${last}))`);
		db.exec(`UPDATE ${table} SET answer = ${kept} WHERE answer <= ${last}`);
	}
}

function trimCandles(db: DatabaseSync, last: number, time: number): void {
	const kept = `(SELECT id FROM temp.kept
		WHERE operation = 'candles' AND symbol = candle.symbol AND period = candle.period)`;
	db.exec(`DELETE FROM candle WHERE answer <= ${last} AND (${kept} IS NULL
		OR time < ${time} - period * ${keptCandles * minuteMs} OR EXISTS (
			SELECT 1 FROM candle AS newer WHERE newer.symbol = candle.symbol AND newer.period = candle.period
			AND newer.time = candle.time AND newer.answer > candle.answer AND newer.answer <= ${last}))`);
	db.exec(`UPDATE candle SET answer = ${kept} WHERE answer <= ${last}`);
}

/**
 * The row with the newest trades of each market stays, of the interface that answered last: ids of another one name other trades.
 * Later rows may have filled gaps: that gap is then one to what is removed.
 */
function trimTrades(db: DatabaseSync, last: number): void {
	const answers = db
		.prepare(
			`SELECT answer.id, answer.symbol, interface FROM temp.kept JOIN answer ON answer.id = kept.id
			WHERE answer.operation = 'trades' AND error IS NULL`,
		)
		.all();
	const newestRows = db.prepare(
		`SELECT trade.answer, to_time, starts_over FROM answer CROSS JOIN trade ON trade.answer = answer.id
		WHERE operation = 'trades' AND answer.symbol = ? AND answer.id <= ? AND interface = ? AND times <> '[]'
		ORDER BY answer.id DESC LIMIT ${mostFillingRows}`,
	);
	const moves = answers.flatMap(({id = null, symbol = null, interface: from = null}) => {
		const rows = newestRows.all(symbol, id, from);
		const begin = rows.findIndex(({starts_over: startsOver}) => startsOver !== null);
		const comparable = begin === -1 ? rows : rows.slice(0, begin + 1);
		const [newest] = comparable.toSorted((one, other) => Number(other.to_time) - Number(one.to_time));
		return newest ? [{from: Number(newest.answer), to: Number(id)}] : [];
	});
	db.prepare('DELETE FROM trade WHERE answer <= ? AND answer NOT IN (SELECT value FROM json_each(?))').run(
		last,
		JSON.stringify(moves.map(({from}) => from)),
	);
	const move = db.prepare('UPDATE trade SET answer = ? WHERE answer = ?');
	for (const {from, to} of moves) move.run(to, from);
}

/** The chunks with the books of the answers that are kept, or newer ones, stay. */
function trimBooks(db: DatabaseSync, last: number): void {
	const chunk = 'coalesce(begins_at, answer)';
	const kept = db
		.prepare(
			`SELECT symbol, max(${chunk}) AS first FROM book
			WHERE ${chunk} <= (SELECT id FROM temp.kept WHERE operation = 'depth' AND symbol = book.symbol)
			GROUP BY symbol`,
		)
		.all();
	const firstBySymbol = new Map(kept.map(({symbol, first}) => [Number(symbol), Number(first)]));
	for (const {symbol} of db.prepare('SELECT DISTINCT symbol FROM book').all()) {
		const first = firstBySymbol.get(Number(symbol)) ?? last + 1;
		db.prepare(`DELETE FROM book WHERE symbol = ? AND ${chunk} < ?`).run(Number(symbol), first);
	}
}
