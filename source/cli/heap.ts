import {getHeapStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import type {Clock} from '../market/clock.ts';

const everyMs = 1000;
/** The rest is for what is needed until the next look, and to end. */
const fullShare = 0.8;
const bytesPerMegabyte = 1024 ** 2;

/**
 * Passes an error to `onFull`, once, when V8's heap is nearly full: when it is full V8 ends the process at once, and the terminal
 * stays as it is. The returned function stops that.
 */
export function watchHeap(clock: Clock, onFull: (error: Error) => void): () => void {
	const most = heapLimit(process.execArgv, process.env);
	const isNearlyFull = () => getHeapStatistics().used_heap_size > most * fullShare;
	function look(): void {
		if (isNearlyFull()) collectGarbage();
		if (!isNearlyFull()) cancel = clock.after(everyMs, look);
		else
			onFull(
				new Error(
					`out of memory: the heap of ${Math.round(most / bytesPerMegabyte)} MB is nearly full; allow Node more`,
				),
			);
	}

	let cancel = clock.after(everyMs, look);
	return () => cancel();
}

/** Objects that nothing holds count as used. */
function collectGarbage(): void {
	setFlagsFromString('--expose-gc');
	runInNewContext('gc')();
}

/** In bytes. V8's own figure includes a space for young objects that may be larger than the limit that the user set. */
function heapLimit(execArgv: readonly string[], {NODE_OPTIONS = ''}: NodeJS.ProcessEnv): number {
	const [, megabytes] = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec([...execArgv, NODE_OPTIONS].join(' ')) ?? [];
	return megabytes === undefined ? getHeapStatistics().heap_size_limit : Number(megabytes) * bytesPerMegabyte;
}
