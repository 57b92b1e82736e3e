import {stripControl} from '../format/control.ts';
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
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
		return new TooLargeError({...context, maxBytes});
	}

	if (code?.startsWith('Z_')) return new SchemaError({...context, path: '', problem: 'is not valid gzip'});
	// The code of this error is not always set.
	if (cause instanceof Error && cause.name === 'HTTPParserError')
		return new SchemaError({...context, path: '', problem: 'is not HTTP'});
	return new NetworkError({...context, words: wordsOf(code, cause), code});
}

function wordsOf(code: string | undefined, cause: unknown): Words {
	const key = code === undefined ? undefined : keys[code];
	if (key) return wordsFor(key);
	if (code?.startsWith('ERR_SSL_') || code?.startsWith('ERR_TLS_')) return wordsFor('tls');
	// The message may quote a proxy or a certificate, which are as untrusted as the exchange.
	const detail = cause instanceof Error ? stripControl(cause.message) : '';
	return detail ? wordsFor('network-detail', detail) : wordsFor('network');
}

/** The first error code from the outside in: undici wraps the system's errors. */
function codeOf(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null) return undefined;
	if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_ABORTED') return error.code;
	return 'cause' in error && error.cause !== error ? codeOf(error.cause) : undefined;
}
