import {request} from 'node:http';
import {gunzipSync} from 'node:zlib';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type Demo, type DemoOptions, PortInUseError, startDemo} from '../../source/demo/server.ts';
import {paths} from '../helpers/exchange-server.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';

const now = Date.UTC(2026, 10, 20, 10, 29, 56, 320);
const demos: Demo[] = [];
afterAll(async () => {
	await Promise.all(demos.splice(0).map(demo => demo.close()));
});

async function start(options: DemoOptions = {}) {
	const clock = createFakeClock(now);
	const demo = await startDemo({clock, ...options});
	demos.push(demo);
	const send = (path: string, init?: RequestInit) => fetch(demo.url + path, init);
	return {
		clock,
		demo,
		send,
		text: async (path: string) => (await send(path)).text(),
		/** The `data` of a successful answer. */
		async data(path: string) {
			const response = await send(path);
			expect([path, response.status]).toEqual([path, 200]);
			return JSON.parse(await response.text()).data;
		},
	};
}

/** Started once for all tests that only read, at `now`. */
let plain: Awaited<ReturnType<typeof start>>;
let withBids: Awaited<ReturnType<typeof start>>;
beforeAll(async () => {
	plain = await start();
	withBids = await start({v2Bids: true});
});

const isoTimestamp = /^2026-11-20T10:29:56\.32\d*\+00:00$/;

describe('v2', () => {
	test('info has all eight capability flags, true, false and without value', async () => {
		const {send} = plain;
		const response = await send(paths.info);
		expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
		expect(await response.json()).toEqual({
			data: {
				name: 'Tapewatch Demo Exchange',
				description: 'Simulated markets: invented prices, orders and trades, for trying things out',
				location: 'This computer',
				logo: 'https://demo.invalid/logo.png',
				website: 'https://demo.invalid',
				twitter: 'https://demo.invalid/twitter',
				version: '2.0',
				capability: {
					markets: true,
					trades: true,
					tradesByTimestamp: false,
					tradesSocket: null,
					orders: true,
					ordersSocket: null,
					ordersSnapshot: false,
					candles: true,
				},
			},
			success: true,
			message: 'OK',
			timestamp: now,
		});
	});

	test('markets are listed with id, assets, state and type', async () => {
		const {data} = plain;
		const markets = await data(paths.markets);
		expect(markets.length).toBe(48);
		expect(markets[0]).toEqual({
			id: 101,
			marketName: 'BTCUSDT',
			base: 'BTC',
			quote: 'USDT',
			state: 'active',
			marketType: 'Spot',
		});
		expect(markets.map(({state}: {state: string}) => state).filter((state: string) => state !== 'active')).toEqual([
			'halted',
		]);
	});

	test('ticker, trades, candles and book agree, and the summary is the ticker', async () => {
		const {data} = withBids;
		const tickers = await data(paths.ticker);
		expect(await data(paths.summary)).toEqual({markets: tickers});
		for (const ticker of tickers) {
			const of = `?symbol=${ticker.symbol}`;
			const [trade] = await data(`${paths.trades}${of}&limit=1`);
			const [minute] = await data(`${paths.candles}${of}&period=1&limit=1`);
			const {asks, bids} = await data(paths.depth + of);
			expect(ticker).toEqual({
				symbol: ticker.symbol,
				priceChange: expect.closeTo(ticker.lastPrice - ticker.openPrice, 9),
				priceChangePercent: expect.closeTo((ticker.lastPrice / ticker.openPrice - 1) * 100, 3),
				lastPrice: trade.price,
				bidPrice: bids[0]?.[0] ?? 0,
				bidQuantity: bids[0]?.[1] ?? 0,
				askPrice: asks[0][0],
				askQuantity: asks[0][1],
				openPrice: expect.any(Number),
				highPrice: expect.any(Number),
				lowPrice: expect.any(Number),
				volume: expect.any(Number),
				state: ticker.symbol === 'MIRUSDT' ? 'halted' : 'active',
				type: 'spot',
			});
			expect(minute.close).toBe(ticker.lastPrice);
			expect(ticker.lowPrice <= trade.price && trade.price <= ticker.highPrice).toBe(true);
		}
	});

	test('numbers have no rounding errors, and the smallest prices are in exponent notation', async () => {
		const {text} = plain;
		const bodies = await Promise.all([
			text(paths.ticker),
			text(paths.legacyTicker),
			text(`${paths.candles}?symbol=LUNCBTC&period=60`),
			text(`${paths.legacyDepth}?symbol=SHIBUSDT`),
			text(`${paths.trades}?symbol=BTCUSDT`),
		]);
		for (const number of bodies.join().match(/-?\d+(\.\d+)?(e-?\d+)?/g) ?? []) {
			expect(number.replace(/e.*/, '').replace(/\D/g, '').length).toBeLessThan(17);
		}
		expect(bodies[0]).toMatch(/"symbol":"LUNCBTC",[^}]*"lastPrice":1\.\d+e-9/);
	});

	test('the book has asks, best first, and bids only on request', async () => {
		const {asks, ...rest} = await plain.data(`${paths.depth}?symbol=ethusdt`);
		expect(rest).toEqual({});
		expect(asks).toEqual(asks.toSorted((one: number[], other: number[]) => (one[0] ?? 0) - (other[0] ?? 0)));
		const both = await withBids.data(`${paths.depth}?symbol=ethusdt`);
		expect(both.bids).toEqual(both.bids.toSorted((one: number[], other: number[]) => (other[0] ?? 0) - (one[0] ?? 0)));
		expect(both.asks).toEqual(asks);
		expect(both.bids[0][0]).toBeLessThan(both.asks[0][0]);
	});

	test('trades come newest first for a symbol in either spelling or a market id', async () => {
		const {data} = plain;
		const trades = await data(`${paths.trades}?symbol=BTCUSDT&limit=50`);
		expect(trades.length).toBe(50);
		expect(Object.keys(trades[0])).toEqual(['id', 'quantity', 'price', 'time', 'side']);
		expect(trades).toEqual(trades.toSorted((one: {id: number}, other: {id: number}) => other.id - one.id));
		expect(new Set(trades.map(({side}: {side: string}) => side))).toEqual(new Set(['buy', 'sell']));
		expect(await data(`${paths.trades}?symbol=btc_usdt&limit=50`)).toEqual(trades);
		expect(await data(`${paths.trades}?marketId=101&limit=50`)).toEqual(trades);
		expect(await data(`${paths.trades}?marketId=101&symbol=BTCUSDT&limit=50`)).toEqual(trades);
	});

	test('lists candles newest first, 500 by default, one period apart, within the requested range', async () => {
		const {data} = plain;
		const candles = await data(`${paths.candles}?symbol=BTCUSDT&period=60`);
		const newest = Date.UTC(2026, 10, 20, 10) / 1000;
		expect(candles.map(({id}: {id: number}) => id)).toEqual(Array.from({length: 500}, (_, age) => newest - age * 3600));
		expect(Object.keys(candles[0])).toEqual(['id', 'open', 'close', 'low', 'high', 'volume']);
		const [from, to] = [(newest - 5 * 3600) * 1000, (newest - 2 * 3600) * 1000];
		const range = `${paths.candles}?symbol=BTCUSDT&period=60&startTime=${from}&endTime=${to}`;
		expect(await data(range)).toEqual(candles.slice(2, 6));
		expect(await data(`${range}&limit=2`)).toEqual(candles.slice(2, 4));
		expect(await data(`${paths.candles}?symbol=BTCUSDT&period=60&startTime=${now + 1}`)).toEqual([]);
		expect((await data(`${paths.candles}?symbol=BTCUSDT&period=10080&limit=1000`)).length).toBe(1000);
	});
});

describe('legacy', () => {
	test('the ticker is keyed by symbol and has no id', async () => {
		const {text, data} = plain;
		const {data: tickers, ...envelope} = JSON.parse(await text(paths.legacyTicker));
		expect(envelope).toEqual({
			message: 'OK',
			status: 200,
			timestamp: expect.stringMatching(isoTimestamp),
			isSuccess: true,
		});
		for (const entry of await data(paths.ticker)) {
			const {quoteVolume, ...ticker} = tickers[entry.symbol];
			expect(ticker).toEqual({
				percentChange: entry.priceChangePercent,
				high24hr: entry.highPrice,
				higestBid: entry.bidPrice,
				last: entry.lastPrice,
				id: null,
				isFrozen: entry.state === 'active' ? 0 : 1,
				low24hr: entry.lowPrice,
				lowestAsk: entry.askPrice,
			});
			expect(quoteVolume).toBeGreaterThanOrEqual(entry.lowPrice * entry.volume * 0.999_999);
			expect(quoteVolume).toBeLessThanOrEqual(entry.highPrice * entry.volume * 1.000_001);
		}
		expect(tickers.OMNIUSDT.higestBid).toBe(0);
	});

	test('the book has both sides, best first', async () => {
		const {data} = withBids;
		expect(await data(`${paths.legacyDepth}?symbol=ETH_USDT`)).toEqual(await data(`${paths.depth}?symbol=ETHUSDT`));
		const oneSided = await data(`${paths.legacyDepth}?symbol=OMNIUSDT`);
		expect([oneSided.asks.length > 10, oneSided.bids]).toEqual([true, []]);
	});

	test('trades are those of v2, out of order, with ISO times and the id of their order', async () => {
		type Fill = {readonly id: number; readonly time: number; readonly quantity: number; readonly price: number};
		type LegacyFill = Omit<Fill, 'id' | 'time'> & {readonly tradeId: number; readonly createdOn: string};
		const {data} = plain;
		const current: readonly (Fill & {side: string})[] = await data(`${paths.trades}?symbol=BTCUSDT&limit=200`);
		const legacy: readonly LegacyFill[] = await data(`${paths.legacyTrades}?symbol=BTCUSDT&limit=200`);
		const inOrder = (fills: readonly Fill[]) =>
			fills.toSorted((one, other) => other.id - one.id || other.price - one.price || other.quantity - one.quantity);
		const fills = legacy.map(({tradeId, createdOn, ...rest}) => ({id: tradeId, time: Date.parse(createdOn), ...rest}));
		// An order's executions follow each other.
		const orders = current.map(({side, ...fill}) => {
			const of = current.filter(other => other.time === fill.time && other.side === side);
			return {...fill, id: Math.max(...of.map(({id}) => id))};
		});
		expect(inOrder(fills)).toEqual(inOrder(orders));
		expect(new Set(fills.map(({id}) => id)).size).toBeLessThan(200);
		expect(fills).not.toEqual(inOrder(fills));
		for (const {createdOn} of legacy) expect(createdOn).toMatch(/^2026-11-20T10:2\d:\d\d(\.\d{1,7})?\+00:00$/);
		expect(await data(`${paths.legacyTrades}?symbol=BTCUSDT&limit=-200`)).toEqual(legacy);
	});
});

describe('what is refused', () => {
	const cases: readonly (readonly [path: string, status: number, message: string])[] = [
		[paths.depth, 400, 'symbol is required'],
		[`${paths.depth}?symbol=NOPE`, 422, 'no market has this symbol'],
		[paths.trades, 400, 'symbol or marketId is required'],
		[`${paths.trades}?marketId=x`, 400, 'marketId must be a whole number'],
		[`${paths.trades}?marketId=7`, 422, 'no market has this marketId'],
		[`${paths.trades}?marketId=102&symbol=BTCUSDT`, 400, 'symbol and marketId name different markets'],
		[`${paths.trades}?symbol=BTCUSDT&limit=0`, 422, 'limit must be 1 to 1000'],
		[`${paths.candles}?symbol=BTCUSDT`, 400, 'period is required'],
		[`${paths.candles}?symbol=BTCUSDT&period=1h`, 400, 'period must be a whole number'],
		[`${paths.candles}?symbol=BTCUSDT&period=0`, 422, 'period must be 1 to 525600'],
		[`${paths.candles}?symbol=BTCUSDT&period=1&limit=1001`, 422, 'limit must be 1 to 1000'],
		[`${paths.candles}?symbol=BTCUSDT&period=1&startTime=-1`, 422, 'startTime must be 0 or more'],
		[`${paths.candles}?symbol=BTCUSDT&period=1&startTime=5&endTime=4`, 422, 'endTime must not be before startTime'],
		['/engine/v2/public/nothing', 404, 'no such operation'],
		['//', 404, 'no such operation'],
		[paths.legacyDepth, 400, 'symbol is required'],
		[`${paths.legacyDepth}?symbol=BTC-USDT`, 422, 'no market has this symbol'],
		[`${paths.legacyTrades}?symbol=BTCUSDT&limit=many`, 400, 'limit must be a whole number'],
		[`${paths.legacyTrades}?symbol=BTCUSDT&limit=-1001`, 422, 'limit must be -1000 to 1000'],
		[`${paths.legacyTrades}?symbol=BTCUSDT&limit=0`, 422, 'limit must be 1 to 1000'],
		['/api/v1/nothing', 404, 'no such operation'],
	];

	test.each(cases)('%s: %i, in the envelope of its interface', async (path, status, message) => {
		const {send} = plain;
		const response = await send(path);
		expect(response.status).toBe(status);
		expect(await response.json()).toEqual(
			path.includes('/api/v1/')
				? {data: null, message, status, timestamp: expect.stringMatching(isoTimestamp), isSuccess: false}
				: {data: null, success: false, message, timestamp: now},
		);
	});

	test('anything but GET', async () => {
		const {send} = plain;
		const response = await send(paths.info, {method: 'POST', body: '{}'});
		expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
		expect(await response.json()).toMatchObject({success: false, message: 'use GET'});
	});

	test('too many requests in a second, until the second is over', async () => {
		const {send, clock} = await start({rateLimit: 3});
		const statuses = async (count: number) => {
			const answered: number[] = [];
			for (let index = 0; index < count; index++) answered.push((await send(paths.info)).status);
			return answered;
		};
		expect(await statuses(2)).toEqual([200, 200]);
		clock.jump(600);
		expect(await statuses(2)).toEqual([200, 429]);
		const refused = await send(paths.legacyTicker);
		expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
		expect(await refused.json()).toMatchObject({data: null, status: 429, isSuccess: false});
		clock.jump(400);
		expect(await statuses(3)).toEqual([200, 200, 429]);
	});
});

describe('the server', () => {
	test('gives the same bytes for the same seed and clock, whatever the earlier requests', async () => {
		const requests = [
			paths.ticker,
			paths.legacyTicker,
			`${paths.legacyDepth}?symbol=BTCUSDT`,
			`${paths.legacyTrades}?symbol=SHIBUSDT`,
			`${paths.candles}?symbol=ETHBTC&period=7&limit=1000`,
		];
		const [curious, quiet, other] = [await start({seed: 5}), await start({seed: 5}), await start({seed: 6})];
		for (let minute = 0; minute < 4; minute++) {
			await curious.text(requests[minute % requests.length] ?? '');
			curious.clock.jump(60_000);
		}
		for (const {clock} of [quiet, other]) clock.jump(240_000);
		const answers = await Promise.all([curious, quiet, other].map(({text}) => Promise.all(requests.map(text))));
		expect(answers[0]).toEqual(answers[1]);
		for (const [index, body] of answers[2]?.entries() ?? []) expect(body).not.toBe(answers[1]?.[index]);
	});

	test('compresses large answers for clients that accept it', async () => {
		const {demo, text} = plain;
		const {headers, body} = await raw(demo.port, paths.ticker, {'accept-encoding': 'gzip, br'});
		expect(headers['content-encoding']).toBe('gzip');
		expect(gunzipSync(body).toString()).toBe(await text(paths.ticker));
		const unpacked = await raw(demo.port, paths.ticker, {});
		expect(unpacked.headers['content-encoding']).toBeUndefined();
		expect(unpacked.body.toString()).toBe(await text(paths.ticker));
		const small = await raw(demo.port, paths.info, {'accept-encoding': 'gzip'});
		expect(small.headers['content-encoding']).toBeUndefined();
	});

	test('says which port is in use', async () => {
		const {demo} = plain;
		const second = startDemo({port: demo.port});
		await expect(second).rejects.toThrow(PortInUseError);
		await expect(second).rejects.toThrow(`port ${demo.port} of 127.0.0.1 is in use by another program`);
	});

	test('stops with close, which can be repeated', async () => {
		const {demo, send} = await start();
		await send(paths.info);
		await demo.close();
		await demo.close();
		await expect(send(paths.info)).rejects.toThrow();
	});
});

/** As it comes over the wire: fetch would unpack it. */
function raw(port: number, path: string, headers: Record<string, string>) {
	return new Promise<{headers: Record<string, string | string[] | undefined>; body: Buffer}>((resolve, reject) => {
		request({port, host: '127.0.0.1', path, headers}, response => {
			const chunks: Buffer[] = [];
			response.on('data', chunk => chunks.push(chunk));
			response.on('end', () => resolve({headers: response.headers, body: Buffer.concat(chunks)}));
		})
			.on('error', reject)
			.end();
	});
}
