import {afterAll, describe, expect, test} from 'vitest';
import {type Reply, sends, startExchangeServer} from '../helpers/exchange-server.ts';
import {inProcess, startInProcess} from './in-process.ts';
import {startSmallExchange} from './small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

describe('a usage error is one line and status 2', () => {
	const cases: ReadonlyArray<readonly [args: string, line: string]> = [
		['depth', "missing required argument 'MARKET' (see tapewatch depth --help)"],
		['tickr', 'no such command or market: tickr, did you mean ticker? (see tapewatch --help)'],
		['BTCUSDT ETHUSDT', 'the monitor shows one market at a time; tapewatch watch BTCUSDT ETHUSDT shows all'],
		['help dept', 'no such command: dept, did you mean depth? (see tapewatch --help)'],
		[
			'BTCUSDT depth',
			'the monitor shows one market at a time, and depth is a command: tapewatch depth MARKET (see tapewatch --help)',
		],
		['trades BTCUSDT --limit 0', '--limit must be a whole number from 1 to 1000 (see tapewatch trades --help)'],
		[
			'trades BTCUSDT --limit 0 --recording monday.twr',
			'--limit must be a whole number from 1 to 500000 (see tapewatch trades --help)',
		],
		[
			'candles BTCUSDT --from yesterday',
			'--from must be a UTC time such as 2026-11-20T10:00, now, -2h or 14:03, or epoch seconds or milliseconds (see tapewatch candles --help)',
		],
		['demo --fault v2.depth=hnag', '--fault: unknown fault hnag; did you mean hang? (see tapewatch demo --help)'],
		['candles BTCUSDT --from 2026-11-20 --to 2026-11-19', '--from is later than --to (see tapewatch candles --help)'],
		[
			'candles BTCUSDT --period 1y',
			'--period must be minutes, or a period such as 15m, 1h, 1d, 1M: y is not a unit: use m, h, d, w or M (see tapewatch candles --help)',
		],
		[
			'info --base-url example.com',
			'--base-url must be an address such as https://api.example.com (see tapewatch info --help)',
		],
		[
			'info --base-url https://me:secret@example.com',
			'--base-url must not contain a user name or password: the interface is public (see tapewatch info --help)',
		],
		['info --exchange nope', '--exchange: unknown exchange nope (known: demo) (see tapewatch info --help)'],
		['setup one two', 'expected 1 argument but got 2: one, two (see tapewatch setup --help)'],
		['watch --fp 5', "unknown option '--fp', did you mean --fps? (see tapewatch watch --help)"],
		[
			'demo --base-url http://127.0.0.1',
			'--base-url does not apply to demo, which serves an exchange (see tapewatch demo --help)',
		],
		[
			'depth BTCUSDT --sort size',
			'--sort must be one of price, quantity, with - before it to sort in descending order (see tapewatch depth --help)',
		],
		[
			'serve --anonymous --trusted-proxy balancer',
			'--trusted-proxy: "balancer" is not an address (see tapewatch serve --help)',
		],
		['serve', 'who may log in? give --authorized-keys FILE, or --anonymous to let everybody in'],
		['orderbook BTCUSDT', 'no such command or market: orderbook, did you mean depth? (see tapewatch --help)'],
		[
			'--json',
			'--json does not apply to monitor, which draws a screen; tapewatch watch --json prints events (see tapewatch --help)',
		],
		[
			'BTCUSDT',
			'the monitor needs a terminal: standard output is not a terminal; tapewatch watch prints lines without one',
		],
	];
	test.each(cases)('tapewatch %s', async (args, line) => {
		expect(await inProcess(args.split(' '))).toEqual({stdout: '', stderr: `tapewatch: ${line}\n`, status: 2});
	});

	test.each(['BTCUSDT', 'watch', 'depth BTCUSDT', 'doctor'])(
		'for an interface that is chosen and not configured: tapewatch %s',
		async args => {
			const run = (...flags: readonly string[]) => inProcess([...args.split(' '), ...flags]);
			const line = (name: string, setting: string) => ({
				stdout: '',
				stderr: `tapewatch: interface ${name} is chosen, but 127.0.0.1:1 has no ${setting}; set it, or choose auto\n`,
				status: 2,
			});
			const other = 'http://127.0.0.1:1';
			expect(await run('--interface', 'legacy', '--base-url', other)).toEqual(line('legacy', 'legacy-base-url'));
			expect(await run('--interface', 'v2', '--legacy-base-url', other)).toEqual(line('v2', 'base-url'));
		},
	);

	test.each([
		['watch depth', 'depth; depth is a command: tapewatch depth MARKET'],
		['watch trades BTCUSDT', 'trades; trades is a command: tapewatch trades MARKET'],
		['ticker info', 'info; info is a command: tapewatch info'],
		['depth OrderBook', 'OrderBook; OrderBook is another name for a command: tapewatch depth MARKET'],
	])('for a command in place of a market: tapewatch %s', async (args, line) => {
		expect(await inProcess([...args.split(' '), '--base-url', exchange.url])).toEqual({
			stdout: '',
			stderr: `tapewatch: no market ${line}\n`,
			status: 2,
		});
	});

	test('for a market that the exchange does not have, with the nearest names', async () => {
		expect(await inProcess(['depth', 'BTC-USTD', '--base-url', exchange.url])).toEqual({
			stdout: '',
			stderr:
				'tapewatch: no market BTC-USTD in the market list, 1 of whose entries cannot be read; did you mean BTCUSDT or ETHUSDT?\n',
			status: 2,
		});
	});
});

describe('what the configured interfaces do not offer is one line and status 2', () => {
	test.each([['candles', 'BTCUSDT'], ['info']])('%s %s', async (...args) => {
		const {stdout, stderr, status} = await inProcess([...args, '--legacy-base-url', exchange.url]);
		expect({stdout, status}).toEqual({stdout: '', status: 2});
		expect(stderr).toMatch(/^tapewatch: the legacy interface has no .*--base-url.*\n$/);
	});
});

describe('a failure of the exchange is one line and status 1', () => {
	const infoPath = '/metadata/v2/exchange/info';
	test.each<readonly [when: string, answer: Reply | undefined, failure: string, advice: string]>([
		['nothing listens', undefined, 'connection refused, ECONNREFUSED', 'check the address, or start the exchange'],
		['it answers 500', sends('<h1>\u001B[31mdown</h1>', {status: 500}), 'HTTP 500: <h1>down</h1>', 'try again later'],
		[
			...(['it answers 503 with a wait', sends('busy', {status: 503, headers: {'retry-after': '30'}})] as const),
			...(['HTTP 503: busy', 'wait 30 s'] as const),
		],
		[
			...(['it is silent for longer than --timeout', () => {}, 'no complete answer within 500 ms'] as const),
			'check the network, or allow more time (--timeout)',
		],
	])('when %s', async (_, answer, failure, advice) => {
		const server = await startExchangeServer();
		if (answer) server.answer(infoPath, answer);
		else await server.close();
		const outcome = await inProcess(['info', '--base-url', server.url, '--timeout', '500']);
		if (answer) await server.close();
		const stderr = `tapewatch: ${failure} (v2 info at ${server.url}${infoPath}); ${advice}\n`;
		expect(outcome).toEqual({stdout: '', stderr, status: 1});
	});

	test('when a market is listed and has no ticker; the others are printed', async () => {
		const {stdout, stderr, status} = await inProcess([
			'ticker',
			'BTCUSDT',
			'ETHUSDT',
			'--json',
			'--base-url',
			exchange.url,
		]);
		expect(JSON.parse(stdout).tickers).toHaveLength(1);
		expect({stderr, status}).toEqual({
			stderr: 'tapewatch: the exchange has no readable ticker for ETHUSDT; try again later\n',
			status: 1,
		});
	});

	test('with a stack trace below it with --debug only', async () => {
		const {stderr} = await inProcess(['info', '--debug', '--base-url', 'http://127.0.0.1:1']);
		expect(stderr).toMatch(/^tapewatch: .*\nNetworkError: .*\n {4}at /);
	});
});

test('a market is read without the list when only the list fails', async () => {
	const listless = await startSmallExchange();
	listless.answer('/engine/v2/public/markets', sends('', {status: 503}));
	const {stdout, stderr, status} = await inProcess([
		'trades',
		'btc/usdt',
		'--json',
		'--interface',
		'v2',
		'--base-url',
		listless.url,
	]);
	await listless.close();
	expect({stderr, status, symbol: JSON.parse(stdout).symbol}).toEqual({stderr: '', status: 0, symbol: 'BTCUSDT'});
});

test('variables that set nothing are one warning, in one line with the nearest names', async () => {
	const env = {TAPEWATCH_TIME_OUT: '5', TAPEWATCH_Z: 'x', TAPEWATCH_EMPTY: ''};
	const {stdout, stderr, status} = await inProcess(['info', '--json', '--base-url', exchange.url], {env});
	expect({stderr, status}).toEqual({
		stderr: 'tapewatch: ignored, no such setting: TAPEWATCH_TIME_OUT (did you mean TAPEWATCH_TIMEOUT?), TAPEWATCH_Z\n',
		status: 0,
	});
	expect(JSON.parse(stdout)).toHaveProperty('name');
});

test('variables that Kubernetes and Docker make for a service of this name are passed over, and set no port', async () => {
	const ofPort = (port: string) => [
		...['', '_PROTO', '_PORT', '_ADDR', '_START', '_END', '_PORT_START', '_PORT_END'].map(
			part => `PORT_${port}${part}`,
		),
	];
	const names = [
		'SERVICE_HOST',
		'SERVICE_PORT',
		'SERVICE_PORT_HTTP_METRICS',
		'PORT',
		...ofPort('80_TCP'),
		'NAME',
		'ENV_PATH',
	];
	const others = ['HEADLESS_SERVICE_HOST', 'HEADLESS_SERVICE_PORT', 'HEADLESS_PORT', ...ofPort('53_UDP')];
	const env = Object.fromEntries([...names, ...others].map(name => [`TAPEWATCH_${name}`, 'tcp://10.0.0.1:80']));
	const demo = startInProcess(['demo', '--json'], {env});
	await demo.wrote(text => text.endsWith('\n'));
	demo.kill('SIGTERM');
	const {stdout, stderr} = await demo.outcome;
	expect(stderr).toBe(
		`tapewatch: try: tapewatch --base-url ${JSON.parse(stdout).url} --legacy-base-url ${JSON.parse(stdout).url}\n`,
	);
	expect(JSON.parse(stdout).port).toBeGreaterThan(1023);
});
