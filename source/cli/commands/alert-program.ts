import {type ChildProcess, spawn} from 'node:child_process';
import {open} from 'node:fs/promises';
import {Socket} from 'node:net';
import {delimiter, resolve as resolvePath} from 'node:path';
import type {AlertEvent} from '../../alerts/judged-rule.ts';
import {type CallCommand, type Placeholder, placeholderPattern} from '../../alerts/rule-call.ts';
import {firstUnits, stripControl} from '../../format/control.ts';
import {hasCode} from '../../format/file-fault.ts';
import {formatCount} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import {secondMs} from '../../market/units.ts';
import {alertVariablePrefix} from '../options/settings.ts';
import {alertDocument, alertParts} from './alert-words.ts';
import type {originOf} from './documents.ts';
import {eventLine} from './event-lines.ts';

/** How long the program of an alert may run, how many may run at once, and how many more may wait. */
export const longestRunMs = 10 * secondMs;
export const mostRunning = 3;
export const mostWaiting = 100;
const longestEndMs = secondMs;
/** How long what a program has written is waited for when it has ended. */
const longestFlushMs = 200;
/** In UTF-16 units: what is kept of what a program writes, and what is shown of it. */
const mostTail = 4000;
const longestLine = 200;

export type AlertProgramOptions = {
	readonly environment: NodeJS.ProcessEnv;
	readonly origin: ReturnType<typeof originOf>;
	readonly clock: Clock;
	/** `failure`: what went wrong; undefined: it ended with status 0. */
	readonly onEnd: (failure: string | undefined) => void;
};

type Call = {readonly event: AlertEvent; readonly command: CallCommand};

/** Runs programs for alerts, at most three at once. */
export function createAlertPrograms(options: AlertProgramOptions) {
	const {clock, onEnd} = options;
	const waiting: Call[] = [];
	const running = new Map<Promise<void>, ChildProcess>();
	const failed = ({program}: CallCommand, text: string) => onEnd(`${program}: ${text}`);

	function runNext() {
		if (running.size >= mostRunning) return;
		const call = waiting.shift();
		if (!call) return;
		const {command} = call;
		try {
			const child = start(call, options);
			const run = endOf(child, command, options).then(failure => {
				running.delete(run);
				if (failure === undefined) onEnd(undefined);
				else failed(command, failure);
				runNext();
			});
			running.set(run, child);
		} catch (error) {
			// Some faults of the system are thrown, others are events of the child.
			failed(command, cannotRun(error));
		}

		runNext();
	}

	return {
		/** Runs the program, when fewer than three run. */
		run(event: AlertEvent, command: CallCommand): void {
			if (waiting.length >= mostWaiting) return failed(command, `not run: ${mostWaiting} alerts are waiting already`);
			waiting.push({event, command});
			runNext();
		},
		/** Settles when all programs have been started and have ended, or after a second: a slow one goes on by itself. */
		async ended(): Promise<void> {
			const {promise: late, resolve} = Promise.withResolvers<void>();
			let isLate = false;
			const cancel = clock.after(longestEndMs, () => {
				isLate = true;
				resolve();
			});
			while (running.size > 0 && !isLate) await Promise.race([Promise.all(running.keys()), late]);
			cancel();
			for (const [command, calls] of Map.groupBy(waiting, each => each.command)) {
				failed(command, `not run for ${formatCount(calls.length, 'alert')}`);
			}

			waiting.length = 0;
			for (const child of running.values()) child.unref();
		},
	};
}

function start({event, command}: Call, {environment, origin}: AlertProgramOptions): ChildProcess {
	const parts = alertParts(event);
	const variables = Object.entries(parts).map(([name, text]) => [`${alertVariablePrefix}${name.toUpperCase()}`, text]);
	const child = spawn(
		command.program,
		command.args.map(text => filled(text, parts)),
		{
			// A group of its own, so that it can be ended with all that it started, and is not ended with this program.
			detached: true,
			stdio: ['pipe', 'ignore', 'pipe'],
			shell: false,
			env: {...environment, ...Object.fromEntries(variables)},
		},
	);
	// It need not read what it gets. Where too many files are open, there is no pipe.
	child.stdin?.on('error', () => {});
	child.stdin?.end(eventLine(alertDocument(event), origin));
	return child;
}

/** An argument that a placeholder begins is never taken for an option or the name of a file: a blank precedes it. */
function filled(text: string, parts: Readonly<Record<Placeholder, string>>): string {
	const whole = text.replaceAll(placeholderPattern, (_, name: Placeholder) => parts[name]);
	return text.startsWith('{') && /^[-@]/.test(whole) ? ` ${whole}` : whole;
}

/** Settles when the program has ended, with what went wrong. It is killed when it takes too long. */
async function endOf(
	child: ChildProcess,
	command: CallCommand,
	{clock, environment}: AlertProgramOptions,
): Promise<string | undefined> {
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const lastLine = lastLineOf(child);
	const failed = (text: string) => resolve([text, lastLine()].filter(Boolean).join(': '));
	let cancel = clock.after(longestRunMs, () => {
		killGroup(child);
		failed(`stopped after ${longestRunMs / secondMs} s`);
	});
	child.on('error', error => resolve(startFailure(error, command.program, environment.PATH)));
	child.on('exit', (code, signal) => {
		cancel();
		if (code === 0) return resolve(undefined);
		const end = () => failed(`ended with ${signal ?? `status ${code}`}`);
		// What it wrote last may come after its end, and what it has started may keep the pipe open.
		child.on('close', end);
		cancel = clock.after(longestFlushMs, end);
	});
	return promise.finally(() => cancel());
}

/** Reads what the program writes to its standard error. Returns the last line so far, short and without control characters. */
function lastLineOf({stderr}: ChildProcess): () => string {
	let tail = '';
	stderr?.setEncoding('utf8');
	stderr?.on('error', () => {});
	// What it has started may keep it open.
	if (stderr instanceof Socket) stderr.unref();
	// All is read, as a program that cannot write waits.
	stderr?.on('data', (text: string) => {
		tail = (tail + text).slice(-mostTail);
	});
	return () => {
		const line = tail.split(/[\r\n]/).findLast(each => stripControl(each).trim() !== '') ?? '';
		return firstUnits(stripControl(line).trim(), longestLine);
	};
}

function killGroup({pid}: ChildProcess): void {
	try {
		if (pid !== undefined) process.kill(-pid, 'SIGKILL');
	} catch {
		// It has just ended.
	}
}

function cannotRun(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
	return `cannot be run: ${code === 'ENOENT' ? 'no such program' : code === 'EACCES' ? 'permission denied' : code}`;
}

async function startFailure(error: Error, program: string, path: string | undefined): Promise<string> {
	const isMissing = hasCode(error, 'ENOENT');
	const interpreter = isMissing ? await interpreterOf(program, path) : undefined;
	return interpreter === undefined ? cannotRun(error) : `cannot be run: there is no ${interpreter}, its interpreter`;
}

/** What a script of this name says that runs it, in quotation marks; undefined: there is no such script. */
async function interpreterOf(program: string, path = ''): Promise<string | undefined> {
	const folders = program.includes('/') ? ['.'] : path.split(delimiter);
	for (const folder of folders) {
		const head = await headOf(resolvePath(folder, program));
		const [, interpreter] = /^#!\s*([^\t\n ]+)/.exec(head) ?? [];
		// A line of Windows has a character at its end that is not seen otherwise.
		if (interpreter !== undefined) return JSON.stringify(interpreter);
	}

	return undefined;
}

async function headOf(path: string): Promise<string> {
	try {
		await using file = await open(path);
		const {buffer, bytesRead} = await file.read({length: longestLine});
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		return '';
	}
}
