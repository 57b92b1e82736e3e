import {mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {onTestFinished} from 'vitest';
import {createScreen} from '../helpers/screen.ts';
import {keyBytes, openShell, openTerminal, type Shell, type ShellOptions, type Terminal} from '../helpers/terminal.ts';

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
/** Compiled code of the program, for all tests: to compile it anew is a fifth of what a start costs. */
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** The built program as a shell writes it. */
export const command = `${process.execPath} ${program}`;

export type Size = {readonly columns: number; readonly rows: number};

/** What the screen showed once a whole piece of output had been interpreted. */
type Painted = Size & {readonly text: readonly string[]; readonly rawAt: number};

/** The built program, or a shell that runs it, in a terminal. */
export type Session<T extends Terminal = Terminal> = T & {
	/** Keys as `keyBytes` names them, sent as one piece. */
	press(keys: string): void;
	/** Every screen since `from` (an index into the raw output), at the size that the terminal had then. */
	painted(from?: number): Promise<readonly Painted[]>;
};

/** Nothing of the user's: an own configuration, and no variable of Tapewatch's. The folder goes with the test. */
function environment(config = ''): Record<string, string> {
	const home = mkdtempSync(join(tmpdir(), 'tapewatch-e2e-'));
	mkdirSync(join(home, 'tapewatch'));
	writeFileSync(join(home, 'tapewatch', 'config.toml'), config);
	onTestFinished(() => rmSync(home, {recursive: true}));
	return {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: cache};
}

type SessionOptions = Size & {
	readonly env?: Readonly<Record<string, string>>;
	/** The config file. */
	readonly config?: string;
} & Pick<ShellOptions, 'link' | 'answers' | 'bash'>;

/** The built program with these arguments in a terminal of its own. Killed when the test ends. */
export function openProgram(args: readonly string[], {env, config, ...options}: SessionOptions): Session {
	return session(
		openTerminal({...options, file: process.execPath, args: [program, ...args], env: {...environment(config), ...env}}),
		options,
	);
}

/** `script` run by /bin/sh in a terminal; see `command`. */
export function openScript(script: string, {env, config, ...options}: SessionOptions): Session {
	return session(
		openTerminal({...options, file: '/bin/sh', args: ['-c', script], env: {...environment(config), ...env}}),
		options,
	);
}

/** A shell with job control, at its prompt. */
export async function openJobs({env, config, ...options}: SessionOptions): Promise<Session<Shell>> {
	return session(await openShell({...options, env: {...environment(config), ...env}}), options);
}

function session<T extends Terminal>(terminal: T, start: Size): Session<T> {
	const resizes: (Size & {readonly at: number})[] = [];
	onTestFinished(async () => {
		terminal.kill('SIGKILL');
		await terminal.exit;
	});
	return {
		...terminal,
		resize(columns, rows) {
			resizes.push({columns, rows, at: terminal.raw().length});
			terminal.resize(columns, rows);
		},
		press(keys) {
			terminal.write(keyBytes(keys).join(''));
		},
		painted: (from = 0) => replay(terminal.raw(), start, resizes, from),
	};
}

/** A terminal that knows synchronised output shows a frame when it is complete: the screens are those after each. */
async function replay(
	raw: string,
	start: Size,
	resizes: readonly (Size & {readonly at: number})[],
	from: number,
): Promise<readonly Painted[]> {
	const frameEnd = '\u001B[?2026l';
	const screen = createScreen(start.columns, start.rows);
	const pending = [...resizes];
	const painted: Painted[] = [];
	let at = 0;
	while (at < raw.length) {
		const next = pending[0];
		if (next && next.at <= at) {
			screen.resize(next.columns, next.rows);
			pending.shift();
			continue;
		}

		const found = raw.indexOf(frameEnd, at);
		const end = Math.min(found === -1 ? raw.length : found + frameEnd.length, next?.at ?? raw.length);
		await screen.write(raw.slice(at, end));
		at = end;
		const isWhole = raw.startsWith(frameEnd, end - frameEnd.length);
		if (isWhole && end > from) {
			painted.push({columns: screen.columns, rows: screen.rows, text: screen.text(), rawAt: end});
		}
	}

	return painted;
}

const foreignText = 'Broadcast message';
/** Line drawing in place of letters, insertion, a scroll region whose rows are counted from its top, and wrapping. */
const foreignModes = '\u001B(0\u001B[4h\u001B[5;10r\u001B[?6h\u001B[?7h';

/** Scrolls the session's screen, as another program on its terminal does, and leaves every mode changed. */
export async function overwrite({pid, waitFor}: Session): Promise<void> {
	writeFileSync(readlinkSync(`/proc/${pid}/fd/1`), `${'\r\n'.repeat(40)}${foreignText}${foreignModes}`);
	await waitFor(rows => rows.some(row => row.includes(foreignText)));
}

/** Whether any process of the group that `pid` began is left. */
export const groupLives = (pid: number): boolean => processLives(-pid);

/** Whether there is such a process. */
export function processLives(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
