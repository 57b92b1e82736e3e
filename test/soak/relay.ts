import {type AddressInfo, connect, createServer, type Socket} from 'node:net';
import {pipeline} from 'node:stream';

/** An address on loopback that stands for another one. */
export type Relay = {
	readonly url: string;
	/** Connections that open from now on lead to `url`; the others are cut, unless the server before keeps them, as it does when a name moves. */
	switchTo(url: string, options?: {readonly keep?: boolean}): void;
	close(): Promise<void>;
};

/** Passes bytes on to `url`, both ways. */
export async function startRelay(url: string): Promise<Relay> {
	let target = url;
	const sockets = new Set<Socket>();
	const cut = () => {
		for (const socket of sockets) socket.destroy();
	};
	const server = createServer(socket => {
		sockets.add(socket);
		const onward = connect({host: '127.0.0.1', port: Number(new URL(target).port)});
		pipeline(socket, onward, socket, () => sockets.delete(socket));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	const {port} = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		switchTo(url, {keep = false} = {}) {
			if (target === url) return;
			target = url;
			if (!keep) cut();
		},
		async close() {
			const closed = new Promise(resolve => server.close(resolve));
			cut();
			await closed;
		},
	};
}
