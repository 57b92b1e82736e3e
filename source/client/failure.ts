import {quoteLine} from './body.ts';
import {type ErrorContext, type ExchangeError, NetworkError, SchemaError, TooLargeError} from './errors.ts';
import {type MessageKey, type Words, wordsFor} from './messages.ts';
import {hostOf, proxyOf, TunnelError} from './proxy.ts';

const keys: Readonly<Record<string, MessageKey>> = {
	ECONNREFUSED: 'connection-refused',
	ECONNRESET: 'connection-reset',
	EPIPE: 'connection-reset',
	UND_ERR_SOCKET: 'connection-lost',
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection-lost',
	ENOTFOUND: 'unknown-host',
	EAI_AGAIN: 'unknown-host',
	ETIMEDOUT: 'connection-timeout',
	UND_ERR_CONNECT_TIMEOUT: 'connection-timeout',
	EHOSTUNREACH: 'host-unreachable',
	ENETUNREACH: 'network-unreachable',
	CERT_HAS_EXPIRED: 'certificate-expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'certificate-host',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate-distrusted',
	SELF_SIGNED_CERT_IN_CHAIN: 'certificate-distrusted',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate-distrusted',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate-distrusted',
	EPROTO: 'tls',
	ERR_SSL_WRONG_VERSION_NUMBER: 'no-tls',
	ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no-tls',
	UND_ERR_HEADERS_OVERFLOW: 'headers-too-large',
	// All other addresses have been checked before.
	ERR_INVALID_URL: 'proxy-address',
	UND_ERR_INVALID_ARG: 'proxy-address',
	UND_ERR_PRX_TLS: 'certificate-host',
};

/** The ExchangeError for an error (`cause`) thrown by the transport. */
export function failure(context: ErrorContext, maxBytes: number): ExchangeError {
	const {cause} = context;
	const code = codeOf(cause);
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
		return new TooLargeError({...context, maxBytes});
	}

	if (code?.startsWith('Z_')) return new SchemaError({...context, path: '', problem: 'is not valid gzip'});
	const url = new URL(context.url);
	const words = wordsOf(cause, url);
	const proxyWords = wordsOfProxy(cause, url, words);
	if (!proxyWords && isNoHttp(innermost(cause))) return new SchemaError({...context, path: '', problem: 'is not HTTP'});
	return new NetworkError({...context, words: proxyWords ?? words, code});
}

/** undici's message for a proxy that needs a password. */
const passwordWanted = /\bproxy\b.*\b407\b/i;
/** undici's message for an answer that begins with 100 Continue. */
const unsolicitedContinue = /^bad response$/;
/** Codes of errors in opening a connection; through SOCKS, that is the connection to the proxy. */
const connectCodes =
	/^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKS5.*)$/;

/** The words for a failure of the proxy or of the connection to it, which `words` describe; undefined: it is another failure. */
function wordsOfProxy(cause: unknown, url: URL, words: Words): Words | undefined {
	const proxy = proxyOf(url);
	const code = codeOf(cause) ?? '';
	if (proxy === undefined || keys[code] === 'proxy-address') return undefined;
	const status = cause instanceof TunnelError ? cause.status : undefined;
	if (status === 407) return wordsFor('proxy-password');
	// Only a tunnel has a connection of its own to the exchange.
	const isOfProxy = proxy.startsWith('socks') ? connectCodes.test(code) : url.protocol === 'http:';
	if (!isOfProxy && !(cause instanceof TunnelError)) return undefined;
	const [brief, own] = status === undefined ? [words.brief, words.own] : [`answered ${status}`, `answered ${status}`];
	return {...wordsFor('proxy', `${hostOf(proxy)}: ${brief}`), own: wordsFor('proxy', `…: ${own}`).brief};
}

function wordsOf(cause: unknown, {protocol}: URL): Words {
	const code = codeOf(cause) ?? '';
	const error = innermost(cause);
	const message = error?.message ?? '';
	if (passwordWanted.test(message)) return wordsFor('proxy-password');
	if (unsolicitedContinue.test(message)) return wordsFor('continue');
	if (isTls(error)) return wordsFor('tls-port');
	if (protocol === 'http:' && isClosedUnanswered(error)) return wordsFor('unanswered');
	const key = isNoHttp(error) ? 'no-http' : keys[code];
	if (key) return wordsFor(key);
	if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return wordsFor('tls');
	// The message may quote a proxy or a certificate, which are as untrusted as the exchange.
	const detail = quoteLine(message);
	return detail ? wordsFor('network-detail', detail) : wordsFor('network');
}

/** The first two bytes of a TLS alert. */
const tlsAlert = '\u0015\u0003';

const isTls = (error: Error | undefined): boolean =>
	error !== undefined && 'data' in error && String(error.data).startsWith(tlsAlert);

/** Whether a server closed the connection without a byte of an answer. */
const isClosedUnanswered = (error: (Error & {readonly socket?: {readonly bytesRead?: unknown}}) | undefined): boolean =>
	error?.name === 'SocketError' && error.socket?.bytesRead === 0;

/** The errors of undici's parser, and of an assertion in it, which fails itself where the program is one file. */
const parserErrors = ['HTTPParserError', 'AssertionError', 'SyntaxError'];

const isNoHttp = (error: Error | undefined): boolean =>
	error !== undefined && parserErrors.includes(error.name) && !isTls(error);

/** Maximum length of a chain of causes; a longer one is circular. */
const mostCauses = 10;

/** The error and its causes, from the outside in: undici and Node wrap the errors of the system, and of several addresses. */
export function causesOf(error: unknown): readonly object[] {
	const causes: object[] = [];
	for (let cause = error; typeof cause === 'object' && cause !== null && causes.length < mostCauses; ) {
		causes.push(cause);
		cause = cause instanceof AggregateError ? cause.errors[0] : 'cause' in cause ? cause.cause : undefined;
	}

	return causes;
}

/**
 * Lets go of what an error and its causes hold of their calls, such as a decompressor and megabytes of its output: V8 keeps what was called
 * until a stack is first read, then only its text. Failures of a thousand markets are kept.
 */
export function writeStacks(error: unknown): void {
	for (const cause of causesOf(error)) Reflect.get(cause, 'stack');
}

const innermost = (error: unknown): Error | undefined =>
	causesOf(error).findLast((cause): cause is Error => cause instanceof Error && !(cause instanceof AggregateError));

/** The first error code from the outside in. */
const codeOf = (error: unknown): string | undefined =>
	causesOf(error)
		.flatMap(cause => ('code' in cause && typeof cause.code === 'string' ? cause.code : []))
		.find(code => code !== 'UND_ERR_ABORTED');
