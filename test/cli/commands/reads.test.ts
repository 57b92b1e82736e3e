import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {inProcess} from '../in-process.ts';
import {raw, startSmallExchange, v2, withoutReceipt} from '../small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

/** Standard output of a read that succeeds and says nothing else. */
async function read(...args: readonly string[]): Promise<string> {
	const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
	const {stdout, stderr, status} = await inProcess([...args, ...addresses]);
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	return withoutReceipt(stdout);
}

describe('the JSON document', () => {
	test('of the exchange has null for flags without a value and for absent fields', async () => {
		expect(await read('info', '--json')).toMatchInlineSnapshot(`
			"{"name":"Small","description":"Three markets","location":null,"logo":null,"website":null,"twitter":null,"version":"2.0","capability":{"markets":true,"trades":true,"tradesByTimestamp":null,"tradesSocket":null,"orders":false,"ordersSocket":null,"ordersSnapshot":null,"candles":true},"interface":"v2","receivedAt":0,"serverTime":1723111200000,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of the markets has ids as strings and counts dropped entries', async () => {
		expect(await read('markets', '--json')).toMatchInlineSnapshot(`
			"{"markets":[{"id":"1","symbol":"BTCUSDT","base":"BTC","quote":"USDT","state":"active","type":"Spot"},{"id":"2","symbol":"ETHUSDT","base":"ETH","quote":"USDT","state":"active","type":"Spot"},{"id":"3","symbol":"PEPEBTC","base":"PEPE","quote":"BTC","state":"halted","type":"Spot"}],"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":1,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of the tickers rounds nothing and has null for unknown numbers', async () => {
		expect(await read('ticker', '--json')).toMatchInlineSnapshot(`
			"{"tickers":[{"symbol":"BTCUSDT","last":61824.01,"change":-13.62,"changePercent":-0.022,"open":61837.63,"high":62745.14,"low":59535,"bid":61824,"bidQuantity":0.94,"ask":61824.01,"askQuantity":6.67,"volume":48201.5,"quoteVolume":null,"state":"active","type":"spot"},{"symbol":"PEPEBTC","last":1.23e-10,"change":null,"changePercent":0,"open":1.23e-10,"high":1.23e-10,"low":1.23e-10,"bid":null,"bidQuantity":0,"ask":null,"askQuantity":null,"volume":1e+21,"quoteVolume":null,"state":"halted","type":"spot"}],"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":1,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of some tickers has them once, in the order of the arguments, in any spelling', async () => {
		for (const words of [
			['pepe/btc', 'BTC_USDT', 'btc-usdt'],
			['pepe/btc,BTC_USDT,btc-usdt'],
			['pepe/btc,', ',btc-usdt'],
		]) {
			const {tickers} = JSON.parse(await read('ticker', ...words, '--json'));
			expect(tickers.map(({symbol}: {symbol: string}) => symbol)).toEqual(['PEPEBTC', 'BTCUSDT']);
		}
	});

	test('of the book has both sides of one snapshot, best first', async () => {
		expect(await read('depth', 'btc-usdt', '--json')).toMatchInlineSnapshot(`
			"{"symbol":"BTCUSDT","asks":[[61824.01,6.67],[61825,0.1]],"bids":[[61824,0.94]],"bidsFailure":null,"interface":"legacy","receivedAt":0,"serverTime":1723111200000,"dropped":0,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of a book whose bids are not shown has null, not an empty list', async () => {
		expect(await read('depth', 'BTCUSDT', '--json', '--interface', 'v2')).toMatchInlineSnapshot(`
			"{"symbol":"BTCUSDT","asks":[[61824.01,6.67],[61825,0.1]],"bids":null,"bidsFailure":null,"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":0,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of the trades is oldest first, with ids beyond 2^53 whole and null for a side that is not understood', async () => {
		expect(await read('trades', 'BTCUSDT', '--json')).toMatchInlineSnapshot(`
			"{"symbol":"BTCUSDT","trades":[{"id":"12345678901234566","time":1723111198000,"price":61824,"quantity":1.25,"side":null,"sideText":"auction"},{"id":"12345678901234567","time":1723111199000,"price":61824.01,"quantity":0.5,"side":"buy","sideText":"buy"}],"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":1,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});

	test('of the candles is oldest first', async () => {
		expect(await read('candles', 'BTCUSDT', '--json')).toMatchInlineSnapshot(`
			"{"symbol":"BTCUSDT","period":60,"candles":[{"time":1723096800000,"open":61900,"high":61950,"low":61750,"close":61900,"volume":90.25,"forming":false,"partial":false,"builtFrom":"exchange"},{"time":1723100400000,"open":61900,"high":61950,"low":61750,"close":61800,"volume":110,"forming":false,"partial":false,"builtFrom":"exchange"},{"time":1723111200000,"open":61800,"high":61900.5,"low":61700,"close":61824.01,"volume":12.5,"forming":true,"partial":false,"builtFrom":"exchange"}],"gaps":[{"from":1723104000000,"to":1723107600000}],"complete":null,"incomplete":null,"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":0,"rounded":0,"exchange":"HOST","demo":false,"schemaVersion":1}
			"
		`);
	});
});

test.each([
	...['info', 'markets', 'ticker', 'depth', 'trades', 'candles'].map(name => [name, 'v2']),
	...['markets', 'ticker', 'depth', 'trades'].map(name => [name, 'legacy']),
])('the document of %s from %s names its exchange and interface, and marks demo data', async (name = '', from = '') => {
	const market = ['depth', 'trades', 'candles'].includes(name) ? ['BTCUSDT'] : [];
	const {stdout, stderr, status} = await inProcess([name, ...market, '--json', '--interface', from]);
	expect({stderr, status}).toEqual({stderr: 'tapewatch: DEMO data of the embedded exchange\n', status: 0});
	expect(JSON.parse(stdout)).toMatchObject({exchange: 'demo', demo: true, interface: from});
});

describe('the table', () => {
	test('of the trades has what the exchange wrote for a side that is not understood', async () => {
		expect(await read('trades', 'BTCUSDT')).toMatchInlineSnapshot(`
			"BTC/USDT trades, newest first · 2 trades · 1 dropped · v2 · NOW
			time (UTC)           side     price (USDT)  size (BTC)                 id
			2024-08-08 09:59:59  buy         61,824.01        0.50  12345678901234567
			2024-08-08 09:59:58  auction     61,824.00        1.25  12345678901234566
			"
		`);
	});

	test('has only ASCII characters with --ascii', async () => {
		expect(await read('depth', 'BTCUSDT', '--interface', 'v2', '--ascii')).toMatchInlineSnapshot(`
			"BTC/USDT depth | bids not shown by this interface | 2 asks | 0 dropped | v2 | NOW
			bid size (BTC)  bid (USDT)  ask (USDT)  ask size (BTC)
			             -           -   61,824.01            6.67
			             -           -   61,825.00            0.10
			"
		`);
	});
});

describe('candles of an exchange that has trades, but sends no candles', () => {
	async function readEmpty(...args: readonly string[]) {
		const empty = await startSmallExchange();
		onTestFinished(() => empty.close());
		empty.answer('/trade-chart/v2/public/kline', v2([]));
		const {stdout, stderr, status} = await inProcess([
			...['candles', 'BTCUSDT', ...args, '--base-url', empty.url, '--rate', '1000'],
		]);
		return {stdout: withoutReceipt(stdout), stderr, status};
	}

	const stderr = 'tapewatch: candles may be missing: built from trades, as the exchange sends no candles\n';

	test('are built from the trades, and marked in every format', async () => {
		const table = await readEmpty('--period', '1m');
		expect(table).toMatchInlineSnapshot(`
			{
			  "status": 1,
			  "stderr": "tapewatch: candles may be missing: built from trades, as the exchange sends no candles
			",
			  "stdout": "BTC/USDT candles of 1m · 1 candle · incomplete: built from trades, as the exchange sends no candles · 1 dropped · v2 · NOW
			start (UTC)       open (USDT)  high (USDT)  low (USDT)  close (USDT)  volume (BTC)
			2024-08-08 09:59    61,824.00    61,824.01   61,824.00     61,824.01          1.75  partial
			",
			}
		`);
		const csv = await readEmpty('--period', '1m', '-o', 'csv');
		expect(csv).toEqual({
			stdout: `time,open,high,low,close,volume,forming,partial,builtFrom
2024-08-08T09:59:00.000Z,61824,61824.01,61824,61824.01,1.75,false,true,trades
`,
			...{stderr, status: 1},
		});
		const {builtFrom, complete, incomplete, candles} = JSON.parse((await readEmpty('--json')).stdout);
		expect({builtFrom, complete, incomplete, candles}).toEqual({
			...{builtFrom: 'trades', complete: false},
			incomplete: 'built from trades, as the exchange sends no candles',
			candles: [
				{
					...{time: Date.UTC(2024, 7, 8, 9), open: 61824, high: 61824.01, low: 61824, close: 61824.01, volume: 1.75},
					...{forming: false, partial: true, builtFrom: 'trades'},
				},
			],
		});
	});
});

test('entries whose numbers are rounded are counted in the document, the title and on standard error', async () => {
	const own = await startSmallExchange();
	const asks = [
		[raw('1.000000000000000001'), 1],
		[raw('1.000000000000000002'), 2],
	];
	own.answer('/engine/v2/public/depth', v2({asks, bids: [[0.5, 1]]}));
	const depth = async (...args: readonly string[]) => {
		const {stdout, stderr, status} = await inProcess(['depth', 'BTCUSDT', '--base-url', own.url, ...args]);
		expect({stderr, status}).toEqual({
			stderr: 'tapewatch: rounded 2 entries: the exchange sent more digits than a number holds\n',
			status: 0,
		});
		return withoutReceipt(stdout);
	};
	expect(JSON.parse(await depth('--json'))).toMatchObject({asks: [[1, 3]], dropped: 0, rounded: 2});
	expect(await depth()).toMatchInlineSnapshot(`
		"BTC/USDT depth · 1 bid · 1 ask · 0 dropped · 2 rounded · v2 · NOW
		bid size (BTC)  bid (USDT)  ask (USDT)  ask size (BTC)
		             1         0.5         1.0               3
		"
	`);
	await own.close();
});
