import {describe, expect, test} from 'vitest';
import {connect} from '../../source/client/connect.ts';
import type {Exchange} from '../../source/client/exchange.ts';
import {withMiddleware} from '../../source/client/middleware.ts';
import {repeated} from '../../source/client/repeated.ts';
import type {Repeat} from '../../source/client/retry.ts';
import {
	type ExchangeServer,
	legacy,
	paths,
	type Reply,
	sends,
	startExchangeServer,
	v2,
} from '../helpers/exchange-server.ts';
import {createHurriedClock} from '../helpers/hurried-clock.ts';
import {market} from '../helpers/wire-entries.ts';

const good = v2([market('BTC')]);
const now = Date.UTC(2026, 10, 20);

/** Answers one after another, the last one for ever. */
function inTurn(...replies: readonly Reply[]): Reply {
	let count = 0;
	return (response, request) => replies[Math.min(count++, replies.length - 1)]?.(response, request);
}

const status = (code: number, headers: Readonly<Record<string, string>> = {}): Reply =>
	sends({message: 'broken'}, {status: code, headers});

const cut: Reply = response => response.destroy();

type Case = {
	readonly exchange: Exchange;
	readonly server: ExchangeServer;
	/** In words. */
	readonly waits: string[];
};

/** Waits take no time. */
async function withServer(most: number, use: (set: Case) => Promise<void>, hasLegacy = false): Promise<void> {
	const server = await startExchangeServer();
	const clock = createHurriedClock(now);
	const addresses = {baseUrl: server.url, ...(hasLegacy && {legacyBaseUrl: server.url})};
	const connected = connect({...addresses, timeoutMs: 3_600_000, rate: 1000, clock, random: () => 0});
	const waits: string[] = [];
	const onRepeat = ({number, most, waitMs, failure}: Repeat) => {
		waits.push(`${failure.brief}: ${number} of ${most} after ${waitMs} ms`);
	};
	const exchange = withMiddleware(connected, repeated({most, longestWaitMs: 60_000, onRepeat, clock, random: () => 0}));
	try {
		await use({exchange, server, waits});
	} finally {
		await connected.close();
		await server.close();
	}
}

describe('a read is tried again', () => {
	test('after errors of the server, each time after twice the wait', () =>
		withServer(4, async ({exchange, server, waits}) => {
			server.answer(paths.markets, inTurn(status(500), status(502), status(503), good));
			expect((await exchange.markets()).data).toHaveLength(1);
			expect(server.requests).toHaveLength(4);
			expect(waits).toEqual([
				'server error 500: 1 of 4 after 1000 ms',
				'server error 502: 2 of 4 after 2000 ms',
				'server error 503: 3 of 4 after 4000 ms',
			]);
		}));

	test('after a connection that broke', () =>
		withServer(2, async ({exchange, server, waits}) => {
			server.answer(paths.markets, inTurn(cut, good));
			expect((await exchange.markets()).data).toHaveLength(1);
			expect(waits).toEqual([expect.stringMatching(/: 1 of 2 after 1000 ms$/)]);
		}));

	test('not before Retry-After', () =>
		withServer(1, async ({exchange, server, waits}) => {
			server.answer(paths.markets, inTurn(status(503, {'retry-after': '7'}), good));
			expect((await exchange.markets()).data).toHaveLength(1);
			expect(waits).toEqual(['server error 503: 1 of 1 after 7000 ms']);
		}));

	test('as often as it may be, then fails as the last time', () =>
		withServer(2, async ({exchange, server, waits}) => {
			server.answer(paths.markets, inTurn(status(500), status(500), status(504)));
			await expect(exchange.markets()).rejects.toMatchObject({kind: 'http', status: 504});
			expect([server.requests.length, waits.length]).toEqual([3, 2]);
		}));

	test('for the bids of a book, whose answer is kept if they stay away', () =>
		withServer(
			2,
			async ({exchange, server, waits}) => {
				server.answer(paths.depth, v2({asks: [[2, 1]]}));
				server.answer(paths.legacyDepth, inTurn(status(500), legacy({asks: [[2, 1]], bids: [[1, 1]]})));
				expect((await exchange.depth('BTCUSDT')).data.bids).toEqual([[1, 1]]);
				expect(waits).toEqual(['server error 500: 1 of 2 after 1000 ms']);
				server.answer(paths.legacyDepth, status(500));
				expect((await exchange.depth('ETHUSDT')).data).toMatchObject({asks: [[2, 1]], bidsFailure: {status: 500}});
				expect(waits).toHaveLength(3);
			},
			true,
		));
});

describe('a read fails at once', () => {
	test.each<readonly [string, Reply]>([
		['after 404', status(404)],
		['after 403', status(403)],
		['after 429, which the read itself repeats', status(429)],
		['after an answer that it cannot read', sends('<html>')],
		['where the exchange asks for a longer wait', status(503, {'retry-after': '61'})],
	])('%s', (_, reply) =>
		withServer(3, async ({exchange, server, waits}) => {
			server.answer(paths.markets, reply);
			await expect(exchange.markets()).rejects.toThrow();
			expect([server.requests.length, waits]).toEqual([1, []]);
		}),
	);
});

test('a wait ends when it is aborted', async () => {
	const server = await startExchangeServer();
	server.answer(paths.markets, status(500));
	const connected = connect({baseUrl: server.url, timeoutMs: 60_000, rate: 1000});
	const controller = new AbortController();
	const repeats = repeated({
		...{most: 3, longestWaitMs: 60_000, random: () => 0},
		clock: {now: () => now, after: () => () => {}},
		onRepeat: () => setImmediate(() => controller.abort()),
	});
	const exchange = withMiddleware(connected, repeats);
	await expect(exchange.markets({signal: controller.signal})).rejects.toMatchObject({kind: 'aborted'});
	expect(server.requests).toHaveLength(1);
	await connected.close();
	await server.close();
});
