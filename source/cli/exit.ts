import {existsSync} from 'node:fs';
import {constants} from 'node:os';
import {UnavailableError} from '../client/errors.ts';
import {requestsToEnd} from '../terminal/lifecycle.ts';

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

/**
 * Runs a command that draws no screen and settles with its exit status. Its `signal` aborts on `endSignals`, by default SIGINT, SIGTERM and SIGHUP,
 * with status 128 + n, and when the reader closes standard output, with status `readerGone`, default 0. Later failures
 * are not reported. A second signal of the same kind kills the program.
 */
export async function untilInterrupted(
	command: (signal: AbortSignal) => Promise<number>,
	readerGone = 0,
	endSignals: readonly NodeJS.Signals[] = requestsToEnd,
): Promise<number> {
	const controller = new AbortController();
	let interruptedWith = 0;
	function end(status: number): void {
		if (controller.signal.aborted) return;
		interruptedWith = status;
		controller.abort();
	}

	const onSignal = (signal: NodeJS.Signals) => end(128 + constants.signals[signal]);
	// Never removed: the last write can meet the closed pipe after the command is done. `print` reports other errors.
	process.stdout.on('error', (error: NodeJS.ErrnoException) => {
		if (error.code === 'EPIPE') end(readerGone);
	});
	for (const signal of endSignals) process.once(signal, onSignal);
	try {
		const status = await command(controller.signal);
		return controller.signal.aborted ? interruptedWith : status;
	} catch (error) {
		if (controller.signal.aborted) return interruptedWith;
		throw error;
	} finally {
		for (const signal of endSignals) process.off(signal, onSignal);
	}
}

/** Settles when `signal` is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
	if (signal.aborted) return;
	const {promise, resolve} = Promise.withResolvers<void>();
	signal.addEventListener('abort', () => resolve(), {once: true});
	return promise;
}

/**
 * Until the returned function is called, the process ends as soon as it exits. Node waits for its threads first, and one may be
 * stuck in a file system that hangs.
 */
export function endWithoutThreads(): () => void {
	process.on('exit', becomeShell);
	return () => process.off('exit', becomeShell);
}

const shell = '/bin/sh';

/** Only a signal, or another program in its place, ends a process that has a stuck thread; no signal sets the exit status. */
function becomeShell(status: number): void {
	// On Windows, where no program can take the place, Node waits.
	if (!process.execve || !existsSync(shell)) return;
	const listeners = process.rawListeners('exit');
	for (const listener of listeners.slice(listeners.indexOf(becomeShell) + 1)) listener.call(process, status);
	if (process.stdin.isTTY) process.stdin.setRawMode(false);
	process.execve(shell, ['sh', '-c', `exit ${status}`], {});
}
