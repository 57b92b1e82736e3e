import {promisify} from 'node:util';
import {gunzip, gunzipSync} from 'node:zlib';

/** To hand so little to another thread costs more than to unpack it here; no bomb of this size holds the program up. */
const smallBytes = 8192;

const gunzipElsewhere = promisify(gunzip);

/** Refuses at once what says at its end that it is larger; what lies there, as soon as it is. */
async function unzip(bytes: Uint8Array, maxOutputLength: number): Promise<Uint8Array> {
	const end = bytes.subarray(-4);
	const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b && end.length === 4;
	const size = isGzip ? new DataView(end.buffer, end.byteOffset).getUint32(0, true) : 0;
	if (size > maxOutputLength) {
		throw Object.assign(new RangeError(`unpacks to ${size} bytes`), {code: 'ERR_BUFFER_TOO_LARGE'});
	}

	return bytes.length <= smallBytes ? gunzipSync(bytes, {maxOutputLength}) : gunzipElsewhere(bytes, {maxOutputLength});
}

/** One answer whose body is still on its way. */
export type RawAnswer = {
	readonly status: number;
	readonly headers: Headers;
	/** The whole body. To be called once. */
	body(): Promise<Body>;
};

/** By their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

type Body = {
	/** Unpacked. */
	readonly text: string;
	/** Bytes as sent. */
	readonly sentBytes: number;
};

export type Transport = {
	/** Loads undici, which takes 44 ms once; `get` does too, but then at the cost of its caller's deadline. */
	load(): Promise<unknown>;
	/** One GET; follows no redirect. Rejects, as the body does, with whatever undici, zlib or the system throw. */
	get(url: URL, options: {readonly headers: Record<string, string>; readonly signal: AbortSignal}): Promise<RawAnswer>;
	/**
	 * Whether this rejection of `get` is the end of a connection that had served before: the exchange may have let it go
	 * just when it was used again, and not have seen the request.
	 */
	wasLetGo(cause: unknown): boolean;
	/** Cuts what is under way. */
	close(): Promise<void>;
};

/**
 * Keep-alive connections, through the proxies that the environment names except to this machine. Bodies are bounded
 * to `maxBytes` both as sent and unpacked.
 */
export function createTransport({timeoutMs, maxBytes}: {timeoutMs: number; maxBytes: number}): Transport {
	/** What ended connections that had served before. */
	const endings = new WeakSet<object>();
	const open = async () => {
		const {buildConnector, EnvHttpProxyAgent} = await import('./undici.ts');
		// The deadline of the whole request is kept by the caller; this one frees the socket.
		const connect = buildConnector({timeout: timeoutMs});
		const noProxy = process.env.no_proxy ?? process.env.NO_PROXY ?? '';
		return new EnvHttpProxyAgent({
			// The embedded exchange and its like are never behind a proxy.
			noProxy: `${noProxy},localhost,127.0.0.1,::1`,
			maxResponseSize: maxBytes,
			connectTimeout: timeoutMs,
			connect(options, callback) {
				connect(options, (...opened) => {
					const [, socket] = opened;
					socket?.on('error', error => {
						if (socket.bytesRead > 0) endings.add(error);
					});
					callback(...opened);
				});
			},
			headersTimeout: 0,
			bodyTimeout: 0,
		});
	};
	const decoder = new TextDecoder();
	let loaded: ReturnType<typeof open> | undefined;
	const load = () => {
		loaded ??= open();
		return loaded;
	};

	return {
		load,
		async get(url, {headers, signal}) {
			const agent = await load();
			const {
				statusCode,
				headers: answered,
				body,
			} = await agent.request({
				origin: url.origin,
				path: url.pathname + url.search,
				method: 'GET',
				headers: {...headers, 'accept-encoding': 'gzip'},
				signal,
			});
			return {
				status: statusCode,
				headers: answered,
				async body() {
					const bytes = await body.bytes();
					const packed = bytes.length > 0 && /^(x-)?gzip$/i.test(String(answered['content-encoding'] ?? ''));
					const text = decoder.decode(packed ? await unzip(bytes, maxBytes) : bytes);
					return {text, sentBytes: bytes.length};
				},
			};
		},
		wasLetGo: cause => typeof cause === 'object' && cause !== null && endings.has(cause),
		async close() {
			const agent = await loaded?.catch(() => undefined);
			await agent?.destroy();
		},
	};
}
