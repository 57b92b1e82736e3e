import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createBodyLimits, excessOf} from '../../source/client/body-limits.ts';
import {legacy, paths, type Reply, v2} from '../helpers/exchange-server.ts';
import {candle, legacyTicker, market, ticker, trade} from '../helpers/wire-entries.ts';
import {failureOf, test as overHttp} from './fixture.ts';

const mebibyte = 1024 * 1024;
const mostValues = 40_960;

test.each([
	['a list at the limit', `[${'1,'.repeat(40_958)}1]`, undefined],
	['a list above it', `[${'1,'.repeat(40_959)}1]`, 'values'],
	['empty objects above it', `[${'{},'.repeat(40_960)}1]`, 'values'],
	['commas in a text', JSON.stringify([','.repeat(200_000)]), undefined],
	['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
	['65 levels', '['.repeat(65) + ']'.repeat(65), 'levels'],
	['65 levels of objects', '{"a":'.repeat(65) + '}'.repeat(65), 'levels'],
	['65 levels between short lists', '[[],'.repeat(65), 'levels'],
	['a megabyte of open lists', '['.repeat(mebibyte), 'levels'],
	['brackets in a text', JSON.stringify(['[{'.repeat(1000), '\\"[']), undefined],
	['nothing', '', undefined],
])('finds what makes a text costly: %s', (_, text, excess) => {
	expect(excessOf(text, mostValues)).toBe(excess);
});

test('lets through any JSON of few levels and values, whatever its texts contain', () => {
	fc.assert(fc.property(fc.json({maxDepth: 5}), json => excessOf(json, mostValues) === undefined));
});

test('limits lists of all markets by the longest so far, all else to 2 MiB', () => {
	const limits = createBodyLimits();
	const usual = {bytes: 2 * mebibyte, values: mostValues};
	const seen = [600, 3000, 3, 100_000].map(length => {
		limits.learn('ticker', Array.from({length}));
		limits.learn('trades', Array.from({length: 10_000}));
		return limits.of('summary');
	});
	const forMarkets = (markets: number) => ({bytes: markets * 1024, values: markets * 20});
	expect(seen).toEqual([2048, 3000, 3000, 5000].map(forMarkets));
	expect((['info', 'depth', 'trades', 'candles'] as const).map(limits.of)).toEqual(Array(4).fill(usual));
	expect(createBodyLimits(4 * mebibyte).of('markets')).toEqual({bytes: 4 * mebibyte, values: 131_072});
});

test.each([
	['a book of 5,000 levels a side', 'depth', 10_000, '[60000.12,0.12345678],'],
	['4,000 trades', 'trades', 4000, `${JSON.stringify(trade(1))},`],
	['4,000 candles', 'candles', 4000, `${JSON.stringify(candle(1))},`],
	['2,500 tickers', 'ticker', 2500, `${JSON.stringify(ticker())},`],
	['4,000 legacy tickers', 'ticker', 4000, `"BTCUSDT":${JSON.stringify(legacyTicker())},`],
	['5,000 markets', 'markets', 5000, `${JSON.stringify(market('BTC'))},`],
] as const)('has room for %s', (_, operation, count, entry) => {
	const {bytes, values} = createBodyLimits().of(operation);
	const text = `{"data":[${entry.repeat(count)}0]}`;
	expect([excessOf(text, values), text.length < bytes]).toEqual([undefined, true]);
});

const entries = (count: number) => Array.from({length: count}, (_, index) => `A${index}`);
const markets = (count: number) => v2(entries(count).map(name => market(name)));
const tickers = (count: number) => v2(entries(count).map(symbol => ticker({symbol})));

overHttp('tickers may be as many as the longest list so far, however short later ones are', async ({server, open}) => {
	const exchange = open({legacyBaseUrl: undefined});
	const read = async (reply: Reply) => {
		server.answer(paths.ticker, reply);
		return (await exchange.tickers({})).data.length;
	};
	const failure = await failureOf(read(tickers(3000)));
	expect(failure).toMatchObject({kind: 'too-large', brief: 'answer too large'});
	expect(failure.message).toContain('answer of more than 40960 values');
	const nested = await failureOf(read(v2('['.repeat(65) + ']'.repeat(65))));
	expect(nested.message).toContain('the answer is nested deeper than 64 levels');
	server.answer(paths.markets, markets(3000));
	await exchange.markets({});
	expect([await read(tickers(3000)), await read(tickers(3)), await read(tickers(3000))]).toEqual([3000, 3, 3000]);
});

overHttp('a list of more than 5,000 markets is refused by both interfaces', async ({server, open}) => {
	const exchange = open({baseUrl: undefined});
	const frozen = (count: number) => Object.fromEntries(entries(count).map(name => [name, {isFrozen: 0}]));
	server.answer(paths.legacyTicker, legacy(frozen(5000)));
	expect((await exchange.markets({})).data).toHaveLength(5000);
	server.answer(paths.legacyTicker, legacy(frozen(5001)));
	server.answer(paths.markets, markets(5001));
	for (const read of [exchange.markets({}), exchange.tickers({}), open({legacyBaseUrl: undefined}).markets({})]) {
		expect((await failureOf(read)).message).toContain('data has more than 5000 entries');
	}
});
