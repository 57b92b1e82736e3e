import {once} from 'node:events';
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {type Clock, systemClock} from '../market/clock.ts';
import {failure, interfaceOf, Refusal} from './envelope.ts';
import type {DemoAnswer, Handler} from './handler.ts';
import {limitRate} from './rate-limit.ts';
import {createRoutes} from './routes.ts';
import {Simulation} from './simulation.ts';

export type DemoOptions = {
	/** 0, the default, takes a free one. */
	readonly port?: number | undefined;
	/** Which invented world; default 1. */
	readonly seed?: number | undefined;
	/** Default: the system's. The same seed and the same readings give the same answers, byte by byte. */
	readonly clock?: Clock | undefined;
	/** Bids in the v2 book; default false, as exchange-api.md shows none. */
	readonly v2Bids?: boolean | undefined;
	/** Requests a second before 429; default: no limit. */
	readonly rateLimit?: number | undefined;
};

export type Demo = {
	/** Base address of both interfaces, e.g. `http://127.0.0.1:49152`. */
	readonly url: string;
	readonly port: number;
	/** Also ends the connections that are open. */
	close(): Promise<void>;
};

/** The port asked for is taken by another program. */
export class PortInUseError extends Error {
	readonly port: number;

	constructor(port: number, cause: unknown) {
		super(`port ${port} of ${host} is in use by another program`, {cause});
		this.name = 'PortInUseError';
		this.port = port;
	}
}

const host = '127.0.0.1';
/** Longer than clients keep an idle connection, so that no request meets a connection being closed. */
const keepAliveMs = 65_000;
/** Below this a body is smaller than what gzip would save is worth. */
const gzipBytes = 1400;

const compress = promisify(gzip);

/** Serves the embedded exchange on loopback. Throws `PortInUseError`. */
export async function startDemo(options: DemoOptions = {}): Promise<Demo> {
	const {port = 0, seed = 1, clock = systemClock, v2Bids = false, rateLimit} = options;
	const simulation = new Simulation(seed, clock);
	const now = () => simulation.now();
	const routes = createRoutes({simulation, v2Bids});
	const handler = rateLimit === undefined ? routes : limitRate(routes, rateLimit, now);
	const server = createServer((request, response) => void respond(request, response, handler, now));
	server.keepAliveTimeout = keepAliveMs;
	server.listen(port, host);
	try {
		await once(server, 'listening');
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') throw new PortInUseError(port, error);
		throw error;
	}
	const address = server.address();
	const boundPort = typeof address === 'object' && address ? address.port : port;
	return {
		url: `http://${host}:${boundPort}`,
		port: boundPort,
		close() {
			const closed = new Promise<void>(resolve => server.close(() => resolve()));
			server.closeAllConnections();
			return closed;
		},
	};
}

async function respond(
	request: IncomingMessage,
	response: ServerResponse,
	handler: Handler,
	now: () => number,
): Promise<void> {
	const target = request.url ?? '/';
	const [path = '/'] = target.split('?', 1);
	const query = new URLSearchParams(target.slice(path.length));
	const answer = await handler({method: request.method ?? '', path, query}).catch((error: unknown) =>
		failure(interfaceOf(path), new Refusal(500, `the demo exchange failed: ${error}`), now()),
	);
	await send(answer, /\bgzip\b/.test(request.headers['accept-encoding'] ?? ''), response);
}

async function send(
	{status, headers, body}: DemoAnswer,
	gzipAccepted: boolean,
	response: ServerResponse,
): Promise<void> {
	const zipped = gzipAccepted && body.length > gzipBytes ? await compress(body, {level: 1}) : undefined;
	// The Date header would tell the system's time, not the injected clock's.
	response.sendDate = false;
	response.writeHead(status, {
		'content-type': 'application/json; charset=utf-8',
		...(zipped && {'content-encoding': 'gzip'}),
		'content-length': zipped?.length ?? Buffer.byteLength(body),
		vary: 'accept-encoding',
		...headers,
	});
	response.end(zipped ?? body);
}
