import {ExchangeError, HttpStatusError} from '../client/errors.ts';
import {stripControl} from '../format/control.ts';

/** Exit statuses; 128 + n on signal n. `timedOut`: what was waited for did not come in time, as of timeout(1). */
export const exitStatus = {done: 0, failed: 1, usage: 2, timedOut: 124, interrupted: 130, readerGone: 141} as const;

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
function adviceOn(error: ExchangeError): string | undefined {
	switch (error.kind) {
		case 'timeout':
			return 'try again, or allow more time with --timeout';
		case 'network':
			return 'check the address and the network';
		case 'http':
			return error instanceof HttpStatusError ? adviceOnStatus(error.status) : undefined;
		case 'refused':
			return 'check the market and the options';
		case 'schema':
		case 'too-large':
			return 'check that the address is of such an exchange';
		case 'aborted':
		case 'unavailable':
			return undefined;
	}
}

function adviceOnStatus(status: number): string {
	if (status === 429) return 'wait a moment, or lower --rate';
	return status >= 500 ? 'try again later' : 'check the address, the market and the options';
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
