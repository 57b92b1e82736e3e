import {describe, expect, test} from 'vitest';
import {startExchangeServer} from '../../helpers/exchange-server.ts';
import {inProcess, startInProcess} from '../in-process.ts';
import {startTapewatch, tapewatch} from '../tapewatch.ts';

test.each([
	['SIGINT', 130],
	['SIGTERM', 143],
] as const)(
	'demo names its address, serves both interfaces to other runs and ends on %s with %i',
	async (signal, expected) => {
		const demo = startTapewatch(['demo', '--seed', '7', '--json']);
		let url = '';
		await demo.wrote(stdout => {
			url = stdout.endsWith('\n') ? JSON.parse(stdout).url : '';
			return url !== '';
		});
		const {stdout, stderr, status} = await tapewatch(['depth', 'btc/usdt', '--json'], {
			env: {TAPEWATCH_BASE_URL: url, TAPEWATCH_LEGACY_BASE_URL: url},
		});
		expect({stderr, status, interface: JSON.parse(stdout).interface}).toEqual({
			stderr: '',
			status: 0,
			interface: 'legacy',
		});
		demo.kill(signal);
		expect(await demo.outcome).toEqual({
			stdout: `{"url":"${url}","port":${new URL(url).port}}\n`,
			stderr: `tapewatch: try: tapewatch --base-url ${url} --legacy-base-url ${url}\n`,
			status: expected,
		});
	},
);

test('demo answers 429 above --rate-limit and shows bids in v2 with --v2-bids', async () => {
	const demo = startTapewatch(['demo', '--rate-limit', '1', '--v2-bids', '--json']);
	let url = '';
	await demo.wrote(stdout => {
		url = stdout.endsWith('\n') ? JSON.parse(stdout).url : '';
		return url !== '';
	});
	const book = await fetch(`${url}/engine/v2/public/depth?symbol=BTCUSDT`);
	const tooMany = await fetch(`${url}/engine/v2/public/depth?symbol=BTCUSDT`);
	demo.kill('SIGTERM');
	await demo.outcome;
	expect([book.status, tooMany.status]).toEqual([200, 429]);
	expect(await book.json()).toHaveProperty('data.bids');
});

test('demo misbehaves as --fault says, and as /faults is told while it runs', async () => {
	const demo = startTapewatch([
		'demo',
		'--fault',
		'v2.info=status-503',
		'--fault',
		'*.depth=null-data,share=1',
		'--json',
	]);
	let url = '';
	await demo.wrote(stdout => {
		url = stdout.endsWith('\n') ? JSON.parse(stdout).url : '';
		return url !== '';
	});
	const statusOf = async (path: string) => (await fetch(url + path)).status;
	const info = '/metadata/v2/exchange/info';
	const book = await (await fetch(`${url}/engine/v2/public/depth?symbol=BTCUSDT`)).json();
	const before = await statusOf(info);
	await fetch(`${url}/faults`, {method: 'DELETE'});
	const between = await statusOf(info);
	await fetch(`${url}/faults`, {method: 'POST', body: 'v2.info=status-422'});
	const after = await statusOf(info);
	demo.kill('SIGTERM');
	await demo.outcome;
	expect({book, before, between, after}).toMatchObject({book: {data: null}, before: 503, between: 200, after: 422});
});

test('demo refuses a fault that it does not know, in one line', async () => {
	expect(await tapewatch(['demo', '--fault', 'v2.depth=hnag'])).toEqual({
		stdout: '',
		stderr:
			"tapewatch: option '--fault <FAULT>' argument 'v2.depth=hnag' is invalid. hnag is no fault, the nearest is hang; " +
			'tapewatch demo --help lists all. (see tapewatch --help)\n',
		status: 2,
	});
});

test('demo refuses a port that is taken, in one line', async () => {
	const taken = await startExchangeServer();
	const {port} = new URL(taken.url);
	const outcome = await tapewatch(['demo', '--port', port]);
	await taken.close();
	expect(outcome).toEqual({
		stdout: '',
		stderr: `tapewatch: port ${port} of 127.0.0.1 is in use by another program; give another --port\n`,
		status: 2,
	});
});

test('with no exchange named every table says DEMO, and every document does on standard error', async () => {
	const table = await tapewatch(['markets']);
	expect(table.stdout).toMatch(/^DEMO · \d+ markets · /);
	expect({stderr: table.stderr, status: table.status}).toEqual({stderr: '', status: 0});
	const {stderr, status} = await tapewatch(['markets', '--json']);
	expect({stderr, status}).toEqual({stderr: 'tapewatch: DEMO data of the embedded exchange\n', status: 0});
});

describe('demo time', () => {
	const noon = '2026-11-20T12:00:00Z';

	test('demo --at starts its clock at that time', async () => {
		const demo = startInProcess(['demo', '--at', '2027-03-01T00:00', '--json']);
		let url = '';
		await demo.wrote(stdout => {
			url = stdout.endsWith('\n') ? JSON.parse(stdout).url : '';
			return url !== '';
		});
		const answer = await fetch(`${url}/metadata/v2/exchange/info`);
		const {timestamp} = (await answer.json()) as {timestamp: number};
		demo.kill('SIGTERM');
		await demo.outcome;
		expect(new Date(timestamp).toISOString()).toMatch(/^2027-03-01T00:0/);
	});

	test('TAPEWATCH_DEMO_AT starts the clocks of the program and of its demo exchange at that time', async () => {
		const {stdout} = await inProcess(['info', '--json'], {env: {TAPEWATCH_DEMO_AT: noon}});
		const {serverTime, receivedAt}: {serverTime: number; receivedAt: number} = JSON.parse(stdout);
		expect(new Date(serverTime).toISOString()).toMatch(/^2026-11-20T12:0/);
		expect(Math.abs(receivedAt - serverTime)).toBeLessThan(5000);
	});

	test.each([
		[
			['demo', '--at', 'noon'],
			{},
			/^tapewatch: option '--at <TIME>' argument 'noon' is invalid\. Expected a UTC time such as /,
		],
		[
			['info'],
			{TAPEWATCH_DEMO_AT: '2026-02-30'},
			/^tapewatch: TAPEWATCH_DEMO_AT must be a UTC time such as 2026-11-20T12:00:00Z, not 2026-02-30\n$/,
		],
	])('%j refuses what is no time, in one line', async (args, env, line) => {
		expect(await inProcess(args, {env})).toEqual({stdout: '', stderr: expect.stringMatching(line), status: 2});
	});
});
