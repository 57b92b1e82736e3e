import {constants} from 'node:os';

const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command that shows no screen. Its `signal` is aborted by SIGINT, SIGTERM or SIGHUP, and then the status is
 * 128 + n, and by a reader of standard output that goes away, and then the status is `readerGone`, default 0; either way
 * whatever the command fails with after that is no failure. A second signal of the same kind kills.
 */
export async function untilInterrupted(
	command: (signal: AbortSignal) => Promise<number>,
	readerGone = 0,
): Promise<number> {
	const controller = new AbortController();
	let interruptedWith = 0;
	function end(status: number): void {
		if (controller.signal.aborted) return;
		interruptedWith = status;
		controller.abort();
	}

	const onSignal = (signal: NodeJS.Signals) => end(128 + constants.signals[signal]);
	// Stays: what is written last can meet the closed pipe after the command is done. `print` reports other errors.
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
