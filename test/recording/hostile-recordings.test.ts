import {copyFileSync, linkSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync, StatementSync} from 'node:sqlite';
import {deflateRawSync} from 'node:zlib';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {recordedMarkets} from '../../source/cli/commands/recorded-feeds.ts';
import {replayedSymbol} from '../../source/recording/open-replay.ts';
import {RecordingError} from '../../source/recording/recorded-columns.ts';
import {openToRead, openToRecord} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {applicationId, tables, views} from '../../source/recording/schema.ts';
import {hostileRecordings} from '../helpers/hostile-recordings.ts';
import {tradePage} from '../store/samples.ts';
import {
	answered,
	exchange,
	noneAlive,
	openSample,
	readSample,
	recordSample,
	start,
	startedAt,
	symbol,
	temporaryFolder,
} from './recordings.ts';

function change(path: string, sql: string): void {
	const db = new DatabaseSync(path);
	db.exec(sql);
	db.close();
}

const numbers = (count: number): string =>
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/** A text, repeated, in SQL. */
const repeated = (text: string, count: number): string => `replace(hex(zeroblob(${count})), '00', '${text}')`;

/** Puts these bytes in the place of a chunk of books, in SQL. */
const booksOf = (levels: Buffer): string => `UPDATE book SET levels = x'${deflateRawSync(levels).toString('hex')}'`;

describe('a recording that no recorder wrote', () => {
	/** What reading each answer of a sample that `sql` changed says, without the path. */
	function readChanged(sql: string): string {
		const at = startedAt + 1000;
		const candles = [{time: startedAt, open: 1, high: 1, low: 1, close: 1, volume: 1}];
		const path = recordSample([
			answered.candles(candles, at),
			answered.trades(tradePage(100, 3, at), at),
			answered.ticker([{symbol, state: 'active', last: 100}], at),
			answered.depth({asks: [[101, 1]], bids: [[100, 1]]}, at),
		]);
		change(path, sql);
		try {
			const reader = openRecording(path);
			try {
				const [{id: session, lastId} = {id: 0, lastId: 0}] = reader.sessions();
				reader.symbols();
				reader.hasCandles(session, {ask: 'candles', market: symbol, period: 1});
				reader.data({ask: 'candles', market: symbol, period: 1}, lastId);
				reader.changedCandles({ask: 'candles', market: symbol, period: 1}, 1);
				reader.tape(symbol, lastId - 2, 100);
				reader.data({ask: 'tickers'}, lastId);
				reader.data({ask: 'depth', market: symbol}, lastId);
				reader.next(session, {ask: 'depth', market: symbol}, 0);
				return 'read';
			} finally {
				reader.close();
			}
		} catch (error) {
			return error instanceof RecordingError ? error.message.replace(path, '') : `not in words: ${error}`;
		}
	}

	test.each([
		['nothing that is wrong', 'SELECT 1', 'read'],
		['the period of a candle as a text', "UPDATE candle SET period = '0x10'", 'read'],
		['the price of a candle as a text', "UPDATE candle SET open = 'x'", ' is damaged'],
		['a time as bytes', "UPDATE answer SET received_at = x'00'", ' is damaged'],
		['a number without an end', 'UPDATE candle SET close = 9e999', ' is damaged'],
		['prices as texts', `UPDATE trade SET prices = '["1","1","1"]'`, ' is damaged'],
		['a price below 0', 'UPDATE candle SET low = -1', ' is damaged'],
		['a price of 0', "UPDATE trade SET prices = '[0,0,0]'", ' is damaged'],
		['prices that no number can hold', 'UPDATE trade SET price_scale = 5e-324', ' is damaged'],
		['prices of no scale', 'UPDATE trade SET price_scale = 0', ' is damaged'],
		['a quantity below 0', 'UPDATE trade SET quantity_scale = -1', ' is damaged'],
		['a time beyond all years', 'UPDATE candle SET time = 1e300', ' is damaged'],
		['times of trades beyond all years', "UPDATE trade SET times = '[1e300,0,0]'", ' is damaged'],
		['a volume below 0', 'UPDATE candle SET volume = -1', ' is damaged'],
		['a server time beyond all years', 'UPDATE answer SET server_time = 1e300', ' is damaged'],
		['a receipt that is no time', `UPDATE answer SET notes = '{"receivedAt":"x"}'`, ' is damaged'],
		['a failure without words', `UPDATE answer SET notes = '{"preferredFailure":{}}'`, ' is damaged'],
		['a price of a ticker below 0', 'UPDATE ticker SET last = -1', ' is damaged'],
		['a list without a bracket', "UPDATE trade SET times = '[1,'", ' is damaged'],
		['nothing for a list', "UPDATE trade SET times = 'null'", ' is damaged'],
		['a number beyond 2^53', 'UPDATE trade SET from_time = 9223372036854775807', ' is damaged'],
		['a chunk of books that is not deflated', `UPDATE book SET levels = CAST('xyzzy' AS BLOB)`, ' is damaged'],
		['a chunk of books that inflates without end', booksOf(Buffer.alloc(64_000_000)), ' is damaged'],
		['more books than the file has', booksOf(Buffer.from([0, 0, 0, 0xff, 0xff, 0xff, 9])), ' is damaged'],
		['a text for a list of ids', `UPDATE trade SET ids = '"abc"'`, ' is damaged'],
		['a list without an end', "UPDATE trade SET times = printf('[%.*c0]', 2000001, ' ')", ' is damaged'],
		[
			'more sessions than anyone starts',
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
			INSERT INTO session SELECT i + 10, 1, 1, NULL, '1', '{}', NULL, NULL FROM n`,
			' is damaged',
		],
		[
			'more markets than an exchange lists',
			`${numbers(10_001)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`,
			' is damaged',
		],
		[
			'a page of more trades than an exchange sends',
			`UPDATE trade SET side_texts = NULL, times = '[0' || ${repeated(',0', 1000)} || ']', prices = '[1' || ${repeated(',0', 1000)} || ']',
			quantities = '[1' || ${repeated(',1', 1000)} || ']', sides = ${repeated('b', 1001)}`,
			' is damaged',
		],
		[
			'a fill of more trades than an exchange sends',
			`UPDATE trade SET side_texts = NULL, times = '[0]', prices = '[1]', quantities = '[[1' || ${repeated(',1', 1000)} || ']]', sides = 'b'`,
			' is damaged',
		],
		[
			'a page that closes more gaps than a tape has',
			`UPDATE trade SET closed_gaps = '["1"' || ${repeated(',"1"', 4000)} || ']'`,
			' is damaged',
		],
		[
			'a page beside more gaps than a tape has',
			`UPDATE answer SET notes = '{"gaps":["1"' || ${repeated(',"1"', 4000)} || ']}' WHERE operation = 'trades'`,
			' is damaged',
		],
		[
			'more candles in an answer than an exchange sends',
			`${numbers(2001)} INSERT INTO candle SELECT 1, 1, i * 60000, 1, 1, 1, 1, 1, 1 FROM n`,
			' is damaged',
		],
		[
			'notes of many numbers',
			`UPDATE answer SET notes = '{"cut":[0' || replace(hex(zeroblob(41000)), '00', ',0') || ']}'`,
			' is damaged',
		],
		['notes of one long text', `UPDATE answer SET notes = '{"x":"' || hex(zeroblob(500000)) || '"}'`, 'read'],
	])('%s', (_, sql, expected) => {
		expect(readChanged(sql)).toBe(expected);
	});
});

test.each([
	['20,000 unchanged levels', 'fewer levels'],
	['doubles without an end', 'fewer levels'],
])('refuses %s before it has read them', (name, expected) => {
	const at = startedAt + 1000;
	const path = recordSample([answered.candles([], at), answered.depth({asks: [[101, 1]], bids: [[100, 1]]}, at)]);
	const db = new DatabaseSync(path);
	hostileRecordings[name]?.(db);
	db.close();
	const reader = readSample(path);
	let cause: unknown;
	try {
		reader.data({ask: 'depth', market: symbol}, 2);
	} catch (error) {
		cause = error instanceof RecordingError ? error.cause : undefined;
	}

	expect(String(cause)).toContain(expected);
});

test('reads the newest 20,000 candles that were known, oldest first', () => {
	const candle = {time: 0, open: 1, high: 1, low: 1, close: 1, volume: 1};
	const path = recordSample([
		answered.candles([candle], startedAt + 1000),
		answered.candles([candle], startedAt + 2000),
	]);
	change(
		path,
		`${numbers(20_010)} INSERT INTO candle SELECT 1, 1, i * 60000, 1, 1, 1, 1, 1, 1 FROM n;
		${numbers(30)} INSERT INTO candle SELECT 1, 1, (20010 + i) * 60000, 2, 1, 1, 1, 1, 1 FROM n`,
	);
	const reader = readSample(path);
	const read = reader.data({ask: 'candles', market: symbol, period: 1}, 1);
	expect([read.length, read[0]?.time, read.at(-1)?.time]).toEqual([20_000, 11 * 60_000, 20_010 * 60_000]);
	expect(reader.data({ask: 'candles', market: symbol, period: 1, limit: 2}, 1).map(({time}) => time)).toEqual([
		20_009 * 60_000,
		20_010 * 60_000,
	]);
});

test('finds the answers of thousands of sessions in a few statements', () => {
	const path = recordSample([answered.ticker([], startedAt)]);
	// Each third has none, one or two answers, whose ids have gaps.
	change(
		path,
		`${numbers(3000)} INSERT INTO session SELECT i + 10, ${startedAt}, ${startedAt} + i, NULL, '1', '{}', NULL, NULL FROM n;
		${numbers(3000)} INSERT INTO answer (id, session, operation, interface, received_at, took, dropped)
		SELECT 10 * i + of.value, i + 10, 'info', 'v2', ${startedAt} + i, 1, 0
		FROM n JOIN json_each('[0,3]') AS of ON of.key < i % 3`,
	);
	const reader = readSample(path);
	const read = vi.spyOn(StatementSync.prototype, 'get');
	onTestFinished(() => read.mockRestore());
	const sessions = reader.sessions();
	expect(read.mock.calls.length).toBeLessThan(10);
	expect(sessions.slice(1).map(({id, firstId, lastId, lastAt}) => [id, firstId, lastId, lastAt])).toEqual(
		Array.from({length: 3000}, (_, index) => index + 1)
			.filter(i => i % 3 > 0)
			.map(i => [i + 10, 10 * i, 10 * i + (i % 3 === 2 ? 3 : 0), startedAt + i]),
	);
	expect([reader.idAt(12, startedAt + 1), reader.idAt(12, startedAt + 2)]).toEqual([19, 23]);
});

test('finds the first of thousands of markets that has a book or trades in a few statements', () => {
	const path = recordSample([answered.trades(tradePage(100, 3, startedAt), startedAt)]);
	change(
		path,
		`UPDATE symbol SET id = 9000; UPDATE answer SET symbol = 9000; UPDATE trade SET symbol = 9000;
		${numbers(8000)} INSERT INTO symbol SELECT i, 'M' || i FROM n`,
	);
	const reader = readSample(path);
	const spies = (['get', 'all', 'iterate'] as const).map(name => vi.spyOn(StatementSync.prototype, name));
	onTestFinished(() => {
		vi.restoreAllMocks();
	});
	const [session] = reader.sessions();
	expect(session && replayedSymbol(reader, session, reader.symbols(), undefined)).toBe(symbol);
	expect(session && recordedMarkets(reader, session.id)).toEqual(new Map([[symbol, 'trades']]));
	expect(spies.flatMap(spy => spy.mock.calls).length).toBeLessThan(30);
});

test('a recording of version 0.1.0, whose tables have other comments, opens', () => {
	const path = join(temporaryFolder(), 'older.twr');
	const comment = '-- When it was known. If it was received earlier, and kept back, notes have receivedAt.';
	const older = tables.replace(/-- When it was known.*/, comment);
	expect(older).not.toBe(tables);
	const marks = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = 1`;
	change(path, `${older} ${views} ${marks}; INSERT INTO recording VALUES ('sample.example', NULL, NULL)`);
	for (const db of [openToRead(path), openToRecord(path, exchange, start(), noneAlive)]) {
		expect(db.prepare('SELECT exchange FROM recording').get()?.exchange).toBe(exchange.name);
		db.close();
	}
});

describe('what is not recorded onto', () => {
	const later = startedAt + 60_000;

	function openToAppend(path: string, isAlive = false): string {
		try {
			openToRecord(path, exchange, {...start(later), process: 18}, () => isAlive).close();
			return 'opened';
		} catch (error) {
			return error instanceof RecordingError ? error.message.replace(path, '') : `not in words: ${error}`;
		}
	}

	test('a recording with a damaged page, which stays as it is', () => {
		const outcomes = Array.from({length: 200}, (_, index) =>
			answered.trades(tradePage(100 + index * 50, 50, startedAt + index), startedAt + index),
		);
		const path = recordSample(outcomes);
		expect(openToAppend(path)).toBe('opened');
		const whole = readFileSync(path);
		const page = Math.floor(whole.length / 4096 / 2) * 4096;
		// SQLite finds the damage of the first page, that of the schema, when it opens the file.
		for (const [from, to] of [
			[page, page + 4096],
			[100, 4096],
		]) {
			const damaged = Buffer.from(whole).fill(0xa5, from, to);
			writeFileSync(path, damaged);
			expect(openToAppend(path)).toBe(
				' is damaged: choose another file. To save what can be read: sqlite3 FILE .recover | sqlite3 NEWFILE',
			);
			expect(readFileSync(path)).toEqual(damaged);
		}
	});

	test.each([
		[
			'as many sessions as are read',
			`INSERT INTO session SELECT i + 10, 1, 1, NULL, '1', '{}', NULL, NULL FROM n`,
			4999,
			' has 5,000 sessions, and no room for more: choose another file',
		],
		[
			'more markets than are read',
			`INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`,
			10_001,
			' has 10,001 markets, and no room for more: choose another file',
		],
	])('a recording with %s', (_, sql, count, expected) => {
		const path = recordSample([]);
		change(path, `${numbers(count - 1)} ${sql}`);
		expect(openToAppend(path)).toBe('opened');
		change(path, `${numbers(count)} REPLACE INTO ${sql.replace('INSERT INTO ', '')}`);
		expect(openToAppend(path)).toBe(expected);
	});

	test('a market that has no room, and nothing of that time', () => {
		const path = recordSample([]);
		change(path, `${numbers(9999)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`);
		const {recorder} = openSample(path, later);
		recorder.add(answered.depth({asks: [], bids: []}, later + 1000, {}, 'LAST'));
		recorder.flush(later + 1000);
		recorder.add(answered.depth({asks: [], bids: []}, later + 2000, {}, 'MORE'));
		expect(() => recorder.flush(later + 2000)).toThrow('a recording has at most 10,000 markets: choose another file');
		const reader = readSample(path);
		expect([reader.symbols().length, reader.sessions().map(({lastAt}) => lastAt)]).toEqual([10_000, [later + 1000]]);
	});

	test('a copy, without its log, of a recording that is still written', () => {
		const {recorder, path} = openSample();
		recorder.flush(startedAt);
		const copy = join(temporaryFolder(), 'copy.twr');
		copyFileSync(path, copy);
		expect(openToAppend(copy, true)).toBe(
			' is a copy of a recording that process 17 still writes: its newest data is missing. Choose another file, or copy it again when that recorder has ended',
		);
		expect(openToAppend(copy, false)).toBe('opened');
	});

	test('another name of a recording', () => {
		const path = recordSample([]);
		linkSync(path, `${path}.link`);
		expect(openToAppend(`${path}.link`)).toBe(
			' has another name (hard link), under which it can be recorded: choose another file',
		);
	});
});
