import {once} from 'node:events';
import {UnavailableError} from '../client/errors.ts';
import {onEndSignals, requestsToEnd} from '../terminal/ending.ts';

/** Exit statuses; 128 + n on signal n. `warnings`: `doctor` found some. `timedOut`: as in timeout(1). */
export const exitStatus = {
	done: 0,
	failed: 1,
	usage: 2,
	warnings: 3,
	timedOut: 124,
	interrupted: 130,
	readerGone: 141,
} as const;

/** The command line or the configuration is wrong. The message is one line: what, where, what to do. */
export class UsageError extends Error {
	override readonly name = 'UsageError';
	/** Lines printed below the message as they are, such as a caret under the mistake. */
	readonly details: readonly string[];

	constructor(message: string, options: ErrorOptions & {readonly details?: readonly string[]} = {}) {
		super(message, options);
		this.details = options.details ?? [];
	}
}

export function statusOf(error: unknown): number {
	// Nothing was sent: the interface is not configured, or offers no such thing.
	const isUsage = error instanceof UsageError || error instanceof UnavailableError;
	return isUsage ? exitStatus.usage : exitStatus.failed;
}

type InterruptOptions = {
	/** When the reader closes standard output. Default: 0. */
	readonly readerGone?: number;
	/** Default: SIGINT, SIGTERM and SIGHUP. */
	readonly signals?: readonly NodeJS.Signals[];
	/** Whether a second signal ends the process at once. Default: true. */
	readonly forced?: boolean;
};

/** Signals end the process at once, also while SQLite works: nothing is left to restore. */
export const unheard: InterruptOptions = {signals: []};

/**
 * Runs a command that draws no screen and settles with its exit status. Its `signal` aborts on signals, with status 128 + n, and
 * when the reader closes standard output, with status `readerGone`. Later failures are not reported.
 */
export async function untilInterrupted(
	command: (signal: AbortSignal) => Promise<number>,
	{readerGone = exitStatus.done, signals = requestsToEnd, forced = true}: InterruptOptions = {},
): Promise<number> {
	const controller = new AbortController();
	let interruptedWith = 0;
	function end(status: number): void {
		if (controller.signal.aborted) return;
		interruptedWith = status;
		controller.abort();
	}

	// Never removed: the last write can meet the closed pipe after the command is done. `print` reports other errors.
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code === 'EPIPE') end(readerGone);
	});
	const off = onEndSignals(signals, status => {
		if (controller.signal.aborted && forced) process.exit(status);
		end(status);
	});
	try {
		const status = await command(controller.signal);
		return controller.signal.aborted ? interruptedWith : status;
	} catch (error) {
		if (controller.signal.aborted) return interruptedWith;
		throw error;
	} finally {
		off();
	}
}

/** Settles when `signal` is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (!signal.aborted) await once(signal, 'abort');
}
