import type {Viewer} from '../../serve/viewer.ts';
import type {Output} from '../output.ts';

/** Where the text of a viewer goes. On a terminal both outputs are one. */
export function outputOf({output, errors, terminal, gone}: Viewer): Output & {error(text: string): void} {
	const error = (text: string): void => void (terminal ? output : errors).write(text);
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
		note: text => error(`tapewatch: ${text}\n`),
		error,
		showProgress() {},
		clearProgress() {},
	};
}
