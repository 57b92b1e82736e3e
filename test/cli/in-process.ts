import type {EventEmitter} from 'node:events';
import {vi} from 'vitest';
import {run} from '../../source/cli/program/own-commands.ts';
import type {Outcome, Run} from '../e2e/tapewatch.ts';
import {programEnvironment} from '../helpers/environment.ts';
import {assertSchemas} from '../helpers/json-schemas.ts';

type Surroundings = {
	/** Added to `programEnvironment`. */
	readonly env?: Readonly<Record<string, string>>;
	/** Standard output is a terminal so wide. Default: no terminal. */
	readonly columns?: number;
};

/** Runs the program in this process, much faster than in one of its own; one run at a time. Its JSON must be as its schemas say. */
export function startInProcess(args: readonly string[], {env = {}, columns}: Surroundings = {}): Run {
	let [stdout, stderr] = ['', ''];
	let gone: Error | undefined;
	const onWrite = new Set<() => void>();
	const stdoutSpy = vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
		if (!gone) stdout += text;
		for (const check of onWrite) check();
		const done = rest.at(-1);
		if (typeof done === 'function') setImmediate(done, gone);
		return true;
	});
	const stderrSpy = vi.spyOn(process.stderr, 'write').mockImplementation(text => {
		stderr += text;
		return true;
	});
	const environment = process.env;
	const removeAdded = [addedListeners(process.stdout, 'error'), addedListeners(process, 'warning')];
	// Of React, which is loaded once for all tests of the process, the build that the program has.
	process.env = {...programEnvironment(), NODE_ENV: environment.NODE_ENV, ...env};
	const giveBack = asTerminal(columns);

	const outcome: Promise<Outcome> = run(args)
		.then(status => {
			assertSchemas(args, stdout);
			return {stdout, stderr, status};
		})
		.finally(() => {
			process.env = environment;
			giveBack();
			stdoutSpy.mockRestore();
			stderrSpy.mockRestore();
			for (const remove of removeAdded) remove();
		});
	return {
		outcome,
		async wrote(fits) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const check = () => {
				if (fits(stdout)) resolve();
			};
			onWrite.add(check);
			check();
			const ended = outcome.then(() => {
				if (!fits(stdout)) throw new Error(`the program ended too early: ${stdout}${stderr}`);
			});
			await Promise.race([promise, ended]);
			onWrite.delete(check);
		},
		kill: signal => process.emit(signal, signal),
		stopReading() {
			gone = Object.assign(new Error('write EPIPE'), {code: 'EPIPE'});
			process.stdout.emit('error', gone);
		},
	};
}

/** The returned function removes the listeners that were added since this call. */
function addedListeners(emitter: EventEmitter, event: string): () => void {
	const before = new Set(emitter.listeners(event));
	return () => {
		for (const listener of emitter.listeners(event)) {
			if (!before.has(listener)) emitter.off(event, listener as () => void);
		}
	};
}

/** Makes standard output a terminal of so many columns until the returned function is called. */
function asTerminal(columns: number | undefined): () => void {
	if (columns === undefined) return () => {};
	const values = Object.entries({isTTY: true, columns});
	const before = values.map(([name]) => [name, Object.getOwnPropertyDescriptor(process.stdout, name)] as const);
	for (const [name, value] of values) Object.defineProperty(process.stdout, name, {value, configurable: true});
	return () => {
		for (const [name, own] of before) {
			if (own) Object.defineProperty(process.stdout, name, own);
			else Reflect.deleteProperty(process.stdout, name);
		}
	};
}

export const inProcess = (args: readonly string[], surroundings?: Surroundings): Promise<Outcome> =>
	startInProcess(args, surroundings).outcome;

/** Standard error of a refused command line: a message about an option names the help of the command. */
export function refusal(command: string, message: string): string {
	const [line = '', ...details] = message.split('\n');
	const help = line.startsWith('--') && !line.includes('(see ') ? ` (see tapewatch ${command} --help)` : '';
	return ['tapewatch: ', line, help, '\n', ...details.map(each => `${each}\n`)].join('');
}
