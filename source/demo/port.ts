import {once} from 'node:events';
import type {Server} from 'node:http';

const host = '127.0.0.1';

/** Another program uses the port. */
export class PortInUseError extends Error {
	readonly port: number;

	constructor(port: number, cause: unknown) {
		super(`port ${port} of ${host} is in use by another program`, {cause});
		this.name = 'PortInUseError';
		this.port = port;
	}
}

/** The loopback port of a server, which can be closed for a while. */
export class Port {
	readonly url: string;
	readonly number: number;
	readonly #server: Server;
	/** Settled while the port is open; while it is closed, settles when it is open again. */
	#open: Promise<void> = Promise.resolve();
	#closed = false;

	private constructor(server: Server, number: number) {
		this.#server = server;
		this.number = number;
		this.url = `http://${host}:${number}`;
	}

	/** Opens a port; `number` 0 takes a free one. Throws `PortInUseError`. */
	static async open(server: Server, number: number): Promise<Port> {
		await listen(server, number);
		const address = server.address();
		return new Port(server, typeof address === 'object' && address ? address.port : number);
	}

	/** Closes all connections and refuses new ones until `ended` settles. */
	leave(ended: Promise<void>): void {
		if (!this.#server.listening || this.#closed) return;
		this.#open = this.#comeBack(shut(this.#server), ended);
		// A failure is reported when the server is closed; until then nothing awaits it.
		this.#open.catch(() => {});
	}

	async #comeBack(left: Promise<void>, ended: Promise<void>): Promise<void> {
		await Promise.all([left, ended]);
		if (!this.#closed) await listen(this.#server, this.number);
	}

	/** Closes the port and all connections. Rejects if the port could not be opened again. */
	async close(): Promise<void> {
		this.#closed = true;
		await this.#open;
		if (this.#server.listening) await shut(this.#server);
	}
}

async function listen(server: Server, number: number): Promise<void> {
	server.listen(number, host);
	try {
		await once(server, 'listening');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') {
			throw new PortInUseError(number, error);
		}

		throw error;
	}
}

function shut(server: Server): Promise<void> {
	const {promise, resolve} = Promise.withResolvers<void>();
	server.close(() => resolve());
	server.closeAllConnections();
	return promise;
}
