import {spawn} from 'node:child_process';
import {join} from 'node:path';
import type {Readable} from 'node:stream';
import {programEnvironment} from '../helpers/environment.ts';
import {assertSchemas} from '../helpers/json-schemas.ts';

const main = join(import.meta.dirname, '../../dist/main.js');
type Surroundings = {
	/** Added to `programEnvironment`. */
	readonly env?: Readonly<Record<string, string>>;
	/** For Node itself, before the script. */
	readonly nodeArguments?: readonly string[];
	/** An open file in place of the pipe. */
	readonly stdout?: number;
};

export type Outcome = {
	readonly stdout: string;
	readonly stderr: string;
	readonly status: number | null;
};

export type Run = {
	/** Everything that it writes until it ends. */
	readonly outcome: Promise<Outcome>;
	/** Settles when standard output so far fits; rejects when the program ends before. */
	wrote(fits: (stdout: string) => boolean): Promise<void>;
	kill(signal: NodeJS.Signals): void;
	/** Closes the reading end of standard output. */
	stopReading(): void;
};

/** Starts the built program with pipes for a terminal and an empty home. Its JSON must be as its schemas say. */
export function startTapewatch(args: readonly string[], surroundings: Surroundings = {}): Run {
	const {env = {}, nodeArguments = [], stdout} = surroundings;
	const child = spawn(process.execPath, [...nodeArguments, main, ...args], {
		stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
		env: {...programEnvironment(), ...env},
	});
	const output = collect(child.stdout);
	const errors = collect(child.stderr);
	const outcome = new Promise<Outcome>(resolve => {
		child.on('close', status => resolve({stdout: output(), stderr: errors(), status}));
	}).then(ended => {
		assertSchemas(args, ended.stdout);
		return ended;
	});

	return {
		outcome,
		async wrote(fits) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const check = () => {
				if (fits(output())) resolve();
			};

			child.stdout?.on('data', check);
			check();
			const ended = outcome.then(({stdout, stderr}) => {
				if (!fits(stdout)) throw new Error(`the program ended too early: ${stdout}${stderr}`);
			});
			await Promise.race([promise, ended]);
			child.stdout?.off('data', check);
		},
		kill: signal => child.kill(signal),
		stopReading: () => child.stdout?.destroy(),
	};
}

function collect(stream: Readable | null): () => string {
	let text = '';
	stream?.setEncoding('utf8').on('data', chunk => {
		text += chunk;
	});
	return () => text;
}

export const tapewatch = (args: readonly string[], surroundings?: Surroundings): Promise<Outcome> =>
	startTapewatch(args, surroundings).outcome;
