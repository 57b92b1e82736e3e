import type {DatabaseSync} from 'node:sqlite';
import {dayMs, secondMs} from '../../../source/market/units.ts';
import {createRecorder} from '../../../source/recording/recorder.ts';
import {closeRecorded, openToRecord} from '../../../source/recording/recording-file.ts';
import {pollIntervals} from '../../../source/store/polling.ts';
import {answerAt, type Minutes, type Resource} from './recorded-minutes.ts';

const resources: readonly Resource[] = ['markets', 'depth', 'trades', 'tickers', 'candles'];

/**
 * Records the minutes at default polling, and copies them within the file until it has 24 hours: what differs are ids and times.
 * Returns the times of its beginning and end, epoch ms.
 */
export function recordDay(path: string, minutes: Minutes): {readonly from: number; readonly to: number} {
	const {books, trades} = minutes;
	const from = books[0]?.time ?? 0;
	const start = {from, version: 'bench', options: {}, host: 'bench', process: process.pid};
	const db = openToRecord(path, {name: 'bench'}, start, () => false);
	const recorder = createRecorder(db, start);
	const intervals = pollIntervals();
	for (let second = 0; second < books.length; second++) {
		const now = from + second * secondMs;
		for (const name of resources) {
			if ((second * secondMs) % intervals[name] === 0) recorder.add(answerAt(minutes, name, second, now));
		}
	}

	const minutesMs = books.length * secondMs;
	recorder.end(from + minutesMs);
	const copies = Math.ceil(dayMs / minutesMs) - 1;
	db.exec('BEGIN');
	copyRows(db, {copies, ms: minutesMs, answers: recorder.counts.answers, trades: trades.length});
	const to = from + (copies + 1) * minutesMs;
	db.prepare('UPDATE session SET to_time = ?').run(to);
	db.exec('COMMIT');
	closeRecorded(db);
	return {from, to};
}

/** By how much a copy differs from the one before. */
type Shift = {readonly copies: number; readonly ms: number; readonly answers: number; readonly trades: number};

function copyRows(db: DatabaseSync, {copies, ms, answers, trades}: Shift): void {
	const shifted: Readonly<Record<string, string>> = {
		id: `id + copy * ${answers}`,
		answer: `answer + copy * ${answers}`,
		first_id: `CAST(first_id + copy * ${trades} AS TEXT)`,
		...Object.fromEntries(
			['received_at', 'server_time', 'from_time', 'to_time'].map(name => [name, `${name} + copy * ${ms}`]),
		),
	};
	/** The first answer of each list has all entries, which did not change. */
	const whole = `SELECT min(id) FROM answer WHERE operation IN ('ticker', 'candles') GROUP BY operation`;
	for (const [table, condition] of [
		['trade', 'TRUE'],
		['book', 'TRUE'],
		['ticker', `answer NOT IN (${whole})`],
		['candle', `answer NOT IN (${whole})`],
		['answer', 'TRUE'],
	]) {
		const columns = db
			.prepare(`SELECT name FROM pragma_table_info('${table}')`)
			.all()
			.map(({name}) => String(name));
		const order = table === 'answer' ? 'id' : 'answer';
		db.exec(`WITH copied(copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copied WHERE copy < ${copies})
			INSERT INTO ${table} SELECT ${columns.map(name => shifted[name] ?? name).join(', ')}
			FROM copied CROSS JOIN (SELECT * FROM ${table} WHERE ${condition}) ORDER BY copy, ${order}`);
	}
}
