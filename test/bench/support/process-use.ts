import {readdirSync, readFileSync} from 'node:fs';

/** What a process with all its threads has used of a core, in ms. Linux counts in hundredths of a second. */
export function cpuMs(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	const [user, system] = stat
		.slice(stat.lastIndexOf(')') + 2)
		.split(' ')
		.slice(11, 13)
		.map(Number);
	return ((user ?? Number.NaN) + (system ?? Number.NaN)) * 10;
}

/** Its memory. */
export function rssMb(pid: number): number {
	return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** How many files and sockets it has open. */
export const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
