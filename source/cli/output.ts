/**
 * Writes to standard output; settles when the system has taken the text. A reader that has gone is no failure: what he
 * does not read is dropped. Rejects when the output fails otherwise, e.g. on a full disk.
 */
export async function print(text: string): Promise<void> {
	const {promise, resolve, reject} = Promise.withResolvers<void>();
	process.stdout.write(text, (error?: NodeJS.ErrnoException | null) => {
		if (!error || error.code === 'EPIPE') resolve();
		else reject(new Error(`standard output cannot be written: ${error.message}`, {cause: error}));
	});
	return promise;
}

/** Everything that is not data, one line each. */
export function note(text: string): void {
	process.stderr.write(`tapewatch: ${text}\n`);
}
