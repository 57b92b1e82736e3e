import {EventEmitter} from 'node:events';

/** What Ink needs of a terminal to draw on. */
export type ScreenOutput = NodeJS.WritableStream & {
	readonly isTTY: true;
	readonly columns: number;
	readonly rows: number;
};

type TerminalSize = {readonly columns: number; readonly rows: number};
type Terminal = NodeJS.WritableStream & TerminalSize;

const clearScreen = '\u001B[2J\u001B[H';
/** Ink puts these around every frame; a terminal that knows them shows nothing half-drawn. */
const frameStart = '\u001B[?2026h';
const frameEnd = '\u001B[?2026l';

/**
 * The terminal as Ink sees it, with no wrong frame on resize. Ink answers a resize with the frame that it has, laid out
 * for the old size, and React draws the new one some turns later: from the resize until the view calls `laidOut` with
 * the terminal's size nothing reaches the terminal, then the new frame is drawn on a cleared screen. `redraw` draws the
 * last frame again; `close` stops listening.
 */
export function steadyOutput(terminal: Terminal): {
	readonly output: ScreenOutput;
	laidOut(size: TerminalSize): void;
	redraw(): void;
	close(): void;
} {
	const events = new EventEmitter();
	// Ink and every panel that asks for the size listen.
	events.setMaxListeners(0);
	let held = false;
	let lastFrame = '';
	let unfinished = '';

	const remember = (text: string) => {
		unfinished = text.startsWith(frameStart) ? text : unfinished + text;
		if (text.endsWith(frameEnd)) lastFrame = unfinished;
	};

	const redraw = () => {
		if (!held) terminal.write(`${frameStart}${clearScreen}${lastFrame}${frameEnd}`);
	};

	const resized = () => {
		held = true;
		events.emit('resize');
	};

	const output = new Proxy(terminal, {
		get(target, property) {
			if (property === 'on' || property === 'addListener') return events.on.bind(events);
			if (property === 'off' || property === 'removeListener') return events.off.bind(events);
			if (property === 'isTTY') return true;
			if (property === 'write') {
				return (text: string, ...rest: unknown[]) => {
					remember(text);
					if (!held) return Reflect.apply(target.write, target, [text, ...rest]);
					const callback = rest.find(argument => typeof argument === 'function');
					if (callback) queueMicrotask(() => callback());
					return true;
				};
			}

			const value = Reflect.get(target, property, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	}) as ScreenOutput;
	terminal.on('resize', resized);
	return {
		output,
		laidOut({columns, rows}) {
			// Of several resizes in a row only the last one's layout is shown.
			if (!held || columns !== terminal.columns || rows !== terminal.rows) return;
			// Ink limits its frame rate and may still owe the new frame: it answers this with what is laid out now.
			events.emit('resize');
			held = false;
			redraw();
		},
		redraw,
		close() {
			held = false;
			terminal.off('resize', resized);
		},
	};
}
