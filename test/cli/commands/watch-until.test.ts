import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {type ExchangeServer, paths} from '../../helpers/exchange-server.ts';
import {inProcess, refusal, startInProcess} from '../in-process.ts';
import {smallExchangeTime, startSmallExchange, v2} from '../small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

/** An exchange of which the test may say that nothing was asked: a request of an ended program may arrive late. */
async function startUnasked(): Promise<ExchangeServer> {
	const unasked = await startSmallExchange();
	onTestFinished(unasked.close);
	return unasked;
}

const watchArguments = (...args: readonly string[]) => [
	...['watch', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];
/** Symbols of the lines below the header. */
const linesOf = (stdout: string) =>
	stdout
		.trimEnd()
		.split('\n')
		.slice(1)
		.map(line => line.split(/ +/)[2]);

describe('--until', () => {
	test('ends with 0 and the event of the market that met it', async () => {
		const condition = 'BTC/USDT.last > 60,000 && BTC/USDT.change < 0 && BTC/USDT.spread == 0.01';
		const {stdout, stderr, status} = await inProcess(
			watchArguments('btc-usdt', 'PEPEBTC', '--json', '--until', condition),
		);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		const events = stdout
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line));
		expect(events.filter(({type}) => type === 'met')).toEqual([
			{
				...{exchange: new URL(exchange.url).host, demo: false, schemaVersion: 1},
				...{type: 'met', symbol: 'BTCUSDT', time: expect.any(Number)},
				...{interface: null, receivedAt: null, serverTime: null, gap: true},
				eventId: expect.stringMatching(/^127\.0\.0\.1:\d+:BTCUSDT:met:\d{13}:[\w-]{22}$/),
				condition: 'BTCUSDT.last > 60000 and BTCUSDT.change < 0 and BTCUSDT.spread = 0.01',
				...{last: 61_824.01, bid: 61_824, ask: 61_824.01, spread: 0.01},
				...{
					spreadPercent: expect.closeTo(0.000_016_175, 9),
					change: -13.62,
					changePercent: expect.closeTo(-0.022_025, 6),
				},
				...{open: expect.any(Number), high: expect.any(Number), low: expect.any(Number), mid: 61_824.005},
				...{volume: 48_201.5, age: expect.any(Number), imbalance: expect.any(Number)},
				lastTradeAt: smallExchangeTime - 1000,
				values: {'BTCUSDT.last': 61_824.01, 'BTCUSDT.change': -13.62, 'BTCUSDT.spread': 0.01},
			},
		]);
		expect(events.at(-1).type).toBe('met');
	});

	test.each([[[]], [['--json']]])('ends with 124 when --for runs out first: %j', async format => {
		const {stdout, stderr, status} = await inProcess(
			watchArguments('BTCUSDT', '--until', 'last>70000', '--for', '1.5s', ...format),
		);
		expect({stderr, status}).toEqual({
			stderr: 'tapewatch: --until was not met within --for: last > 70000\n',
			status: 124,
		});
		expect(stdout).not.toContain('"met"');
	});

	test('does not succeed when the pipe is closed first', async () => {
		const run = startInProcess(watchArguments('BTCUSDT', '--until', 'last > 70000', '--interval', '0.2'));
		await run.wrote(stdout => linesOf(stdout).length >= 1);
		run.stopReading();
		const {stderr, status} = await run.outcome;
		expect({stderr, status}).toEqual({stderr: '', status: 141});
	});

	test('that is invalid is refused with a caret under the fault, before any request', async () => {
		const {url, requests} = await startUnasked();
		const args = ['watch', 'BTCUSDT', '--base-url', url, '--until', 'last > and spread < 2'];
		expect(await inProcess(args)).toEqual({
			stdout: '',
			stderr: refusal('watch', '--until: expected a number or a quantity after >\n  last > and spread < 2\n         ^'),
			status: 2,
		});
		expect(requests).toEqual([]);
	});
});

describe('--until on what is never known is refused', () => {
	test.each([
		['--until', []],
		['--alert', ['--json']],
	])('when the first book of v2 alone comes without bids, %s %s', async (flag, options) => {
		const {url, requests} = await startUnasked();
		const {stderr, status} = await inProcess([
			...['watch', 'BTCUSDT', '--base-url', url, flag, 'last > 70000 and spread < 5', '--rate', '1000', ...options],
		]);
		expect({stderr, status}).toEqual({
			stderr: refusal(
				'watch',
				`${flag}: spread is never available: the v2 order book shows no bids; set --legacy-base-url`,
			),
			status: 2,
		});
		expect(requests.map(({path}) => path)).toContain(paths.depth);
	});
});

describe('on bids that v2 alone shows', () => {
	async function startWithBids(): Promise<ExchangeServer> {
		const server = await startUnasked();
		server.answer(paths.depth, v2({asks: [[61_824.01, 6.67]], bids: [[61_823, 0.94]]}));
		return server;
	}

	test.each([['until', []]])('--until is judged by the first book, %s', async (_, options) => {
		const {url} = await startWithBids();
		const {stdout, stderr, status} = await inProcess([
			...['watch', 'BTCUSDT', '--base-url', url, '--until', 'spread = 1.01', '--rate', '1000', ...options],
		]);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(linesOf(stdout).at(-1)).toBe('BTCUSDT');
	});

	test('a rule calls, and only a book of every market refuses it', async () => {
		const {url, answer} = await startWithBids();
		const books = new Map([
			['BTCUSDT', v2({asks: [[61_824.01, 6.67]]})],
			['PEPEBTC', v2({asks: [[2, 1]], bids: [[1, 1]]})],
		]);
		answer(paths.depth, (response, request) => books.get(request.query.symbol ?? '')?.(response, request));
		const args = ['--alert', 'PEPEBTC bid > 0.5', '--json', '--base-url', url, '--rate', '1000'];
		const run = startInProcess(['watch', 'BTCUSDT', 'PEPEBTC', ...args]);
		await run.wrote(stdout => stdout.includes('{"type":"alert"'));
		run.kill('SIGTERM');
		const {stderr, status} = await run.outcome;
		expect({stderr, status}).toEqual({stderr: '', status: 143});
	});
});

describe('--once', () => {
	test.each([
		['last > 60000', 0],
		['last > 70000', 124],
	])('with --until %s ends with status %i', async (condition, expected) => {
		const {stdout, stderr, status} = await inProcess(
			watchArguments('BTCUSDT', 'PEPEBTC', '--once', '--until', condition),
		);
		expect({stderr, status}).toEqual({stderr: '', status: expected});
		expect(linesOf(stdout)).toEqual(['BTCUSDT', 'PEPEBTC']);
	});

	test('ends with 124 when --for runs out before the answers', async () => {
		const silent = await startSmallExchange();
		silent.answer(paths.trades, () => {});
		const {status} = await inProcess([
			...['watch', 'BTCUSDT', '--once', '--for', '0.5', '--base-url', silent.url, '--rate', '1000'],
		]);
		await silent.close();
		expect(status).toBe(124);
	});
});

describe('--for', () => {
	test('ends with 0 without --until', async () => {
		const {stderr, status} = await inProcess(watchArguments('BTCUSDT', '--for', '0.5'));
		expect({stderr, status}).toEqual({stderr: '', status: 0});
	});

	test('ends in time even while the market list is late', async () => {
		const silent = await startSmallExchange();
		silent.answer(paths.markets, () => {});
		const {status} = await inProcess([
			'watch',
			'BTCUSDT',
			'--for',
			'0.2',
			'--timeout',
			'60000',
			'--base-url',
			silent.url,
		]);
		await silent.close();
		expect(status).toBe(0);
	});
});
