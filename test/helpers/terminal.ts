import {constants} from 'node:os';
import {spawn} from '@lydell/node-pty';
import {programEnvironment} from './environment.ts';
import {keyInputs} from './key-input.ts';
import {createLink, type Link, type LinkOptions} from './link.ts';
import {type Cell, createScreen, type Screen} from './screen.ts';

export type TerminalOptions = {
	readonly file: string;
	readonly args?: readonly string[];
	readonly columns: number;
	readonly rows: number;
	/** Added to `programEnvironment` and a truecolor terminal. */
	readonly env?: Readonly<Record<string, string>>;
	readonly cwd?: string;
	/** Between the program and what is shown; its buffers are without end. */
	readonly link?: LinkOptions;
	/** Default true: it answers what it is asked, as terminals do. */
	readonly answers?: boolean;
};

type Exit = {readonly exitCode: number; readonly signal: NodeJS.Signals | undefined};

/** A program in a pseudo-terminal, and what a terminal shows of it. */
export type Terminal = {
	/** For its cells and its size. */
	readonly display: Screen;
	/** One text per row, without the blanks at its end. */
	screen(): string[];
	/** Counted from 0. */
	cell(row: number, column: number): Cell;
	/** Types; see `keyBytes` for keys with a name. */
	write(data: string): void;
	resize(columns: number, rows: number): void;
	/**
	 * Settles when the screen satisfies the condition (a pattern is held against the rows joined by newlines), looked at
	 * after every piece of output. Throws with the screen when `timeoutMs` (default 60,000: machines are busy) pass or the program ends first.
	 */
	waitFor(condition: RegExp | ((rows: readonly string[]) => boolean), timeoutMs?: number): Promise<void>;
	/** Runs `listener` after every piece of output; the returned function stops that. */
	onChange(listener: () => void): () => void;
	/** Settles when the program has ended and all that it wrote is on the screen. */
	readonly exit: Promise<Exit>;
	/** Does nothing once it has ended. */
	kill(signal: NodeJS.Signals): void;
	/** Closes the terminal's side, as a lost connection does. */
	hangUp(): void;
	/** Reads nothing of what the program writes. */
	pause(): void;
	/** Reads on. */
	resume(): void;
	readonly pid: number;
	readonly link: Link;
	/** Everything that came so far. */
	raw(): string;
	/** Its length. */
	bytes(): number;
	alternate(): boolean;
	cursorVisible(): boolean;
};

export function openTerminal(options: TerminalOptions): Terminal {
	const {file, args = [], columns, rows, env, cwd, answers = true} = options;
	const display = createScreen(columns, rows);
	const pty = spawn(file, [...args], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		cwd: cwd ?? process.cwd(),
		env: {...programEnvironment(), COLORTERM: 'truecolor', ...env},
	});

	let raw = '';
	let interpreted = Promise.resolve();
	const changed = new Set<() => void>();
	const notify = (): void => {
		for (const listener of changed) listener();
	};

	const link = createLink(
		options.link ?? {},
		data => {
			raw += data;
			interpreted = display.write(data).then(notify);
		},
		answer => pty.write(answer),
	);
	pty.onData(link.write);
	if (answers) display.onAnswer(link.answer);

	let gone = false;
	let ended: Exit | undefined;
	const exit = new Promise<Exit>(resolve => {
		pty.onExit(async ({exitCode, signal}) => {
			gone = true;
			await link.drained();
			await interpreted;
			ended = {exitCode, signal: signalName(signal)};
			notify();
			resolve(ended);
		});
	});

	function waitFor(condition: RegExp | ((rows: readonly string[]) => boolean), timeoutMs = 60_000): Promise<void> {
		const holds = (): boolean => {
			const shown = display.text();
			return condition instanceof RegExp ? condition.test(shown.join('\n')) : condition(shown);
		};

		return new Promise((resolve, reject) => {
			const settle = (settled: () => void): void => {
				clearTimeout(timer);
				changed.delete(check);
				settled();
			};
			const fail = (why: string): void =>
				settle(() => reject(new Error(`${why} before ${condition} held\n${display.text().join('\n')}`)));
			const check = (): void => {
				if (holds()) settle(resolve);
				else if (ended) fail(`The program ended (${ended.signal ?? ended.exitCode})`);
			};
			const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs);
			changed.add(check);
			check();
		});
	}

	return {
		display,
		screen: display.text,
		cell: display.cell,
		write: data => pty.write(data),
		resize(newColumns, newRows) {
			display.resize(newColumns, newRows);
			pty.resize(newColumns, newRows);
		},
		waitFor,
		onChange(listener) {
			changed.add(listener);
			return () => changed.delete(listener);
		},
		exit,
		kill(signal) {
			if (!gone) process.kill(pty.pid, signal);
		},
		// What node-pty types leave out closes the terminal; its `kill` only sends a signal.
		hangUp: () => 'destroy' in pty && typeof pty.destroy === 'function' && pty.destroy(),
		pause: () => pty.pause(),
		resume: () => pty.resume(),
		pid: pty.pid,
		link,
		raw: () => raw,
		bytes: () => Buffer.byteLength(raw),
		alternate: display.alternate,
		cursorVisible: () => display.cursor().visible,
	};
}

function signalName(number: number | undefined): NodeJS.Signals | undefined {
	if (!number) return undefined;
	const entry = Object.entries(constants.signals).find(([, value]) => value === number);
	return entry?.[0] as NodeJS.Signals | undefined;
}

/** A shell with job control, at its prompt; type commands into it with `write('command\r')`. */
export type Shell = Terminal & {
	/** Settles when the shell waits for a command. */
	prompt(): Promise<void>;
	/** How the line discipline is set, as `stty -g` writes it at the next prompt. */
	lineDiscipline(): Promise<string>;
};

export type ShellOptions = Omit<TerminalOptions, 'file' | 'args'> & {
	/** Bash, which sets the terminal to its own mode when a job stops; else /bin/sh, which need not. */
	readonly bash?: boolean | undefined;
};

export async function openShell({bash = false, ...options}: ShellOptions): Promise<Shell> {
	const shell = bash ? {file: 'bash', args: ['--norc', '-i']} : {file: '/bin/sh', args: ['-i']};
	const terminal = openTerminal({...options, ...shell, env: {...options.env, PS1: 'shell> '}});
	// What is typed while a program ends can be lost to it.
	const prompt = () => terminal.waitFor(rows => rows[terminal.display.cursor().row] === 'shell>');
	await prompt();

	let questions = 0;
	return {
		...terminal,
		prompt,
		async lineDiscipline() {
			await prompt();
			questions++;
			// The echo of the command does not match: the shell has not yet replaced what is in the parentheses.
			const answer = new RegExp(`discipline ${questions} ([0-9a-f:]+)\\r`);
			terminal.write(`echo "discipline ${questions} $(stty -g)"\r`);
			await terminal.waitFor(() => answer.test(terminal.raw()));
			return answer.exec(terminal.raw())?.[1] ?? '';
		},
	};
}

/** Between `<` and `>` a hyphen stands for the plus of the keymap's names. */
const namedKeys = new Map(Object.entries(keyInputs).map(([name, bytes]) => [name.replace('+', '-'), bytes]));

/** `1`, `a`, `<tab>`: the keys of a text, each as the bytes that a terminal sends for it. */
export function keyBytes(text: string): string[] {
	return [...text.matchAll(/<([a-z][a-z0-9-]*)>|./gsu)].map(([key, name]) => {
		if (name === undefined) return key;
		const bytes = namedKeys.get(name);
		if (bytes === undefined) throw new Error(`Unknown key <${name}>; known: ${[...namedKeys.keys()].join(', ')}`);
		return bytes;
	});
}
