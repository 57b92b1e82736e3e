import {existsSync, readdirSync, readlinkSync} from 'node:fs';
import {getHeapSpaceStatistics} from 'node:v8';
import {collectGarbage} from '../helpers/collect-garbage.ts';

/** What must not grow, at one moment. */
export type Measured = {
	/** Objects in use after a forced collection. */
	readonly heapMegabytes: number;
	/** What V8 has compiled of the program so far, and what it has noted down for that. */
	readonly codeMegabytes: number;
	/** Memory in use outside the heap, after the same collection: typed arrays, the layout's WebAssembly. */
	readonly outsideMegabytes: number;
	/** Open handles and requests of Node's: sockets, servers, timers. */
	readonly handles: number;
	/** Open files but sockets, which are handles, as the system counts them; 0 where it does not tell. */
	readonly files: number;
	readonly listeners: number;
	/** Of the clock. */
	readonly timers: number;
};

const names = [
	'heapMegabytes',
	'codeMegabytes',
	'outsideMegabytes',
	'handles',
	'files',
	'listeners',
	'timers',
] as const;
const openFiles = '/proc/self/fd';

/** The folder itself was open while it was read. */
function isNoSocket(descriptor: string): boolean {
	try {
		return !readlinkSync(`${openFiles}/${descriptor}`).startsWith('socket:');
	} catch {
		return false;
	}
}

/** Collects all garbage, then counts. */
export async function measure(counts: Pick<Measured, 'listeners' | 'timers'>): Promise<Measured> {
	await collectGarbage();
	const {heapUsed, external} = process.memoryUsage();
	const codeUsed = getHeapSpaceStatistics()
		.filter(({space_name: name}) => name.includes('code') || name.includes('trusted'))
		.reduce((sum, {space_used_size: bytes}) => sum + bytes, 0);
	return {
		heapMegabytes: (heapUsed - codeUsed) / 1024 ** 2,
		codeMegabytes: codeUsed / 1024 ** 2,
		outsideMegabytes: external / 1024 ** 2,
		handles: process.getActiveResourcesInfo().length,
		files: existsSync(openFiles) ? readdirSync(openFiles).filter(isNoSocket).length : 0,
		...counts,
	};
}

/**
 * What has grown from the first tenths to the last ones by more than `bounds`, in words; empty: all is flat. Of three
 * tenths the least counts: what is under way when it is looked at comes and goes, what leaks stays.
 */
export function growth(tenths: readonly Measured[], bounds: Measured): readonly string[] {
	return names.flatMap(name => {
		const counts = tenths.map(each => each[name]);
		const [first, last] = [Math.min(...counts.slice(0, 3)), Math.min(...counts.slice(-3))];
		const grown = `${name} grew from ${text(first)} to ${text(last)}, by more than ${text(bounds[name])}`;
		return last - first > bounds[name] ? [grown] : [];
	});
}

const text = (value: number): string => String(Math.round(value * 10) / 10);
