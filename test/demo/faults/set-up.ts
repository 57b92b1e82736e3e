import {once} from 'node:events';
import {get, type IncomingMessage} from 'node:http';
import {setImmediate} from 'node:timers/promises';
import {onTestFinished} from 'vitest';
import {type OperationName, operationPaths} from '../../../source/demo/operations.ts';
import {type Demo, type DemoOptions, startDemo} from '../../../source/demo/server.ts';
import {createFakeClock, type FakeClock} from '../../helpers/fake-clock.ts';

export const start = Date.UTC(2026, 10, 20, 10, 30);

export type DemoUnderTest = {
	readonly clock: FakeClock;
	readonly demo: Demo;
	/** The answer when its head has come. Rejects with the system's error when none comes. */
	answer(operation: OperationName, query?: string): Promise<IncomingMessage>;
	/** The envelope of an answer. */
	read(operation: OperationName, query?: string): Promise<Envelope>;
};

// biome-ignore lint/suspicious/noExplicitAny: what the wire says is what is tested
export type Envelope = Readonly<Record<string, any>>;

/** A demo exchange whose clock is frozen; closed after the test. */
export async function setUpDemo(options: DemoOptions = {}): Promise<DemoUnderTest> {
	const clock = createFakeClock(start);
	const demo = await startDemo({clock, v2Bids: true, ...options});
	onTestFinished(() => demo.close());
	async function answer(operation: OperationName, query = 'symbol=BTCUSDT&limit=30&period=60') {
		const request = get(`${demo.url}${operationPaths[operation]}?${query}`, {agent: false});
		const [response]: IncomingMessage[] = await once(request, 'response');
		if (!response) throw new Error('no answer');
		return response;
	}

	return {
		clock,
		demo,
		answer,
		read: async (operation, query) => JSON.parse((await bodyOf(await answer(operation, query))).toString()),
	};
}

export async function bodyOf(response: IncomingMessage): Promise<Buffer> {
	return Buffer.concat(await response.toArray());
}

/** Waits for what sockets do, which takes turns of the event loop and no time on the clock. */
export async function until(holds: () => boolean): Promise<void> {
	while (!holds()) await setImmediate();
}
