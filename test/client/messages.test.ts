import {describe, expect, test} from 'vitest';
import {
	AbortedError,
	DefectError,
	FrozenClockError,
	HeldError,
	HttpStatusError,
	NetworkError,
	RefusedError,
	SchemaError,
	TimeoutError,
	TooLargeError,
	UnavailableError,
} from '../../source/client/errors.ts';
import {failure} from '../../source/client/failure.ts';
import {messages, type Words, wordsFor} from '../../source/client/messages.ts';

const context = {operation: 'depth', interface: 'v2', url: 'http://exchange.example/depth'} as const;
const network = (code: string, said = 'said') =>
	failure({...context, cause: Object.assign(new Error(said), {code})}, 1000);
const named = (name: string, properties: object) =>
	failure({...context, cause: Object.assign(new Error('said'), {name, code: 'UND_ERR_SOCKET'}, properties)}, 1000);
/** Two errors that are the cause of each other. */
const circle = Object.assign(new Error('outer'), {cause: Object.assign(new Error('inner'), {code: 'ECONNREFUSED'})});
Object.assign(circle.cause, {cause: circle});
const status = (code: number, explained?: Words) =>
	new HttpStatusError({...context, status: code, body: '', message: '', words: explained});

const words = (brief: string, advice = '', text = brief, own = brief): Words => ({brief, text, advice, own});
const checkNetwork = 'check the network';
const checkScheme = 'check whether the address begins with http:// or https://';
const checkProxy = 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY';
const trust = 'check the address, or add its authority to NODE_EXTRA_CA_CERTS';
const choose = 'choose another market';

/** Every way to fail, and what the user reads of it. */
const cases = [
	[new AbortedError(context), words('aborted')],
	[
		new TimeoutError({...context, timeoutMs: 2500}),
		words('timed out', 'check the network, or allow more time', 'no answer within 2.5 s'),
	],
	[
		new TimeoutError({...context, timeoutMs: 2500, proxy: 'p:80'}),
		words(
			'timed out through the proxy p:80',
			'check the network and the proxy, or allow more time',
			undefined,
			'timed out through the proxy …',
		),
	],
	[network('ECONNREFUSED'), words('connection refused', 'check the address, or start the exchange')],
	[network('ECONNRESET'), words('connection reset')],
	[network('UND_ERR_SOCKET'), words('connection lost')],
	[network('ETIMEDOUT'), words('connection timed out', 'check the network and the address')],
	[network('ENOTFOUND'), words('unknown host', 'check the address and the network')],
	[network('EHOSTUNREACH'), words('host unreachable', checkNetwork)],
	[network('ENETUNREACH'), words('network unreachable', checkNetwork)],
	[network('CERT_HAS_EXPIRED'), words('certificate expired', "check this computer's clock")],
	[network('ERR_TLS_CERT_ALTNAME_INVALID'), words('certificate of another host', 'check the address')],
	[network('SELF_SIGNED_CERT_IN_CHAIN'), words('certificate not trusted', trust)],
	[network('ERR_SSL_OTHER'), words('TLS failed', checkScheme)],
	[network('ERR_SSL_WRONG_VERSION_NUMBER'), words('no TLS at this address', 'the port may be for http://')],
	[network('UND_ERR_HEADERS_OVERFLOW'), words('headers too large', 'check the address')],
	[network('ERR_INVALID_URL'), words('invalid proxy address', 'correct HTTPS_PROXY or HTTP_PROXY')],
	[network('UND_ERR_PRX_TLS'), words('certificate of another host', 'check the address')],
	[named('HTTPParserError', {data: '\u0015\u0003'}), words('only TLS at this address', 'the port may be for https://')],
	[named('SocketError', {socket: {bytesRead: 0}}), words('closed without an answer', checkScheme)],
	[
		failure({...context, cause: Object.assign(new Error('bad response'), {code: 'UND_ERR_SOCKET'})}, 1000),
		words('answered 100 Continue unasked', 'ask the exchange or a proxy to leave it out'),
	],
	[
		new NetworkError({...context, words: wordsFor('proxy', 'proxy:80: answered 502')}),
		words('proxy proxy:80: answered 502', checkProxy, undefined, 'proxy …'),
	],
	[new NetworkError({...context, words: wordsFor('no-http')}), words('answer is not HTTP', 'check the address')],
	[failure({...context, cause: undefined}, 1000), words('network error', checkNetwork)],
	[failure({...context, cause: circle}, 1000), words('connection refused', 'check the address, or start the exchange')],
	[network('EOTHER'), words('network error: said', checkNetwork, undefined, 'network error: …')],
	[
		status(302, wordsFor('redirect', 'https://other.example')),
		words(
			'redirected to https://other.example',
			'use that address if you trust it',
			'redirected to https://other.example, not followed',
			'redirected to …',
		),
	],
	[status(302, wordsFor('redirect-elsewhere')), words('redirected to a non-HTTP address', 'check the address')],
	[status(429), words('rate-limited (429)', 'lower the request rate if this persists')],
	[status(404), words('not found', 'check the address and the market', 'not found (404)')],
	[status(403), words('access denied', 'check whether the exchange serves your country')],
	[status(407), words('proxy needs a password', 'add user and password to HTTPS_PROXY or HTTP_PROXY')],
	[status(408), words('request came too slowly', checkNetwork)],
	[status(431), words('request headers too large', 'check the address and a proxy on the way')],
	[status(451), words('unavailable for legal reasons', 'check whether the exchange serves your country')],
	[status(503), words('server error 503', '', undefined, 'server error …')],
	[status(422), words('bad request 422', choose, undefined, 'bad request …')],
	[status(304), words('unexpected status 304', 'check the address', undefined, 'unexpected status …')],
	[new RefusedError({...context, status: 200, body: '', message: ''}), words('refused by the exchange', choose)],
	[
		new SchemaError({...context, path: 'data', problem: 'is not a list'}),
		words('unreadable answer', 'check the address'),
	],
	[
		new TooLargeError({...context, maxBytes: 2_000_000}),
		words('answer too large', 'allow larger answers if the exchange is trusted'),
	],
	[
		new UnavailableError({...context, brief: 'not offered', remedy: 'set the base URL'}),
		words('not offered', 'set the base URL'),
	],
	[new HeldError(context), words('rate-limited')],
	[
		new DefectError({...context, cause: new TypeError('no such field')}),
		words(
			'defect of Tapewatch',
			'please report it with the output of tapewatch doctor',
			'defect of Tapewatch: TypeError: no such field',
		),
	],
	[new FrozenClockError(context), words('exchange clock frozen', '', 'exchange clock frozen: data may be old')],
] as const;

describe('the user reads', () => {
	test.for(cases)('of %s', ([error, expected]) => {
		expect(error.words).toEqual(expected);
		expect(error.brief).toBe(expected.brief);
	});
});

test.each([
	['candles', 'check the address and the market', 'choose another market or period'],
	['trades', 'check the address and the market', 'choose another market'],
	['ticker', 'check the address', ''],
	['info', 'check the address', ''],
] as const)('the advice on refused %s fits what was requested', (operation, ifNotFound, otherwise) => {
	const failed = (code: number) => new HttpStatusError({...context, operation, status: code, body: '', message: ''});
	const refused = new RefusedError({...context, operation, status: 200, body: '', message: ''});
	expect([failed(404), failed(400), failed(422), refused].map(({words}) => words.advice)).toEqual([
		...[ifNotFound, otherwise, otherwise, otherwise],
	]);
});

test('the user reads about a wrong clock', () => {
	expect(wordsFor('clock', '2 h ahead')).toEqual(
		words('clock 2 h ahead', "set this computer's clock if it is wrong", 'exchange clock 2 h ahead', 'clock …'),
	);
});

test('every message of the table belongs to a failure', () => {
	const gives = (template: string, brief: string) => {
		const [before = '', after = ''] = template.split('{}');
		return brief.startsWith(before) && brief.endsWith(after);
	};
	const unused = Object.entries(messages)
		// Its words are the exchange's own configuration: it would match everything.
		.filter(([key]) => !['unavailable', 'clock', 'trade-clock', 'clock-and-trade-clock'].includes(key))
		.filter(([, entry]) => !cases.some(([, {brief}]) => gives(entry.brief, brief)));
	expect(unused).toEqual([]);
});

test('messages are short, plain and without final punctuation', () => {
	for (const [error, {brief, text, advice}] of cases) {
		expect(`${brief}${text}${advice}`, error.name).toMatch(/^[ -~]+$/);
		expect(brief.length, brief).toBeLessThanOrEqual(36);
		expect([brief, text, advice].filter(each => /[.!]$|^\s|\s$/.test(each))).toEqual([]);
	}
});

test('of a long text of others at most 200 characters are quoted', () => {
	const long = 'x'.repeat(20_000);
	expect(network('EOTHER', long).brief).toBe(`network error: ${'x'.repeat(200)}`);
});
