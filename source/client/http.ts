import type {Clock} from '../market/clock.ts';
import {AbortedError, type ErrorContext, ExchangeError, HttpStatusError, SchemaError, TimeoutError} from './errors.ts';
import {failure} from './failure.ts';
import {parseJson} from './json.ts';
import type {Pace, Priority} from './pace.ts';
import {cleanSaid, quote} from './quote.ts';
import {retryAfterMs} from './retry-after.ts';
import {createTransport, type RawAnswer} from './transport.ts';

type HttpRequest = {
	/** The URL is the request's. */
	readonly context: ErrorContext;
	/** Sends `Content-Type: application/json`, which the specification asks for on some GETs. */
	readonly jsonContentType: boolean;
	readonly priority: Priority;
	readonly signal?: AbortSignal | undefined;
};

type JsonAnswer = {
	readonly json: unknown;
	readonly text: string;
	readonly status: number;
	/** Epoch ms by our clock. */
	readonly receivedAt: number;
};

export type Http = {
	/**
	 * One GET as soon as the budget allows; the deadline counts from then. Rejects with every kind of ExchangeError
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
	readonly pace: Pace;
	readonly clock: Clock;
};

export function createHttp({timeoutMs, maxBytes, userAgent, pace, clock}: HttpOptions): Http {
	const transport = createTransport({timeoutMs, maxBytes});
	const closing = new AbortController();

	async function get({context, jsonContentType, priority, signal}: HttpRequest): Promise<JsonAnswer> {
		const controller = new AbortController();
		const abort = () => controller.abort();
		const enders = signal ? [signal, closing.signal] : [closing.signal];
		for (const ender of enders) ender.addEventListener('abort', abort, {once: true});
		if (enders.some(ender => ender.aborted)) abort();
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
			const answer = await transport.get(new URL(context.url), {headers, signal: controller.signal});
			controller.signal.throwIfAborted();
			if (answer.status < 200 || answer.status > 299) {
				const error = statusError(context, answer, clock.now());
				if (answer.status === 429) pace.refused(startedAt, error.retryAfterMs);
				throw error;
			}

			return {json: parse(context, answer.text), text: answer.text, status: answer.status, receivedAt: clock.now()};
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

function statusError(context: ErrorContext, {status, headers, text}: RawAnswer, now: number): HttpStatusError {
	return new HttpStatusError({
		...context,
		status,
		retryAfterMs: retryAfterMs({retryAfter: oneLine(headers['retry-after']), date: oneLine(headers.date)}, now),
		...quote(text),
		redirectHost: status < 400 ? hostOf(oneLine(headers.location), context.url) : undefined,
	});
}

const oneLine = (header: string | string[] | undefined): string | undefined =>
	Array.isArray(header) ? header[0] : header;

const hostOf = (location: string | undefined, base: string): string | undefined =>
	location === undefined ? undefined : URL.parse(location, base)?.host;
