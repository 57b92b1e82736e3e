import {quoteLine} from './body.ts';
import {type ErrorContext, type ExchangeError, NetworkError, SchemaError, TooLargeError} from './errors.ts';
import {type MessageKey, type Words, wordsFor} from './messages.ts';

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
	UND_ERR_PRX_TLS: 'proxy',
	UND_ERR_PRX_CONN: 'proxy',
};

/** The ExchangeError for an error (`cause`) thrown by undici, zlib or the system. */
export function failure(context: ErrorContext, maxBytes: number): ExchangeError {
	const {cause} = context;
	const code = codeOf(cause);
	const proxyWords = wordsOfProxy(cause, code, context.url);
	if (proxyWords) return new NetworkError({...context, words: proxyWords, code});
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
		return new TooLargeError({...context, maxBytes});
	}

	if (code?.startsWith('Z_')) return new SchemaError({...context, path: '', problem: 'is not valid gzip'});
	// The code of this error is not always set.
	if (cause instanceof Error && cause.name === 'HTTPParserError')
		return new SchemaError({...context, path: '', problem: 'is not HTTP'});
	return new NetworkError({...context, words: wordsOf(code, cause), code});
}

/** What undici says of a proxy that wants a password. */
const passwordWanted = /\b407\b/;
/** What undici says of an answer that begins with 100 Continue. */
const unaskedContinue = /^bad response$/;

/** If the error came from the proxy of the environment instead of the exchange at `url`; undefined: it did not. */
function wordsOfProxy(cause: unknown, code: string | undefined, url: string): Words | undefined {
	const error = innermost(cause);
	if (!(error instanceof Error)) return undefined;
	if (passwordWanted.test(error.message) && /proxy/i.test(error.message)) return wordsFor('proxy-password');
	const target = new URL(url);
	const proxy = proxyOf(target);
	if (!proxy || code === undefined || !connectCodes.includes(code)) return undefined;
	const {port, hostname} = error as {port?: unknown; hostname?: unknown};
	const isProxy =
		hostname === proxy.hostname ||
		(port !== undefined && String(port) === portOf(proxy) && portOf(proxy) !== portOf(target)) ||
		error.message.includes(`${proxy.hostname}:${portOf(proxy)}`);
	return isProxy ? wordsFor('no-proxy', proxy.host) : undefined;
}

/** Of errors in opening a connection. */
const connectCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'EHOSTUNREACH'];

function proxyOf({protocol}: URL): URL | undefined {
	const {env} = process;
	const text = protocol === 'https:' ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY);
	return (text && URL.parse(text)) || undefined;
}

const portOf = ({port, protocol}: URL): string => port || (protocol === 'https:' ? '443' : '80');

function wordsOf(code: string | undefined, cause: unknown): Words {
	const message = innermost(cause)?.message ?? '';
	const key = unaskedContinue.test(message) ? 'continue' : keys[code ?? ''];
	if (key) return wordsFor(key);
	if (code?.startsWith('ERR_SSL_') || code?.startsWith('ERR_TLS_')) return wordsFor('tls');
	// The message may quote a proxy or a certificate, which are as untrusted as the exchange.
	const detail = cause instanceof Error ? quoteLine(cause.message) : '';
	return detail ? wordsFor('network-detail', detail) : wordsFor('network');
}

/** More are a circle. */
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

const innermost = (error: unknown): Error | undefined =>
	causesOf(error).findLast((cause): cause is Error => cause instanceof Error && !(cause instanceof AggregateError));

/** The first error code from the outside in. */
const codeOf = (error: unknown): string | undefined =>
	causesOf(error)
		.flatMap(cause => ('code' in cause && typeof cause.code === 'string' ? cause.code : []))
		.find(code => code !== 'UND_ERR_ABORTED');
