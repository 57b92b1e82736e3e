import type {Clock} from '../market/clock.ts';

/**
 * Lets what is written to a terminal wait in the background while it does not read. As Node has it the whole program
 * would wait: no key, timer or signal would be heard. The returned function undoes it.
 */
export function writeInBackground(terminal: NodeJS.WriteStream): () => void {
	// Node has no public way. Without this one the program only waits as others do.
	const {_handle: handle} = terminal as {_handle?: {setBlocking?(blocking: boolean): void}};
	handle?.setBlocking?.(false);
	return () => handle?.setBlocking?.(true);
}

/** Settles when the terminal has taken all that was written, when it is gone, or after `limitMs`. */
export function allTaken(terminal: NodeJS.WritableStream, clock: Clock, limitMs: number): Promise<void> {
	return new Promise(resolve => {
		const cancel = clock.after(limitMs, resolve);
		terminal.write('', () => {
			cancel();
			resolve();
		});
	});
}
