import {describe, expect, test} from 'vitest';
import {startExchangeServer} from '../../helpers/exchange-server.ts';
import {inProcess, startInProcess} from '../in-process.ts';

/** Runs `tapewatch demo --json` until `stop`, and settles when it serves. */
async function startDemoCommand(...args: readonly string[]) {
	const run = startInProcess(['demo', '--json', ...args]);
	let printed = '';
	await run.wrote(stdout => {
		printed = stdout;
		return stdout.endsWith('\n');
	});
	const {url}: {url: string} = JSON.parse(printed);
	return {
		url,
		get: (path: string, init?: RequestInit) => fetch(url + path, init),
		stop(signal: NodeJS.Signals = 'SIGTERM') {
			run.kill(signal);
			return run.outcome;
		},
	};
}

const depthPath = '/engine/v2/public/depth?symbol=BTCUSDT';
const infoPath = '/metadata/v2/exchange/info';

test.each([
	['SIGINT', 130],
	['SIGTERM', 143],
] as const)('demo prints its address, serves both interfaces and ends on %s with %i', async (signal, status) => {
	const {url, get, stop} = await startDemoCommand('--seed', '7');
	const answers = [await get(depthPath), await get('/api-ordermatch/api/v1/public/depth?symbol=BTCUSDT')];
	expect(answers.map(answer => answer.status)).toEqual([200, 200]);
	expect(await stop(signal)).toEqual({
		stdout: `{"url":"${url}","port":${new URL(url).port},"exchange":"demo","demo":true,"schemaVersion":1}\n`,
		stderr: `tapewatch: try: tapewatch --base-url ${url} --legacy-base-url ${url}\n`,
		status,
	});
});

test('demo answers 429 above --rate-limit and shows bids in v2 with --v2-bids', async () => {
	const {get, stop} = await startDemoCommand('--rate-limit', '1', '--v2-bids');
	const answers = await Promise.all([get(depthPath), get(depthPath)]);
	const [book, tooMany] = answers.toSorted((one, other) => one.status - other.status);
	await stop();
	expect([book?.status, tooMany?.status]).toEqual([200, 429]);
	expect(await book?.json()).toHaveProperty('data.bids');
});

test('demo injects the faults of --fault and those posted to /faults', async () => {
	const faults = ['--fault', 'v2.info=status-503', '--fault', '*.depth=null-data,share=1'];
	const {get, stop} = await startDemoCommand(...faults);
	const book = await (await get(depthPath)).json();
	const before = (await get(infoPath)).status;
	await get('/faults', {method: 'DELETE'});
	const between = (await get(infoPath)).status;
	await get('/faults', {method: 'POST', body: 'v2.info=status-422'});
	const after = (await get(infoPath)).status;
	await stop();
	expect({book, before, between, after}).toMatchObject({book: {data: null}, before: 503, between: 200, after: 422});
});

test('demo refuses a port in use, in one line', async () => {
	const taken = await startExchangeServer();
	const {port} = new URL(taken.url);
	const outcome = await inProcess(['demo', '--port', port]);
	await taken.close();
	expect(outcome).toEqual({
		stdout: '',
		stderr: `tapewatch: port ${port} of 127.0.0.1 is in use by another program; give another --port\n`,
		status: 2,
	});
});

test('without a configured exchange, tables say DEMO, and documents do so on standard error', async () => {
	const table = await inProcess(['markets']);
	expect(table).toEqual({stdout: expect.stringMatching(/^DEMO · \d+ markets · /), stderr: '', status: 0});
	const {stderr, status} = await inProcess(['markets', '--json']);
	expect({stderr, status}).toEqual({stderr: 'tapewatch: DEMO data of the embedded exchange\n', status: 0});
});

describe('demo time', () => {
	test('TAPEWATCH_DEMO_AT starts the clocks of the program and of its demo exchange at that time', async () => {
		const {stdout} = await inProcess(['info', '--json'], {env: {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z'}});
		const {serverTime, receivedAt}: {serverTime: number; receivedAt: number} = JSON.parse(stdout);
		expect(new Date(serverTime).toISOString()).toMatch(/^2026-11-20T12:0/);
		expect(Math.abs(receivedAt - serverTime)).toBeLessThan(60_000);
	});

	test.each([[['info']], [['doctor']], [['watch', '--once']]])(
		'%j refuses TAPEWATCH_DEMO_AT with an exchange elsewhere',
		async args => {
			const addresses = ['--base-url', 'http://localhost:1', '--legacy-base-url', 'https://192.0.2.1/api'];
			expect(await inProcess([...args, ...addresses], {env: {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z'}})).toEqual({
				stdout: '',
				stderr: 'tapewatch: TAPEWATCH_DEMO_AT is set, but https://192.0.2.1/api is not on this computer; unset it\n',
				status: 2,
			});
		},
	);

	test('TAPEWATCH_DEMO_AT must be a UTC time', async () => {
		expect(await inProcess(['info'], {env: {TAPEWATCH_DEMO_AT: '2026-02-30'}})).toEqual({
			stdout: '',
			stderr: 'tapewatch: TAPEWATCH_DEMO_AT must be a UTC time such as 2026-11-20T12:00:00Z, not 2026-02-30\n',
			status: 2,
		});
	});
});
