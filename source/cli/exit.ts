import {ExchangeError} from '../client/errors.ts';
import {stripControl} from '../format/control.ts';

/**
 * Exit statuses; 128 + n on signal n. `warnings`: the doctor's, usable but with some. `timedOut`: what was waited for did not
 * come in time, as of timeout(1).
 */
export const exitStatus = {
	done: 0,
	failed: 1,
	usage: 2,
	warnings: 3,
	timedOut: 124,
	interrupted: 130,
	readerGone: 141,
} as const;

/** The user asked for something that cannot be done as asked. The message is one line: what, where, what to do. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
	/** Lines below the message that show the place, as they are. */
	readonly details: readonly string[];

	constructor(message: string, options: ErrorOptions & {readonly details?: readonly string[]} = {}) {
		super(message, options);
		this.details = options.details ?? [];
	}
}

/** What the user can do about it; undefined where the message says it. */
function adviceOn({kind, words}: ExchangeError): string | undefined {
	return kind === 'aborted' || kind === 'unavailable' ? undefined : words.advice || 'try again later';
}

/** One line for stderr; below it what shows the place of a fault, and the stack when `debug` is set. */
export function describeFailure(error: unknown, debug: boolean): string {
	const text = error instanceof Error ? error.message : String(error);
	const hint = error instanceof ExchangeError ? adviceOn(error) : undefined;
	const details = error instanceof UsageError ? error.details : [];
	const lines = [`tapewatch: ${stripControl(hint === undefined ? text : `${text}; ${hint}`)}`, ...details];
	if (debug && error instanceof Error) lines.push(stackOf(error));
	return `${lines.join('\n')}\n`;
}

function stackOf(error: Error): string {
	const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : '';
	return `${error.stack ?? error.message}${cause}`;
}

export function statusOf(error: unknown): number {
	return error instanceof UsageError ? exitStatus.usage : exitStatus.failed;
}
