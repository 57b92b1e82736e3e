import {appendFileSync, chmodSync, closeSync, openSync, renameSync, statSync} from 'node:fs';
import {type ExchangeError, SchemaError} from '../client/errors.ts';
import type {Outcome} from '../client/exchange.ts';
import {causesOf} from '../client/failure.ts';
import {fileFault} from '../format/file-fault.ts';
import type {Clock} from '../market/clock.ts';
import {setLast} from '../market/memo.ts';
import {UsageError} from './exit.ts';
import {createWarningFilter, note} from './standard-error.ts';

export type LogFile = {
	/** Appends `line`, which ends with a newline. Never throws: a line that a full disk refuses is lost, which is noted once. */
	write(line: string): void;
};

export type Log = ReturnType<typeof createLog>;

/** Whose recovery is written: the names of their markets come from who asks. */
export const mostOutages = 1000;

/** Writes each failure, each recovery and each warning as one line of JSON, `time` in epoch ms. */
export function createLog(file: LogFile, clock: Clock) {
	const outages = new Map<string, Outage>();
	const isNewWarning = createWarningFilter();
	const write = (level: 'warn' | 'info', fields: object, msg: string) =>
		file.write(`${JSON.stringify({level, time: clock.now(), ...fields, msg})}\n`);
	return {
		/**
		 * Takes how a request ended. Of each operation, interface and market, the start of an outage is written, each new cause during
		 * it, and the recovery with a count of every cause.
		 */
		observe(outcome: Outcome): void {
			const {error, startedAt, durationMs} = outcome;
			const fields = fieldsOf(outcome);
			const key = [outcome.interface, outcome.operation, outcome.symbol].join(' ');
			const outage = outages.get(key) ?? {since: startedAt, failures: 0, causes: {}};
			if (!error) {
				const {since, ...counts} = outage;
				const ended = {...fields, ...counts, failedForMs: startedAt + durationMs - since};
				if (outages.delete(key)) write('info', withoutCredentials(ended), 'recovered');
				return;
			}

			const cause = causeWord(outcome);
			const count = outage.causes[cause] ?? 0;
			outage.causes[cause] = count + 1;
			outage.failures++;
			setLast(outages, key, outage, mostOutages);
			const failed = {...fields, error: error.name, reason: reasonOf(error), cause: causeOf(error)};
			if (count === 0) write('warn', withoutCredentials(failed), 'failed');
		},
		/** Takes a warning of Node. The same one again is not written, nor are more than a hundred. */
		warn({name, message}: Error): void {
			if (isNewWarning(message)) write('warn', withoutCredentials({warning: name, reason: message}), 'warning');
		},
		/** Takes why the program of an alert failed. */
		callFailed: (reason: string) => write('warn', {reason}, 'call failed'),
		/** Takes what a server has done. */
		served: (fields: Readonly<Record<string, number>>) => write('info', fields, 'served'),
		/** Takes a log-in, a log-out, a refusal or what came of reading the keys; with a `fault`, as a warning. */
		door: ({type, ...fields}: {readonly type: string} & Readonly<Record<string, unknown>>) =>
			write(fields.fault === undefined ? 'info' : 'warn', fields, type),
	};
}

/** Addresses without passwords, paths and queries, where tokens can be, also in Node's warnings; those of files as they are. */
const withoutCredentials = (fields: object): object =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? withoutSecrets(value) : value]),
	);

const withoutSecrets = (text: string): string =>
	text.replaceAll(/(?<!file:\/?)(\/\/)(?:[^/\s@]*@)?([^/\s?#()]+)[^\s()]*/g, '$1$2');

type Outage = {
	/** Epoch ms. */
	readonly since: number;
	failures: number;
	/** How often it failed with each cause. */
	readonly causes: Record<string, number>;
};

/** All 5xx statuses are one cause: an overloaded server alternates between them. */
function causeWord({error, status}: Outcome): string {
	if (error?.kind !== 'http' || status === undefined) return error?.kind ?? '';
	return status >= 500 ? 'http 5xx' : `http ${status}`;
}

const fieldsOf = ({operation, interface: source, symbol, status, durationMs, url}: Outcome) => ({
	operation,
	interface: source,
	symbol,
	status: status ?? null,
	durationMs,
	url,
});

/** Without what others wrote: an exchange can repeat the path or the query of its address. */
function reasonOf(error: ExchangeError): string {
	if (!(error instanceof SchemaError)) return error.words.own;
	return `${error.words.own}: ${error.path || 'the answer'} ${error.problem}`;
}

/** Name and code of each cause, from the outside in; undefined without a cause. */
function causeOf({cause}: Error): string | undefined {
	const causes = causesOf(cause).filter(each => each instanceof Error);
	return causes.map(each => ('code' in each ? `${each.name} ${each.code}` : each.name)).join('; ') || undefined;
}

export const mostLogBytes = 5_000_000;
export const logFiles = 3;

/**
 * Appends to `path` and rotates it by size: older files are `path.1` and so on, newest first. The files are for the user alone, also those that were not. Throws a `UsageError`
 * when it cannot be written.
 */
export function openLogFile(path: string, maxBytes = mostLogBytes): LogFile {
	refuseUnwritable(path);
	const nameOf = (index: number) => (index === 0 ? path : `${path}.${index}`);
	for (let index = 1; index < logFiles; index++) makePrivate(nameOf(index));
	let isFaultNoted = false;

	function rotate(): void {
		for (let index = logFiles - 1; index > 0; index--) {
			if (sizeOf(nameOf(index - 1)) !== undefined) renameSync(nameOf(index - 1), nameOf(index));
		}
	}

	return {
		// Opened for each of the few lines, because another instance or the system may rotate the file too.
		write(line) {
			try {
				makePrivate(path);
				const size = sizeOf(path) ?? 0;
				if (size > 0 && size + Buffer.byteLength(line) > maxBytes) rotate();
				appendFileSync(path, line, {mode: privateMode});
			} catch (error) {
				if (!isFaultNoted) note(`cannot write the log file ${path}: ${fileFault(error)}; lines are lost`);
				isFaultNoted = true;
			}
		},
	};
}

const privateMode = 0o600;

/** Has the file be for the user alone, if it is the user's own. */
function makePrivate(path: string): void {
	const stats = statSync(path, {throwIfNoEntry: false});
	if (stats?.isFile() && stats.uid === process.getuid?.()) chmodSync(path, privateMode);
}

const sizeOf = (path: string): number | undefined => statSync(path, {throwIfNoEntry: false})?.size;

function refuseUnwritable(path: string): void {
	const refusal = (reason: string, cause?: unknown) =>
		new UsageError(`cannot write the log file ${path}: ${reason}; give another --log-file`, {cause});
	let stats: ReturnType<typeof statSync>;
	try {
		stats = statSync(path, {throwIfNoEntry: false});
		// Opening a pipe would block until it has a reader, and a log on a terminal would overwrite the screen.
		if (stats?.isFile() ?? true) closeSync(openSync(path, 'a', privateMode));
		makePrivate(path);
	} catch (error) {
		throw refusal(fileFault(error), error);
	}

	if (stats && !stats.isFile()) throw refusal(stats.isDirectory() ? 'it is a folder' : 'it is not a regular file');
}
