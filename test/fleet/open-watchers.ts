import {fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** What the watchers show of each of their markets. */
export type Shown = {
	readonly stores: number;
	/** New ones since this was asked last. */
	readonly answers: number;
	/** Of these, how much younger they seem than they are, in ms, where that is not true to 200 ms. */
	readonly untrue: readonly number[];
	/** Failed requests of those that were sent since this was asked last. */
	readonly failures: number;
	/** Until the next poll of each store that has failures, the longest, in ms; 0: none has. */
	readonly waitMs: number;
	/** How many stores say that books and trades fail. */
	readonly saying: number;
	/** How many have all answers, and none failing. */
	readonly well: number;
};

/** So many watchers of four markets in a process of their own. */
export function openWatchers(port: number, count: number) {
	const child = fork(join(import.meta.dirname, 'watchers.ts'), [`http://127.0.0.1:${port}`, String(count)]);
	const ended = once(child, 'exit');
	return {
		async shown(): Promise<Shown> {
			child.send('shown');
			const [shown] = await Promise.race([once(child, 'message'), ended.then(() => [])]);
			if (shown === undefined) throw new Error('the watchers ended');
			return shown;
		},
		async close(): Promise<void> {
			child.kill('SIGKILL');
			await ended;
		},
	};
}
