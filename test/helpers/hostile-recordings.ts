import type {DatabaseSync} from 'node:sqlite';
import {deflateRawSync} from 'node:zlib';
import {createByteWriter} from '../../source/recording/book-codec.ts';

/**
 * Changes of a recording that no recorder makes, by what is wrong with it, each costly to read. The recording has answers 1 to 5 of
 * the market 1: candles of one minute, a page of trades, a book, tickers and a failed book.
 */
export const hostileRecordings: Readonly<Record<string, (db: DatabaseSync) => void>> = {
	'notes of 1.9 MB': db => {
		const notes = JSON.stringify({cut: 1, info: {capability: Array(950_000).fill(0)}}).slice(0, 1_900_000);
		const closed = notes.replace(/,?0?$/, ']}}');
		db.prepare('UPDATE answer SET notes = ?').run(closed);
	},
	'notes of texts': db => {
		const info = Object.fromEntries(Array.from({length: 100_000}, (_, index) => [`k${index}`, 'abcdef']));
		db.prepare('UPDATE answer SET notes = ?').run(JSON.stringify({info}));
	},
	'nested notes': db => {
		db.prepare('UPDATE answer SET notes = ?').run('['.repeat(900_000) + ']'.repeat(900_000));
	},
	'options of 1.9 MB': db => {
		db.prepare('UPDATE session SET options = ?').run(
			JSON.stringify({markets: Array(950_000).fill(0)}).slice(0, 1_900_001),
		);
	},
	'4,900 sessions of one answer': db => sessions(db, 4900, '{}'),
	'4,900 sessions with long options': db => sessions(db, 4900, JSON.stringify({markets: Array(300).fill('BTCUSDT')})),
	'100,000 sessions': db => sessions(db, 100_000, '{}'),
	'a page of 900,000 trades': db => {
		const list = `[${'0,'.repeat(899_999)}0]`;
		db.prepare("UPDATE trade SET times = ?, prices = ?, quantities = ?, sides = printf('%.*c', 900000, 'b')").run(
			...[list, list, list],
		);
	},
	'20,000 pages of one trade': db => pages(db, 20_000, '["1"]'),
	'pages that close many gaps': db => pages(db, 5000, JSON.stringify(Array(5000).fill('1'))),
	'2,500 pages of 4,000 closed gaps without trades': db => {
		pages(db, 2500, JSON.stringify(Array(4000).fill('1')));
		db.exec("UPDATE trade SET times = '[]', prices = '[]', quantities = '[]', sides = ''");
	},
	'20,000 unchanged levels': db => books(db, {levels: 20_000, count: 20_000, changes: false}),
	'books of 20,000 levels that change': db => books(db, {levels: 20_000, count: 20_000, changes: true}),
	'books of 5,000 levels that change': db => books(db, {levels: 5000, count: 20_000, changes: true}),
	'a book of 4,000,000 levels': db => books(db, {levels: 4_000_000, count: 1, changes: false}),
	'books without levels': db => books(db, {levels: 0, count: 1_000_000, changes: false}),
	'doubles without an end': db => {
		const writer = createByteWriter();
		for (const number of [99, 99, 0, 2 ** 52]) writer.write(number);
		putBooks(db, writer.bytes());
	},
	'a book of 900,000 levels as doubles': db => {
		const writer = createByteWriter();
		for (const number of [99, 99, 0, 1 + 900_000]) writer.write(number);
		for (let index = 0; index < 1_800_000; index++) writer.writeDouble(index + 1);
		writer.write(0);
		putBooks(db, writer.bytes());
	},
	'200,000 markets': db => {
		db.exec(`${numbers(200_000)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`);
	},
	'9,990 markets without reads': db => {
		db.exec('UPDATE symbol SET id = 20000');
		for (const table of ['answer', 'trade', 'book', 'ticker', 'candle'])
			db.exec(`UPDATE ${table} SET symbol = 20000 WHERE symbol = 1`);
		db.exec(`${numbers(9990)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`);
	},
	'answers of markets that are missing': db => {
		db.exec(`${numbers(10_000)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`);
		answers(db, 10_000, "'depth', 1000000 + i, NULL, NULL");
	},
	'50,000 candles': db => {
		db.exec(`${numbers(50_000)} INSERT INTO candle SELECT 1, 1, 60000 * i, 1, 1, 1, 1, 1, 1 FROM n`);
	},
	'candles of 60,000 periods': db => {
		db.exec(`${numbers(60_000)} INSERT INTO candle SELECT 1, i + 1, 60000, 1, 1, 1, 1, 1, 1 FROM n`);
		answers(db, 20_000, "'candles', 2, 1, NULL");
	},
	'500 lists of changed tickers': db => {
		db.exec(`${numbers(5000)} INSERT INTO symbol SELECT i + 10, 'M' || i FROM n`);
		answers(db, 100, "'ticker', NULL, NULL, NULL");
		db.exec(`INSERT OR REPLACE INTO ticker (answer, symbol, state)
			SELECT answer.id, symbol.id, 'active' FROM answer JOIN symbol WHERE operation = 'ticker'`);
	},
	'5,000 gaps across 5,000 failures': db => {
		answers(db, 5000, "'depth', i + 10, NULL, NULL");
		answers(db, 5000, "'depth', 1000000, NULL, 'timeout'");
		answers(db, 5000, "'depth', i + 10, NULL, NULL", 3_600_000);
	},
	'a minute of 100,000 failures': db => answers(db, 100_000, "'depth', 1, NULL, 'timeout'"),
	'50,000 calls of rules': db => {
		db.exec(`${numbers(50_000)} INSERT INTO alert SELECT i, 1, 'x', 'y' FROM n`);
	},
};

const numbers = (count: number): string =>
	`WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${count - 1})`;

/** `values`: SQL of operation, symbol, period and error; `i` counts. `ms`: after the last answer. */
function answers(db: DatabaseSync, count: number, values: string, ms = 0): void {
	db.exec(`${numbers(count)}
		INSERT INTO answer (id, session, received_at, took, interface, dropped, notes, operation, symbol, period, error)
		SELECT (SELECT max(id) FROM answer) + 1 + i, (SELECT max(id) FROM session),
			(SELECT max(received_at) FROM answer) + ${ms} + i % 2, 1, 'v2', 0,
			'{"kind":"timeout","operation":"depth","interface":"v2","brief":"b","message":"m"}', ${values} FROM n`);
	db.exec('UPDATE answer SET notes = NULL WHERE error IS NULL AND id > 5');
	db.exec(
		'UPDATE session SET to_time = (SELECT max(received_at) FROM answer) WHERE id = (SELECT max(id) FROM session)',
	);
}

function sessions(db: DatabaseSync, count: number, options: string): void {
	db.exec(`${numbers(count)} INSERT INTO session
		SELECT i + 10, to_time, to_time, NULL, '1', '${options}', NULL, NULL FROM n, session WHERE id = 1`);
	db.exec(`${numbers(count)} INSERT INTO answer SELECT id + 10 + i, i + 10, operation, symbol, period, interface, received_at,
		took, server_time, dropped, bid, ask, error, notes FROM n, answer WHERE id = 3`);
}

/** Pages of one trade each. */
function pages(db: DatabaseSync, count: number, closed: string): void {
	answers(db, count, "'trades', 1, NULL, NULL");
	db.prepare(
		`INSERT OR REPLACE INTO trade SELECT page.id, symbol.id, from_time, to_time, 1000 + page.id, NULL, NULL, '[0]', price_scale, '[1]',
		quantity_scale, '[1]', 'b', NULL, NULL, ?, NULL FROM answer AS page, symbol, trade
		WHERE page.operation = 'trades' AND page.id > 5 AND symbol.id = 1 AND trade.answer = 2`,
	).run(closed);
}

/** Books of a chunk, a level a tick. */
function books(
	db: DatabaseSync,
	{levels, count, changes}: {readonly levels: number; readonly count: number; readonly changes: boolean},
): void {
	const writer = createByteWriter();
	for (const number of [0, 0, 0, 1 + levels, ...Array<number>(2 * levels).fill(1), 0]) writer.write(number);
	for (let book = 1; book < count; book++) {
		for (const number of changes ? [0, 2, 1, 1 + (book % 2), 0] : [0, 1, 0]) writer.write(number);
	}

	putBooks(db, writer.bytes());
}

const putBooks = (db: DatabaseSync, levels: Uint8Array): void => {
	db.prepare('UPDATE book SET begins_at = NULL, answer = 2, levels = ?').run(deflateRawSync(levels));
};
