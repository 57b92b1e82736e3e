import {constants} from 'node:os';
import {steadyNow, systemClock} from '../market/clock.ts';

/** The only listener to what ends this process: its exit, signals that ask for it, and errors that nothing catches. */

/** The last steps of the process, in this order, whatever ends it. */
const steps = ['title', 'screen', 'answers', 'files', 'notices'] as const;
type Step = (typeof steps)[number];

let acts: readonly {readonly step: Step; readonly act: () => void}[] = [];
const stuckThreads = new Set<object>();

/** Runs `act` once as this step when the process exits, unless the returned function is called before. */
export function atExit(step: Step, act: () => void): () => void {
	const entry = {step, act};
	acts = [...acts, entry];
	return () => {
		acts = acts.filter(each => each !== entry);
	};
}

/**
 * Reports a thread that a hanging file system may hold, until the returned function is called. Node waits for its threads when it
 * exits; with a stuck one, the process kills itself instead, after its last steps.
 */
export function reportStuckThread(): () => void {
	const thread = {};
	stuckThreads.add(thread);
	return () => void stuckThreads.delete(thread);
}

/** Whether a stuck thread is reported. */
export const hasStuckThread = (): boolean => stuckThreads.size > 0;

/** An act that throws keeps none after it from running. */
function take(due: readonly Step[]): void {
	const step = due.find(each => acts.some(entry => entry.step === each));
	const next = acts.find(entry => entry.step === step);
	if (!next) return;
	acts = acts.filter(each => each !== next);
	try {
		next.act();
	} finally {
		take(due);
	}
}

process.on('uncaughtExceptionMonitor', () => take(['title', 'screen']));
process.on('exit', status => {
	try {
		take(steps);
	} finally {
		if (hasStuckThread()) kill(status);
	}
});

/** By the signal that the status stands for, if it is one; else the status is lost. Node would not reset the keyboard's mode. */
function kill(status: number): void {
	if (process.stdin.isTTY) process.stdin.setRawMode(false);
	for (const signal of endSignals) process.removeAllListeners(signal);
	if (status > 128) process.kill(process.pid, status - 128);
	process.kill(process.pid, 'SIGKILL');
}

/** Signals that ask a program to end. */
export const requestsToEnd = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Every signal that would end the program without restoring the terminal. Not those that report a fault of the program itself,
 * after which none of its code may run (a fault that raises SIGABRT or SIGTRAP ends it all the same); nor SIGPROF while Node
 * itself profiles with it.
 */
export const endSignals: readonly NodeJS.Signals[] = [
	...requestsToEnd,
	...(['SIGQUIT', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGXCPU', 'SIGIO', 'SIGSYS', 'SIGSTKFLT', 'SIGPWR'] as const),
	...(['SIGABRT', 'SIGTRAP'] as const),
	...(process.execArgv.some(flag => flag.startsWith('--cpu-prof')) ? [] : (['SIGPROF'] as const)),
].filter(name => name in constants.signals);

export const statusAfter = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** A signal that a terminal or system sends to a whole job is also passed on by npm, launch.cjs or a closing shell. */
const copiesMs = 300;

/**
 * Calls `end` with 128 + its number at each of these signals, which end nothing until the returned function is called. Copies of a
 * signal that come soon after it are ignored.
 */
export function onEndSignals(signals: readonly NodeJS.Signals[], end: (status: number) => void): () => void {
	const now = steadyNow(systemClock);
	const received = new Map<NodeJS.Signals, number>();
	const listener = (signal: NodeJS.Signals): void => {
		const time = now();
		if (time - (received.get(signal) ?? Number.NEGATIVE_INFINITY) < copiesMs) return;
		received.set(signal, time);
		end(statusAfter(signal));
	};
	for (const signal of signals) process.on(signal, listener);
	return () => {
		for (const signal of signals) process.off(signal, listener);
	};
}

/** Passes errors and rejections that nothing catches to `fail`, and the process goes on, until the returned function is called. */
export function onUncaught(fail: (error: unknown) => void): () => void {
	// Node passes more than the error.
	const listener = (error: unknown) => fail(error);
	process.on('uncaughtException', listener);
	process.on('unhandledRejection', listener);
	return () => {
		process.off('uncaughtException', listener);
		process.off('unhandledRejection', listener);
	};
}
