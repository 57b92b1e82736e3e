import {isMonitor, limitHeap, prepareEngine, showStart, tameNode, terminal} from './start.ts';

/** Runs the program with the arguments of the process, and ends the process. */
export async function begin(): Promise<never> {
	const argv = process.argv.slice(2);
	tameNode();
	prepareEngine(process.env);
	if (isMonitor(argv) && terminal().interactive) showStart();
	const {run} = await import('./program/own-commands.ts');
	limitHeap();
	// All output is written. A connection that is still open must not keep the program running.
	process.exit(await run(argv));
}
