import {promisify} from 'node:util';
import {gunzip, gunzipSync} from 'node:zlib';
import {Agent, buildConnector, type Dispatcher, errors, Pool, ProxyAgent} from 'undici';
import type {Clock} from '../market/clock.ts';
import {proxyOf, TunnelError} from './proxy.ts';

/** An answer whose body has not arrived yet. */
export type RawAnswer = {
	readonly status: number;
	readonly headers: Headers;
	/** Reads the whole body, of at most `maxBytes` as sent and decompressed. Can be called once. */
	body(maxBytes: number): Promise<Body>;
};

/** Headers by lower-case name. The values of a repeated header are joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

export type Body = {
	/** Decompressed; empty if the encoding is unknown. */
	readonly text: string;
	/** An encoding that was not asked for. */
	readonly unknownEncoding?: string;
	/** Bytes as sent. */
	readonly sentBytes: number;
};

export type Transport = ReturnType<typeof createTransport>;

/** Below this size it is faster to decompress here than on another thread. */
const smallBytes = 8192;

/** A connection that is older is not used again: the name of its host may have another address by now. */
const longestConnectionMs = 60_000;
/** Share of the deadline that one of several addresses of a host has to accept a connection. */
const addressShare = 0.2;

/** Codes of errors that end a connection, other than because of what was received. */
const endCodes = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'];

/** Keep-alive connections through the proxies that the environment names, except to this machine. */
export function createTransport({timeoutMs, clock}: {timeoutMs: number; clock: Clock}) {
	/** Errors that ended reused connections. */
	const staleErrors = new WeakSet<object>();
	// The caller enforces the deadline of the whole request; this one only frees the socket.
	const addresses = {
		autoSelectFamily: true,
		autoSelectFamilyAttemptTimeout: Math.max(Math.round(timeoutMs * addressShare), 1),
	};
	const connect = buildConnector({timeout: timeoutMs, ...addresses});
	const lifetimes = {headersTimeout: 0, bodyTimeout: 0, clientTtl: longestConnectionMs};
	const options = {connectTimeout: timeoutMs, ...lifetimes};
	const openDirect = () =>
		new Agent({
			...options,
			connect(options, callback) {
				connect(options, (...opened) => {
					const [, socket] = opened;
					socket?.on('error', (error: NodeJS.ErrnoException) => {
						if (socket.bytesRead > 0 && endCodes.includes(error.code ?? '')) staleErrors.add(error);
					});
					callback(...opened);
				});
			},
		});
	let direct = openDirect();
	const agents = new Set<Dispatcher>([direct]);
	/** By address. */
	const proxies = new Map<string, ProxyAgent>();
	const decoder = new TextDecoder();

	function agentFor(url: URL): Dispatcher {
		const uri = proxyOf(url);
		if (uri === undefined) return direct;
		const agent =
			proxies.get(uri) ??
			new ProxyAgent({
				...options,
				uri,
				clientFactory: (origin, options) =>
					new TunnelPool(origin, options, callback => clock.after(timeoutMs, callback)),
			});
		proxies.set(uri, agent);
		agents.add(agent);
		return agent;
	}

	return {
		/**
		 * Sends one GET; follows no redirect. Rejects as soon as the signal is aborted. Like `body`, rejects with any error of
		 * undici, zlib or the system, or with a TunnelError.
		 */
		async get(
			url: URL,
			{headers, signal}: {readonly headers: Record<string, string>; readonly signal: AbortSignal},
		): Promise<RawAnswer> {
			const request = agentFor(url).request({
				origin: url.origin,
				path: url.pathname + url.search,
				method: 'GET',
				headers: {...headers, 'accept-encoding': 'gzip'},
				signal,
			});
			const answer = await orAborted(request, signal);
			const lines = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
			const answerHeaders: Headers = Object.fromEntries(lines);
			return {
				status: answer.statusCode,
				headers: answerHeaders,
				async body(maxBytes) {
					const bytes = await bytesOf(answer.body, maxBytes);
					const encoding = bytes.length > 0 ? (answerHeaders['content-encoding'] ?? '') : '';
					const isZipped = /^(x-)?gzip$/i.test(encoding);
					if (!isZipped && !/^(identity)?$/i.test(encoding))
						return {text: '', unknownEncoding: encoding, sentBytes: bytes.length};
					const text = decoder.decode(isZipped ? await unzip(bytes, maxBytes) : bytes);
					return {text, sentBytes: bytes.length};
				},
			};
		},
		/**
		 * Whether `get` rejected because a reused connection ended: the exchange may have closed it just before it was reused,
		 * without seeing the request.
		 */
		isStaleKeepAlive: (cause: unknown): boolean =>
			typeof cause === 'object' && cause !== null && staleErrors.has(cause),
		/** Opens new connections for the requests from now on: the names of hosts are looked up anew. */
		renew(): void {
			for (const agent of agents) void agent.close().finally(() => agents.delete(agent));
			proxies.clear();
			direct = openDirect();
			agents.add(direct);
		},
		/** Destroys all connections. */
		async close(): Promise<void> {
			await Promise.all([...agents].map(agent => agent.destroy()));
		},
	};
}

/** The connections to a proxy, with a deadline for its answer to CONNECT: undici sets none. */
class TunnelPool extends Pool {
	/** Calls back at the deadline of a tunnel whose opening begins now; returns how to cancel that. */
	readonly #atDeadline: (callback: () => void) => () => void;

	constructor(origin: URL, options: Pool.Options, atDeadline: (callback: () => void) => () => void) {
		super(origin, options);
		this.#atDeadline = atDeadline;
	}

	override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
		const deadline = new AbortController();
		const cancel = this.#atDeadline(() => deadline.abort(new errors.ConnectTimeoutError()));
		try {
			const tunnel = await super.connect({...options, signal: deadline.signal});
			if (tunnel.statusCode === 200) return tunnel;
			tunnel.socket.destroy();
			throw new TunnelError({status: tunnel.statusCode});
		} catch (cause) {
			throw cause instanceof TunnelError ? cause : new TunnelError({cause});
		} finally {
			cancel();
		}
	}
}

/** Settles as `promise` does, and rejects when the signal is aborted: undici checks that only once it has a connection. */
async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	const {promise: aborted, reject} = Promise.withResolvers<never>();
	const abort = () => reject(signal.reason);
	signal.addEventListener('abort', abort);
	if (signal.aborted) abort();
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

const gunzipElsewhere = promisify(gunzip);

/** Rejects as soon as more than `most` have arrived; that destroys the stream. */
async function bytesOf(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > most) throw Object.assign(new RangeError('too many bytes'), {code: 'ERR_BUFFER_TOO_LARGE'});
		chunks.push(chunk);
	}

	return Buffer.concat(chunks, length);
}

/** Refuses a larger body as soon as its output is too large. */
async function unzip(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
	return bytes.length <= smallBytes ? gunzipSync(bytes, {maxOutputLength}) : gunzipElsewhere(bytes, {maxOutputLength});
}
