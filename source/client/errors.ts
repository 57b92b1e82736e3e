import {fixedDigits} from '../format/number.ts';
import type {Interface, ReadFailure} from '../market/types.ts';
import {type MessageKey, type Words, wordsFor} from './messages.ts';

export const operations = ['info', 'markets', 'summary', 'ticker', 'depth', 'trades', 'candles'] as const;
/** What is read. `summary` stands in for an exchange's missing `ticker`. */
export type Operation = (typeof operations)[number];

/** Which read has failed, and why. */
export type ErrorContext = {
	readonly operation: Operation;
	readonly interface: Interface;
	/** Without credentials. */
	readonly url: string;
	readonly cause?: unknown;
};

export const errorKinds = [
	...(['aborted', 'timeout', 'network', 'http', 'refused', 'schema', 'too-large', 'unavailable'] as const),
	...(['frozen-clock', 'held', 'defect'] as const),
] as const;

/** How a read has failed, one for each class of errors. `frozen-clock`, `held` and `defect` are findings of the monitor, not of a read. */
export type ErrorKind = (typeof errorKinds)[number];

/** Every way a read of the exchange can fail; nothing else is ever thrown by the client. `cause` is the error below it. */
export abstract class ExchangeError extends Error implements ReadFailure {
	abstract readonly kind: ErrorKind;
	/** Written out in each child: the bundle minifies class names. */
	abstract override readonly name: string;
	/** What the user reads. */
	readonly words: Words;
	readonly operation: Operation;
	/** The interface that failed. */
	readonly interface: Interface;
	/** The address that was read, without credentials; empty if there is none. */
	readonly url: string;
	/** HTTP status of the answer, where that or its envelope is the failure. */
	readonly status: number | undefined = undefined;
	/** How long the exchange asks to wait, in ms, from `Retry-After`. */
	readonly retryAfterMs: number | undefined = undefined;
	/** How the other interface failed, which was read too. */
	other: ExchangeError | undefined = undefined;

	/** The message is one line: what failed, then which read of which interface, then where. */
	constructor(what: string, words: Words, context: ErrorContext) {
		const where = context.url ? ` at ${context.url}` : '';
		super(`${what} (${context.interface} ${context.operation}${where})`, {cause: context.cause});
		this.words = words;
		this.operation = context.operation;
		this.interface = context.interface;
		this.url = context.url;
	}

	/** What failed, in a few words for a panel. */
	get brief(): string {
		return this.words.brief;
	}
}

/** The caller's signal, or the closing of the exchange, ended the read. `cause` is the reason of the signal. */
export class AbortedError extends ExchangeError {
	override readonly name = 'AbortedError';
	override readonly kind = 'aborted';

	constructor(context: ErrorContext) {
		super('aborted', wordsFor('aborted'), context);
	}
}

/** The answer, through a `proxy` if there is one, was not complete within `timeoutMs` of the request's start. */
export class TimeoutError extends ExchangeError {
	override readonly name = 'TimeoutError';
	override readonly kind = 'timeout';
	readonly timeoutMs: number;

	constructor(context: ErrorContext & {readonly timeoutMs: number; readonly proxy?: string | undefined}) {
		const {timeoutMs, proxy} = context;
		const words = proxy ? wordsFor('proxy-timeout', proxy) : wordsFor('timeout', String(timeoutMs / 1000));
		const through = proxy ? ` through the proxy ${proxy}` : '';
		super(`no complete answer within ${timeoutMs} ms${through}`, words, context);
		this.timeoutMs = timeoutMs;
	}
}

/** No HTTP answer: name look-up, connection, TLS or proxy failed. */
export class NetworkError extends ExchangeError {
	override readonly name = 'NetworkError';
	override readonly kind = 'network';
	/** Error code of the system or of undici, e.g. `ECONNREFUSED`. */
	readonly code: string | undefined;

	constructor(context: ErrorContext & {readonly words: Words; readonly code?: string | undefined}) {
		const {words, code} = context;
		super(code && isSystemCode(code) ? `${words.brief}, ${code}` : words.brief, words, context);
		this.code = code;
	}
}

/** Whether users know an error code: not those of undici and its parser. */
const isSystemCode = (code: string): boolean => !/^(UND|HPE)_|^ERR_ASSERTION$/.test(code);

/** The status of the answer is not 2xx. Includes redirects, which are never followed. */
export class HttpStatusError extends ExchangeError {
	override readonly name = 'HttpStatusError';
	override readonly kind = 'http';
	override readonly status: number;
	override readonly retryAfterMs: number | undefined;
	/** The first 200 characters, without control characters. */
	readonly body: string;

	constructor(
		context: ErrorContext & {
			readonly status: number;
			readonly retryAfterMs?: number | undefined;
			readonly body: string;
			/** The message of the body's envelope, or the body itself. */
			readonly message: string;
			/** The words for a redirect and other statuses that the answer explains. */
			readonly words?: Words | undefined;
		},
	) {
		const {status, operation} = context;
		const words = context.words ?? wordsFor(statusKey(status), String(status), operation);
		super(`HTTP ${status}: ${context.words ? words.text : context.message || words.brief}`, words, context);
		this.status = status;
		this.retryAfterMs = context.retryAfterMs;
		this.body = context.body;
	}
}

/** The exchange answered 2xx with an envelope that declares a failure. */
export class RefusedError extends ExchangeError {
	override readonly name = 'RefusedError';
	override readonly kind = 'refused';
	override readonly status: number;
	/** The first 200 characters, without control characters. */
	readonly body: string;

	constructor(context: ErrorContext & {readonly status: number; readonly body: string; readonly message: string}) {
		super(`refused by the exchange: ${context.message}`, wordsFor('refused', '', context.operation), context);
		this.status = context.status;
		this.body = context.body;
	}
}

/** The answer does not match the specification. */
export class SchemaError extends ExchangeError {
	override readonly name = 'SchemaError';
	override readonly kind = 'schema';
	/** Path of the bad field, e.g. `data.asks`; empty for the answer as a whole. */
	readonly path: string;
	readonly problem: string;
	/** The start of the answer in one line, where it says more than the problem. */
	readonly quoted: string | undefined;

	constructor(
		context: ErrorContext & {readonly path: string; readonly problem: string; readonly quoted?: string | undefined},
	) {
		const {path, problem, quoted} = context;
		const what = `unreadable answer: ${path || 'the answer'} ${problem}`;
		super(quoted === undefined ? what : `${what}: ${quoted}`, wordsFor('unreadable'), context);
		this.path = path;
		this.problem = problem;
		this.quoted = quoted;
	}
}

/** The answer is longer than `maxBytes`, as sent or decompressed, or has more than `maxValues` values. */
export class TooLargeError extends ExchangeError {
	override readonly name = 'TooLargeError';
	override readonly kind = 'too-large';
	readonly maxBytes: number;

	constructor(context: ErrorContext & {readonly maxBytes: number; readonly maxValues?: number}) {
		const {maxBytes, maxValues} = context;
		const size =
			maxValues === undefined
				? `larger than ${fixedDigits(maxBytes / 1_000_000, 1)} MB`
				: `of more than ${maxValues} values`;
		super(`answer ${size}`, wordsFor('too-large'), context);
		this.maxBytes = maxBytes;
	}
}

/** No request was made: the interface is not configured, or does not offer the operation. */
export class UnavailableError extends ExchangeError {
	override readonly name = 'UnavailableError';
	override readonly kind = 'unavailable';

	constructor(context: ErrorContext & {readonly brief: string; readonly remedy: string}) {
		const {brief, remedy} = context;
		super(`${brief}; ${remedy}`, {...wordsFor('unavailable', brief), own: brief, advice: remedy}, context);
	}
}

/** The exchange answers, but its clock is frozen or falls behind: its data may be old. */
export class FrozenClockError extends ExchangeError {
	override readonly name = 'FrozenClockError';
	override readonly kind = 'frozen-clock';

	constructor(context: ErrorContext) {
		super('exchange clock frozen', wordsFor('frozen-clock'), context);
	}
}

/** Nothing has failed: the rate limit holds the request back. */
export class HeldError extends ExchangeError {
	override readonly name = 'HeldError';
	override readonly kind = 'held';
	override readonly retryAfterMs: number | undefined;

	/** `waitMs`: how long, where the request was given up because of it. */
	constructor(
		context: ErrorContext & {readonly waitMs?: number | undefined; readonly retryAfterMs?: number | undefined},
	) {
		const {waitMs, retryAfterMs} = context;
		const lastsMs = retryAfterMs ?? waitMs;
		const what = lastsMs === undefined ? 'rate-limited' : `rate-limited for ${Math.ceil(lastsMs / 1000)} s`;
		super(what, wordsFor('held'), context);
		this.retryAfterMs = retryAfterMs;
	}
}

/** Tapewatch itself failed at an answer: `cause` says how. */
export class DefectError extends ExchangeError {
	override readonly name = 'DefectError';
	override readonly kind = 'defect';

	constructor(context: ErrorContext & {readonly cause: unknown}) {
		const text = String(context.cause);
		super(`defect of Tapewatch: ${text}`, wordsFor('defect', text), context);
	}
}

const ownWords: Readonly<Record<number, MessageKey>> = {
	407: 'proxy-password',
	408: 'request-timeout',
	431: 'request-too-large',
	451: 'legal-reasons',
};

function statusKey(status: number): MessageKey {
	if (status === 429) return 'rate-limit';
	if (status === 404) return 'not-found';
	if (status === 401 || status === 403) return 'denied';
	const own = ownWords[status];
	if (own) return own;
	if (status >= 500) return 'server-error';
	return status >= 400 ? 'bad-request' : 'unexpected-status';
}
