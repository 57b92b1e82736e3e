import {describe, expect, test} from 'vitest';
import {startDemo} from '../../../source/demo/server.ts';
import {type Reply, sends} from '../../helpers/exchange-server.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

test.each([[['depth', 'BTCUSDT', '--max-rate', '2']], [['candles', 'BTCUSDT', '--max-rate', '2', '--limit', '2500']]])(
	'%j is never refused by an exchange that allows two requests a second',
	async args => {
		const demo = await startDemo({rateLimit: 2});
		const {stderr, status} = await inProcess([...args, '--base-url', demo.url, '--legacy-base-url', demo.url]);
		await demo.close();
		expect({stderr, status}).toEqual({stderr: '', status: 0});
	},
);

describe('a wait that is too long', () => {
	const date = {date: 'Thu, 08 Aug 2024 12:00:00 GMT', 'retry-after': 'Thu, 08 Aug 2024 12:00:04 GMT'};
	test.each([
		[['--timeout', '1000'], date, 'longer than the 3 s that a read may wait'],
		[['--timeout', '1000', '--retry', '0'], {'retry-after': '4'}, 'slow down'],
	])('fails at once with %j and %j', async (flags, headers, reason) => {
		const exchange = await startSmallExchange();
		exchange.answer('/trade/v2/public/trade', sends({message: 'slow down'}, {status: 429, headers}));
		const args = ['trades', 'BTCUSDT', '--interface', 'v2', '--base-url', exchange.url, ...flags];
		const {stdout, stderr, status} = await inProcess(args);
		await exchange.close();
		expect({stdout, status}).toEqual({stdout: '', status: 1});
		expect(stderr).toContain(reason);
		expect(stderr).toMatch(
			/^tapewatch: HTTP 429: .*; wait 4 s, allow longer waits \(--timeout, --retry\), or lower --rate\n$/,
		);
	});
});

describe('a book whose bids are missing because legacy failed', () => {
	const reply = (status: number): Reply => sends({message: 'broken'}, {status, headers: {'retry-after': '7'}});
	const run = async (status: number, ...flags: readonly string[]) => {
		const exchange = await startSmallExchange();
		exchange.answer('/api-ordermatch/api/v1/public/depth', reply(status));
		const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
		const outcome = await inProcess(['depth', 'BTCUSDT', '--retry', '0', ...flags, ...addresses]);
		await exchange.close();
		return {...outcome, url: `${exchange.url}/api-ordermatch/api/v1/public/depth?symbol=BTCUSDT`};
	};

	test.each([
		[500, 'server error 500', 'wait 7 s'],
		[429, 'rate-limited (429)', 'wait 7 s, allow longer waits (--timeout, --retry), or lower --rate'],
	])('by %i: says why in the document, in the table and on stderr, with status 1', async (code, brief, advice) => {
		const json = await run(code, '--json');
		const message = `HTTP ${code}: broken (legacy depth at ${json.url})`;
		expect(JSON.parse(json.stdout)).toMatchObject({
			bids: null,
			bidsFailure: {interface: 'legacy', operation: 'depth', kind: 'http', message, status: code, retryAfter: 7000},
			interface: 'v2',
		});
		expect([json.stderr, json.status]).toEqual([`tapewatch: the book has no bids: ${message}; ${advice}\n`, 1]);
		const table = await run(code);
		expect(table.stdout).toContain(`BTC/USDT depth · bids missing: legacy depth failed, ${brief} · 2 asks · `);
		expect(table.status).toBe(1);
	});
});

describe('an error of the server', () => {
	const run = async (...flags: readonly string[]) => {
		const exchange = await startSmallExchange();
		let count = 0;
		exchange.answer('/engine/v2/public/markets', (response, request) => {
			const reply = count++ === 0 ? sends({message: 'broken'}, {status: 502}) : v2([]);
			reply(response, request);
		});
		const outcome = await inProcess(['markets', '-o', 'csv', ...flags, '--base-url', exchange.url]);
		await exchange.close();
		return {...outcome, requests: exchange.requests.length};
	};

	test('is final without --retry', async () => {
		const {stdout, status, requests} = await run();
		expect({stdout, status, requests}).toEqual({stdout: '', status: 1, requests: 1});
	});

	test('is followed by another try with --retry, which standard error says', async () => {
		const {stdout, stderr, status, requests} = await run('--retry', '3');
		expect({stdout, status, requests}).toEqual({stdout: 'id,symbol,base,quote,state,type\n', status: 0, requests: 2});
		expect(stderr).toMatch(/^tapewatch: v2 markets: server error 502, retry 1 of 3 in [\d.]+ s\n$/);
	});
});
