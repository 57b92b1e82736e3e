import {type ChildProcess, spawn} from 'node:child_process';
import type {Alert} from '../../alerts/judged-rule.ts';
import {formatCount} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import {secondMs} from '../../market/units.ts';
import {alertDetails, alertDocument, alertTitle} from './alert-words.ts';
import type {originOf} from './documents.ts';

/** How long the command of an alert may run, how many may run at once, and how many more may wait. */
const longestRunMs = 10 * secondMs;
const mostRunning = 3;
const mostWaiting = 100;
const longestEndMs = secondMs;

export type AlertCalls = {
	call(alert: Alert): void;
	/** Settles when all programs have been started and have ended, or after a second: a slow one goes on by itself. */
	ended(): Promise<void>;
};

type AlertCallsOptions = {
	/** The program that is run for each alert. Absent: none. */
	readonly program?: string | undefined;
	/** Writes to the terminal; absent: there is none. */
	readonly terminal?: ((text: string) => void) | undefined;
	readonly environment: NodeJS.ProcessEnv;
	readonly origin: ReturnType<typeof originOf>;
	readonly clock: Clock;
	readonly onFailure: (text: string) => void;
};

/** Calls the user: rings the bell, notifies through the terminal, and runs a program. */
export function createAlertCalls(options: AlertCallsOptions): AlertCalls {
	const {program, terminal, environment, clock, onFailure} = options;
	const children = new Set<ChildProcess>();
	const waiting: Alert[] = [];
	const running = new Set<Promise<void>>();

	function runNext() {
		if (program === undefined || running.size >= mostRunning) return;
		const alert = waiting.shift();
		if (!alert) return;
		const child = start(program, alert, options);
		children.add(child);
		const run = endOf(child, clock).then(failure => {
			running.delete(run);
			children.delete(child);
			if (failure !== undefined) onFailure(`${program}: ${failure}`);
			runNext();
		});
		running.add(run);
		runNext();
	}

	return {
		call(alert) {
			terminal?.(`\u0007${notification(alertTitle(alert), environment)}`);
			if (program === undefined) return;
			if (waiting.length >= mostWaiting) return onFailure(`${program}: not run, ${mostWaiting} alerts wait for it`);
			waiting.push(alert);
			runNext();
		},
		async ended() {
			const {promise: late, resolve} = Promise.withResolvers<void>();
			const cancel = clock.after(longestEndMs, resolve);
			let isLate = false;
			void late.then(() => {
				isLate = true;
			});
			while (running.size > 0 && !isLate) await Promise.race([Promise.all(running), late]);
			cancel();
			if (waiting.length > 0) onFailure(`${program}: not run for ${formatCount(waiting.length, 'alert')}`);
			for (const child of children) child.unref();
		},
	};
}

/** The sequence by which the terminal shows a notification; inside tmux in an envelope that it can pass on. */
function notification(text: string, {TERM = '', TERM_PROGRAM = '', TMUX}: NodeJS.ProcessEnv): string {
	const sequence = /kitty/.test(TERM + TERM_PROGRAM)
		? `\u001B]99;;${text}\u001B\\`
		: /^(?:foot|rxvt)/.test(TERM)
			? `\u001B]777;notify;Tapewatch;${text}\u001B\\`
			: `\u001B]9;${text}\u0007`;
	return TMUX ? `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\` : sequence;
}

function start(program: string, alert: Alert, {environment, origin}: AlertCallsOptions): ChildProcess {
	const title = alertTitle(alert);
	const child = spawn(program, [], {
		stdio: ['pipe', 'ignore', 'ignore'],
		shell: false,
		env: {
			...environment,
			TAPEWATCH_ALERT_MARKET: alert.symbol,
			TAPEWATCH_ALERT_RULE: title,
			TAPEWATCH_ALERT_MESSAGE: `${title}: ${alertDetails(alert)}`,
			TAPEWATCH_ALERT_TIME: new Date(alert.time).toISOString(),
		},
	});
	// It need not read what it gets.
	child.stdin.on('error', () => {});
	child.stdin.end(`${JSON.stringify({...alertDocument(alert), ...origin})}\n`);
	return child;
}

/** Settles when the program has ended, with what went wrong. It is killed when it takes too long. */
async function endOf(child: ChildProcess, clock: Clock): Promise<string | undefined> {
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const cancel = clock.after(longestRunMs, () => {
		child.kill('SIGKILL');
		resolve(`stopped after ${longestRunMs / secondMs} s`);
	});
	child.on('error', (error: NodeJS.ErrnoException) => resolve(`cannot be run: ${error.code ?? error.message}`));
	child.on('exit', (code, signal) => resolve(code === 0 ? undefined : `ended with ${signal ?? `status ${code}`}`));
	return promise.finally(cancel);
}
