import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {type ExchangeServer, startExchangeServer} from '../../helpers/exchange-server.ts';
import {answerByName, type NamedMarket, oddNames, sharedNames} from '../../helpers/named-markets.ts';
import {answered, recordSample, startedAt} from '../../recording/recordings.ts';
import {trade} from '../../store/samples.ts';
import {inProcess} from '../in-process.ts';

let server: ExchangeServer;
let markets: readonly NamedMarket[] = sharedNames;
beforeAll(async () => {
	server = await startExchangeServer();
	answerByName(server, () => markets);
});
afterAll(() => server.close());

const run = (...args: readonly string[]) =>
	inProcess([...args, '--base-url', server.url, '--legacy-base-url', server.url]);
const read = async (...args: readonly string[]) => JSON.parse((await run(...args, '--json')).stdout);

/** The price of each read of a market, and the market's symbol. */
async function pricesOf(name: string, ...more: readonly string[]) {
	const [depth, trades, candles] = [
		await read('depth', name, ...more),
		await read('trades', name, ...more),
		await read('candles', name, '--period', '1', ...more),
	];
	return [
		depth.symbol,
		depth.asks[0][0],
		trades.symbol,
		trades.trades[0].price,
		candles.symbol,
		candles.candles[0].close,
	];
}

describe('markets that share a name', () => {
	beforeAll(() => {
		markets = sharedNames;
	});

	test('are all listed, with none dropped', async () => {
		const {markets: listed, dropped} = await read('markets');
		const names = listed.map(({symbol, base, quote, state}: Record<string, string>) => [symbol, base, quote, state]);
		expect({names, dropped}).toEqual({
			names: [
				['BTCUSDT', 'BTC', 'USDT', 'active'],
				['ABUSD#2', 'A', 'BUSD', 'active'],
				['ABUSD#3', 'AB', 'USD', 'active'],
				['LUNAUSDT#4', 'LUNA', 'USDT', 'delisted'],
				['LUNAUSDT#5', 'LUNA', 'USDT', 'active'],
			],
			dropped: 0,
		});
	});

	test.each([
		['AB/USD', 'ABUSD#3', 300],
		['a_busd', 'ABUSD#2', 1.5],
		['AB/USD#3', 'ABUSD#3', 300],
		['abusd#2', 'ABUSD#2', 1.5],
	])('%s is read with its own numbers', async (name, symbol, price) => {
		expect(await pricesOf(name, '--interface', 'v2')).toEqual([symbol, price, symbol, price, symbol, price]);
	});

	test.each([
		[['depth', 'ABUSD'], 'ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)', 2],
		[['ticker', 'abusd'], 'abusd is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)', 2],
		[
			['watch', 'LUNA/USDT', '--once'],
			'LUNA/USDT is the name of several markets: LUNA/USDT#4 (Spot, delisted), LUNA/USDT#5 (Spot, active)',
			2,
		],
		[
			['watch', 'AB/USD', '--until', 'AB/USD.last > 1', '--json'],
			'--until: ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)',
			2,
		],
		[['ticker', 'AB/USD'], 'the tickers named ABUSD cannot be told apart: none is known to be of AB/USD#3', 1],
		[['depth', 'LUNA/USDT#5'], 'several markets are LUNA/USDT; only their trades can be read, by id', 2],
		[
			['trades', 'AB/USD', '--interface', 'legacy'],
			'legacy lists ABUSD, which may be another pair than AB/USD; ask for ABUSD, or use v2',
			2,
		],
	])('%j is refused, and says why', async (args, message, expected) => {
		const {stderr, status} = await run(...args);
		const [first = ''] = stderr.split('\n');
		expect({first: first.replace(/ \(see .*/, ''), status}).toEqual({first: `tapewatch: ${message}`, status: expected});
	});

	test('a delisted one hides no active one: each has its own trades and ticker', async () => {
		const trades = [await read('trades', 'LUNA/USDT#5'), await read('trades', 'LUNAUSDT#4')];
		expect(trades.map(({symbol, trades: [trade]}) => [symbol, trade.price])).toEqual([
			['LUNAUSDT#5', 5],
			['LUNAUSDT#4', 0.0001],
		]);
		const {tickers} = await read('ticker', 'LUNAUSDT#5');
		expect(tickers.map(({symbol, last}: {symbol: string; last: number}) => [symbol, last])).toEqual([
			['LUNAUSDT#5', 5],
		]);
	});

	test('without --interface v2, a book of a shared name lacks its bids, which is said', async () => {
		const {stdout, stderr, status} = await run('depth', 'AB/USD', '--json');
		expect([JSON.parse(stdout).asks, JSON.parse(stdout).bids, status]).toEqual([[[300, 2]], null, 1]);
		expect(stderr).toContain('the book has no bids: ABUSD names several markets; choose v2');
	});

	test('all tickers are those of ticker NAME', async () => {
		const {tickers, dropped} = await read('ticker');
		expect({symbols: tickers.map(({symbol}: {symbol: string}) => symbol), dropped}).toEqual({
			symbols: ['BTCUSDT', 'LUNAUSDT#4', 'LUNAUSDT#5'],
			dropped: 2,
		});
	});
});

describe('markets with odd characters', () => {
	beforeAll(() => {
		markets = oddNames;
	});

	test.each([
		['币安人生/USDT', 0.1234],
		['1000sats_usdt', 0.0001234],
		['$WIF-USDT', 1.5],
		['A-B.C/USDT', 2],
		['a-b.c_usdt', 2],
		['A-B.C-USDT', 2],
		['A-B.CUSDT', 2],
		['kbonk/usdt', 0.03],
	])('%s is read by the name that the exchange lists', async (name, price) => {
		const [symbol, ...prices] = await pricesOf(name);
		expect(prices).toEqual([price, symbol, price, symbol, price]);
	});

	test('legacy alone knows them too, and splits none at a hyphen of its base', async () => {
		const {stdout} = await inProcess(['depth', 'A-B.C/USDT', '--legacy-base-url', server.url]);
		expect(stdout).toContain('A-B.C/USDT depth');
		expect(stdout).toContain('bid (USDT)');
	});
});

test('legacy alone: --quote USD lists all USD markets, whatever their bases end with', async () => {
	const bases = ['BTC', 'ETH', 'XRP', 'BNB', 'SHIB', 'TRB', 'BAT', 'DOT', 'GRT'];
	markets = bases.map((base, index) => ({id: index, base, quote: 'USD', price: 1}));
	const {stdout} = await inProcess(['markets', '--quote', 'USD', '--json', '--legacy-base-url', server.url]);
	const listed = JSON.parse(stdout).markets.map(({base, quote}: Record<string, string>) => `${base}/${quote}`);
	expect(listed).toEqual(bases.map(base => `${base}/USD`));
});

test('a market that the exchange lists later is refused until then, and found at the first request after that', async () => {
	const late = {id: 3, base: 'ZKF', quote: 'USDT', price: 0.0123};
	markets = oddNames;
	expect(await run('depth', 'ZKF/USDT')).toMatchObject({
		status: 2,
		stderr: expect.stringContaining('no market ZKF/USDT'),
	});
	markets = [...oddNames, late];
	const symbols = (await read('ticker')).tickers.map(({symbol}: {symbol: string}) => symbol);
	const own = (await read('ticker', 'zkf/usdt')).tickers.map(({symbol}: {symbol: string}) => symbol);
	expect([symbols.includes('ZKFUSDT'), own]).toEqual([true, ['ZKFUSDT']]);
	expect(await pricesOf('ZKF/USDT')).toEqual(['ZKFUSDT', 0.0123, 'ZKFUSDT', 0.0123, 'ZKFUSDT', 0.0123]);
});

test('a recording tells markets that share a name apart', async () => {
	const at = (seconds: number) => startedAt + seconds * 1000;
	const list = sharedNames.map(({id, base, quote, state = 'active'}) => ({
		...{symbol: base === 'BTC' ? 'BTCUSDT' : `${base}${quote}#${id}`, id: `${id}`, base, quote, state, type: 'Spot'},
	}));
	const path = recordSample([
		answered.markets(list, at(1)),
		answered.trades([trade(1, at(0), 300)], at(2), {}, 'ABUSD#3'),
		answered.trades([trade(1, at(0), 1.5)], at(3), {}, 'ABUSD#2'),
	]);
	const priceOf = async (name: string) => {
		const {stdout, stderr} = await inProcess(['trades', name, '--recording', path, '--json']);
		return stdout === '' ? stderr : JSON.parse(stdout).trades[0].price;
	};
	expect([await priceOf('AB/USD'), await priceOf('A_BUSD'), await priceOf('ABUSD#3')]).toEqual([300, 1.5, 300]);
	expect(await priceOf('ABUSD')).toContain('ABUSD is the name of several markets');
});
