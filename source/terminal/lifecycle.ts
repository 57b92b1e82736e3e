import type {Clock} from '../market/clock.ts';
import {atExit, endSignals, onEndSignals, statusAfter} from './ending.ts';
import {mouseOff} from './mouse.ts';

/** The alternate screen, no cursor, no wrapping, and pasted text between marks. */
export const enterSequence = '\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[?2004h';
/** The mouse is switched off whether or not it was on: a crash does not ask. */
export const leaveSequence = `\u001B[m${mouseOff}\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[?1049l`;

/** Leaves the current screen, if there is one. */
let leaveCurrent: (() => void) | undefined;
/** Removes the signal handlers of `enterEarly`. */
let endEarly = (): void => {};

/**
 * Shows the alternate screen without a cursor; if it is already shown, it stays as it is. Standard error waits, as it would
 * scroll the screen. The returned function restores the terminal, once however often it is called. It also runs before an
 * uncaught error is printed and when the process exits.
 */
export function enterScreen(stdout: NodeJS.WritableStream): () => void {
	if (leaveCurrent) return leaveCurrent;
	const releaseErrors = holdErrors(process.stderr);
	function leave(): void {
		if (leaveCurrent !== leave) return;
		leaveCurrent = undefined;
		endEarly();
		forget();
		// If the terminal is gone, there is nothing to restore.
		stdout.once('error', () => {});
		stdout.write(leaveSequence);
		releaseErrors();
	}

	leaveCurrent = leave;
	const forget = atExit('screen', leave);
	stdout.write(enterSequence);
	return leave;
}

/** How many texts wait for the screen to be left, and how many bytes of each. */
export const mostErrors = 20;
export const mostErrorBytes = 1000;

/**
 * Keeps what is written to standard error, if that is a terminal, until the returned function writes it: the newest texts,
 * each once, with how often it was written.
 */
export function holdErrors(stderr: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): () => void {
	if (!stderr.isTTY) return () => {};
	const {write} = stderr;
	const counts = new Map<string, number>();
	stderr.write = (chunk: string | Uint8Array): boolean => {
		const text = Buffer.from(chunk).subarray(0, mostErrorBytes).toString();
		counts.set(text, (counts.get(text) ?? 0) + 1);
		for (const oldest of counts.keys()) if (counts.size > mostErrors) counts.delete(oldest);
		return true;
	};
	return () => {
		stderr.write = write;
		for (const [text, count] of counts) stderr.write(count === 1 ? text : `${text.trimEnd()} (${count} times)\n`);
	};
}

/**
 * Enters the screen with a first text, before the modules that draw and handle signals are loaded. Until `onSignals` takes
 * over, a signal ends the process with 128 + its number. The keyboard is raw first: in the background, that stops the job
 * before the screen of the job in the foreground changes. Its mode before is set again by `takeTerminal`, or by Node when the
 * process exits.
 */
export function enterEarly({stdin, stdout}: NodeJS.Process, text: string): void {
	if (leaveCurrent) return;
	if (stdin.isTTY) stdin.setRawMode(true);
	endEarly = onEndSignals(endSignals, process.exit);
	enterScreen(stdout);
	stdout.write(`\u001B[H${text}`);
}

/** Restores the terminal if the screen is on. */
export function leaveScreen(): void {
	leaveCurrent?.();
}

/** Settles when the terminal has accepted all writes, when it is gone, or after `limitMs`. */
export function allTaken(terminal: NodeJS.WritableStream, clock: Clock, limitMs: number): Promise<void> {
	return new Promise(resolve => {
		const cancel = clock.after(limitMs, resolve);
		terminal.write('', () => {
			cancel();
			resolve();
		});
	});
}

export type SignalHandlers = {
	/** Unmounts and closes what is open. Called once; the process ends when it settles. */
	end(): void | Promise<void>;
	/** Gives the terminal back to the shell. The returned function takes it again and repaints. */
	suspend(): Promise<() => Promise<void>>;
	/** Draws the whole screen again: another program may have written to it. */
	redraw(): void;
};

export type Signals = {
	/** Stops the program until its user resumes it. */
	suspend(): Promise<void>;
	/** Handles no more signals. */
	off(): void;
	/** Resolves with the exit status when the terminal is gone; absent: the process ends then. */
	readonly ended?: Promise<number> | undefined;
};

/**
 * Makes Node read the terminal's size again, as the system reports changes only to the foreground job, and has the screen
 * drawn again. If the size changed, a `resize` event follows.
 */
function readSize(): void {
	process.kill(process.pid, 'SIGWINCH');
}

/**
 * Makes the keyboard raw again if it was, as the shell that had the terminal meanwhile set its own mode. Raw mode is
 * switched off first, because Node does not set a mode that it believes is set.
 */
function retakeRawMode({stdin}: NodeJS.Process): void {
	if (!stdin.isRaw) return;
	stdin.setRawMode(false);
	stdin.setRawMode(true);
}

/** If the process has not stopped within this, the system ignores the stop. */
const stopGraceMs = 100;

/**
 * Handles signals until `off` is called. Those that end a process end this one with 128 + their number, a second one at once.
 * SIGWINCH has the screen drawn again, even if the size is the same. When the reader of standard output goes away, the
 * process ends with 0. `suspend` is for Ctrl-Z, which in raw mode is only a key: it stops the whole job, like SIGTSTP from
 * outside.
 */
export function onSignals(handlers: SignalHandlers): Signals {
	let ending = false;
	async function end(status: number): Promise<void> {
		if (ending) process.exit(status);
		ending = true;
		try {
			await handlers.end();
		} finally {
			process.exit(status);
		}
	}

	let suspended = false;
	async function suspend(): Promise<void> {
		if (suspended || ending) return;
		suspended = true;
		const resume = await handlers.suspend();
		process.off('SIGTSTP', suspend);
		await stopJob();
		process.on('SIGTSTP', suspend);
		if (!ending) await resume();
		suspended = false;
		readSize();
	}

	function onContinue(): void {
		if (suspended || ending) return;
		// Before anything is drawn: in the background this stops the job again.
		retakeRawMode(process);
		readSize();
	}

	function onOutputError(error: NodeJS.ErrnoException): void {
		// EIO: the terminal was closed; SIGHUP comes with it.
		if (error.code === 'EPIPE') void end(0);
		else if (error.code === 'EIO') void end(statusAfter('SIGHUP'));
		else throw error;
	}

	function onWindow(): void {
		if (!suspended && !ending) handlers.redraw();
	}

	const offEnd = onEndSignals(endSignals, status => void end(status));
	process.on('SIGTSTP', suspend);
	process.on('SIGCONT', onContinue);
	process.on('SIGWINCH', onWindow);
	process.stdout.on('error', onOutputError);
	endEarly();
	return {
		suspend,
		off() {
			offEnd();
			process.off('SIGTSTP', suspend);
			process.off('SIGCONT', onContinue);
			process.off('SIGWINCH', onWindow);
			process.stdout.off('error', onOutputError);
		},
	};
}

/**
 * Stops the whole job: this process, and those it was started by or with (npm, a pipe). Settles when they run again, or soon
 * if the system ignores the stop, as there is no shell to return to.
 */
async function stopJob(): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	process.once('SIGCONT', resolve);
	process.kill(0, 'SIGTSTP');
	const timer = setTimeout(resolve, stopGraceMs);
	await promise;
	clearTimeout(timer);
	process.off('SIGCONT', resolve);
}
