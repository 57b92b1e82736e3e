/** Parameters. */
import {expect} from 'vitest';
import type {Exchange} from '../../../source/client/exchange.ts';
import {legacy, paths, type Reply, v2} from '../../helpers/exchange-server.ts';
import {candle, legacyTrade, trade} from '../../helpers/wire-entries.ts';
import {answerAll, hour, only, start} from './answering.ts';
import {statement} from './statement.ts';

statement('live trades: symbol alone selects the market', async ({server, open}) => {
	answerAll(server);
	await open().trades('ETH_USDT');
	expect(server.requests.map(({query}) => query)).toEqual([{symbol: 'ETH_USDT'}]);
});

statement('live trades: marketId, an integer, alone selects the market', async ({server, open}) => {
	answerAll(server);
	await open().trades({id: '7'});
	await open().trades({id: '90071992547409931'});
	expect(server.requests.map(({path, query}) => [path, query])).toEqual([
		[paths.trades, {marketId: '7'}],
		[paths.trades, {marketId: '90071992547409931'}],
	]);
});

const limits: ReadonlyArray<readonly [limit: number | undefined, sent: string | undefined]> = [
	...([
		[undefined, undefined],
		[Number.NaN, undefined],
		[1, '1'],
		[2, '2'],
		[500, '500'],
		[1000, '1000'],
	] as const),
];
const outside: ReadonlyArray<readonly [limit: number, sent: string]> = [
	...([
		[1001, '1000'],
		[0, '1'],
		[-1, '1'],
		[-1000, '1'],
		[1e9, '1000'],
		[2.7, '2'],
	] as const),
];

type LimitedRead = (exchange: Exchange, limit: number | undefined) => Promise<unknown>;

function limitStatement(words: string, read: LimitedRead, cases: typeof limits, entries?: number): void {
	statement(words, async ({server, open}) => {
		answerAll(server);
		const exchange = open();
		for (const [limit] of cases) await read(exchange, limit);
		expect(server.requests.map(({query}) => query.limit)).toEqual(cases.map(([, sent]) => sent));
		if (entries === undefined) return;
		// What the exchange sends of its own accord is taken whole.
		const ids = Array.from({length: entries}, (_, index) => index + 1);
		server.answer(paths.candles, v2(ids.map(id => candle(id * 3600))));
		server.answer(paths.trades, v2(ids.map(id => trade(id))));
		server.answer(paths.legacyTrades, legacy(ids.map(id => legacyTrade(id, '1970-01-01T00:00:01Z'))));
		expect(await read(exchange, undefined)).toMatchObject({data: {length: entries}, dropped: 0});
	});
}

const ofTrades: LimitedRead = (exchange, limit) => exchange.trades('BTCUSDT', {limit});
const ofLegacyTrades: LimitedRead = (exchange, limit) => exchange.trades('BTCUSDT', {...only, limit});
const ofCandles: LimitedRead = (exchange, limit) => exchange.candles('BTCUSDT', {period: 60, limit});

limitStatement('live trades limit: an integer, and can be left out', ofTrades, limits);
limitStatement(
	'default and bounds of the live trades limit are not written down: 1 to 1000 here',
	ofTrades,
	outside,
	1000,
);
limitStatement('candles limit: an integer, and can be left out', ofCandles, limits);
limitStatement('candles limit: 500 by default, all of which are taken', ofCandles, limits, 500);
limitStatement('candles limit: at most 1000, all of which are taken', ofCandles, outside, 1000);
limitStatement('legacy trades limit: an integer, and can be left out', ofLegacyTrades, limits);
limitStatement('legacy trades limit: 500 by default, all of which are taken', ofLegacyTrades, limits, 500);
limitStatement(
	'legacy trades limit: its bounds are written with a minus, which is never sent',
	ofLegacyTrades,
	outside,
	1000,
);

statement('candles period: an integer of minutes, and always sent', async ({server, open}) => {
	answerAll(server);
	const exchange = open();
	for (const period of [1, 15, 60, 1440, 7]) await exchange.candles('BTCUSDT', {period});
	expect(server.requests.map(({query}) => query.period)).toEqual(['1', '15', '60', '1440', '7']);
});

const from = start * 1000;
const range = {period: 60, from, to: from + hour};

/** An exchange that reads its range in one unit: of what it holds, it sends what starts in the range. */
function ofUnit(unit: 'ms' | 's'): Reply {
	const starts = Array.from({length: 48}, (_, index) => start + (index - 24) * 3600);
	const toSeconds = (text: string | undefined, none: number) =>
		text === undefined ? none : Number(text) / (unit === 'ms' ? 1000 : 1);
	return (response, request) => {
		const first = toSeconds(request.query.startTime, -Infinity);
		const last = toSeconds(request.query.endTime, Infinity);
		const sent = starts.filter(time => time >= first && time <= last).toReversed();
		v2(sent.map(id => candle(id)))(response, request);
	};
}

statement('candles startTime: a long integer, and can be left out', async ({server, open}) => {
	const exchange = open();
	server.answer(paths.candles, ofUnit('ms'));
	expect((await exchange.candles('BTCUSDT', {period: 60, from: from + 22 * hour})).data.map(({time}) => time)).toEqual([
		...[from + 22 * hour, from + 23 * hour],
	]);
	expect((await exchange.candles('BTCUSDT', {period: 60})).data).toHaveLength(48);
	expect(server.requests.map(({query}) => [query.startTime, query.endTime])).toEqual([
		[String(from + 22 * hour), undefined],
		[undefined, undefined],
	]);
});

statement('candles endTime: a long integer, and can be left out', async ({server, open}) => {
	server.answer(paths.candles, ofUnit('ms'));
	const {data} = await open().candles('BTCUSDT', {period: 60, to: from - 23 * hour});
	expect(data.map(({time}) => time)).toEqual([from - 24 * hour, from - 23 * hour]);
	expect(server.requests.map(({query}) => [query.startTime, query.endTime])).toEqual([
		[undefined, String(from - 23 * hour)],
	]);
});

statement(
	'the range of candles is in seconds by the text and in milliseconds by the example: either works',
	async given => {
		for (const unit of ['ms', 's'] as const) {
			given.server.answer(paths.candles, ofUnit(unit));
			const exchange = given.open();
			for (let call = 0; call < 2; call++) {
				const {data} = await exchange.candles('BTCUSDT', range);
				expect(
					data.map(({time}) => time),
					unit,
				).toEqual([from, from + hour]);
			}
		}

		const digits = given.server.requests.map(({query}) => [query.startTime?.length, query.endTime?.length]);
		expect(digits).toEqual([...Array(3).fill([13, 13]), ...Array(2).fill([10, 10])]);
	},
);
