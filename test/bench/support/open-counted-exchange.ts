import {fork} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** The demo exchange in a process of its own, whose costs are not the program's. */
export async function openCountedExchange() {
	const child = fork(join(import.meta.dirname, 'counted-exchange.ts'));
	const [{url}] = await once(child, 'message');
	return {
		url: String(url),
		/** How many it was asked so far. */
		async requests(): Promise<number> {
			child.send('requests');
			const [{requests}] = await once(child, 'message');
			return requests;
		},
		async close(): Promise<void> {
			child.kill();
			await once(child, 'exit');
		},
	};
}
