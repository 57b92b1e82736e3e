import {accessSync, closeSync, constants, existsSync, openSync, readSync, statSync} from 'node:fs';
import {basename, dirname} from 'node:path';
import type {DatabaseSync} from 'node:sqlite';
import {pathToFileURL} from 'node:url';
import {stripControl} from '../format/control.ts';
import {fileFault} from '../format/file-fault.ts';
import {formatExact} from '../format/number.ts';
import {DamagedError, RecordingError, textOf} from './recorded-columns.ts';
import {applicationId, mostSessions, mostSymbols, schemaVersion, tables, views} from './schema.ts';
import {renewGaps, schemaDifference} from './stored-schema.ts';
import {numberOf} from './table-rows.ts';

/** Addresses without credentials. */
export type RecordedExchange = {
	readonly name: string;
	readonly baseUrl?: string | undefined;
	readonly legacyBaseUrl?: string | undefined;
};

/** Who records, from when (epoch ms) and what. */
export type SessionStart = {
	readonly from: number;
	readonly version: string;
	/** What is recorded, and `intervalsMs`: between two polls, where they are not the defaults. */
	readonly options: Readonly<Record<string, unknown>>;
	readonly host: string;
	readonly process: number;
};

/** A recorder that was killed has not marked its session as ended. Its last write is at most this old while it lives. */
const heartbeatMs = 10_000;

/**
 * Opens `path` to record `exchange`, and creates it if it does not exist. Throws a `RecordingError` if it is something else, of
 * another exchange or a newer program, damaged, or recorded by another process now (`isAlive`: whether one runs on this computer).
 */
export function openToRecord(
	path: string,
	exchange: RecordedExchange,
	start: SessionStart,
	isAlive: (process: number) => boolean,
): DatabaseSync {
	let isBareCopy = false;
	const beforeOpening = () => {
		isBareCopy = lacksLog(path);
		if (hasOtherNames(path)) {
			throw new RecordingError(
				`${path} has another name (hard link), under which it can be recorded: choose another file`,
			);
		}
	};
	return opened(path, {beforeOpening}, db => {
		db.exec('PRAGMA busy_timeout = 2000');
		if (isEmpty(db)) create(db, exchange);
		checkSchema(path, db);
		checkExchange(path, db, exchange);
		checkAlone(path, db, start, {isAlive, isBareCopy});
		if (hasDamagedPages(path, db)) throw new RecordingError(`${path} is damaged${recoveryAdvice}`);
		checkRoom(path, db);
		// Fails if the file cannot be written, or another program writes it.
		db.exec('BEGIN IMMEDIATE; UPDATE recording SET exchange = exchange; ROLLBACK');
		db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
		renewGaps(db);
	});
}

/**
 * Closes a file that was opened to record. Unless somebody reads it, it then is one file, which also opens where nothing can be
 * written beside it. Never throws: what was flushed is on disk.
 */
export function closeRecorded(db: DatabaseSync): void {
	for (const work of [() => db.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE'), () => db.close()]) {
		try {
			work();
		} catch {}
	}
}

/** Opens a recording to read it, also while it is recorded, or where nothing can be written. Throws a `RecordingError`. */
export function openToRead(path: string): DatabaseSync {
	const check = (db: DatabaseSync) => checkSchema(path, db);
	try {
		return opened(path, {readOnly: true}, check);
	} catch (error) {
		if (!(error instanceof RecordingError) || !needsFolder(error.cause)) throw error;
		// What a killed recorder left beside the file is a part of it.
		if (statSync(`${path}-wal`, {throwIfNoEntry: false})?.size) {
			const copied = `${basename(path)} and ${basename(path)}-wal`;
			throw new RecordingError(
				`${path} was not ended cleanly: to read it, copy ${copied} to a folder that you may write`,
				{cause: error},
			);
		}

		return opened(path, {readOnly: true, isImmutable: true}, check);
	}
}

/** Whether SQLite may have failed as it could not write files beside a recording that was killed. */
const needsFolder = (error: unknown): boolean =>
	primaryCode(error) === codes.cantOpen || primaryCode(error) === codes.readOnly;

type OpenOptions = {
	readonly readOnly?: boolean;
	/** Nobody writes the file meanwhile: nothing is written beside it. */
	readonly isImmutable?: boolean;
	/** Called when the path is that of a file. */
	readonly beforeOpening?: () => void;
};

/** Maximum size of a text or blob, so that a hostile file does not fill the memory. A recorder writes a few MB at most. */
const limits = {length: 20_000_000};

function opened(path: string, options: OpenOptions, prepare: (db: DatabaseSync) => void): DatabaseSync {
	let db: DatabaseSync | undefined;
	try {
		const {readOnly = false, isImmutable = false} = options;
		refuseIrregular(path, options);
		options.beforeOpening?.();
		const {DatabaseSync} = sqlite();
		// As an address, as SQLite takes some texts for more than a path.
		const address = pathToFileURL(path);
		if (isImmutable) address.search = '?immutable=1';
		db = new DatabaseSync(address, {readOnly, limits});
		prepare(db);
		return db;
	} catch (error) {
		db?.close();
		if (error instanceof RecordingError) throw error;
		const problem = options.readOnly ? recordingProblem(path, error) : writingProblem(path, error);
		throw new RecordingError(problem, {cause: error});
	}
}

/** The first bytes of every SQLite file. */
const magic = 'SQLite format 3\0';

/**
 * SQLite would wait for the writer of a pipe, and take a short text for an empty file. Throws a `RecordingError`, or what Node
 * throws.
 */
function refuseIrregular(path: string, {readOnly = false}: OpenOptions): void {
	const found = statSync(path, {throwIfNoEntry: false});
	if (!found && readOnly) throw new RecordingError(`${path} does not exist`);
	if (found?.isDirectory()) throw new RecordingError(`${path} is a folder`);
	if (found && !found.isFile()) throw new RecordingError(`${path} is not a regular file`);
	if (found && found.size > 0 && bytesAt(path, 0, magic.length).toString('latin1') !== magic)
		throw new RecordingError(`${path} is not a recording`);
	if (readOnly) return;
	// SQLite does not say why it cannot write.
	accessSync(`${dirname(path)}/.`, constants.W_OK);
	if (found) accessSync(path, constants.W_OK);
}

/** At most so many. */
function bytesAt(path: string, position: number, length: number): Buffer {
	const file = openSync(path, 'r');
	try {
		const bytes = Buffer.alloc(length);
		return bytes.subarray(0, readSync(file, bytes, 0, length, position));
	} finally {
		closeSync(file);
	}
}

/** Node 22 warns that it is experimental. */
function sqlite(): typeof import('node:sqlite') {
	const {emitWarning} = process;
	process.emitWarning = () => {};
	try {
		return process.getBuiltinModule('node:sqlite');
	} finally {
		process.emitWarning = emitWarning;
	}
}

/** The part of an SQLite error's number that names its kind. */
const primaryCode = (error: unknown): number | undefined =>
	error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;

/** SQLite's error codes, see sqlite.org/rescode.html. */
const codes = {
	busy: 5,
	readOnly: 8,
	ioError: 10,
	corrupt: 11,
	full: 13,
	cantOpen: 14,
	tooBig: 18,
	notDatabase: 26,
} as const;

/** Whether another program held the file. */
export const isBusy = (error: unknown): boolean => primaryCode(error) === codes.busy;

const isDamage = (error: unknown): boolean =>
	error instanceof DamagedError ||
	// Of JSON in a column.
	error instanceof SyntaxError ||
	[codes.corrupt, codes.tooBig].some(code => code === primaryCode(error));

const recoveryAdvice = ': choose another file. To save what can be read: sqlite3 FILE .recover | sqlite3 NEWFILE';

/** One line: what is wrong with the recording at `path`. */
export function recordingProblem(path: string, error: unknown): string {
	if (isDamage(error)) return `${path} is damaged`;
	switch (primaryCode(error)) {
		case codes.notDatabase:
			return `${path} is not a recording`;
		case codes.busy:
			return `${path} is used by another program`;
		case codes.readOnly:
			return `${path} cannot be written`;
		case codes.full:
			return `the disk of ${path} is full`;
		case codes.cantOpen:
			return `${path} cannot be opened by SQLite`;
		case codes.ioError:
			return `${path} cannot be read or written: its disk fails or is full`;
		case undefined:
			return `${path} cannot be opened: ${fileFault(error)}`;
		default:
			// SQLite repeats names and texts of the file.
			return `${path}: SQLite failed: ${JSON.stringify(stripControl(error instanceof Error ? error.message : String(error)).slice(0, 200))}`;
	}
}

/** One line: what is wrong with a recording that cannot be continued, and for damage how to save what can be read. */
export const writingProblem = (path: string, error: unknown): string =>
	recordingProblem(path, error) + (isDamage(error) ? recoveryAdvice : '');

function isEmpty(db: DatabaseSync): boolean {
	return pragma(db, 'application_id') === 0 && numberOf(db, 'SELECT count(*) AS value FROM sqlite_schema') === 0;
}

function create(db: DatabaseSync, {name, baseUrl, legacyBaseUrl}: RecordedExchange): void {
	db.exec(`BEGIN; ${tables} ${views} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
	db.prepare('INSERT INTO recording VALUES (?, ?, ?)').run(name, baseUrl ?? null, legacyBaseUrl ?? null);
	db.exec('COMMIT');
}

function checkSchema(path: string, db: DatabaseSync): void {
	if (pragma(db, 'application_id') !== applicationId) throw new RecordingError(`${path} is not a recording`);
	const version = pragma(db, 'user_version');
	if (version > schemaVersion) {
		throw new RecordingError(
			`${path} was recorded by a newer Tapewatch: its format is ${version}, this one reads ${schemaVersion}`,
		);
	}

	// SQLite reads a part of a page as if the rest were zeros.
	const {size} = statSync(path);
	if (size % pragma(db, 'page_size') !== 0) throw new DamagedError('whole pages', size);
	// A view without an end, a generated column or a trigger would run where a row is read or written.
	const ours = new (sqlite().DatabaseSync)(':memory:');
	try {
		const difference = schemaDifference(db, ours);
		if (difference) throw new RecordingError(`${path} is not a recording of this version: ${difference}`);
	} finally {
		ours.close();
	}
}

function checkExchange(path: string, db: DatabaseSync, exchange: RecordedExchange): void {
	const row = db.prepare('SELECT exchange FROM recording').get();
	if (row?.exchange === exchange.name) return;
	throw new RecordingError(
		`${path} is a recording of ${textOf(row?.exchange)}, not of ${exchange.name}: choose another file`,
	);
}

/** `isBareCopy`: what a recorder wrote since its log began is not in the file. */
function checkAlone(
	path: string,
	db: DatabaseSync,
	{host, from}: SessionStart,
	{isAlive, isBareCopy}: {readonly isAlive: (process: number) => boolean; readonly isBareCopy: boolean},
): void {
	for (const other of db.prepare('SELECT host, process, to_time FROM session WHERE process IS NOT NULL').all()) {
		const writer = `process ${Number(other.process)}`;
		const isLate = Math.abs(from - Number(other.to_time)) > heartbeatMs;
		const isHere = other.host === host;
		const isWriting = isHere && isAlive(Number(other.process));
		if (!isLate && (isWriting || !isHere)) {
			throw new RecordingError(`${path} is being recorded by ${writer} on ${textOf(other.host)}: choose another file`);
		}

		if (isBareCopy && isWriting) {
			throw new RecordingError(
				`${path} is a copy of a recording that ${writer} still writes: its newest data is missing. Choose another file, or copy it again when that recorder has ended`,
			);
		}
	}
}

/** Refuses a file without room for another session or market: a reader would refuse the result. */
function checkRoom(path: string, db: DatabaseSync): void {
	for (const [table, most, nouns] of [
		['session', mostSessions - 1, 'sessions'],
		['symbol', mostSymbols, 'markets'],
	] as const) {
		const count = numberOf(db, `SELECT count(*) AS value FROM (SELECT 1 FROM ${table} LIMIT ${most + 1})`);
		if (count > most)
			throw new RecordingError(`${path} has ${formatExact(count)} ${nouns}, and no room for more: choose another file`);
	}
}

const pragma = (db: DatabaseSync, name: 'application_id' | 'user_version' | 'page_size'): number =>
	numberOf(db, `SELECT ${name} AS value FROM pragma_${name}`);

/** In larger files, only the parts that a recorder changes are checked: checking a whole day takes seconds. */
const mostCheckedBytes = 64_000_000;
const smallTables = ['recording', 'session', 'symbol', 'alert'];
const grownTables = ['answer', 'trade', 'book', 'ticker', 'candle', 'market', 'sent_number'];

/** Whether pages of a recording that would be appended to are damaged. Throws what SQLite throws. */
function hasDamagedPages(path: string, db: DatabaseSync): boolean {
	const isSmall = statSync(path).size <= mostCheckedBytes;
	const checks = isSmall ? ['(1)'] : smallTables.map(table => `(${table})`);
	if (checks.some(which => db.prepare(`PRAGMA quick_check${which}`).get()?.quick_check !== 'ok')) return true;
	if (isSmall) return false;
	// The newest row is where the next one is written.
	for (const table of grownTables) db.prepare(`SELECT * FROM ${table} ORDER BY 1 DESC LIMIT 1`).get();
	return false;
}

/** Whether a file is another name of the same one: each name would have a log of its own. */
const hasOtherNames = (path: string): boolean => (statSync(path, {throwIfNoEntry: false})?.nlink ?? 1) > 1;

/** Whether a file belongs to a log (`-wal`) that is not there, as a copy of one that is being written. Call it before opening. */
function lacksLog(path: string): boolean {
	const isOld = existsSync(path) && !existsSync(`${path}-wal`);
	return isOld && bytesAt(path, formatOffset, 1)[0] === logFormat;
}

/** What a file is written with, see www.sqlite.org/fileformat2.html#file_format_version_numbers. */
const formatOffset = 18;
const logFormat = 2;
