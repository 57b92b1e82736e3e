import {expect, onTestFinished, test} from 'vitest';
import {paths, type Reply, sends} from '../../helpers/exchange-server.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

const failing = sends('', {status: 500});

/** Both interfaces of a small exchange, with `replies` in place of its own. */
async function startExchange(replies: Readonly<Record<string, Reply>>) {
	const exchange = await startSmallExchange();
	onTestFinished(exchange.close);
	exchange.answer(paths.legacyTrades, sends({data: [], status: 200, isSuccess: true}));
	exchange.answer(paths.legacyTicker, sends({data: {}, status: 200, isSuccess: true}));
	for (const [path, reply] of Object.entries(replies)) exchange.answer(path, reply);
	const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'];
	return {addresses};
}

const withoutUrls = (text: string) => text.replaceAll(/ at http:[^)]*/g, '');

const http = (operation: string) => `HTTP 500: server error 500 (${operation})`;

test.each([
	[paths.depth, ['depth', 'BTCUSDT']],
	[paths.markets, ['markets']],
])('a read that legacy answers because v2 fails says so: %s', async (path, args) => {
	const {addresses} = await startExchange({[path]: failing});
	const {stderr, status} = await inProcess([...args, ...addresses]);
	expect({stderr: withoutUrls(stderr), status}).toEqual({
		stderr: `tapewatch: ${http(`v2 ${args[0]}`)}; read from legacy\n`,
		status: 0,
	});
});

test.each([
	[
		'depth',
		{[paths.depth]: v2({asks: [[2, 1]], bids: [['x', 1]]}), [paths.legacyDepth]: failing},
		'unreadable answer: data.bids has no readable entry (v2 depth)',
	],
])('a read that fails from both interfaces names both: %s', async (read, replies, ofV2) => {
	const {addresses} = await startExchange(replies);
	const {stdout, stderr, status} = await inProcess([read, 'BTCUSDT', ...addresses]);
	expect({stdout, status}).toEqual({stdout: '', status: 1});
	expect(withoutUrls(stderr)).toContain(`tapewatch: ${ofV2}, and ${http(`legacy ${read}`)}; `);
});

test('a watch says when legacy replaces v2, in events and on standard error', async () => {
	const {addresses} = await startExchange({[paths.trades]: failing});
	const {stdout} = await inProcess(['watch', 'BTCUSDT', '--once', '--json', ...addresses]);
	expect(stdout.split('\n').filter(line => /"type":"(error|stale)"/.test(line))).toEqual([
		expect.stringMatching(/"type":"error".*"interface":"v2","operation":"trades","kind":"http"/),
	]);
	const {stderr, status} = await inProcess(['watch', 'BTCUSDT', '--once', ...addresses]);
	expect({stderr: withoutUrls(stderr), status}).toEqual({
		stderr: `tapewatch: BTCUSDT: ${http('v2 trades')}; read from legacy\n`,
		status: 0,
	});
});
