import {once} from 'node:events';
import type {IncomingMessage, Server} from 'node:http';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';
import {type Clock, systemClock} from '../market/clock.ts';
import type {Interface} from '../market/types.ts';
import {controlFaults, FaultBoard, injectFaults} from './faults/board.ts';
import type {FaultRule} from './faults/rule.ts';
import {type OperationName, operationAt} from './operations.ts';
import {Simulation} from './simulation.ts';
import * as v1 from './v1.ts';
import * as v2 from './v2.ts';
import {
	type DemoAnswer,
	type DemoRequest,
	failure,
	type Handler,
	interfaceOf,
	type Question,
	Refusal,
	success,
} from './wire.ts';

export type DemoOptions = {
	/** Port to listen on; 0, the default, takes a free one. */
	readonly port?: number | undefined;
	/** Random seed. Default 1. */
	readonly seed?: number | undefined;
	/** Default: the system clock. The same seed and the same times give the same answers, byte for byte. */
	readonly clock?: Clock | undefined;
	/** Include bids in the v2 book. Default false, as exchange-api.md shows none. */
	readonly v2Bids?: boolean | undefined;
	/** Requests per second before 429. Default: no limit. */
	readonly rateLimit?: number | undefined;
	/** Faults active from the start. Default: none. */
	readonly faults?: readonly FaultRule[] | undefined;
};

export type Demo = Awaited<ReturnType<typeof startDemo>>;

/** An import of this module would also load Node's HTTP client: a tenth of what the demo takes to start. */
const {createServer} = process.getBuiltinModule('node:http');

/** Longer than clients keep an idle connection, so that no request is sent on a connection that is being closed. */
const keepAliveMs = 65_000;
/** Smaller bodies are not worth compressing. */
const gzipBytes = 1400;
/** Over which the rate limit counts requests. */
const rateWindowMs = 1000;
const mostRequestBytes = 64 * 1024;

const compress = promisify(gzip);

/** Serves the embedded exchange on loopback. Throws `PortInUseError`. */
export async function startDemo(options: DemoOptions = {}) {
	const {seed = 1, clock = systemClock, v2Bids = false, rateLimit, faults = []} = options;
	const simulation = new Simulation(seed, clock);
	const now = () => simulation.now();
	const board = new FaultBoard(seed, clock);
	const held = new Set<symbol>();
	let open = 0;

	const routes = createRoutes({simulation, v2Bids});
	const limited = rateLimit === undefined ? routes : limitRate(routes, rateLimit, now);
	const faulty = injectFaults(limited, board, now);
	const handler = controlFaults(faulty, {board, held: () => held.size, now});

	const server = createServer(async (message, response) => {
		const request = toRequest(message);
		open++;
		response.on('close', () => open--);
		const {delivery, status, headers, body} = await compressed(await answerTo(request, handler, now), message);
		// The Date header would show the system's time, not the injected clock's.
		response.sendDate = false;
		const send = () => void response.writeHead(status, headers).end(body);
		const hold = () => {
			const token = Symbol('held');
			const release = () => void held.delete(token);
			if (!response.destroyed) held.add(token);
			response.on('close', release);
			return release;
		};
		const closePort = (until: Promise<void>) => port.leave(until);
		if (delivery) delivery({response, clock, status, headers, body, send, hold, closePort});
		else send();
	});
	server.keepAliveTimeout = keepAliveMs;
	const port = await Port.open(server, options.port ?? 0);
	for (const rule of faults) board.add(rule);
	return {
		/** Base address of both interfaces, e.g. `http://127.0.0.1:49152`. */
		url: port.url,
		port: port.number,
		faults: board,
		/** Number of requests that a fault keeps waiting now. */
		held: () => held.size,
		/** Number of requests being answered now, without those that are held. */
		answering: () => open - held.size,
		/** Stops the server and ends all connections. */
		async close(): Promise<void> {
			board.clear();
			await port.close();
		},
	};
}

type RoutesOptions = {
	readonly simulation: Simulation;
	/** Include bids in the v2 book, which exchange-api.md does not show. */
	readonly v2Bids: boolean;
};

/** Answers the ten operations of exchange-api.md. */
function createRoutes({simulation, v2Bids}: RoutesOptions): Handler {
	const operations: Readonly<Record<OperationName, (query: URLSearchParams) => Question>> = {
		'v2.info': v2.info,
		'v2.markets': v2.markets,
		'v2.summary': v2.summary,
		'v2.ticker': v2.ticker,
		'v2.depth': query => v2.depth(query, simulation, v2Bids),
		'v2.trades': query => v2.trades(query, simulation),
		'v2.candles': query => v2.candles(query, simulation),
		'legacy.ticker': v1.ticker,
		'legacy.depth': query => v1.depth(query, simulation),
		'legacy.trades': query => v1.trades(query, simulation),
	};
	return async ({method, path, query}) => {
		const shape: Interface = interfaceOf(path);
		try {
			const operation = operationAt(path);
			if (!operation) throw new Refusal(404, 'no such operation');
			if (method !== 'GET') throw new Refusal(405, 'use GET', {allow: 'GET'});
			const question = operations[operation](query);
			return await simulation.read(question.listings, (markets, now) =>
				success(shape, question.data(markets, now), now),
			);
		} catch (error) {
			if (error instanceof Refusal) return failure(shape, error, simulation.now());
			throw error;
		}
	};
}

/**
 * Passes at most `perSecond` requests in any second, and refuses the others with 429 and Retry-After in whole seconds.
 * @param now epoch ms
 */
function limitRate(handler: Handler, perSecond: number, now: () => number): Handler {
	const allowed: number[] = [];
	return async request => {
		const time = now();
		while (allowed[0] !== undefined && allowed[0] <= time - rateWindowMs) allowed.shift();
		if (allowed.length < perSecond) {
			allowed.push(time);
			return handler(request);
		}
		const waitMs = (allowed[0] ?? time) + rateWindowMs - time;
		const refusal = new Refusal(429, `more than ${perSecond} requests per second`, {
			'retry-after': String(Math.ceil(waitMs / 1000)),
		});
		return failure(interfaceOf(request.path), refusal, time);
	};
}

function toRequest(message: IncomingMessage): DemoRequest {
	const target = message.url ?? '/';
	const [path = '/'] = target.split('?', 1);
	return {
		method: message.method ?? '',
		path,
		query: new URLSearchParams(target.slice(path.length)),
		// Node takes the first of several names.
		headers: {...message.headers, host: message.headersDistinct.host?.join(', ')},
		text: () => textOf(message),
	};
}

async function textOf(message: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of message) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > mostRequestBytes) throw new Refusal(413, `more than ${mostRequestBytes} bytes`);
	}

	return Buffer.concat(chunks).toString();
}

function answerTo(request: DemoRequest, handler: Handler, now: () => number): Promise<DemoAnswer> {
	return handler(request).catch((error: unknown) =>
		failure(interfaceOf(request.path), new Refusal(500, `the demo exchange failed: ${error}`), now()),
	);
}

/** Compresses large answers for clients that accept it. */
async function compressed(answer: DemoAnswer, {headers: accepted}: IncomingMessage) {
	const {body} = answer;
	const worthIt = typeof body === 'string' && body.length > gzipBytes;
	const zipped =
		worthIt && /\bgzip\b/.test(accepted['accept-encoding'] ?? '') ? await compress(body, {level: 1}) : undefined;
	const headers = {
		'content-type': 'application/json; charset=utf-8',
		...(zipped && {'content-encoding': 'gzip'}),
		'content-length': Buffer.byteLength(zipped ?? body),
		vary: 'accept-encoding',
		...answer.headers,
	};
	return {...answer, headers, body: zipped ?? body};
}

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
class Port {
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
