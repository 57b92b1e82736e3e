/** behaviour.md "Where the specification is silent": a test for every row that says what is asked, and how often. */
import {describe, expect} from 'vitest';
import {legacy, paths, sends, v2} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {candle} from '../helpers/wire-entries.ts';
import {failureOf, test} from './fixture.ts';

const hour = 3_600_000;

describe('unit of `startTime`/`endTime`', () => {
	const from = 1_723_150_800_000;
	const range = {period: 60, from, to: from + 2 * hour};

	test('uses milliseconds as in the example', async ({server, open}) => {
		server.answer(paths.candles, v2([candle(from / 1000 + 3600), candle(from / 1000)]));
		const exchange = open();
		expect((await exchange.candles('BTCUSDT', {...range, limit: 2})).data.map(({time}) => time)).toEqual([
			from,
			from + hour,
		]);
		expect(server.requests.map(({query}) => query)).toEqual([
			{symbol: 'BTCUSDT', period: '60', limit: '2', startTime: `${from}`, endTime: `${from + 2 * hour}`},
		]);
	});

	test('uses and remembers seconds if the answer is outside the range', async ({server, open}) => {
		const later = candle(from / 1000 + 50 * 3600);
		server.answer(paths.candles, (response, seen) =>
			v2([Number(seen.query.startTime) < 1e11 ? candle(from / 1000 + 3600) : later])(response, seen),
		);
		const exchange = open();
		for (let call = 0; call < 2; call++) {
			expect((await exchange.candles('BTCUSDT', range)).data.map(({time}) => time)).toEqual([from + hour]);
		}

		expect(server.requests.map(({query}) => query.startTime)).toEqual([`${from}`, `${from / 1000}`, `${from / 1000}`]);
	});

	test('an empty answer decides no unit', async ({server, open}) => {
		server.answer(paths.candles, v2([]));
		const exchange = open();
		for (let call = 0; call < 2; call++) expect((await exchange.candles('BTCUSDT', range)).data).toEqual([]);
		server.answer(paths.candles, v2([candle(from / 1000)]));
		await exchange.candles('BTCUSDT', range);
		await exchange.candles('BTCUSDT', range);
		expect(server.requests.map(({query}) => query.startTime?.length)).toEqual([13, 10, 13, 10, 13, 13]);
	});

	test('an exchange that ignores the range gets one second request, and candles outside are dropped', async ({
		server,
		open,
	}) => {
		server.answer(paths.candles, v2([candle(from / 1000), candle(from / 1000 - 50 * 3600)]));
		const exchange = open();
		for (let call = 0; call < 2; call++) {
			expect((await exchange.candles('BTCUSDT', range)).data.map(({time}) => time)).toEqual([from]);
		}

		expect(server.requests.map(({query}) => query.startTime?.length)).toEqual([13, 10, 13]);
	});

	test('keeps the first answer when seconds are refused', async ({server, open}) => {
		server.answer(paths.candles, (response, seen) =>
			(seen.query.startTime?.length === 13 ? v2([]) : sends({}, {status: 400}))(response, seen),
		);
		expect((await open().candles('BTCUSDT', range)).data).toEqual([]);
	});
});

test('default and bounds of v2 trade `limit`: sends 1 to 1000, or nothing', async ({server, open}) => {
	server.answer(paths.trades, v2([]));
	const exchange = open();
	for (const limit of [undefined, 1, 1000, 5000, 0, -5, 2.7, Number.NaN]) await exchange.trades('BTCUSDT', {limit});
	expect(server.requests.map(({query}) => query.limit)).toEqual([
		undefined,
		'1',
		'1000',
		'1000',
		'1',
		'1',
		'2',
		undefined,
	]);
});

test('legacy trade `limit` is never sent negative', async ({server, open}) => {
	server.answer(paths.legacyTrades, legacy([]));
	const exchange = open();
	for (const limit of [undefined, -1, -1000, 1, 1001]) await exchange.trades('BTCUSDT', {limit, use: 'legacy'});
	expect(server.requests.map(({query}) => query.limit)).toEqual([undefined, '1', '1', '1', '1000']);
});

test('candles without v2: unavailable, with why', async ({server, open}) => {
	const error = await failureOf(open({baseUrl: undefined}).candles('BTCUSDT', {period: 60}));
	expect(error).toMatchObject({
		name: 'UnavailableError',
		kind: 'unavailable',
		operation: 'candles',
		interface: 'legacy',
		brief: 'the legacy interface has no candles',
		message: `the legacy interface has no candles; set the base URL (legacy candles at ${server.url}/)`,
	});
	expect(server.requests).toHaveLength(0);
});

describe('the allowed rate', () => {
	test('starts at 5 requests a second (settable)', async ({server, open}) => {
		const clock = createFakeClock();
		server.answer(paths.info, v2({}));
		const exchange = open({clock, rate: undefined, maxRate: 5});
		const reads = Array.from({length: 7}, () => exchange.info());
		await server.received(5);
		expect(exchange.budget()).toEqual({used: 5, allowed: 5, freeAt: clock.now() + 1000});
		await clock.advance(1000);
		await Promise.all(reads);
		expect(exchange.budget().used).toBe(3.5);
		expect(open({clock, rate: 2}).budget().allowed).toBe(2);
	});
});
