import {once} from 'node:events';
import {connect, createServer, type Socket} from 'node:net';
import {setTimeout} from 'node:timers/promises';

/** A way to a port of loopback on which what comes from there comes only so fast; until then it stands in buffers. */
export type Throttle = {
	readonly port: number;
	/** From now on; at first there is no limit, 0 lets nothing through. */
	limit(bytesPerSecond: number): void;
	close(): void;
};

const stepMs = 50;

export async function openThrottle(target: number): Promise<Throttle> {
	let rate = Number.POSITIVE_INFINITY;
	const sockets: Socket[] = [];

	/** Takes no more from the system than has been handed on. */
	async function trickle(from: Socket, to: Socket): Promise<void> {
		for await (const chunk of from) {
			let rest: Buffer = chunk;
			while (rest.length > 0 && !to.destroyed) {
				const length = Math.min(rest.length, Math.ceil((rate * stepMs) / 1000));
				if (length > 0) to.write(rest.subarray(0, length));
				rest = rest.subarray(length);
				if (rate !== Number.POSITIVE_INFINITY) await setTimeout(stepMs);
			}
		}

		to.end();
	}

	const server = createServer(client => {
		const daemon = connect(target, '127.0.0.1');
		sockets.push(client, daemon);
		for (const socket of [client, daemon]) socket.on('error', () => {});
		client.pipe(daemon);
		trickle(daemon, client).catch(() => client.destroy());
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('no port');
	return {
		port: address.port,
		limit(bytesPerSecond) {
			rate = bytesPerSecond;
		},
		close() {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}
