import {EventEmitter} from 'node:events';

/** What Ink needs of a terminal to draw on. */
export type ScreenOutput = NodeJS.WritableStream & {
	readonly isTTY: true;
	readonly columns: number;
	readonly rows: number;
};

type Terminal = NodeJS.WritableStream & {readonly columns: number; readonly rows: number};

const clearScreen = '\u001B[2J\u001B[H';

/**
 * The terminal as Ink sees it, with no wrong frame on resize. Ink answers a resize with the frame it has, laid out for
 * the old size, before React has drawn the new one: what it writes in between never reaches the terminal, then the
 * screen is cleared and drawn once. `close` stops listening; `redraw` draws everything again.
 */
export function steadyOutput(terminal: Terminal): {
	readonly output: ScreenOutput;
	redraw(): void;
	close(): void;
} {
	const events = new EventEmitter();
	// Ink and every panel that asks for the size listen.
	events.setMaxListeners(0);
	let held: NodeJS.Immediate | undefined;

	const redraw = () => {
		clearImmediate(held);
		held = setImmediate(() => {
			held = undefined;
			terminal.write(clearScreen);
			events.emit('resize');
		});
		events.emit('resize');
	};

	const output = new Proxy(terminal, {
		get(target, property) {
			if (property === 'on' || property === 'addListener') return events.on.bind(events);
			if (property === 'off' || property === 'removeListener') return events.off.bind(events);
			if (property === 'isTTY') return true;
			if (property === 'write') {
				return (text: string, ...rest: unknown[]) => {
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
	terminal.on('resize', redraw);
	return {
		output,
		redraw,
		close() {
			clearImmediate(held);
			held = undefined;
			terminal.off('resize', redraw);
		},
	};
}
