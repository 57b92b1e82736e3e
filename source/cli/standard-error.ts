import {stripControl} from '../format/control.ts';

let isProgressShown = false;

/**
 * The one way to standard error, where everything goes that is not data. Nothing in the lines acts on a terminal, whoever wrote it; a
 * line break in one of them becomes a blank.
 */
export function writeErrors(...lines: readonly string[]): void {
	clearProgress();
	process.stderr.write(lines.map(line => `${stripControl(line)}\n`).join(''));
}

/** Writes one line about the program or its data. */
export const note = (text: string): void => writeErrors(`tapewatch: ${text}`);

/** Shows the text in one line of standard error that the next text replaces, on a terminal only. */
export function showProgress(text: string): void {
	if (!process.stderr.isTTY) return;
	process.stderr.write(`\rtapewatch: ${stripControl(text)}\u001B[K`);
	isProgressShown = true;
}

export function clearProgress(): void {
	if (isProgressShown) process.stderr.write('\r\u001B[K');
	isProgressShown = false;
}

const mostWarnings = 100;

/** Creates a test of whether a warning is to be written: each once, and at most a hundred. */
export function createWarningFilter(): (message: string) => boolean {
	const written = new Set<string>();
	return message => {
		const isNew = written.size < mostWarnings && !written.has(message);
		if (isNew) written.add(message);
		return isNew;
	};
}
