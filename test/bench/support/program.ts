import {fileURLToPath} from 'node:url';
import {spawn} from '@lydell/node-pty';
import {createScreen} from '../../helpers/screen.ts';

/** Of the built program, for Node. */
export const built = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));

export type Size = {readonly columns: number; readonly rows: number};

export const size: Size = {columns: 120, rows: 40};

/** A piece of output, and when it came: ms since the start of the program. */
type Piece = {readonly at: number; readonly data: string};

/** A program in a terminal, timed. */
export type Program = {
	readonly pid: number;
	/** All output so far. */
	readonly pieces: readonly Piece[];
	/** Settles with the time of the piece of output after which the screen shows that. */
	until(shows: (rows: readonly string[]) => boolean): Promise<number>;
	/** Types. Ms since the start of the program. */
	write(keys: string): number;
	/** Settles with the time of its end. */
	readonly ended: Promise<number>;
};

/** Runs Node with these arguments. Configuration, state and cache are those of `home`. */
export const openNode = (args: readonly string[], home: string, screen: Size = size): Program =>
	openFile(process.execPath, args, home, screen);

/** As `openNode` does, but another program. */
export function openFile(file: string, args: readonly string[], home: string, {columns, rows}: Size = size): Program {
	const screen = createScreen(columns, rows);
	const pieces: Piece[] = [];
	const watchers = new Set<(at: number) => void>();
	const start = performance.now();
	const pty = spawn(file, [...args], {
		name: 'xterm-256color',
		cols: columns,
		rows,
		env: {
			PATH: process.env.PATH,
			HOME: home,
			XDG_CONFIG_HOME: home,
			XDG_STATE_HOME: home,
			XDG_CACHE_HOME: home,
			COLORTERM: 'truecolor',
			LANG: 'C.UTF-8',
		},
	});
	pty.onData(data => {
		const at = performance.now() - start;
		pieces.push({at, data});
		void screen.write(data).then(() => {
			for (const watcher of watchers) watcher(at);
		});
	});
	screen.onAnswer(answer => pty.write(answer));
	const ended = new Promise<number>(resolve => pty.onExit(() => resolve(performance.now() - start)));
	return {
		pid: pty.pid,
		pieces,
		until: shows =>
			new Promise(resolve => {
				const check = (at: number) => {
					if (!shows(screen.text())) return;
					watchers.delete(check);
					resolve(at);
				};
				watchers.add(check);
				check(performance.now() - start);
			}),
		write(keys) {
			pty.write(keys);
			return performance.now() - start;
		},
		ended,
	};
}
