import {type Clock, systemClock} from '../market/clock.ts';
import {combine} from './combine.ts';
import type {ConnectOptions, Exchange} from './exchange.ts';
import {createHttp, paceKey} from './http.ts';
import {withMiddleware} from './middleware.ts';
import {createPaces} from './pace.ts';
import {repeated} from './repeated.ts';
import type {Repeats} from './retry.ts';
import {createV1Client} from './wire/v1/client.ts';
import {createV2Client} from './wire/v2/client.ts';

/** What only the program and the tests set is added. */
export type ClientOptions = ConnectOptions & {
	/** Default: the system clock. */
	readonly clock?: Clock | undefined;
	/** In [0, 1), for jitter. Default `Math.random`. */
	readonly random?: (() => number) | undefined;
	/** Default: no request is repeated. */
	readonly repeats?: Repeats | undefined;
};

/**
 * Creates an exchange over HTTP. No request is made before the first read. Throws a TypeError, with text for the user, if
 * there is no address, an address is not http(s) or carries credentials, or a number is not positive and finite.
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
}: ClientOptions): Exchange {
	const v2Url = baseUrl === undefined ? undefined : parseBaseUrl('base URL', baseUrl);
	const v1Url = legacyBaseUrl === undefined ? undefined : parseBaseUrl('legacy base URL', legacyBaseUrl);
	if (!v2Url && !v1Url) throw new TypeError('no exchange: give a base URL or a legacy base URL');
	const numbers = {timeout: timeoutMs, rate, 'max rate': maxRate ?? rate, 'maximum size': maxBytes ?? 1};
	for (const [name, value] of Object.entries(numbers)) {
		if (!(value > 0 && value < Infinity)) throw new TypeError(`the ${name} must be a positive number, not ${value}`);
	}

	const hosts = [v2Url, v1Url].filter(url => url !== undefined);
	const paces = createPaces(hosts, {rate, maxRate, clock, random});
	const http = createHttp({timeoutMs, paceOf: paces.of, clock});
	const options = {clock, observe, repeats, maxBytes};
	const exchange = combine({
		v2: v2Url && createV2Client(http, v2Url, options),
		legacy: v1Url && createV1Client(http, v1Url, options),
		clock,
		random,
		budget: of => paces.budget(of && paceKey(of)),
		endPauses: paces.endPauses,
		close: () => http.close(),
	});
	return repeats?.ofFailures ? withMiddleware(exchange, repeated({...repeats, clock, random})) : exchange;
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
