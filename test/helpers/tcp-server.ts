import {once} from 'node:events';
import {createServer, type Socket} from 'node:net';
import {onTestFinished} from 'vitest';

/** A server that speaks no HTTP of its own: its port, and its connections that are open. */
export async function startTcpServer(
	/** Called with the first bytes of each connection. */
	answer: (socket: Socket, request: string) => void,
): Promise<{readonly port: number; readonly sockets: ReadonlySet<Socket>}> {
	const sockets = new Set<Socket>();
	const server = createServer(socket => {
		sockets.add(socket);
		socket.on('error', () => {}).on('close', () => sockets.delete(socket));
		socket.once('data', data => answer(socket, data.toString()));
	}).listen(0, '127.0.0.1');
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	await once(server, 'listening');
	const address = server.address();
	return {port: typeof address === 'object' && address ? address.port : 0, sockets};
}
