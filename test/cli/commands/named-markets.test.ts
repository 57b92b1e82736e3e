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

	test.each([
		['AB/USD', 'ABUSD#3', 300],
		['abusd#2', 'ABUSD#2', 1.5],
	])('%s is read with its own numbers', async (name, symbol, price) => {
		expect(await pricesOf(name, '--interface', 'v2')).toEqual([symbol, price, symbol, price, symbol, price]);
	});

	test.each([
		[['depth', 'ABUSD'], 'ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)', 2],
		[
			['watch', 'AB/USD', '--until', 'AB/USD.last > 1', '--json'],
			'--until: ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)',
			2,
		],
		[['ticker', 'AB/USD'], 'the tickers named ABUSD cannot be told apart: none is known to be of AB/USD#3', 1],
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

	test('without --interface v2, a book of a shared name lacks its bids, which is said', async () => {
		const {stdout, stderr, status} = await run('depth', 'AB/USD', '--json');
		expect([JSON.parse(stdout).asks, JSON.parse(stdout).bids, status]).toEqual([[[300, 2]], null, 1]);
		expect(stderr).toContain('the book has no bids: ABUSD names several markets; choose v2');
	});
});

describe('markets with odd characters', () => {
	beforeAll(() => {
		markets = oddNames;
	});

	test.each([
		['币安人生/USDT', 0.1234],
		['a-b.c_usdt', 2],
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
