import {constants} from 'node:os';
import {WriteStream} from 'node:tty';
import type {Clock} from '../market/clock.ts';

/** None, 16, 256 or 16 million colours: the levels of chalk. */
type ColorLevel = 0 | 1 | 2 | 3;

type Environment = Readonly<Record<string, string | undefined>>;

export type TerminalCapabilities = {
	/** Standard output can show a full screen, if only to be looked at. */
	readonly screen: boolean;
	/** It can, and there is a keyboard as well. */
	readonly interactive: boolean;
	/** Why not `interactive`, to be put after "the monitor needs a terminal: ". */
	readonly reason?: string;
	readonly color: ColorLevel;
	/** False only where the locale names another character set; a machine that names none gets UTF-8. */
	readonly unicode: boolean;
};

/** What the terminal can do. Reads its arguments only: the streams for `isTTY`, the environment for the rest. */
export function terminalCapabilities(
	env: Environment,
	stdin: {readonly isTTY?: boolean},
	stdout: {readonly isTTY?: boolean},
): TerminalCapabilities {
	const blind = screenlessReason(env, stdout);
	const reason = blind ?? (stdin.isTTY ? undefined : 'standard input is not a terminal');
	const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
	return {
		screen: blind === undefined,
		interactive: reason === undefined,
		...(reason === undefined ? {} : {reason}),
		color: colorLevel(env, stdout),
		unicode: locale === undefined || locale === '' || /utf-?8/i.test(locale),
	};
}

function screenlessReason(env: Environment, stdout: {readonly isTTY?: boolean}): string | undefined {
	if (!stdout.isTTY) return 'standard output is not a terminal';
	return env.TERM === 'dumb' ? 'TERM=dumb has no cursor to place' : undefined;
}

/** FORCE_COLOR (0 to 3) goes before NO_COLOR, as in Node itself. */
function colorLevel(env: Environment, stdout: {readonly isTTY?: boolean}): ColorLevel {
	const forced = env.FORCE_COLOR !== undefined;
	if (!forced && (!stdout.isTTY || env.NO_COLOR)) return 0;

	// CI would make Node judge the service instead of the terminal, and NO_COLOR beside FORCE_COLOR make it print a warning.
	const relevant = Object.entries(env).filter(([name]) => name !== 'CI' && name !== 'NO_COLOR');
	const depth = WriteStream.prototype.getColorDepth(Object.fromEntries(relevant));
	// Node takes screen and tmux at the far end of a connection for terminals of 16 colours, whatever their name says.
	const bits = !forced && /-256color$/.test(env.TERM ?? '') ? Math.max(depth, 8) : depth;
	return bits >= 24 ? 3 : bits >= 8 ? 2 : bits >= 4 ? 1 : 0;
}

/** They end the program. */
export const endSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const enterSequence = '\u001B[?1049h\u001B[?25l\u001B[?7l';
const leaveSequence = '\u001B[m\u001B[?7h\u001B[?25h\u001B[?1049l';

/** Of the screen that is on, if one is. */
let leaveCurrent: (() => void) | undefined;
/** Ends the answers that `enterEarly` gives in the place of `onSignals`. */
let endEarly = (): void => {};

/**
 * Shows the alternate screen without a cursor. The returned function gives the terminal back, once however often it is
 * called; it also runs by itself before an uncaught error is printed and when the process exits. A screen that is on
 * already is taken over as it is.
 */
export function enterScreen(stdout: NodeJS.WritableStream): () => void {
	if (leaveCurrent) return leaveCurrent;
	function leave(): void {
		if (leaveCurrent !== leave) return;
		leaveCurrent = undefined;
		endEarly();
		process.off('exit', leave);
		process.off('uncaughtExceptionMonitor', leave);
		// The other end may be gone; then there is nothing left to restore.
		stdout.once('error', () => {});
		stdout.write(leaveSequence);
	}

	leaveCurrent = leave;
	process.on('exit', leave);
	process.on('uncaughtExceptionMonitor', leave);
	stdout.write(enterSequence);
	return leave;
}

/**
 * `enterScreen` with a first sign of life, before what draws on the screen and answers signals is loaded: until `onSignals`
 * takes over, SIGINT, SIGTERM and SIGHUP end the process with 128 + their number.
 */
export function enterEarly(stdout: NodeJS.WritableStream, text: string): void {
	if (leaveCurrent) return;
	const onEnd = (signal: NodeJS.Signals): void => process.exit(128 + constants.signals[signal]);
	for (const signal of endSignals) process.on(signal, onEnd);
	enterScreen(stdout);
	endEarly = () => {
		for (const signal of endSignals) process.off(signal, onEnd);
	};
	stdout.write(`\u001B[H${text}`);
}

/** Gives the terminal back, whoever took it. Nothing happens when nobody did. */
export function leaveScreen(): void {
	leaveCurrent?.();
}

/** Settles when the terminal has taken all that was written, when it is gone, or after `limitMs`. */
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
	/** Hands the terminal to the shell. The function that it gives takes the terminal back and repaints. */
	suspend(): Promise<() => Promise<void>>;
	/** Repaints: the process was stopped without a warning (SIGSTOP) and runs again. */
	continued(): void;
};

/**
 * Lets Node see the terminal's size again: of a change the system tells only the job that has the terminal, and a stopped
 * one has not. A size that changed comes as a `resize` event.
 */
function readSize(): void {
	process.kill(process.pid, 'SIGWINCH');
}

/**
 * Makes the keyboard raw again if it was: the shell that had the terminal meanwhile left it in its own mode. Node skips a
 * mode that it believes is set.
 */
function retakeRawMode({stdin}: NodeJS.Process): void {
	if (!stdin.isRaw) return;
	stdin.setRawMode(false);
	stdin.setRawMode(true);
}

/** How long a stop that the system grants can take to happen. */
const stopGraceMs = 100;

/**
 * Answers what comes from outside until `off` is called. SIGINT, SIGTERM and SIGHUP end the process with 128 + their
 * number, the second one at once; a reader of standard output that goes away ends it with 0. `suspend` is for Ctrl-Z,
 * which is only a key in raw mode: it stops the whole job, as SIGTSTP from outside does.
 */
export function onSignals(handlers: SignalHandlers): {suspend(): Promise<void>; off(): void} {
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
		suspended = false;
		if (ending) return;
		await resume();
		readSize();
	}

	function onContinue(): void {
		if (suspended || ending) return;
		// Before anything is drawn: in the background this stops the job again.
		retakeRawMode(process);
		handlers.continued();
		readSize();
	}

	function onOutputError(error: NodeJS.ErrnoException): void {
		// EIO is the terminal's way to say that it was closed; SIGHUP comes with it.
		if (error.code === 'EPIPE') void end(0);
		else if (error.code === 'EIO') void end(128 + constants.signals.SIGHUP);
		else throw error;
	}

	const onEnd = (signal: NodeJS.Signals): void => void end(128 + constants.signals[signal]);
	for (const signal of endSignals) process.on(signal, onEnd);
	process.on('SIGTSTP', suspend);
	process.on('SIGCONT', onContinue);
	process.stdout.on('error', onOutputError);
	endEarly();
	return {
		suspend,
		off() {
			for (const signal of endSignals) process.off(signal, onEnd);
			process.off('SIGTSTP', suspend);
			process.off('SIGCONT', onContinue);
			process.stdout.off('error', onOutputError);
		},
	};
}

/**
 * Stops this process and the ones it was started by or with (npm, a pipe), and settles when they run again. Without a
 * shell to come back to (a terminal that runs nothing else) the system ignores the stop: then it settles at once.
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
