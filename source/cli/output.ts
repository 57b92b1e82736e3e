import {ExchangeError} from '../client/errors.ts';
import {stripControl} from '../format/control.ts';
import {formatAge} from '../format/time.ts';
import {UsageError} from './exit.ts';

/**
 * Writes to standard output and settles when the system has taken the text. When the reader has gone the text is dropped
 * without an error. Rejects when the output fails otherwise, such as on a full disk.
 */
export async function print(text: string): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
		if (!error || error.code === 'EPIPE') resolve();
		else reject(new Error(`cannot write to standard output: ${error.message}`, {cause: error}));
	});
	return promise;
}

/** Writes one line to standard error: everything that is not data. */
export function note(text: string): void {
	process.stderr.write(`tapewatch: ${text}\n`);
}

/** Marks demo data in output other than tables, which have it in their title. */
export const demoTitle = 'DEMO data of the embedded exchange';

/** Tells that the exchange's rate limit holds requests back. */
export const waitText = (ms: number): string => `rate-limited, retry in ${formatAge(ms)}`;

/** One line for standard error, below it the details of a usage error, and with `debug` the stack trace. */
export function describeFailure(error: unknown, debug: boolean): string {
	const text = error instanceof Error ? error.message : String(error);
	const advice = error instanceof ExchangeError ? adviceOn(error) : undefined;
	const details = error instanceof UsageError ? error.details : [];
	const lines = [`tapewatch: ${stripControl(advice === undefined ? text : `${text}; ${advice}`)}`, ...details];
	if (debug && error instanceof Error) lines.push(stackOf(error));
	return `${lines.join('\n')}\n`;
}

/** What the user can do, with the flags for it; undefined after an abort. */
function adviceOn({kind, words}: ExchangeError): string | undefined {
	if (kind === 'aborted') return undefined;
	// Its message ends with the advice.
	if (kind === 'unavailable') return 'see --base-url, --legacy-base-url and --interface';
	return kind === 'timeout' ? `${words.advice} (--timeout)` : words.advice || 'try again later';
}

function stackOf(error: Error): string {
	const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
	return `${error.stack ?? error.message}${cause}`;
}
