import {once} from 'node:events';

/** The inside of a program that was started with `--inspect`. */
export type Inspected = {
	/** In use after a full collection. */
	heapMb(): Promise<number>;
	/** Handles and requests that are open, by kind, and listeners of the process, by event. */
	open(): Promise<Readonly<Record<string, number>>>;
	close(): void;
};

/** `url`: what Node prints at its start. */
export async function inspect(url: string): Promise<Inspected> {
	const socket = new WebSocket(url);
	await once(socket, 'open');
	let last = 0;
	async function call<Answer>(method: string, params: object = {}): Promise<Answer> {
		const id = ++last;
		socket.send(JSON.stringify({id, method, params}));
		for (;;) {
			const [{data}] = await once(socket, 'message');
			const message = JSON.parse(String(data));
			if (message.id === id) return message.result;
		}
	}

	async function evaluate<Value>(expression: string): Promise<Value> {
		const {result} = await call<{result: {value: Value}}>('Runtime.evaluate', {expression, returnByValue: true});
		return result.value;
	}

	return {
		async heapMb() {
			await call('HeapProfiler.enable');
			for (let time = 0; time < 3; time++) await call('HeapProfiler.collectGarbage');
			await call('HeapProfiler.disable');
			return (await evaluate<number>('process.memoryUsage().heapUsed')) / 1024 ** 2;
		},
		open: () =>
			evaluate(`(() => {
				const counts = {};
				for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1;
				for (const name of process.eventNames()) counts['on ' + String(name)] = process.listenerCount(name);
				return counts;
			})()`),
		close: () => socket.close(),
	};
}
