import {stripControl} from '../format/control.ts';
import {type ErrorContext, type ExchangeError, NetworkError, SchemaError, TooLargeError} from './errors.ts';

const briefs: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'connection refused',
	ECONNRESET: 'connection reset',
	EPIPE: 'connection reset',
	UND_ERR_SOCKET: 'connection lost',
	UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'connection lost',
	ENOTFOUND: 'unknown host',
	EAI_AGAIN: 'unknown host',
	ETIMEDOUT: 'connection timed out',
	UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
	EHOSTUNREACH: 'host unreachable',
	ENETUNREACH: 'network unreachable',
	CERT_HAS_EXPIRED: 'certificate expired',
	ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate not trusted',
	SELF_SIGNED_CERT_IN_CHAIN: 'certificate not trusted',
	UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate not trusted',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate not trusted',
	EPROTO: 'TLS failed',
	// The only addresses not checked before are the environment's.
	ERR_INVALID_URL: 'bad proxy address in the environment',
	UND_ERR_INVALID_ARG: 'bad proxy address in the environment',
	UND_ERR_PRX_TLS: 'proxy failed',
	UND_ERR_PRX_CONN: 'proxy failed',
};

/** The error that undici, zlib or the system threw (`cause`), in the words of this house. */
export function failure(context: ErrorContext, maxBytes: number): ExchangeError {
	const {cause} = context;
	const code = codeOf(cause);
	if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' || code === 'ERR_BUFFER_TOO_LARGE') {
		return new TooLargeError({...context, maxBytes});
	}

	if (code?.startsWith('Z_')) return new SchemaError({...context, path: '', problem: 'is not gzip as it says'});
	// Its code is not always set.
	if (cause instanceof Error && cause.name === 'HTTPParserError')
		return new SchemaError({...context, path: '', problem: 'is not HTTP'});
	return new NetworkError({...context, brief: briefOf(code, cause), code});
}

function briefOf(code: string | undefined, cause: unknown): string {
	const known = code === undefined ? undefined : briefs[code];
	if (known) return known;
	if (code?.startsWith('ERR_SSL_') || code?.startsWith('ERR_TLS_')) return 'TLS failed';
	// Can quote a proxy or a certificate, which are no more to be trusted than the exchange.
	return cause instanceof Error && cause.message ? `network error: ${stripControl(cause.message)}` : 'network error';
}

/** The first error code from the outside in: undici wraps what the system said. */
function codeOf(error: unknown): string | undefined {
	if (typeof error !== 'object' || error === null) return undefined;
	if ('code' in error && typeof error.code === 'string' && error.code !== 'UND_ERR_ABORTED') return error.code;
	return 'cause' in error && error.cause !== error ? codeOf(error.cause) : undefined;
}
