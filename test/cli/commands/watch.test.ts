import {afterAll, describe, expect, onTestFinished, test} from 'vitest';
import {paths, sends} from '../../helpers/exchange-server.ts';
import {openHome} from '../../helpers/folders.ts';
import {market} from '../../helpers/wire-entries.ts';
import {inProcess, startInProcess} from '../in-process.ts';
import {startSmallExchange, v2} from '../small-exchange.ts';

const exchange = await startSmallExchange();
afterAll(() => exchange.close());

const watchArguments = (...args: readonly string[]) => [
	...['watch', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];

const withoutTimes = (text: string) =>
	text
		.replace(/"receivedAt":\d{13}/g, '"receivedAt":0')
		// The ticker can come before the trades.
		.replace(/"lastTradeAt":(null|1723111199000)/g, '"lastTradeAt":0')
		.replaceAll(new URL(exchange.url).host, 'HOST')
		.replace(/"type":"(ticker|depth)",(.*)"time":\d{13}/g, '"type":"$1",$2"time":0')
		.replace(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/gm, 'DATE       TIME    ')
		.replace(/\d\.\d s/g, 'A.G s')
		// The exchange's time stands still: where it is polled a second time, nothing seems to be traded any more.
		.replace(/ {2}last trade .* ago$/gm, '');

const lineCount = (text: string) => text.split('\n').length - 1;

type Event = {readonly type: string; readonly time: number} & Readonly<Record<string, unknown>>;
const eventsOf = (stdout: string): readonly Event[] =>
	stdout
		.split('\n')
		.slice(0, -1)
		.map(line => JSON.parse(line));

describe('watch without a terminal', () => {
	test('writes one aligned line for each market and ends with --once', async () => {
		const {stdout, stderr, status} = await inProcess(watchArguments('btc-usdt', 'PEPE/BTC', '--once'));
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(withoutTimes(stdout)).toMatchInlineSnapshot(`
			"time (UTC)           market          last  change %         bid         ask  spread  volume 24 h     age
			DATE       TIME      BTCUSDT    61,824.01     −0.02   61,824.00   61,824.01    0.01       48,202   A.G s
			DATE       TIME      PEPEBTC    61,824.01   +50.3 P      61,824   61,824.01  0.010000000000      1,000 E   A.G s  halted
			"
		`);
	});

	test('writes one event of each type with --once --json', async () => {
		const {stdout, stderr, status} = await inProcess(watchArguments('BTCUSDT', '--once', '--json'));
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(withoutTimes(stdout).split('\n').toSorted().join('\n')).toMatchInlineSnapshot(`
			"
			{"type":"candle","symbol":"BTCUSDT","period":60,"time":1723111200000,"open":61800,"high":61900.5,"low":61700,"close":61824.01,"volume":12.5,"builtFrom":"exchange","interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":0,"rounded":0,"partial":false,"closed":false,"gap":true,"eventId":"HOST:BTCUSDT:candle:60:1723111200000:u_SKSjcMYjEdG20lCO4I9m","exchange":"HOST","demo":false,"schemaVersion":1}
			{"type":"depth","symbol":"BTCUSDT","time":0,"asks":[[61824.01,6.67],[61825,0.1]],"bids":[[61824,0.94]],"bidsFailure":null,"gap":true,"interface":"legacy","receivedAt":0,"serverTime":1723111200000,"dropped":0,"rounded":0,"eventId":"HOST:BTCUSDT:depth:legacy:1723111200000:oobOUJ1lWRhf02u3PAn7F6","exchange":"HOST","demo":false,"schemaVersion":1}
			{"type":"ticker","time":0,"symbol":"BTCUSDT","last":61824.01,"change":-13.62,"changePercent":-0.022,"open":61837.63,"high":62745.14,"low":59535,"bid":61824,"bidQuantity":0.94,"ask":61824.01,"askQuantity":6.67,"volume":48201.5,"quoteVolume":null,"state":"active","tickerType":"spot","lastTradeAt":0,"gap":true,"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":1,"rounded":0,"eventId":"HOST:BTCUSDT:ticker:v2:1723111200000:-9sSDyfORtXd2r2szk-Oo-","exchange":"HOST","demo":false,"schemaVersion":1}
			{"type":"trade","symbol":"BTCUSDT","id":"12345678901234567","time":1723111199000,"price":61824.01,"quantity":0.5,"side":"buy","sideText":"buy","gap":true,"interface":"v2","receivedAt":0,"serverTime":1723111200000,"dropped":1,"rounded":0,"eventId":"HOST:BTCUSDT:trade:v2:12345678901234567","exchange":"HOST","demo":false,"schemaVersion":1}"
		`);
	});

	test('reports a wait for the rate limit on stderr, and ends after it', async () => {
		const busy = await startSmallExchange();
		let requests = 0;
		const usual = v2([]);
		busy.answer('/trade/v2/public/trade', (request, response) => {
			requests += 1;
			return requests > 1
				? usual(request, response)
				: sends('', {status: 429, headers: {'retry-after': '6'}})(request, response);
		});
		const {stderr, status} = await inProcess(['watch', 'BTCUSDT', '--once', '--base-url', busy.url, '--rate', '2']);
		await busy.close();
		expect(stderr).toMatch(/^tapewatch: rate-limited, retry in \d\.\d s$/m);
		expect(status).toBe(1);
	});

	test.each([
		['SIGINT', 130],
		['SIGHUP', 129],
	] as const)('writes lines until %s ends it with %i', async (signal, expected) => {
		const run = startInProcess(watchArguments('BTCUSDT', '--interval', '0.2'));
		await run.wrote(stdout => lineCount(stdout) >= 3);
		run.kill(signal);
		const {stdout, stderr, status} = await run.outcome;
		expect({stderr, status}).toEqual({stderr: '', status: expected});
		const [header, ...rows] = stdout.trimEnd().split('\n');
		expect(header).toMatch(/^time \(UTC\) +market /);
		for (const row of rows) expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}BTCUSDT +61,824\.01 /);
	});

	test('refuses a market that the exchange does not have', async () => {
		expect(await inProcess(watchArguments('BTCUSDT', 'ETHUSD', '--once'))).toEqual({
			stdout: '',
			stderr:
				'tapewatch: no market ETHUSD in the market list, 1 of whose entries cannot be read; did you mean ETHUSDT or BTCUSDT?\n',
			status: 2,
		});
	});

	test('says that the market list is empty, and shows the default market when it is listed', async () => {
		const list = '/engine/v2/public/markets';
		const young = await startSmallExchange();
		onTestFinished(young.close);
		young.answer(list, v2([]));
		young.answer('/engine/v2/public/ticker', v2([]));
		const addresses = ['--base-url', young.url, '--rate', '1000', '--interval', '0.2'];
		const run = startInProcess(['watch', ...addresses], {env: openHome('[intervals]\nmarkets = 0.2\n').env});
		await run.wrote(stdout => stdout.includes('no markets yet'));
		young.answer(list, v2([market('BTC')]));
		await run.wrote(stdout => /BTCUSDT +61,824\.01/.test(stdout));
		run.kill('SIGTERM');
		const {stderr} = await run.outcome;
		expect(stderr).toContain('tapewatch: default market: no markets yet; the exchange lists none; check the address');
	});

	test('keeps the last data while the exchange fails, says since when, and resumes when it recovers', async () => {
		const failing = await startSmallExchange();
		const addresses = ['--base-url', failing.url, '--rate', '1000'];
		const run = startInProcess(['watch', 'BTCUSDT', '--interval', '0.2', ...addresses]);
		await run.wrote(stdout => lineCount(stdout) >= 2);
		failing.answer('/trade/v2/public/trade', sends('', {status: 503}));
		await run.wrote(stdout =>
			/61,824\.01 .* bids not shown, stale since \d\d:\d\d:\d\d: server error 503\n$/.test(stdout),
		);
		failing.answer('/trade/v2/public/trade', v2([]));
		await run.wrote(stdout => /stale[^\n]*\n[^\n]* 61,824\.01 [^\n]* bids not shown\n$/.test(stdout));
		run.kill('SIGTERM');
		const {stderr} = await run.outcome;
		await failing.close();
		expect(stderr.replaceAll(/ at http:[^)]*/g, '')).toBe(
			'tapewatch: BTCUSDT: HTTP 503: server error 503 (v2 trades); retrying\n' +
				'tapewatch: BTCUSDT: trades recovered\n',
		);
	});

	test('polls for events at the intervals of the monitor without --interval', async () => {
		const polled = await startSmallExchange();
		onTestFinished(() => polled.close());
		polled.answer(paths.trades, v2([]));
		const {env} = openHome('[intervals]\ntrades = 0.2\ndepth = 60\n');
		const addresses = ['--base-url', polled.url, '--legacy-base-url', polled.url, '--rate', '1000'];
		const run = startInProcess(['watch', 'BTCUSDT', '--json', ...addresses], {env});
		const pollsOf = (name: string) => polled.requests.filter(({path}) => path === name).length;
		await expect.poll(() => pollsOf(paths.trades)).toBeGreaterThan(5);
		// Lines ask for both every 5 s.
		expect(pollsOf(paths.legacyDepth)).toBeLessThan(3);
		run.kill('SIGTERM');
		expect(await run.outcome).toMatchObject({stderr: '', status: 143});
	});

	test('says why there are no bids, on stderr too, until there are', async () => {
		const failing = await startSmallExchange();
		const path = '/api-ordermatch/api/v1/public/depth';
		const addresses = ['--base-url', failing.url, '--legacy-base-url', failing.url, '--rate', '1000'];
		failing.answer(path, sends('', {status: 429, headers: {'retry-after': '1'}}));
		const once = await inProcess(['watch', 'BTCUSDT', '--once', ...addresses]);
		expect(once.stdout).toMatch(/ {2}bids missing: rate-limited \(429\)\n$/);
		expect(once.stderr.replaceAll(/ at http:[^)]*/g, '')).toBe(
			'tapewatch: BTCUSDT: HTTP 429: rate-limited (429) (legacy depth); bids missing\n',
		);
		expect(once.status).toBe(1);
		failing.answer(path, sends('', {status: 500}));
		const run = startInProcess(['watch', 'BTCUSDT', '--json', '--interval', '0.2', ...addresses]);
		await run.wrote(stdout => stdout.includes('"type":"error"'));
		const bids = [[61824, 0.94]];
		failing.answer(path, sends({data: {asks: bids, bids}, status: 200, isSuccess: true}));
		await run.wrote(stdout => stdout.includes('"type":"recovered"'));
		run.kill('SIGTERM');
		const events = eventsOf((await run.outcome).stdout);
		await failing.close();
		const own = {symbol: 'BTCUSDT', operation: 'depth'};
		expect(events.filter(({type}) => type === 'error')[0]).toMatchObject({...own, interface: 'legacy', status: 500});
		expect(events.filter(({type}) => type === 'recovered')).toMatchObject([{...own, interface: 'legacy'}]);
	});

	test('starts while the exchange is down, and --once ends with status 1', async () => {
		const closed = await startSmallExchange();
		await closed.close();
		const {stdout, stderr, status} = await inProcess(['watch', 'BTCUSDT', '--once', '--base-url', closed.url]);
		expect(status).toBe(1);
		expect(stdout).toMatch(/BTCUSDT +– +– +– +– +– +– +– {2}no data since \d\d:\d\d:\d\d: connection refused\n$/);
		expect(
			stderr
				.replaceAll(/ at http:[^)]*/g, '')
				.split('\n')
				.toSorted(),
		).toEqual([
			'',
			'tapewatch: BTCUSDT: connection refused, ECONNREFUSED (v2 depth); retrying',
			'tapewatch: BTCUSDT: connection refused, ECONNREFUSED (v2 markets); retrying',
			'tapewatch: BTCUSDT: connection refused, ECONNREFUSED (v2 ticker); retrying',
			'tapewatch: BTCUSDT: connection refused, ECONNREFUSED (v2 trades); retrying',
		]);
	});

	test('uses the demo exchange and its default market without arguments, and says DEMO', async () => {
		const {stdout, stderr, status} = await inProcess(['watch', '--once']);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		expect(stdout).toMatch(/^DEMO .*\ntime \(UTC\) .*\n.* BTCUSDT .*\n$/);
	});
});
