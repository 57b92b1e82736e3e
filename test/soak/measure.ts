import {collectGarbage} from '../helpers/collect-garbage.ts';

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

/** By how much more at the end than at the beginning is still flat: what is open when it is looked at differs. */
const slack: Measured = {heapMegabytes: 4, handles: 4, listeners: 0, timers: 4};

/** Collects all garbage, then counts. */
export async function measure(counts: Pick<Measured, 'listeners' | 'timers'>): Promise<Measured> {
	await collectGarbage();
	const {heapUsed, external} = process.memoryUsage();
	const handles = process.getActiveResourcesInfo().length;
	return {heapMegabytes: (heapUsed + external) / 1024 ** 2, handles, ...counts};
}

/**
 * What has grown from the first tenths to the last ones, in words; empty: all is flat. Of three tenths the least counts:
 * what is under way when it is looked at comes and goes, what leaks stays.
 */
export function growth(tenths: readonly Measured[]): readonly string[] {
	const names = ['heapMegabytes', 'handles', 'listeners', 'timers'] as const;
	return names.flatMap(name => {
		const counts = tenths.map(each => each[name]);
		const [first, last] = [Math.min(...counts.slice(0, 3)), Math.min(...counts.slice(-3))];
		return last > first + slack[name] ? [`${name} grew from ${text(first)} to ${text(last)}`] : [];
	});
}

const text = (value: number): string => String(Math.round(value * 10) / 10);
