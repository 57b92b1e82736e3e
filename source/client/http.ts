import type {Clock} from '../market/clock.ts';
import {parseJson, quote, quoteLine} from './body.ts';
import {type BodyLimit, deepest, excessOf} from './body-limits.ts';
import {
	AbortedError,
	type ErrorContext,
	ExchangeError,
	HttpStatusError,
	SchemaError,
	TimeoutError,
	TooLargeError,
} from './errors.ts';
import {failure, writeStacks} from './failure.ts';
import {type Words, wordsFor} from './messages.ts';
import type {Pace, Pause, Priority} from './pace.ts';
import {hostOf, proxyOf} from './proxy.ts';
import {mostResends, readRetryAfter} from './retry.ts';
import type {Body, Headers, RawAnswer, Transport} from './transport.ts';

type HttpRequest = {
	/** Its URL is requested. */
	readonly context: ErrorContext;
	/** Sends `Content-Type: application/json`, which the specification requires on some GETs. */
	readonly jsonContentType: boolean;
	/** Asks caches on the way for a new answer. Default: they may answer as they do. */
	readonly fresh?: boolean | undefined;
	readonly limit: BodyLimit;
	readonly priority: Priority;
	/** See `Pace.start`. */
	readonly owners?: (() => readonly object[]) | undefined;
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
	readonly headers: Headers;
	/** Bytes of the body as sent. */
	readonly sentBytes: number;
	/** When the body was complete, epoch ms by our clock. */
	readonly receivedAt: number;
};

export type Http = ReturnType<typeof createHttp>;

/** What may have a rate limit of its own: one operation of one interface. */
export const paceKey = (of: Pick<ErrorContext, 'operation' | 'interface'>): string => `${of.interface} ${of.operation}`;

type HttpOptions = {
	readonly timeoutMs: number;
	/** The budget for requests to this address. */
	readonly paceOf: (url: URL) => Pace;
	readonly clock: Clock;
};

/** How long an answer with an error status waits for its body, and how large that may be. */
export const errorBodyMs = 1000;
export const errorBodyBytes = 64 * 1024;

/** Failed answers in a row after which connections are opened anew. */
const failuresToRenew = 2;

/** A shorter text is read within a few milliseconds. */
const quickLength = 64 * 1024;

export function createHttp(options: HttpOptions) {
	const {timeoutMs, paceOf, clock} = options;
	const closing = new AbortController();
	let transport: Promise<Transport> | undefined;
	const turns = createTurns();
	/** By host: answers in a row that failed. */
	const failures = new Map<string, number>();

	/** The name of a host whose answers fail may have moved to another address, while the old server keeps its connections. */
	function countAnswer(host: string, isGood: boolean): void {
		const inRow = isGood ? 0 : (failures.get(host) ?? 0) + 1;
		failures.set(host, inRow % failuresToRenew);
		if (inRow === failuresToRenew) void transport?.then(opened => opened.renew());
	}

	/** Loads undici, which takes 44 ms, in parallel with the first frame and before any deadline starts. */
	function loadTransport(): Promise<Transport> {
		transport ??= import('./transport.ts').then(({createTransport}) => createTransport({timeoutMs, clock}));
		return transport;
	}

	async function get(request: HttpRequest): Promise<JsonAnswer> {
		const {context, limit} = request;
		const url = new URL(context.url);
		const pace = paceOf(url);
		const deadline = createDeadline(clock);
		const caller = AbortSignal.any(request.signal ? [request.signal, closing.signal] : [closing.signal]);
		const signal = AbortSignal.any([caller, deadline.signal]);
		try {
			const answer = await send(request, deadline, signal);
			if (answer.status < 200 || answer.status > 299) {
				// The body only explains the status, and may never end.
				deadline.set(errorBodyMs);
				const {text} = await answer.body(errorBodyBytes).catch(() => ({text: ''}));
				caller.throwIfAborted();
				throw statusError(context, answer, text, clock.now());
			}

			const body = await answer.body(limit.bytes);
			const receivedAt = clock.now();
			const {text, sentBytes} = body;
			if (text.length > quickLength) await turns.next();
			signal.throwIfAborted();
			const json = parse(context, body, limit);
			pace.ended(true);
			countAnswer(url.host, true);
			return {json, text, status: answer.status, headers: answer.headers, sentBytes, receivedAt};
		} catch (cause) {
			writeStacks(cause);
			if (!caller.aborted) {
				pace.ended(false);
				countAnswer(url.host, cause instanceof HttpStatusError && cause.status < 500);
			}

			if (cause instanceof ExchangeError) throw cause;
			if (caller.aborted) throw new AbortedError({...context, cause});
			if (deadline.signal.aborted) throw new TimeoutError({...context, timeoutMs, proxy: hostOf(proxyOf(url)), cause});
			throw failure({...context, cause}, limit.bytes);
		} finally {
			deadline.cancel();
		}
	}

	/** Sends the request when the pace allows, and reports its start, the head of the answer and whether it was refused. */
	async function send(request: HttpRequest, deadline: Deadline, signal: AbortSignal): Promise<RawAnswer> {
		const url = new URL(request.context.url);
		const pace = paceOf(url);
		/** The start of the last attempt, which is the one that is answered. */
		let startedAt = 0;
		const {priority, owners} = request;
		const operation = paceKey(request.context);
		const waitForTurn = async () => {
			startedAt = await pace.start({operation, priority, owners, signal});
		};
		const transport = await loadTransport();
		await waitForTurn();
		deadline.set(timeoutMs);
		request.onStart?.();
		const answer = await getAgainIfStale(transport, url, {headers: headersOf(request), signal}, waitForTurn);
		const {status, headers} = answer;
		request.onHead?.({status, headers});
		// Before the body, which may never arrive.
		if (status === 429) pace.refused(operation, startedAt, readRetryAfter(headers, clock.now()));
		else pace.accepted(operation, startedAt);

		return answer;
	}

	return {
		/**
		 * Sends one GET as soon as the budget allows, and starts its deadline then. Sends it again, at most twice, if a stale
		 * keep-alive connection ends it. Rejects with any ExchangeError except RefusedError and UnavailableError.
		 */
		get,
		/** The pause after the last 429, as it holds this request. */
		pause: (context: ErrorContext): Pause => paceOf(new URL(context.url)).pause(paceKey(context)),
		/** Aborts all requests, then closes the connections. */
		async close(): Promise<void> {
			closing.abort();
			const opened = await transport?.catch(() => undefined);
			await opened?.close();
		},
	};
}

/** Turns of the event loop, one for each who asks: reading several long answers in one would hold up keys. */
function createTurns(): {next(): Promise<void>} {
	let last = Promise.resolve();
	return {
		next() {
			last = last.then(() => new Promise<void>(resolve => setImmediate(resolve)));
			return last;
		},
	};
}

type Deadline = ReturnType<typeof createDeadline>;

function createDeadline(clock: Clock) {
	const controller = new AbortController();
	const cancels: (() => void)[] = [];
	return {
		/** Aborted when the first of the times that were set has passed. */
		signal: controller.signal,
		set(ms: number): void {
			cancels.push(clock.after(ms, () => controller.abort()));
		},
		/** Cancels all times. */
		cancel(): void {
			for (const cancel of cancels) cancel();
		},
	};
}

/** Sends a request again, with a turn of its own, that a stale keep-alive connection ended: the exchange has not seen it. */
async function getAgainIfStale(
	{get, isStaleKeepAlive}: Transport,
	url: URL,
	options: Parameters<Transport['get']>[1],
	waitForTurn: () => Promise<void>,
): Promise<RawAnswer> {
	for (let resends = 0; ; resends++) {
		try {
			return await get(url, options);
		} catch (cause) {
			if (resends === mostResends || !isStaleKeepAlive(cause)) throw cause;
			await waitForTurn();
		}
	}
}

const headersOf = ({jsonContentType, fresh}: HttpRequest): Record<string, string> => ({
	...{accept: 'application/json', 'user-agent': 'tapewatch'},
	...(jsonContentType && {'content-type': 'application/json'}),
	...(fresh && {'cache-control': 'no-cache'}),
});

function parse(context: ErrorContext, {text, unknownEncoding}: Body, limit: BodyLimit): unknown {
	const unreadable = (fault: {readonly problem: string; readonly quoted?: string}, cause?: unknown) =>
		new SchemaError({...context, path: '', ...fault, cause});
	if (unknownEncoding !== undefined) {
		throw unreadable({problem: 'is in an encoding that was not requested', quoted: quoteLine(unknownEncoding)});
	}

	const excess = excessOf(text, limit.values);
	if (excess === 'values') throw new TooLargeError({...context, maxBytes: limit.bytes, maxValues: limit.values});
	if (excess === 'levels') throw unreadable({problem: `is nested deeper than ${deepest} levels`});
	try {
		return parseJson(text);
	} catch (error) {
		// Another one, as that of JSON.parse keeps the text.
		const cause = new SyntaxError(error instanceof Error ? error.message : '');
		throw unreadable(text ? {problem: 'is invalid JSON', quoted: quoteLine(text)} : {problem: 'is empty'}, cause);
	}
}

function statusError(context: ErrorContext, {status, headers}: RawAnswer, text: string, now: number): HttpStatusError {
	const requested = new URL(context.url);
	const {location} = headers;
	const isRedirect = status < 400 && location !== undefined;
	const isPlainHttp = status === 400 && requested.protocol === 'http:' && httpsWanted.test(text);
	const explained = isPlainHttp ? wordsFor('tls-port') : undefined;
	const words = isRedirect ? redirectWords(location, requested) : explained;
	const retryAfterMs = readRetryAfter(headers, now);
	return new HttpStatusError({...context, status, retryAfterMs, ...quote(text, envelopeOf(text)), words});
}

/** What nginx, Apache and Go answer to HTTP at a port for HTTPS. */
const httpsWanted = /plain HTTP (request was sent )?to (HTTPS port|an SSL)|HTTP request to an HTTPS server/i;

/** A longer address is named without its path where space is short. */
const longestBriefAddress = 48;

/** What differs from the requested address where space is short. Never the query, which may hold a token. */
function redirectWords(location: string, requested: URL): Words {
	const url = URL.parse(location, requested.href);
	if (!url || !/^https?:$/.test(url.protocol)) return wordsFor('redirect-elsewhere');
	const {origin, pathname} = url;
	const address = origin + pathname;
	const isShort = pathname !== requested.pathname && address.length <= longestBriefAddress;
	const differing = origin === requested.origin ? pathname : isShort ? address : origin;
	const {text} = wordsFor('redirect', quoteLine(address));
	return {...wordsFor('redirect', quoteLine(differing)), text};
}

function envelopeOf(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
