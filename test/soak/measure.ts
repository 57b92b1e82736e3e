import {setImmediate} from 'node:timers/promises';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** What must not grow, at one moment. */
export type Measured = {
	/** In use after a forced collection: objects, and the buffers beside them. */
	readonly heapMegabytes: number;
	/** Open handles and requests of Node's: sockets, servers, timers. */
	readonly handles: number;
	readonly listeners: number;
	/** Of the clock. */
	readonly timers: number;
};

/** By how much more in the last tenth than in the first is still flat: what is open when it is looked at differs. */
const slack: Measured = {heapMegabytes: 4, handles: 4, listeners: 0, timers: 4};

function collector(): () => void {
	if (globalThis.gc) return globalThis.gc;
	setFlagsFromString('--expose-gc');
	const gc: unknown = runInNewContext('gc');
	if (typeof gc !== 'function') throw new Error('this Node cannot be told to collect garbage');
	return () => gc();
}

/** Collects all garbage, then counts. */
export async function measure(counts: Pick<Measured, 'listeners' | 'timers'>): Promise<Measured> {
	const collect = collector();
	// What finalizers let go of is collected in the next round.
	for (let round = 0; round < 3; round++) {
		collect();
		await setImmediate();
	}

	const {heapUsed, external} = process.memoryUsage();
	const handles = process.getActiveResourcesInfo().length;
	return {heapMegabytes: (heapUsed + external) / 1024 ** 2, handles, ...counts};
}

/** What has grown from the first to the last tenth, in words; empty: all is flat. */
export function growth(first: Measured, last: Measured): readonly string[] {
	const names = ['heapMegabytes', 'handles', 'listeners', 'timers'] as const;
	return names
		.filter(name => last[name] > first[name] + slack[name])
		.map(name => `${name} grew from ${text(first[name])} to ${text(last[name])}`);
}

const text = (value: number): string => String(Math.round(value * 10) / 10);
