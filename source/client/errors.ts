import {type Interface, interfaceName} from '../market/types.ts';

export type Operation = 'info' | 'markets' | 'summary' | 'ticker' | 'depth' | 'trades' | 'candles';

export type ErrorContext = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Without credentials. */
	readonly url: string;
	readonly cause?: unknown;
};

/** Every way a read of the exchange can fail; nothing else is ever thrown by the client. */
export abstract class ExchangeError extends Error {
	abstract readonly kind:
		| 'aborted'
		| 'timeout'
		| 'network'
		| 'http'
		| 'refused'
		| 'schema'
		| 'too-large'
		| 'unavailable';
	/** A few words for a panel: what failed, as the user would say it. */
	abstract readonly brief: string;
	/** Written out in each child: the bundle's minified class names would not do. */
	abstract override readonly name: string;
	readonly operation: Operation;
	readonly interface: Interface;
	readonly url: string;

	/** The message is one line: what failed, then which read of which interface, then where. */
	constructor(what: string, context: ErrorContext) {
		const where = context.url ? ` at ${context.url}` : '';
		super(`${what} (${interfaceName(context.interface)} ${context.operation}${where})`, {cause: context.cause});
		this.operation = context.operation;
		this.interface = context.interface;
		this.url = context.url;
	}
}

/** The caller's signal, or the closing of the exchange, ended the read. */
export class AbortedError extends ExchangeError {
	override readonly name = 'AbortedError';
	override readonly kind = 'aborted';
	override readonly brief = 'aborted';

	constructor(context: ErrorContext) {
		super('aborted', context);
	}
}

/** The whole answer was not there within `timeoutMs` of the request's start. */
export class TimeoutError extends ExchangeError {
	override readonly name = 'TimeoutError';
	override readonly kind = 'timeout';
	override readonly brief = 'timed out';
	readonly timeoutMs: number;

	constructor(context: ErrorContext & {readonly timeoutMs: number}) {
		super(`no whole answer within ${context.timeoutMs} ms`, context);
		this.timeoutMs = context.timeoutMs;
	}
}

/** No HTTP answer came: name look-up, connection, TLS or proxy. */
export class NetworkError extends ExchangeError {
	override readonly name = 'NetworkError';
	override readonly kind = 'network';
	override readonly brief: string;
	/** Of the system or of undici, e.g. `ECONNREFUSED`. */
	readonly code: string | undefined;

	constructor(context: ErrorContext & {readonly brief: string; readonly code?: string | undefined}) {
		super(context.code ? `${context.brief}, ${context.code}` : context.brief, context);
		this.brief = context.brief;
		this.code = context.code;
	}
}

/** An answer with a status other than 2xx; redirects too, which are never followed. */
export class HttpStatusError extends ExchangeError {
	override readonly name = 'HttpStatusError';
	override readonly kind = 'http';
	override readonly brief: string;
	readonly status: number;
	/** From `Retry-After`, counted from the answer. */
	readonly retryAfterMs: number | undefined;
	/** The first 200 characters, without control characters. */
	readonly body: string;

	constructor(
		context: ErrorContext & {
			readonly status: number;
			readonly retryAfterMs?: number | undefined;
			readonly body: string;
			/** What the message quotes: the body's own words where it has some. */
			readonly said: string;
			/** The host that a redirect points to. */
			readonly redirectHost?: string | undefined;
		},
	) {
		const {status, redirectHost} = context;
		const brief = statusBrief(status, redirectHost);
		super(`HTTP ${status}: ${redirectHost ? `${brief}, not followed` : context.said || brief}`, context);
		this.brief = brief;
		this.status = status;
		this.retryAfterMs = context.retryAfterMs;
		this.body = context.body;
	}
}

/** The exchange answered 2xx and said that the read failed. */
export class RefusedError extends ExchangeError {
	override readonly name = 'RefusedError';
	override readonly kind = 'refused';
	override readonly brief = 'refused by the exchange';
	readonly status: number;
	/** The first 200 characters, without control characters. */
	readonly body: string;

	constructor(context: ErrorContext & {readonly status: number; readonly body: string; readonly said: string}) {
		super(`refused by the exchange: ${context.said}`, context);
		this.status = context.status;
		this.body = context.body;
	}
}

/** The answer cannot be read as what the specification says. */
export class SchemaError extends ExchangeError {
	override readonly name = 'SchemaError';
	override readonly kind = 'schema';
	override readonly brief = 'unreadable answer';
	/** Of the bad field, e.g. `data.asks`; empty for the answer as a whole. */
	readonly path: string;

	constructor(context: ErrorContext & {readonly path: string; readonly problem: string}) {
		super(`unreadable answer: ${context.path || 'the answer'} ${context.problem}`, context);
		this.path = context.path;
	}
}

/** The answer is longer than `maxBytes`, as sent or when unpacked. */
export class TooLargeError extends ExchangeError {
	override readonly name = 'TooLargeError';
	override readonly kind = 'too-large';
	override readonly brief = 'answer too large';
	readonly maxBytes: number;

	constructor(context: ErrorContext & {readonly maxBytes: number}) {
		super(`answer larger than ${context.maxBytes} bytes`, context);
		this.maxBytes = context.maxBytes;
	}
}

/** No request was made: the interface is not configured, or does not offer the operation. */
export class UnavailableError extends ExchangeError {
	override readonly name = 'UnavailableError';
	override readonly kind = 'unavailable';
	override readonly brief: string;

	constructor(context: ErrorContext & {readonly brief: string; readonly remedy: string}) {
		super(`${context.brief}; ${context.remedy}`, context);
		this.brief = context.brief;
	}
}

function statusBrief(status: number, redirectHost: string | undefined): string {
	if (redirectHost) return `redirected to ${redirectHost}`;
	if (status === 429) return 'too many requests';
	if (status === 404) return 'not found';
	if (status === 401 || status === 403) return 'access denied';
	if (status >= 500) return `server error ${status}`;
	if (status >= 400) return `bad request ${status}`;
	return `unexpected status ${status}`;
}
