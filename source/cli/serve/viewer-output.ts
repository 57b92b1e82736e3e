import {stripControl} from '../../format/control.ts';
import type {Viewer} from '../../serve/viewer.ts';
import type {Output} from '../output.ts';

const commandLine =
	/\btapewatch(?= (?:\[|[A-Z]{2,}|(?:help|monitor|watch|info|markets|ticker|depth|trades|candles)\b))/g;

/** Messages and help in the words of who has the program over SSH, such as `ssh HOST watch --help`. */
export const inViewersWords = (text: string): string =>
	// What begins with a dash before any word, ssh takes for an option of its own.
	text.replaceAll('tapewatch --help', 'ssh HOST help').replaceAll(commandLine, 'ssh HOST');

/** Where the text of a viewer goes. On a terminal both outputs are one. Nothing in the lines of `errors` acts on it. */
export function outputOf({
	output,
	errors,
	terminal,
	gone,
}: Viewer): Output & {errors(...lines: readonly string[]): void} {
	function write(...lines: readonly string[]): void {
		const text = lines.map(line => `${stripControl(inViewersWords(line))}\n`).join('');
		(terminal ? output : errors).write(text);
	}

	return {
		print(text) {
			const {promise, resolve} = Promise.withResolvers<void>();
			const done = () => {
				gone.removeEventListener('abort', done);
				resolve();
			};
			// Who is gone needs no text.
			gone.addEventListener('abort', done);
			output.write(text, done);
			if (gone.aborted) done();
			return promise;
		},
		note: text => write(`tapewatch: ${text}`),
		errors: write,
		showProgress() {},
		clearProgress() {},
		get columns() {
			return terminal && (output.columns || undefined);
		},
	};
}
