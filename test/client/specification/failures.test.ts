/** What is answered instead of data, and what is not written down. */
import {expect} from 'vitest';
import type {Exchange} from '../../../source/client/exchange.ts';
import {paths, type Reply, sends, v2} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {candle, market, ticker, trade} from '../../helpers/wire-entries.ts';
import {failureOf} from '../fixture.ts';
import {answerAll, book, only, start} from './answering.ts';
import {statement} from './statement.ts';

const failed = (status: number, message: string) => ({
	...{data: null, message, status, timestamp: '2024-08-08T23:54:59+0000', isSuccess: false},
});
const legacyReads: ReadonlyArray<readonly [string, (exchange: Exchange) => Promise<unknown>]> = [
	[paths.legacyTicker, exchange => exchange.tickers(only)],
	[paths.legacyDepth, exchange => exchange.depth('BTCUSDT', only)],
	[paths.legacyTrades, exchange => exchange.trades('BTCUSDT', only)],
];

statement('legacy status 200 is a success', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	for (const [, read] of legacyReads)
		await expect(read(exchange)).resolves.toMatchObject({interface: 'legacy', dropped: 0});
});

for (const [statuses, words, brief] of [
	[[400], 'a bad request', 'bad request 400'],
	[[422], 'a request that cannot be processed', 'bad request 422'],
	[[500, 502, 503, 599], 'an error of the server', 'server error'],
] as const) {
	const name = statuses.length > 1 ? '5xx' : statuses[0];
	statement(`legacy status ${name} is ${words}`, async ({server, open}) => {
		const exchange = open();
		for (const status of statuses) {
			for (const [path, read] of legacyReads) {
				server.answer(path, sends(failed(status, 'why'), {status}));
				const error = await failureOf(read(exchange));
				expect(error).toMatchObject({kind: 'http', status, retryAfterMs: undefined});
				expect(error.brief).toContain(brief);
				expect(error.message).toContain(`HTTP ${status}: why`);
			}
		}
	});
}

statement(
	'legacy status 429 is too many requests: the client slows down, and asks the other interface for nothing',
	async given => {
		const {server, open} = given;
		answerAll(server);
		const clock = createFakeClock();
		for (const [path, read] of legacyReads) {
			server.answer(path, sends(failed(429, 'slow down'), {status: 429, headers: {'retry-after': '7'}}));
			const exchange = open({clock, rate: 8});
			const before = server.requests.length;
			expect(await failureOf(read(exchange))).toMatchObject({kind: 'http', status: 429, retryAfterMs: 7000});
			const {allowed, freeAt = 0} = exchange.budget();
			expect([allowed < 5, freeAt - clock.now()]).toEqual([true, 7000]);
			expect(server.requests).toHaveLength(before + 1);
		}

		// One host counts the requests of both interfaces.
		server.answer(paths.trades, sends(failed(429, 'slow down'), {status: 429}));
		expect(await failureOf(open().trades('BTCUSDT'))).toMatchObject({interface: 'v2', status: 429});
		expect(server.requests).toHaveLength(legacyReads.length + 1);
	},
);

statement('the allowed rate is not written down: 5 requests a second at first', async ({server, open}) => {
	const clock = createFakeClock();
	answerAll(server);
	expect(open({clock, rate: undefined}).budget().allowed).toBe(5);
	const exchange = open({clock, rate: undefined, maxRate: 5});
	const reads = Array.from({length: 8}, () => exchange.info());
	await server.received(5);
	expect(server.requests).toHaveLength(5);
	await clock.advance(1000);
	await Promise.all(reads);
	expect(server.requests).toHaveLength(8);
});

statement('a legacy failure has the envelope, whose message is quoted', async ({server, open}) => {
	const exchange = open();
	for (const [path, read] of legacyReads) {
		const envelope = failed(422, 'no such market');
		server.answer(path, sends(envelope, {status: 422}));
		const error = await failureOf(read(exchange));
		expect(error).toMatchObject({body: JSON.stringify(envelope)});
		expect(error.message).toContain('no such market');
	}
});

statement('the body of a v2 failure is not written down: any is a failure of its status', async ({server, open}) => {
	const bodies = ['', '<html>Bad gateway</html>', '{"code":7}', '[1]', JSON.stringify({data: [], success: true})];
	const exchange = open();
	for (const status of [400, 404, 418, 500, 503]) {
		for (const body of bodies) {
			server.answer(paths.trades, sends(body, {status}));
			const error = await failureOf(exchange.trades('BTCUSDT', {use: 'v2'}));
			expect(error).toMatchObject({kind: 'http', interface: 'v2', operation: 'trades', status});
		}
	}
});

statement('which status an invalid parameter has is not written down: any refusal is one', async ({server, open}) => {
	const exchange = open({legacyBaseUrl: undefined});
	const refusals: ReadonlyArray<readonly [Reply, string]> = [
		...[400, 404, 422, 500].map(status => [sends({success: false, message: 'bad'}, {status}), 'http'] as const),
		[sends({data: null, success: false, message: 'bad'}), 'refused'],
	];
	for (const [reply, kind] of refusals) {
		server.answer(paths.candles, reply);
		const error = await failureOf(exchange.candles('BTCUSDT', {period: 60}));
		expect(error.kind).toBe(kind);
		expect(error.message).toContain('bad');
	}
});

statement('exchange info has the label of its version as text, of any kind', async ({server, open}) => {
	for (const version of ['2.0', 'v2', '2026-01 beta']) {
		server.answer(paths.info, v2({version}));
		expect((await open().info()).data.version).toBe(version);
	}
});

statement(
	'what changes between versions is not written down: fields that are new are ignored',
	async ({server, open}) => {
		const added = {added: {any: ['thing']}};
		server.answer(paths.trades, v2([trade(1, added)]));
		server.answer(paths.markets, v2([market('BTC', added)]));
		server.answer(paths.ticker, v2([ticker(added)]));
		server.answer(paths.candles, v2([candle(start, added)]));
		server.answer(paths.depth, v2({...book, ...added}));
		const exchange = open();
		const all = await Promise.all([
			...[exchange.trades('BTCUSDT'), exchange.markets(), exchange.tickers(), exchange.depth('BTCUSDT')],
			exchange.candles('BTCUSDT', {period: 60}),
		]);
		expect(all.map(({dropped}) => dropped)).toEqual([0, 0, 0, 0, 0]);
		expect(JSON.stringify(all.map(({data}) => data))).not.toContain('added');
	},
);
