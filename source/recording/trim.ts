import type {DatabaseSync} from 'node:sqlite';
import {minuteMs} from '../market/units.ts';
import {numberOf} from './table-rows.ts';

/** As many candles before the time are kept as one answer has at most. */
const keptCandles = 1000;

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
	db.exec(`CREATE TEMP TABLE kept_trades AS SELECT answer, kept FROM (SELECT *,
		row_number() OVER (PARTITION BY kept ORDER BY clocks DESC, to_time DESC, answer DESC) AS place
		FROM (SELECT trade.answer, to_time, kept.id AS kept,
			total(starts_over) OVER (PARTITION BY kept.id ORDER BY trade.answer) AS clocks
		FROM temp.kept CROSS JOIN answer AS newest ON newest.id = kept.id AND newest.error IS NULL
		CROSS JOIN answer ON answer.operation = 'trades' AND answer.symbol = kept.symbol AND answer.id <= kept.id
		CROSS JOIN trade ON trade.answer = answer.id AND times <> '[]'
		WHERE kept.operation = 'trades' AND answer.interface = newest.interface)) WHERE place = 1`);
	db.exec(`DELETE FROM trade WHERE answer <= ${last} AND answer NOT IN (SELECT answer FROM temp.kept_trades)`);
	db.exec(`UPDATE trade SET answer = (SELECT kept FROM temp.kept_trades WHERE kept_trades.answer = trade.answer)
		WHERE answer <= ${last}`);
	db.exec('DROP TABLE temp.kept_trades');
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
