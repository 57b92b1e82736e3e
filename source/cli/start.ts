import {enableCompileCache} from 'node:module';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {setFlagsFromString} from 'node:v8';
import {enterEarly, type TerminalCapabilities, terminalCapabilities} from '../terminal/lifecycle.ts';

/** What is done before anything large is loaded. */

/**
 * Keeps the heap small, and compiled code from one start to the next in `$XDG_CACHE_HOME/tapewatch`, default `~/.cache`.
 * Where that cannot be written every start is as slow as the first.
 */
export function prepareEngine(env: NodeJS.ProcessEnv): void {
	// V8 lets young garbage pile up by the ten megabytes otherwise: a quarter of the memory, for little CPU.
	setFlagsFromString('--semi-space-growth-factor=1');
	const home = env.XDG_CACHE_HOME ?? '';
	enableCompileCache(join(isAbsolute(home) ? home : join(env.HOME ?? homedir(), '.cache'), 'tapewatch'));
}

export const terminal = (): TerminalCapabilities => terminalCapabilities(process.env, process.stdin, process.stdout);

/** Takes the terminal and shows that something happens. */
export function showStart(): void {
	enterEarly(process.stdout, ' tapewatch');
}

const otherwise = ['-h', '--help', '-V', '--version', '--json'];

/** Whether the arguments are the monitor's for certain, as far as can be seen without parsing them. */
export function isMonitor(argv: readonly string[]): boolean {
	// What has only small letters can be a command.
	return argv.every(argument => /[^a-z]/.test(argument) && !otherwise.includes(argument));
}
