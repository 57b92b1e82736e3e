import {describe, expect} from 'vitest';
import type {Repeat} from '../../source/client/retry.ts';
import {paths, type Reply, sends, v2} from '../helpers/exchange-server.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {failureOf, test} from './fixture.ts';

const refuses = (headers: Readonly<Record<string, string>> = {}): Reply => sends('', {status: 429, headers});
const answers = v2([{id: 1, quantity: 1, price: 10, time: 1000, side: 'buy'}]);

/** Replies in this order, the last one for ever. */
function inOrder(...replies: readonly [Reply, ...Reply[]]): Reply {
	let count = 0;
	return (response, request) => (replies[count++] ?? replies.at(-1) ?? answers)(response, request);
}

/** Lets each wait pass as soon as it is reported. */
function waiter(clock: FakeClock) {
	const waits: string[] = [];
	const onRepeat = ({number, most, waitMs, failure}: Repeat) => {
		waits.push(`${number} of ${most} in ${waitMs} ms after ${failure.status}`);
		void clock.advance(waitMs);
	};
	return {waits, onRepeat};
}

const longest = {most: 2, longestWaitMs: 15_000};

describe('a read that is answered 429', () => {
	test.for([
		['as long as Retry-After says', {'retry-after': '3'}, 3000],
		['a second without Retry-After', {}, 1000],
	] as const)('waits %s and asks again', async ([, headers, waitMs], {server, open}) => {
		const clock = createFakeClock();
		const {waits, onRepeat} = waiter(clock);
		server.answer(paths.trades, inOrder(refuses(headers), answers));
		const {data} = await open({clock, repeats: {...longest, onRepeat}}).trades('BTCUSDT', {use: 'v2'});
		expect({count: data.length, waits}).toEqual({count: 1, waits: [`1 of 2 in ${waitMs} ms after 429`]});
	});

	test('fails with the last 429 when its retries are used up', async ({server, open}) => {
		const clock = createFakeClock();
		const {waits, onRepeat} = waiter(clock);
		server.answer(paths.trades, refuses());
		const exchange = open({clock, repeats: {...longest, onRepeat}});
		expect(await failureOf(exchange.trades('BTCUSDT', {use: 'v2'}))).toMatchObject({kind: 'http', status: 429});
		expect(waits).toEqual(['1 of 2 in 1000 ms after 429', '2 of 2 in 2000 ms after 429']);
		expect(server.requests).toHaveLength(3);
	});

	test.for([
		['the first wait', ['60'], 0.999, 'rate-limited for 60 s, longer than the 15 s that a read may wait'],
		[
			'the first wait with its spread',
			['14.5'],
			0.999,
			'rate-limited for 16 s, longer than the 15 s that a read may wait',
		],
		[
			'the sum of its waits',
			['8', '9'],
			0,
			'rate-limited: waited 8 s, and the next wait of 9 s exceeds the 15 s that a read may wait',
		],
	] as const)('fails at once where %s is longer than allowed', async ([, waits, random, text], {server, open}) => {
		const clock = createFakeClock();
		const {onRepeat} = waiter(clock);
		const [first, ...others] = waits.map(wait => refuses({'retry-after': wait}));
		server.answer(paths.trades, inOrder(first ?? answers, ...others));
		const exchange = open({clock, random: () => random, repeats: {...longest, onRepeat}});
		const error = await failureOf(exchange.trades('BTCUSDT', {use: 'v2'}));
		const retryAfterMs = Number(waits.at(-1)) * 1000;
		expect(error).toMatchObject({status: 429, retryAfterMs, interface: 'v2', operation: 'trades'});
		expect(error.message).toContain(`HTTP 429: ${text} (v2 trades at `);
		expect(server.requests).toHaveLength(waits.length);
	});

	test('names no Retry-After that the exchange did not send', async ({server, open}) => {
		server.answer(paths.trades, refuses());
		const repeats = {most: 2, longestWaitMs: 500, onRepeat: () => expect.fail('repeated')};
		const exchange = open({clock: createFakeClock(), repeats});
		const failures = [
			await failureOf(exchange.trades('BTCUSDT', {use: 'v2'})),
			await failureOf(exchange.depth('BTCUSDT', {use: 'legacy'})),
		];
		expect(failures.map(({kind, retryAfterMs}) => ({kind, retryAfterMs}))).toEqual([
			{kind: 'http', retryAfterMs: undefined},
			{kind: 'held', retryAfterMs: undefined},
		]);
	});

	test('does not ask again when it is aborted during the wait', async ({server, open}) => {
		const controller = new AbortController();
		server.answer(paths.trades, refuses({'retry-after': '3'}));
		const repeats = {...longest, onRepeat: () => controller.abort()};
		const read = open({clock: createFakeClock(), repeats}).trades('BTCUSDT', {use: 'v2', signal: controller.signal});
		expect((await failureOf(read)).kind).toBe('aborted');
		expect(server.requests).toHaveLength(1);
	});

	test('fails at once with other failures, and without repeats', async ({server, open}) => {
		server.answer(paths.trades, sends('', {status: 503}));
		server.answer(paths.depth, refuses());
		const repeats = {...longest, onRepeat: () => expect.fail('repeated')};
		expect(await failureOf(open({repeats}).trades('BTCUSDT', {use: 'v2'}))).toMatchObject({status: 503});
		expect(await failureOf(open().depth('BTCUSDT', {use: 'v2'}))).toMatchObject({status: 429});
		expect(server.requests).toHaveLength(2);
	});

	test('fails at once where a 429 of another read requires a longer wait than allowed', async ({server, open}) => {
		server.answer(paths.trades, refuses({'retry-after': '60'}));
		// The wait that is longest with its spread.
		const random = () => 0.999;
		const exchange = open({clock: createFakeClock(), random, repeats: {...longest, onRepeat: () => {}}});
		await failureOf(exchange.trades('BTCUSDT', {use: 'v2'}));
		const error = await failureOf(exchange.depth('BTCUSDT', {use: 'legacy'}));
		expect(error).toMatchObject({kind: 'held', retryAfterMs: 60_000, interface: 'legacy', operation: 'depth'});
		expect(error.message).toBe(`rate-limited for 60 s (legacy depth at ${server.url}${paths.legacyDepth})`);
		expect(server.requests).toHaveLength(1);
	});
});
