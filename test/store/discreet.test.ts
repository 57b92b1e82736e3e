import {expect, test} from 'vitest';
import {failureText} from '../../source/cli/output.ts';
import {
	type ExchangeError,
	HttpStatusError,
	NetworkError,
	SchemaError,
	TimeoutError,
} from '../../source/client/errors.ts';
import {wordsFor} from '../../source/client/messages.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {discreet as withoutAddresses} from '../../source/store/discreet.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {createFakeExchange} from '../helpers/fake-exchange.ts';
import {aborted, book, refusedPeriod, tooMany, unavailable} from './samples.ts';

function open() {
	const exchange = createFakeExchange(createFakeClock());
	return {exchange, discreet: withMiddleware(exchange, withoutAddresses)};
}

const secret = 'http://10.0.0.7/secret';
const context = {
	operation: 'depth',
	interface: 'v2',
	url: `${secret}/depth?symbol=BTCUSDT`,
	cause: new Error(secret),
} as const;
const redirect = {...wordsFor('redirect', secret), text: `redirected to ${secret}`};

test.each<[string, ExchangeError, string]>([
	[
		'a time limit',
		new TimeoutError({...context, timeoutMs: 5000, proxy: secret}),
		'timed out through the proxy … (v2 depth); try again later',
	],
	[
		'the network',
		new NetworkError({...context, words: wordsFor('proxy', secret), code: 'X'}),
		'proxy … (v2 depth); try again later',
	],
	[
		'a redirect',
		new HttpStatusError({...context, status: 302, body: secret, message: secret, words: redirect}),
		'redirected to … (v2 depth); try again later',
	],
	[
		'a status',
		new HttpStatusError({...context, status: 422, body: secret, message: secret}),
		'bad request 422 (v2 depth); choose another market',
	],
	[
		'what was sent',
		new SchemaError({...context, path: '', problem: 'is invalid JSON', quoted: secret}),
		'unreadable answer (v2 depth); try again later',
	],
	['a rate limit', tooMany(3000), 'rate-limited (429) (v2 depth); wait 3 s'],
	['an interface', unavailable('info'), 'not offered; try again later'],
])('a failure by %s names no address', async (_, error, text) => {
	const {exchange, discreet} = open();
	exchange.script.depth = () => error;
	const failure: ExchangeError = await discreet.depth('BTCUSDT').then(
		() => expect.unreachable(),
		failed => failed,
	);
	expect(failureText(failure)).toBe(text);
	expect([failure.constructor, failure.kind, failure.status]).toEqual([error.constructor, error.kind, error.status]);
	const {words, message, stack, url, cause} = failure;
	expect(JSON.stringify({words, message, stack, url, cause})).not.toMatch(/10\.0|127\.0/);
});

test('both interfaces that failed are named without their addresses, and the same failure stays one', async () => {
	const {exchange, discreet} = open();
	const error = new TimeoutError({...context, timeoutMs: 1});
	error.other = new TimeoutError({...context, interface: 'legacy', timeoutMs: 1});
	exchange.script.depth = () => error;
	const failures = await Promise.all([1, 2].map(() => discreet.depth('BTCUSDT').catch((failure: unknown) => failure)));
	expect(failures.map(failureText)).toEqual(
		Array(2).fill('timed out (v2 depth), and timed out (legacy depth); try again later'),
	);
	expect(failures[0]).toBe(failures[1]);
});

test('answers name no address of an interface that failed, and are else as they are', async () => {
	const {exchange, discreet} = open();
	const read = discreet.depth('BTCUSDT');
	const bidsFailure = new TimeoutError({...context, timeoutMs: 1});
	exchange.last('depth').answer({...book(7), bidsFailure}, {preferredFailure: bidsFailure});
	const {data, preferredFailure} = await read;
	expect([data.bidsFailure, preferredFailure].map(failure => failure?.message)).toEqual(
		Array(2).fill('timed out (v2 depth)'),
	);
	const trades = discreet.trades('BTCUSDT');
	exchange.last('trades').answer([]);
	expect(await trades).toMatchObject({data: [], interface: 'v2'});
});

test('aborts and defects pass', async () => {
	const {exchange, discreet} = open();
	exchange.script.trades = () => aborted('trades');
	await expect(discreet.trades('BTCUSDT')).rejects.toMatchObject({kind: 'aborted'});
	exchange.script.candles = () => refusedPeriod();
	await expect(discreet.candles('BTCUSDT', {period: 7})).rejects.toMatchObject({kind: 'refused', name: 'RefusedError'});
});
