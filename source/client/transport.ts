import {promisify} from 'node:util';
import {gunzip, gunzipSync} from 'node:zlib';
import {buildConnector, EnvHttpProxyAgent} from 'undici';

/** An answer whose body has not arrived yet. */
export type RawAnswer = {
	readonly status: number;
	readonly headers: Headers;
	/** Reads the whole body, of at most `maxBytes` as sent and decompressed. Can be called once. */
	body(maxBytes: number): Promise<Body>;
};

/** Headers by lower-case name. The values of a repeated header are joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

type Body = {
	/** Decompressed. */
	readonly text: string;
	/** Bytes as sent. */
	readonly sentBytes: number;
};

export type Transport = {
	/** Sends one GET; follows no redirect. Like `body`, rejects with any error of undici, zlib or the system. */
	get(url: URL, options: {readonly headers: Record<string, string>; readonly signal: AbortSignal}): Promise<RawAnswer>;
	/**
	 * Whether `get` rejected because a reused connection ended: the exchange may have closed it just before it was reused,
	 * without seeing the request.
	 */
	isStaleKeepAlive(cause: unknown): boolean;
	/** Destroys all connections. */
	close(): Promise<void>;
};

/** Below this size it is faster to decompress here than on another thread. */
const smallBytes = 8192;

/** Keep-alive connections through the proxies that the environment names, except to this machine. */
export function createTransport({timeoutMs}: {timeoutMs: number}): Transport {
	/** Errors that ended reused connections. */
	const staleErrors = new WeakSet<object>();
	// The caller enforces the deadline of the whole request; this one only frees the socket.
	const connect = buildConnector({timeout: timeoutMs});
	const noProxy = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
	const agent = new EnvHttpProxyAgent({
		// The embedded exchange is never behind a proxy.
		noProxy: `${noProxy},localhost,127.0.0.1,::1`,
		connectTimeout: timeoutMs,
		connect(options, callback) {
			connect(options, (...opened) => {
				const [, socket] = opened;
				socket?.on('error', error => {
					if (socket.bytesRead > 0) staleErrors.add(error);
				});
				callback(...opened);
			});
		},
		headersTimeout: 0,
		bodyTimeout: 0,
	});
	const decoder = new TextDecoder();

	return {
		async get({origin, pathname, search}, {headers, signal}) {
			const answer = await agent.request({
				origin,
				path: pathname + search,
				method: 'GET',
				headers: {...headers, 'accept-encoding': 'gzip'},
				signal,
			});
			const lines = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
			const answerHeaders: Headers = Object.fromEntries(lines);
			return {
				status: answer.statusCode,
				headers: answerHeaders,
				async body(maxBytes) {
					const bytes = await bytesOf(answer.body, maxBytes);
					const compressed = bytes.length > 0 && /^(x-)?gzip$/i.test(answerHeaders['content-encoding'] ?? '');
					const text = decoder.decode(compressed ? await unzip(bytes, maxBytes) : bytes);
					return {text, sentBytes: bytes.length};
				},
			};
		},
		isStaleKeepAlive: cause => typeof cause === 'object' && cause !== null && staleErrors.has(cause),
		close: () => agent.destroy(),
	};
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
