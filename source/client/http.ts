import type {Clock} from '../market/clock.ts';
import {hourMs} from '../market/units.ts';
import {parseJson, quote, quoteLine} from './body.ts';
import {AbortedError, type ErrorContext, ExchangeError, HttpStatusError, SchemaError, TimeoutError} from './errors.ts';
import {failure} from './failure.ts';
import type {Pace, Priority} from './pace.ts';
import type {Headers, RawAnswer, Transport} from './transport.ts';

type HttpRequest = {
	/** Its URL is requested. */
	readonly context: ErrorContext;
	/** Sends `Content-Type: application/json`, which the specification requires on some GETs. */
	readonly jsonContentType: boolean;
	readonly priority: Priority;
	readonly signal?: AbortSignal | undefined;
	/** Called when the request is sent. */
	readonly onStart?: (() => void) | undefined;
	/** Called with the head of the answer, whatever its status, before the body arrives. */
	readonly onHead?: ((head: Head) => void) | undefined;
};

export type Head = {readonly status: number; readonly headers: Headers};

export type JsonAnswer = {
	readonly json: unknown;
	readonly text: string;
	readonly status: number;
	/** Bytes of the body as sent. */
	readonly sentBytes: number;
	/** Epoch ms by our clock. */
	readonly receivedAt: number;
};

export type Http = {
	/**
	 * Sends one GET as soon as the budget allows, and starts its deadline then. Sends it again, at most twice, if a stale
	 * keep-alive connection ends it. Rejects with any ExchangeError except RefusedError and UnavailableError.
	 */
	get(request: HttpRequest): Promise<JsonAnswer>;
	/** Aborts all requests, then closes the connections. */
	close(): Promise<void>;
};

type HttpOptions = {
	readonly timeoutMs: number;
	/** Maximum size of a body, as sent and decompressed. Default 16 MiB. */
	readonly maxBytes?: number | undefined;
	/** The budget for requests to this address. */
	readonly paceOf: (url: URL) => Pace;
	readonly clock: Clock;
};

/** How long an error waits for the answer's body; the status alone is enough. */
const errorBodyMs = 1000;
/** More than one connection can be stale. */
const mostResends = 2;

export function createHttp(options: HttpOptions): Http {
	const {timeoutMs, maxBytes = 16 * 1024 * 1024, paceOf, clock} = options;
	const closing = new AbortController();
	let transport: Promise<Transport> | undefined;

	/** Loads undici, which takes 44 ms, in parallel with the first frame and before any deadline starts. */
	function loadTransport(): Promise<Transport> {
		transport ??= import('./transport.ts').then(({createTransport}) => createTransport({timeoutMs, maxBytes}));
		return transport;
	}

	async function get({context, jsonContentType, priority, signal, onStart, onHead}: HttpRequest): Promise<JsonAnswer> {
		const controller = new AbortController();
		const abort = () => controller.abort();
		const callers = signal ? [signal, closing.signal] : [closing.signal];
		for (const caller of callers) caller.addEventListener('abort', abort, {once: true});
		if (callers.some(({aborted}) => aborted)) abort();
		const url = new URL(context.url);
		const pace = paceOf(url);
		const takeTurn = () => pace.start({priority, signal: controller.signal});
		const headers: Record<string, string> = {accept: 'application/json', 'user-agent': 'tapewatch'};
		if (jsonContentType) headers['content-type'] = 'application/json';
		const deadline = {expired: false, cancel() {}};

		async function send({get, isStaleKeepAlive}: Transport): Promise<RawAnswer> {
			for (let resends = 0; ; resends++) {
				try {
					return await get(url, {headers, signal: controller.signal});
				} catch (cause) {
					if (resends === mostResends || !isStaleKeepAlive(cause)) throw cause;
					await takeTurn();
				}
			}
		}

		try {
			const transport = await loadTransport();
			const startedAt = await takeTurn();
			deadline.cancel = clock.after(timeoutMs, () => {
				deadline.expired = true;
				abort();
			});
			onStart?.();
			const answer = await send(transport);
			const {status} = answer;
			onHead?.({status, headers: answer.headers});
			const waitMs = retryAfterMs(answer.headers, clock.now());
			// Before the body, which may never arrive.
			if (status === 429) pace.refused(startedAt, waitMs);
			else pace.accepted(startedAt);
			if (status < 200 || status > 299) {
				const cancel = clock.after(errorBodyMs, abort);
				const {text} = await answer.body().catch(() => ({text: ''}));
				cancel();
				if (callers.some(({aborted}) => aborted)) throw new AbortedError(context);
				throw statusError(context, answer, text, waitMs);
			}

			const {text, sentBytes} = await answer.body();
			controller.signal.throwIfAborted();
			return {json: parse(context, text), text, status, sentBytes, receivedAt: clock.now()};
		} catch (cause) {
			if (cause instanceof ExchangeError) throw cause;
			if (deadline.expired) throw new TimeoutError({...context, timeoutMs, cause});
			if (controller.signal.aborted) throw new AbortedError({...context, cause});
			throw failure({...context, cause}, maxBytes);
		} finally {
			deadline.cancel();
			for (const caller of callers) caller.removeEventListener('abort', abort);
		}
	}

	return {
		get,
		async close() {
			closing.abort();
			const opened = await transport?.catch(() => undefined);
			await opened?.close();
		},
	};
}

function parse(context: ErrorContext, text: string): unknown {
	try {
		return parseJson(text);
	} catch (cause) {
		const problem = text ? `is invalid JSON: ${quoteLine(text)}` : 'is empty';
		throw new SchemaError({...context, path: '', problem, cause});
	}
}

/** If the exchange asks for a longer wait, it is cut to this. */
const longestWaitMs = hourMs;

/**
 * Parses the `Retry-After` header (seconds or an HTTP date) into ms to wait: 0 if the date has passed, at most an hour,
 * undefined if unreadable. A date is relative to the answer's `Date` header, so that a wrong clock here does no harm; without
 * that header, to `now` (epoch ms).
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
	const text = headers['retry-after']?.trim();
	if (!text) return undefined;
	const sentAt = Date.parse(headers.date ?? '');
	let ms = Number.NaN;
	if (/^\d+(\.\d+)?$/.test(text)) ms = Number(text) * 1000;
	else if (text.endsWith('GMT')) ms = Date.parse(text) - (Number.isNaN(sentAt) ? now : sentAt);
	return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), longestWaitMs);
}

function statusError(context: ErrorContext, {status, headers}: RawAnswer, text: string, waitMs?: number) {
	const {location} = headers;
	const redirectHost = status < 400 && location !== undefined ? URL.parse(location, context.url)?.host : undefined;
	return new HttpStatusError({...context, status, retryAfterMs: waitMs, ...quote(text), redirectHost});
}
