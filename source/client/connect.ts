import {type Clock, systemClock} from '../market/clock.ts';
import type {Observe} from './exchange.ts';
import {combine, type Exchange} from './exchange.ts';
import {createHttp} from './http.ts';
import {createPaces} from './pace.ts';
import type {Repeats} from './retry.ts';
import {createV1Client} from './wire/v1/client.ts';
import {createV2Client} from './wire/v2/client.ts';

export type ConnectOptions = {
	/** Address of the v2 interface, which may have a path prefix. One of the two addresses is needed. */
	readonly baseUrl?: string | undefined;
	/** Address of the legacy interface. */
	readonly legacyBaseUrl?: string | undefined;
	/** Limit for a whole request, from its start to the last byte. Default 5000. */
	readonly timeoutMs?: number | undefined;
	/** Initial requests per second, to each host. Default 5. */
	readonly rate?: number | undefined;
	/** Maximum requests per second, however many the exchange allows; also limits `rate`. Default: no limit. */
	readonly maxRate?: number | undefined;
	/** Maximum size of an answer's body, as sent and decompressed. Default: by operation, see body-limits.ts. */
	readonly maxBytes?: number | undefined;
	readonly clock?: Clock | undefined;
	/** In [0, 1), for jitter. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	readonly observe?: Observe | undefined;
	/** Default: no request is repeated. */
	readonly repeats?: Repeats | undefined;
};

/**
 * Creates an exchange over HTTP. No request is made before the first read. Throws a TypeError, with text for the user, if
 * an address is not http(s) or carries credentials, or a rate or timeout is not positive.
 */
export function connect({
	baseUrl,
	legacyBaseUrl,
	timeoutMs = 5000,
	rate = 5,
	maxRate,
	maxBytes,
	clock = systemClock,
	random = Math.random,
	observe,
	repeats,
}: ConnectOptions): Exchange {
	const v2Url = baseUrl === undefined ? undefined : parseBaseUrl('base URL', baseUrl);
	const v1Url = legacyBaseUrl === undefined ? undefined : parseBaseUrl('legacy base URL', legacyBaseUrl);
	if (!v2Url && !v1Url) throw new TypeError('no exchange: give a base URL or a legacy base URL');
	for (const [name, value] of Object.entries({timeout: timeoutMs, rate, 'max rate': maxRate ?? rate})) {
		if (!(value > 0 && value < Infinity)) throw new TypeError(`the ${name} must be a positive number, not ${value}`);
	}

	const hosts = [v2Url, v1Url].filter(url => url !== undefined);
	const paces = createPaces(hosts, {rate, maxRate, clock, random});
	const http = createHttp({timeoutMs, paceOf: paces.of, clock});
	const options = {clock, observe, repeats, maxBytes};
	return combine({
		v2: v2Url && createV2Client(http, v2Url, options),
		legacy: v1Url && createV1Client(http, v1Url, options),
		clock,
		random,
		budget: paces.budget,
		endPauses: paces.endPauses,
		close: () => http.close(),
	});
}

function parseBaseUrl(name: string, text: string): URL {
	const url = URL.parse(text);
	// Checked first, so that no error quotes the credentials.
	if (url?.username || url?.password) throw new TypeError(`the ${name} must not contain credentials`);
	if (!url || !/^https?:$/.test(url.protocol)) {
		throw new TypeError(`the ${name} must begin with http:// or https://`);
	}

	if (url.search || url.hash) throw new TypeError(`the ${name} must end with its path: no ? and no #`);
	return url;
}
