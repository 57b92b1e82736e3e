import type {Terminal} from '../helpers/terminal.ts';

const daySeconds = 24 * 60 * 60;

/** Seconds since the time in the status line. */
export function age(rows: readonly string[]): number {
	const [, ...time] = /UTC (\d\d):(\d\d):(\d\d)$/m.exec(rows.join('\n')) ?? [];
	const [hours = Number.NaN, minutes = 0, seconds = 0] = time.map(Number);
	const shown = (hours * 60 + minutes) * 60 + seconds;
	return (Math.floor(Date.now() / 1000) - shown + daySeconds) % daySeconds;
}

/**
 * Follows how many seconds old the last whole frame on the screen is: of a frame that is being drawn half the digits are
 * new. The returned function tells the present age.
 */
export function followAge(terminal: Terminal): () => number {
	let [old, at] = [age(terminal.screen()), Date.now()];
	terminal.onChange(() => {
		if (/\u001B\[(?:\?2026l|5n)$/.test(terminal.raw().slice(-10))) [old, at] = [age(terminal.screen()), Date.now()];
	});
	return () => old + (Date.now() - at) / 1000;
}
