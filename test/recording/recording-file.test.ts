import {execFileSync} from 'node:child_process';
import {chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {RecordingError} from '../../source/recording/recorded-columns.ts';
import {openToRead, openToRecord, recordingProblem} from '../../source/recording/recording-file.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {applicationId} from '../../source/recording/schema.ts';
import {ticker, tradePage} from '../store/samples.ts';
import {
	answered,
	exchange,
	noneAlive,
	openSample,
	query,
	recordSample,
	start,
	startedAt,
	symbol,
	temporaryFolder,
} from './recordings.ts';

const openers = {
	record: (path: string) => openToRecord(path, exchange, start(), noneAlive),
	read: openToRead,
} as const;

/** What the user reads, without the path. */
function refusal(open: (path: string) => DatabaseSync, path: string): string {
	try {
		open(path).close();
		return 'opened';
	} catch (error) {
		expect(error).toBeInstanceOf(RecordingError);
		const {message} = error instanceof Error ? error : {message: ''};
		expect(message.startsWith(path)).toBe(true);
		expect(message).not.toContain('\n');
		return message.slice(path.length);
	}
}

function database(path: string, sql: string): void {
	const db = new DatabaseSync(path);
	db.exec(sql);
	db.close();
}

describe('what is no recording is refused in words, and stays as it is', () => {
	const newer = `PRAGMA application_id = ${applicationId}; PRAGMA user_version = 99; CREATE TABLE x (y)`;
	const newerText = ' was recorded by a newer Tapewatch: its format is 99, this one reads 1';
	const notOurs = (why: string) => {
		const text = ` is not a recording of this version: ${why}`;
		return {record: text, read: text};
	};
	const viewInPlace = notOurs('it has the view "answer", which no recorder creates: remove it, or read another copy');
	const foreign = (
		[
			[
				'a trigger, whose name acts on a terminal',
				`CREATE TRIGGER "x\u001b[31m" AFTER INSERT ON session BEGIN SELECT RAISE(ABORT, 'no'); END`,
				'it has the trigger "x", which no recorder creates: remove it, or read another copy',
			],
			[
				'an index of its own',
				'CREATE INDEX mine ON answer (took)',
				'it has the index "mine", which no recorder creates: remove it, or read another copy',
			],
			[
				'a generated column',
				'ALTER TABLE session ADD COLUMN endless AS (hex(zeroblob(9)))',
				'its table "session" differs: read it with the version that recorded it',
			],
			[
				'a view that is missing',
				'DROP VIEW gaps',
				'the view gaps is missing: read it with the version that recorded it',
			],
		] as const
	).map(([what, sql, why]): [string, (path: string) => void, {readonly record: string; readonly read: string}] => [
		`a recording with ${what}`,
		path => {
			recordSample([], path);
			database(path, sql);
		},
		notOurs(why),
	]);
	test.each<[string, (path: string) => void, {readonly record: string; readonly read: string}]>([
		['nothing', () => {}, {record: 'opened', read: ' does not exist'}],
		['an empty file', path => writeFileSync(path, ''), {record: 'opened', read: ' is not a recording'}],
		[
			'a text file',
			path => writeFileSync(path, 'time,price\n'.repeat(500)),
			{record: ' is not a recording', read: ' is not a recording'},
		],
		[
			'a short text file',
			path => writeFileSync(path, 'x'),
			{record: ' is not a recording', read: ' is not a recording'},
		],
		[
			"another program's database",
			path => database(path, 'CREATE TABLE mine (value)'),
			{record: ' is not a recording', read: ' is not a recording'},
		],
		['a newer recording', path => database(path, newer), {record: newerText, read: newerText}],
		[
			'a recording with a view in the place of a table',
			path => {
				recordSample([], path);
				const endless = 'WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT * FROM n';
				database(path, `DROP TABLE answer; CREATE VIEW answer AS ${endless}`);
			},
			viewInPlace,
		],
		...foreign,
		['a folder', path => mkdirSync(path), {record: ' is a folder', read: ' is a folder'}],
		[
			'a pipe',
			path => execFileSync('mkfifo', [path]),
			{record: ' is not a regular file', read: ' is not a regular file'},
		],
	])('%s', (_, make, expected) => {
		for (const [how, open] of Object.entries(openers)) {
			const path = join(temporaryFolder(), 'file');
			make(path);
			expect([how, refusal(open, path)]).toEqual([how, expected[how === 'read' ? 'read' : 'record']]);
		}
	});

	test.each([
		['no', 'its folder does not exist'],
		['file', 'its folder is a file'],
	])('a file in a folder that does not exist, or is a file: %s', (name, fault) => {
		const folder = temporaryFolder();
		writeFileSync(join(folder, 'file'), '');
		const path = join(folder, name, 'file.twr');
		expect(refusal(openers.record, path)).toBe(` cannot be opened: ${fault}`);
		expect(refusal(openers.read, path)).toBe(' does not exist');
	});

	test('the bytes of a file that is refused are as before', () => {
		const path = join(temporaryFolder(), 'file');
		database(path, 'CREATE TABLE mine (value)');
		const before = readFileSync(path);
		for (const open of Object.values(openers)) refusal(open, path);
		expect(readFileSync(path)).toEqual(before);
	});

	test('the recording of another exchange, whose name has no control characters', () => {
		const path = recordSample([]);
		database(path, "UPDATE recording SET exchange = 'sample' || char(7) || '.example'");
		const open = (file: string) => openToRecord(file, {name: 'other.example'}, start(), noneAlive);
		expect(refusal(open, path)).toBe(' is a recording of sample.example, not of other.example: choose another file');
	});

	test.skipIf(process.getuid?.() === 0)('a file or folder that cannot be written', () => {
		const folder = temporaryFolder();
		const path = recordSample([], join(folder, 'sample.twr'));
		chmodSync(path, 0o400);
		const denied = ' cannot be opened: permission denied';
		expect(refusal(openers.record, path)).toBe(denied);
		expect(refusal(openers.read, path)).toBe('opened');
		chmodSync(folder, 0o500);
		expect(refusal(openers.record, join(folder, 'new.twr'))).toBe(denied);
		expect(refusal(openers.read, path)).toBe('opened');
		chmodSync(folder, 0o000);
		expect(refusal(openers.read, path)).toBe(denied);
		chmodSync(folder, 0o700);
	});
});

describe.skipIf(process.getuid?.() === 0)('where nothing can be written, the recording of a killed recorder', () => {
	/** A folder with what is left, that cannot be written. */
	function leftBy(kill: (db: DatabaseSync) => void): string {
		const {recorder, db, path} = openSample();
		recorder.add(answered.ticker([ticker(symbol)], startedAt));
		recorder.flush(startedAt);
		kill(db);
		const left = join(temporaryFolder(), 'left.twr');
		for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, left + end);
		chmodSync(dirname(left), 0o500);
		onTestFinished(() => chmodSync(dirname(left), 0o700));
		return left;
	}

	test('opens if nothing is missing in the file', () => {
		const path = leftBy(db => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
		expect(query(path, 'SELECT count(*) AS count FROM ticker')).toEqual([{count: 1}]);
	});

	test('is refused if its end is beside it, and why', () => {
		const both = 'copy left.twr and left.twr-wal to a folder that you may write';
		expect(
			refusal(
				openToRead,
				leftBy(() => {}),
			),
		).toBe(` was not ended cleanly: to read it, ${both}`);
	});
});

test.each([':memory:', 'file:a?mode=memory', 'a%20b#c?d.twr'])('a file of any name is one: %s', name => {
	const path = join(temporaryFolder(), name);
	expect(query(recordSample([], path), 'SELECT exchange FROM recording')).toEqual([{exchange: 'sample.example'}]);
	const folder = process.cwd();
	onTestFinished(() => process.chdir(folder));
	process.chdir(dirname(path));
	expect(refusal(openers.read, name)).toBe('opened');
});

describe('a second recorder', () => {
	const recordedBy = (process: number, host: string, from: number) => ({...start(from), process, host});
	const inUse = ' is being recorded by process 17 on here: choose another file';
	test.each([
		['of this computer, while the first one lives', 'here', 5000, true, inUse],
		['of this computer, after the first one was killed', 'here', 5000, false, 'opened'],
		['of another computer, soon after a write of the first one', 'there', 5000, false, inUse],
		['of another computer, long after the last write of the first one', 'there', 15_000, false, 'opened'],
		['of this computer, long after the last write, though the process number lives', 'here', 15_000, true, 'opened'],
	])('%s', (_, host, afterMs, isAlive, expected) => {
		const {recorder, path} = openSample();
		recorder.flush(startedAt);
		const open = (file: string) =>
			openToRecord(file, exchange, recordedBy(18, host, startedAt + afterMs), () => isAlive);
		expect(refusal(open, path)).toBe(expected);
	});

	test('is told apart from a program that writes the file', () => {
		const path = recordSample([]);
		const other = new DatabaseSync(path);
		other.exec('BEGIN EXCLUSIVE');
		expect(refusal(openers.record, path)).toBe(' is used by another program');
		other.close();
	});
});

describe('a recording that was cut off', () => {
	const tables = ['recording', 'session', 'symbol', 'answer', 'trade', 'book', 'ticker', 'candle', 'market', 'alert'];
	const views = ['trades', 'best', 'candles', 'gaps'];

	/** Reads each answer with its data, as a replay does. */
	function readAnswers(path: string): void {
		const reader = openRecording(path);
		try {
			reader.symbols();
			reader.gaps();
			for (const {id: session} of reader.sessions()) {
				const questions = [{ask: 'depth', market: symbol}, {ask: 'trades', market: symbol}, {ask: 'tickers'}] as const;
				for (const question of questions) {
					for (let read = reader.next(session, question, 0); read; read = reader.next(session, question, read.id)) {
						reader.data(question, read.id);
					}
				}
			}
		} finally {
			reader.close();
		}
	}

	/** Reads everything; how that ended. */
	function readAll(path: string): string {
		try {
			const db = openToRead(path);
			try {
				for (const table of [...tables, ...views]) db.prepare(`SELECT * FROM ${table}`).all();
				readAnswers(path);
				return 'opened';
			} catch (error) {
				return error instanceof RecordingError ? error.message : recordingProblem(path, error);
			} finally {
				db.close();
			}
		} catch (error) {
			return error instanceof RecordingError ? error.message : `not in words: ${error}`;
		}
	}

	function recorded(): string {
		const outcomes = Array.from({length: 60}, (_, index) => {
			const at = startedAt + index * 1000;
			return [
				answered.trades(tradePage(100 + index * 3, 50, at), at),
				answered.depth({asks: [[101 + index, 1]], bids: [[100, 1 + index]]}, at),
				answered.ticker([ticker(symbol, index)], at),
			];
		});
		return recordSample(outcomes.flat());
	}

	test('at any page, or within one, opens or is said to be damaged', () => {
		const path = recorded();
		const {length} = readFileSync(path);
		const cut = `${path}.cut`;
		const pages = Array.from({length: length / 4096}, (_, page) => [page * 4096, page * 4096 + 2048]);
		const ends = [1, ...pages.flat()].map(bytes => {
			copyFileSync(path, cut);
			truncateSync(cut, bytes);
			const message = readAll(cut);
			return [bytes, message.replace(cut, ''), bytes === 0 ? '' : refusal(openers.record, cut)];
		});
		expect(length).toBeGreaterThan(20 * 4096);
		expect(ends).toEqual(
			[1, ...pages.flat()].map(bytes => {
				if (bytes === 0) return [0, ' is not a recording', ''];
				const problem = bytes === 1 ? ' is not a recording' : ' is damaged';
				const advice = ': choose another file. To save what can be read: sqlite3 FILE .recover | sqlite3 NEWFILE';
				return [bytes, problem, bytes === 1 ? problem : problem + advice];
			}),
		);
	});

	test('with any page overwritten, opens or is said to be damaged', () => {
		const path = recorded();
		const whole = readFileSync(path);
		const torn = `${path}.torn`;
		for (let page = 0; page < whole.length / 4096; page += page < 8 ? 1 : 4) {
			writeFileSync(torn, Buffer.from(whole).fill(0xa5, page * 4096, (page + 1) * 4096));
			expect([' is damaged', ' is not a recording', 'opened']).toContain(readAll(torn).replace(torn, ''));
			expect(refusal(openers.record, torn)).toMatch(/ is damaged: choose another file| is not a recording/);
		}
	});

	test('in the log of what is not in the file yet, has what was written before', () => {
		const {recorder, path} = openSample();
		for (let second = 0; second < 3; second++) {
			const at = startedAt + second * 1000;
			recorder.add(answered.ticker([ticker(symbol, 1 + second)], at));
			recorder.add(answered.depth({asks: [[101 + second, 1]], bids: [[100, 1]]}, at));
			recorder.add(answered.trades(tradePage(100 + second, 20, at), at));
			recorder.flush(at);
		}

		const log = readFileSync(`${path}-wal`);
		// A header, then pages with a header each: www.sqlite.org/fileformat2.html#walformat
		const [headerBytes, frameBytes] = [32, 24 + 4096];
		const count = (log.length - headerBytes) / frameBytes;
		const frames = Array.from({length: count + 1}, (_, frame) => headerBytes + frame * frameBytes);
		const cut = join(temporaryFolder(), 'cut.twr');
		let most = 0;
		for (const bytes of [0, ...frames.flatMap(end => [Math.max(end - frameBytes / 2, 1), end])]) {
			copyFileSync(path, cut);
			writeFileSync(`${cut}-wal`, log.subarray(0, bytes));
			const message = readAll(cut).replace(cut, '');
			expect([' is not a recording', 'opened', ' is damaged']).toContain(message);
			if (message !== 'opened') continue;
			const db = openToRead(cut);
			const written = Number(db.prepare('SELECT count(*) AS count FROM ticker').get()?.count);
			db.close();
			expect(written).toBeGreaterThanOrEqual(most);
			most = written;
		}

		expect(most).toBe(3);
	});
});
