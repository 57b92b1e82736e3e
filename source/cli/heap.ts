import {constants, type NodeGCPerformanceDetail, type PerformanceEntry, PerformanceObserver} from 'node:perf_hooks';
import {getHeapStatistics} from 'node:v8';

/** The rest is for what is needed until V8 collects again, and to end. */
const fullShare = 0.8;
const bytesPerMegabyte = 1024 ** 2;

/**
 * Passes an error to `onFull`, once, when a full collection leaves V8's heap nearly full: V8 collects more often the less is
 * free, and when nothing is, it ends the process at once and the terminal stays as it is. The returned function stops that.
 */
export function watchHeap(onFull: (error: Error) => void): () => void {
	const most = heapLimit(process.execArgv, process.env);
	const observer = new PerformanceObserver(list => {
		if (!list.getEntries().some(isFullCollection) || getHeapStatistics().used_heap_size < most * fullShare) return;
		observer.disconnect();
		const megabytes = Math.round(most / bytesPerMegabyte);
		onFull(new Error(`out of memory: the heap of ${megabytes} MB is nearly full; allow Node more`));
	});
	observer.observe({type: 'gc'});
	return () => observer.disconnect();
}

const isFullCollection = (entry: PerformanceEntry): boolean =>
	'detail' in entry && (entry.detail as NodeGCPerformanceDetail).kind === constants.NODE_PERFORMANCE_GC_MAJOR;

/** In bytes. V8's own figure includes a space for young objects that may be larger than the limit that the user set. */
function heapLimit(execArgv: readonly string[], {NODE_OPTIONS = ''}: NodeJS.ProcessEnv): number {
	const [, megabytes] = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec([...execArgv, NODE_OPTIONS].join(' ')) ?? [];
	return megabytes === undefined ? getHeapStatistics().heap_size_limit : Number(megabytes) * bytesPerMegabyte;
}
