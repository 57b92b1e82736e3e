import {demoNow} from '../helpers/environment.ts';
import type {Terminal} from '../helpers/terminal.ts';

/** Seconds since the time in the status line; NaN when none is there. */
export function age(rows: readonly string[]): number {
	const [, time] = /UTC (\d\d:\d\d:\d\d)$/m.exec(rows.join('\n')) ?? [];
	const now = demoNow();
	const day = new Date(now).toISOString().slice(0, 10);
	return Math.floor((now - Date.parse(`${day}T${time}Z`)) / 1000);
}

/**
 * Follows how many seconds old the last whole frame on the screen is: of a frame that is being drawn half the digits are
 * new. The returned function gives the age now.
 */
export function followAge(terminal: Terminal): () => number {
	let [old, at] = [age(terminal.screen()), performance.now()];
	terminal.onChange(() => {
		if (!/\u001B\[(?:\?2026l|6n\u001B8)$/.test(terminal.raw().slice(-10))) return;
		[old, at] = [age(terminal.screen()), performance.now()];
	});
	return () => old + (performance.now() - at) / 1000;
}
