import {enableCompileCache} from 'node:module';
import {setFlagsFromString} from 'node:v8';
import {type TerminalCapabilities, terminalCapabilities} from '../terminal/capabilities.ts';
import {enterEarly} from '../terminal/lifecycle.ts';
import {folderOf} from './folders.ts';
import {createWarningFilter, note} from './standard-error.ts';

/** What runs before anything large is loaded. */

/**
 * Caches compiled code. If that cannot be written, every start is as slow as the first. Lets V8's space for young objects grow once, from one megabyte to four.
 */
export function prepareEngine(env: NodeJS.ProcessEnv): void {
	setFlagsFromString('--semi-space-growth-factor=4');
	enableCompileCache(folderOf('cache', env));
}

/**
 * Says Node's warnings in one line each, the same one once, unless the user has turned them off. SIGUSR1 opens no port for a
 * debugger, and at the limit of a file's size the write fails instead of the program. Nor does a lost standard error end it: Node
 * asks a terminal for its size at each SIGWINCH, and one that was closed does not answer. Why standard output failed, `print`
 * reports.
 */
export function tameNode(write = note): void {
	for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
	process.on('SIGUSR1', () => {});
	process.on('SIGXFSZ', () => {});
	if (process.listenerCount('warning') === 0) return;
	process.removeAllListeners('warning');
	const isNewWarning = createWarningFilter();
	process.on('warning', ({message}) => {
		if (isNewWarning(message)) write(`warning: ${message}`);
	});
}

/** Keeps the heap small. To be called when the first code is loaded, as that decides how large V8's young space stays. */
export function limitHeap(): void {
	// In a young space of one megabyte garbage is collected several times a frame, which costs a fifth of the CPU; a growing
	// one takes tens of megabytes of memory.
	setFlagsFromString('--semi-space-growth-factor=1');
	// Otherwise garbage among old objects grows to several times the memory in use: 40 MB more after two minutes.
	setFlagsFromString('--heap-growing-percent=75');
}

export const terminal = (): TerminalCapabilities => terminalCapabilities(process.env, process.stdin, process.stdout);

/** Takes over the terminal and shows the program's name at once. */
export function showStart(): void {
	enterEarly(process, ' tapewatch');
}

const notMonitor = ['-h', '--help', '-V', '--version', '--json'];

/** Whether the arguments certainly start the monitor, judged without parsing them. */
export function isMonitor(argv: readonly string[]): boolean {
	// An argument of only small letters may be a command.
	return argv.every(argument => /[^a-z]/.test(argument) && !notMonitor.includes(argument));
}
