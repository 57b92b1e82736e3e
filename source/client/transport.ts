import {promisify} from 'node:util';
import {gunzip, gunzipSync} from 'node:zlib';
import {buildConnector, EnvHttpProxyAgent} from 'undici';

/** One answer whose body has yet to arrive. */
export type RawAnswer = {
	readonly status: number;
	readonly headers: Headers;
	/** The whole body. To be called once. */
	body(): Promise<Body>;
};

/** By their names in lower case; the values of a repeated header are joined by commas. */
export type Headers = Readonly<Record<string, string | undefined>>;

type Body = {
	/** Decompressed. */
	readonly text: string;
	/** Bytes as sent. */
	readonly sentBytes: number;
};

export type Transport = {
	/** One GET; follows no redirect. Rejects, as the body does, with whatever undici, zlib or the system throw. */
	get(url: URL, options: {readonly headers: Record<string, string>; readonly signal: AbortSignal}): Promise<RawAnswer>;
	/**
	 * Whether this rejection of `get` is the end of a connection that had served before: the exchange may have closed it
	 * just when it was used again, without seeing the request.
	 */
	isStaleKeepAlive(cause: unknown): boolean;
	/** Cuts all connections. */
	close(): Promise<void>;
};

/** Below this size another thread costs more than decompressing here. */
const smallBytes = 8192;

/**
 * Keep-alive connections, through the proxies that the environment names except to this machine. Bodies are bounded
 * to `maxBytes`, both as sent and decompressed.
 */
export function createTransport({timeoutMs, maxBytes}: {timeoutMs: number; maxBytes: number}): Transport {
	/** Errors that ended connections which had served before. */
	const staleErrors = new WeakSet<object>();
	// The caller keeps the deadline of the whole request; this one frees the socket.
	const connect = buildConnector({timeout: timeoutMs});
	const noProxy = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
	const agent = new EnvHttpProxyAgent({
		// The embedded exchange is never behind a proxy.
		noProxy: `${noProxy},localhost,127.0.0.1,::1`,
		maxResponseSize: maxBytes,
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
				async body() {
					const bytes = await answer.body.bytes();
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

/** Refuses a body whose last bytes declare a larger size at once, and one that understates it as soon as it is larger. */
async function unzip(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
	const end = bytes.subarray(-4);
	const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && end.length === 4;
	const size = isGzip ? new DataView(end.buffer, end.byteOffset).getUint32(0, true) : 0;
	if (size > maxOutputLength) {
		throw Object.assign(new RangeError(`unpacks to ${size} bytes`), {code: 'ERR_BUFFER_TOO_LARGE'});
	}

	return bytes.length <= smallBytes ? gunzipSync(bytes, {maxOutputLength}) : gunzipElsewhere(bytes, {maxOutputLength});
}
