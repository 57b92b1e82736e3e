import {afterAll, describe, expect, test} from 'vitest';
import {readCsv, readTsv, recordsOf} from '../../helpers/separated.ts';
import {inProcess, refusal} from '../in-process.ts';
import {startSmallExchange} from '../small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

const run = (...args: readonly string[]) =>
	inProcess([...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url]);

/** Standard output of a read that succeeds and says nothing else. */
async function read(...args: readonly string[]): Promise<string> {
	const {stdout, stderr, status} = await run(...args);
	expect({stderr, status}).toEqual({stderr: '', status: 0});
	return stdout;
}

const oldTrade = ['12345678901234566', '2024-08-08T09:59:58.000Z', '61824', '1.25', '', 'auction'];
const newTrade = ['12345678901234567', '2024-08-08T09:59:59.000Z', '61824.01', '0.5', 'buy', 'buy'];

test.each([
	['csv', readCsv],
	['tsv', readTsv],
] as const)('trades as %s are oldest first, with their whole ids and the times of ISO 8601', async (format, parse) => {
	expect(parse(await read('trades', 'BTCUSDT', '--output', format))).toEqual([
		...[['id', 'time', 'price', 'quantity', 'side', 'sideText'], oldTrade, newTrade],
	]);
});

test.each([
	['markets', []],
	['trades', ['BTCUSDT']],
])('%s as ndjson have each entry in a line that says where it is from', async (name, args) => {
	const entries: readonly object[] = JSON.parse(await read(name, ...args, '--json'))[name];
	const lines = (await read(name, ...args, '-o', 'ndjson')).trimEnd().split('\n');
	expect(lines.map(line => JSON.parse(line))).toEqual(
		entries.map(entry => expect.objectContaining({...entry, interface: 'v2', demo: false, dropped: 1})),
	);
});

test('numbers of csv have plain digits where JSON has an exponent', async () => {
	const written = await read('ticker', 'PEPEBTC', '-o', 'csv');
	expect(written).toBe(
		'symbol,last,change,changePercent,open,high,low,bid,bidQuantity,ask,askQuantity,volume,quoteVolume,state,type\n' +
			'PEPEBTC,0.000000000123,,0,0.000000000123,0.000000000123,0.000000000123,,0,,,1000000000000000000000,,halted,spot\n',
	);
});

test('a book as csv has its asks, then its bids, best first', async () => {
	expect(await read('depth', 'BTCUSDT', '-o', 'csv')).toBe(
		'side,price,quantity\nask,61824.01,6.67\nask,61825,0.1\nbid,61824,0.94\n',
	);
	expect(await read('depth', 'BTCUSDT', '-o', 'csv', '--limit', '1')).toBe(
		'side,price,quantity\nask,61824.01,6.67\nbid,61824,0.94\n',
	);
});

test.each([
	[['--sort', '-price'], 'ask,61825,0.1 ask,61824.01,6.67 bid,61824,0.94'],
	[['--sort=-quantity', '--limit', '1'], 'ask,61824.01,6.67 bid,61824,0.94'],
])('a book with %j has each side in that order', async (args, lines) => {
	const [, ...rows] = (await read('depth', 'BTCUSDT', '-o', 'csv', ...args)).trimEnd().split('\n');
	expect(rows.join(' ')).toBe(lines);
	const {asks, bids} = JSON.parse(await read('depth', 'BTCUSDT', '--json', ...args));
	const written = Object.entries({ask: asks, bid: bids}).flatMap(([side, levels]) =>
		levels.map((level: readonly number[]) => [side, ...level].join(',')),
	);
	expect(written.join(' ')).toBe(lines);
});

test.each([
	['btc', 'usdt', 'BTCUSDT'],
	['BTC/USDT', 'USDT', 'BTCUSDT'],
])('with a quote asset, a book of %s in %s is that of %s', async (market, quote, symbol) => {
	expect(JSON.parse(await read('depth', market, '--quote', quote, '--json'))).toMatchObject({symbol});
});

test('a book without bids says so on standard error, as csv has no title', async () => {
	const {stdout, stderr, status} = await run('depth', 'BTCUSDT', '-o', 'csv', '--interface', 'v2');
	expect({stdout, stderr, status}).toEqual({
		stdout: 'side,price,quantity\nask,61824.01,6.67\nask,61825,0.1\n',
		stderr: 'tapewatch: bids not shown by this interface\n',
		status: 0,
	});
});

test('the exchange as csv has a line for each field, as ndjson its document', async () => {
	const records = recordsOf(readCsv(await read('info', '-o', 'csv')));
	const values = new Map(records.map(({name, value}) => [name, value]));
	expect(values.get('description')).toBe('Three markets');
	expect(values.get('serverTime')).toBe('2024-08-08T10:00:00.000Z');
	expect(values.get('capability.orders')).toBe('false');
	expect(values.get('capability.tradesByTimestamp')).toBe('');
	expect(JSON.parse(await read('info', '-o', 'ndjson'))).toMatchObject({name: 'Small', capability: {orders: false}});
});

describe('the list of', () => {
	const symbols = async (...args: readonly string[]) =>
		recordsOf(readCsv(await read(...args, '-o', 'csv'))).map(({symbol}) => symbol);

	test.each([
		[
			['markets', '--sort', '-id'],
			['PEPEBTC', 'ETHUSDT', 'BTCUSDT'],
		],
		[
			['markets', '--sort=-base', '--limit', '2'],
			['PEPEBTC', 'ETHUSDT'],
		],
		[
			['markets', '--quote', 'usdt'],
			['BTCUSDT', 'ETHUSDT'],
		],
		[
			['ticker', '--sort', '-last'],
			['BTCUSDT', 'PEPEBTC'],
		],
		[['ticker', 'PEPEBTC', 'BTCUSDT', '--quote', 'USDT'], ['BTCUSDT']],
	])('%j is %j', async (args, expected) => {
		expect(await symbols(...args)).toEqual(expected);
	});

	test.each(['change', '-change'])('tickers by %s has unknown values last', async field => {
		expect(await symbols('ticker', '--sort', field)).toEqual(['BTCUSDT', 'PEPEBTC']);
	});
});

test('a sort by a field without a value says so', async () => {
	const {stdout, stderr, status} = await run('ticker', '--sort', '-quoteVolume', '-o', 'csv');
	expect({stderr, status}).toEqual({
		stderr: 'tapewatch: not sorted: no ticker has a value of quoteVolume\n',
		status: 0,
	});
	expect(readCsv(stdout)).toHaveLength(3);
});

test.each([
	[['ticker', '--json', '-o', 'csv'], '--json is --output json: leave out one of --json and --output csv'],
	[['ticker', '-o', 'yaml'], '--output must be one of table, wide, json, ndjson, csv, tsv'],
	[['doctor', '-o', 'csv'], '--output must be one of table, wide, json'],
	[
		['markets', '--sort', 'size'],
		'--sort must be one of id, symbol, base, quote, state, type, with - before it to sort in descending order',
	],
	[
		['depth', 'BTCUSDT', '--quote', 'BTC'],
		'no market BTCUSDT with the quote asset BTC; tapewatch markets --quote BTC lists them',
	],
	[
		['depth', 'BTCUST', '--quote', 'USDT'],
		'no market BTCUST with the quote asset USDT; did you mean BTCUSDT or ETHUSDT?',
	],
	[['depth', 'BTC', '--quote', 'XYZ'], 'no market has the quote asset XYZ; the exchange has USDT, BTC'],
])('%j is refused', async (args, reason) => {
	const {stdout, stderr, status} = await run(...args);
	expect({stdout, stderr, status}).toEqual({stdout: '', stderr: refusal(args[0] ?? '', reason), status: 2});
});
