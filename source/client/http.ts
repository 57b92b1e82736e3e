import type {Clock} from '../market/clock.ts';
import {AbortedError, type ErrorContext, ExchangeError, HttpStatusError, SchemaError, TimeoutError} from './errors.ts';
import {failure} from './failure.ts';
import {parseJson} from './json.ts';
import type {Pace, Priority} from './pace.ts';
import {cleanSaid, quote} from './quote.ts';
import {retryAfterMs} from './retry-after.ts';
import {createTransport, type Headers, type RawAnswer, type Transport} from './transport.ts';

type HttpRequest = {
	/** The URL is the request's. */
	readonly context: ErrorContext;
	/** Sends `Content-Type: application/json`, which the specification asks for on some GETs. */
	readonly jsonContentType: boolean;
	readonly priority: Priority;
	readonly signal?: AbortSignal | undefined;
	/** Told when the budget lets the request go, in epoch ms. */
	readonly onStart?: ((startedAt: number) => void) | undefined;
	/** Told of the head of the answer, whatever its status, before the body is there. */
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
	 * One GET as soon as the budget allows; the deadline counts from then. Up to two more where they meet the
	 * end of a connection that was kept alive. Rejects with every kind of ExchangeError
	 * but RefusedError and UnavailableError.
	 */
	get(request: HttpRequest): Promise<JsonAnswer>;
	/** Aborts what waits and what is under way, then lets the connections go. */
	close(): Promise<void>;
};

type HttpOptions = {
	readonly timeoutMs: number;
	readonly maxBytes: number;
	readonly userAgent: string;
	/** The budget that a request is part of. */
	readonly paceOf: (url: URL) => Pace;
	readonly clock: Clock;
};

/** How long an error is kept for its body: the status says enough. */
const errorBodyMs = 1000;
/** After a request that met the end of a connection that was kept alive: several may end at once. */
const moreTries = 2;

export function createHttp({timeoutMs, maxBytes, userAgent, paceOf, clock}: HttpOptions): Http {
	const transport = createTransport({timeoutMs, maxBytes});
	const closing = new AbortController();
	/** Where trying again did not help, and nothing has been answered since. */
	const inVain = new Set<string>();

	/**
	 * Again, in its turn, where a connection that was kept alive ended instead of answering: another one may be fresh. Not
	 * where that was in vain the last time: then the exchange means it.
	 */
	async function ask(
		url: URL,
		options: Parameters<Transport['get']>[1],
		turn: () => Promise<unknown>,
	): Promise<RawAnswer> {
		const place = url.origin + url.pathname;
		for (let left = inVain.has(place) ? 0 : moreTries; ; left--) {
			try {
				const answer = await transport.get(url, options);
				inVain.delete(place);
				return answer;
			} catch (cause) {
				if (left < moreTries) inVain.add(place);
				if (left === 0 || !transport.wasLetGo(cause)) throw cause;
				await turn();
			}
		}
	}

	async function get({context, jsonContentType, priority, signal, onStart, onHead}: HttpRequest): Promise<JsonAnswer> {
		const controller = new AbortController();
		const abort = () => controller.abort();
		const enders = signal ? [signal, closing.signal] : [closing.signal];
		for (const ender of enders) ender.addEventListener('abort', abort, {once: true});
		if (enders.some(ender => ender.aborted)) abort();
		const url = new URL(context.url);
		const pace = paceOf(url);
		const timer = {expired: false, cancel() {}};
		const headers: Record<string, string> = {accept: 'application/json', 'user-agent': userAgent};
		if (jsonContentType) headers['content-type'] = 'application/json';
		try {
			await transport.load();
			const startedAt = await pace.start({priority, signal: controller.signal});
			timer.cancel = clock.after(timeoutMs, () => {
				timer.expired = true;
				abort();
			});
			onStart?.(startedAt);
			const answer = await ask(url, {headers, signal: controller.signal}, () =>
				pace.start({priority, signal: controller.signal}),
			);
			const {status, headers: answered} = answer;
			onHead?.({status, headers: answered});
			const waitMs = askedWait(answer, clock.now());
			// Before the body, which may never come.
			if (status === 429) pace.refused(startedAt, waitMs);
			else pace.accepted(startedAt);
			if (status < 200 || status > 299) {
				const cancel = clock.after(errorBodyMs, abort);
				const {text} = await answer.body().catch(() => ({text: ''}));
				cancel();
				if (enders.some(ender => ender.aborted)) throw new AbortedError(context);
				throw statusError(context, answer, text, waitMs);
			}

			const {text, sentBytes} = await answer.body();
			controller.signal.throwIfAborted();
			return {json: parse(context, text), text, status, sentBytes, receivedAt: clock.now()};
		} catch (cause) {
			if (cause instanceof ExchangeError) throw cause;
			if (timer.expired) throw new TimeoutError({...context, timeoutMs, cause});
			if (controller.signal.aborted) throw new AbortedError({...context, cause});
			throw failure({...context, cause}, maxBytes);
		} finally {
			timer.cancel();
			for (const ender of enders) ender.removeEventListener('abort', abort);
		}
	}

	return {
		get,
		async close() {
			closing.abort();
			await transport.close();
		},
	};
}

function parse(context: ErrorContext, text: string): unknown {
	try {
		return parseJson(text);
	} catch (cause) {
		const problem = text ? `is not whole JSON: ${cleanSaid(text)}` : 'is empty';
		throw new SchemaError({...context, path: '', problem, cause});
	}
}

function askedWait({headers}: RawAnswer, now: number): number | undefined {
	return retryAfterMs({retryAfter: oneLine(headers['retry-after']), date: oneLine(headers.date)}, now);
}

function statusError(
	context: ErrorContext,
	{status, headers}: RawAnswer,
	text: string,
	waitMs: number | undefined,
): HttpStatusError {
	return new HttpStatusError({
		...context,
		status,
		retryAfterMs: waitMs,
		...quote(text),
		redirectHost: status < 400 ? hostOf(oneLine(headers.location), context.url) : undefined,
	});
}

const oneLine = (header: Headers[string]): string | undefined => (typeof header === 'string' ? header : header?.[0]);

const hostOf = (location: string | undefined, base: string): string | undefined =>
	location === undefined ? undefined : URL.parse(location, base)?.host;
