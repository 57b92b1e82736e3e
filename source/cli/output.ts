import {ExchangeError} from '../client/errors.ts';
import {causesOf} from '../client/failure.ts';
import {remedies} from '../client/messages.ts';
import {stripControl} from '../format/control.ts';
import {fileFault, hasCode} from '../format/file-fault.ts';
import {formatCount, formatExact} from '../format/number.ts';
import {formatAge} from '../format/time.ts';
import type {Interface, ReadFailure} from '../market/types.ts';
import {RecordedError} from '../recording/outcome-log.ts';
import {upgradedText} from '../recording/program-version.ts';
import {isDiscreet} from '../store/discreet.ts';
import type {Table} from '../view/kit/table.ts';
import {UsageError} from './exit.ts';
import type {OutputFormat} from './options/option-table.ts';
import {clearProgress, note, showProgress} from './standard-error.ts';

/**
 * Writes to standard output and settles when the system has taken the text. Text for a closed pipe is dropped without an
 * error. Rejects on any other failure, such as a full disk.
 */
export async function print(text: string): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	if (text !== '') clearProgress();
	process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
		if (!error || error.code === 'EPIPE') resolve();
		else reject(new Error(`cannot write to standard output: ${fileFault(error)}`, {cause: error}));
	});
	return promise;
}

/** Where a command writes its text. */
export type Output = {
	/** Writes data. Settles when the text is taken; rejects when it cannot be written. */
	print(text: string): Promise<void>;
	/** Writes one line about the data. */
	note(text: string): void;
	/** Shows the text until other text comes, if somebody sees it. */
	showProgress(text: string): void;
	clearProgress(): void;
	/** Cells of a line of the terminal that the data is written to; undefined: it is no terminal. */
	readonly columns?: number | undefined;
};

/** Standard output and standard error of this process. */
export const ownOutput: Output = {
	...{print, note, showProgress, clearProgress},
	get columns() {
		// A serial console has 0.
		return process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
	},
};

/** `wide`: with all columns, also on a terminal that is too narrow for them. */
export const isTableFormat = (format: OutputFormat): format is 'table' | 'wide' =>
	format === 'table' || format === 'wide';

/** The format that the flags ask for; undefined: by the command. Throws a `UsageError` where they differ. */
export function requestedFormat({output, json}: {readonly output?: OutputFormat; readonly json: boolean}) {
	if (!json || output === 'json') return output;
	if (output === undefined) return 'json';
	throw new UsageError(`--json is --output json: leave out one of --json and --output ${output}`);
}

/** Cells of a line of a table; undefined: as many as it needs. */
export const tableWidth = (format: OutputFormat, {columns}: Pick<Output, 'columns'>): number | undefined =>
	format === 'wide' ? undefined : columns;

/** `tableWidth` of the terminal of this process. */
export const ownWidth = ({output = 'table'}: {readonly output?: OutputFormat | undefined}): number | undefined =>
	tableWidth(output, ownOutput);

/** Prints a table, then notes which columns the terminal has no room for. */
export async function printTable({lines, hidden}: Table, {print, note}: Pick<Output, 'print' | 'note'>): Promise<void> {
	await print(lines.map(line => `${line}\n`).join(''));
	if (hidden.length > 0)
		note(`${formatCount(hidden.length, 'column')} hidden: ${hidden.join(', ')} (-o wide shows all)`);
}

/** Marks demo data in output without a title; titles begin with DEMO. */
export const demoTitle = 'DEMO data of the embedded exchange';

/** Reports numbers that are not what the exchange sent. */
export const roundedText = (entries: number): string =>
	`rounded ${formatExact(entries)} ${entries === 1 ? 'entry' : 'entries'}: the exchange sent more digits than a number holds`;

/** Reports trades or candles (`noun`) whose times cannot be right. */
export const misdatedText = (count: number, noun: string): string =>
	`misdated ${formatCount(count, noun)}: the time is implausible or later than the answer`;

/** Reports a wait of `ms` for the exchange's rate limit. */
export const waitText = (ms: number): string => `rate-limited, retry in ${formatAge(ms)}`;

/** The error as one line for standard error, then the details of a usage error, and with `debug` the stack trace. */
export function failureLines(error: unknown, debug: boolean): readonly string[] {
	const details = error instanceof UsageError ? error.details : [];
	const stack = debug && error instanceof Error ? stackOf(error).split('\n') : [];
	return [`tapewatch: ${failureText(error)}`, ...details, ...stack];
}

/** What failed, and what the user can do about it. */
export function failureText(error: unknown): string {
	const text = error instanceof Error ? messageOf(error) : String(error);
	const advice = error instanceof ExchangeError ? adviceOn(error) : undefined;
	return stripControl(advice === undefined ? text : `${text}; ${advice}`);
}

/** What the user can do about it, with the flags to use; undefined after an abort. */
function adviceOn(error: ExchangeError): string | undefined {
	const {kind, words, status, retryAfterMs} = error;
	if (error instanceof RecordedError) return 'this failure was recorded';
	if (kind === 'aborted') return undefined;
	const wait = retryAfterMs ? `wait ${Math.ceil(retryAfterMs / 1000)} s` : '';
	if (isDiscreet(error) && words.advice !== remedies.allowBoth) return wait || words.advice || 'try again later';
	if (status === 429 || kind === 'held')
		return [wait, 'allow longer waits (--timeout, --retry)', 'or lower --rate'].filter(Boolean).join(', ');
	if (wait) return wait;

	const flag = kind === 'timeout' ? '--timeout' : flagsByRemedy[words.advice];
	return flag === undefined ? words.advice || 'try again later' : `${words.advice} (${flag})`;
}

const flagsByRemedy: Readonly<Record<string, string>> = {
	[remedies.allowBoth]: '--interface auto',
	[remedies.allowLarger]: '--max-body',
	[remedies.v2]: '--base-url',
	[remedies.legacy]: '--legacy-base-url',
};

/** Without the address and the remedy of a request that was not sent. */
function messageOf(error: Error): string {
	if (hasCode(error, 'ERR_MODULE_NOT_FOUND')) return upgradedText;
	if (!(error instanceof ExchangeError)) return error.message;
	return error.kind === 'unavailable' ? error.words.brief : bothMessages(error);
}

/** Names each interface that failed. */
export const bothMessages = ({message, other}: ReadFailure): string =>
	other ? `${message}, and ${other.message}` : message;

/** Reports that the other interface answered in place of the preferred one. */
export const insteadText = (failure: ReadFailure, answered: Interface): string =>
	`${failure.message}; read from ${answered}`;

/** With the stacks of its causes. */
const stackOf = (error: Error): string =>
	causesOf(error)
		.flatMap(cause => (cause instanceof Error ? (cause.stack ?? cause.message) : []))
		.join('\ncaused by ');
