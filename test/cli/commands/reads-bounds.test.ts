import {afterAll, beforeAll, describe, expect, onTestFinished, test} from 'vitest';
import {type Demo, startDemo} from '../../../source/demo/server.ts';
import {type ExchangeServer, sends} from '../../helpers/exchange-server.ts';
import {candle, market, ticker, trade} from '../../helpers/wire-entries.ts';
import {inProcess, refusal, startInProcess} from '../in-process.ts';
import {startSmallExchange, v2, withoutReceipt} from '../small-exchange.ts';

const minute = 60_000;
const at = Date.UTC(2026, 10, 2, 0);
let demo: Demo;
beforeAll(async () => {
	demo = await startDemo({clock: {now: () => at + 3_600_000, after: () => () => {}}});
});
afterAll(() => demo.close());

const candles = (...args: readonly string[]) =>
	inProcess(['candles', 'BTCUSDT', '--period', '1m', ...args, '--base-url', demo.url, '--rate', '1000']);

describe('a range of candles', () => {
	test('is read whole, however many pages it takes', async () => {
		const {stdout, stderr, status} = await candles('--json', '--from', '2026-11-01', '--to', '2026-11-02');
		const document = JSON.parse(stdout);
		const times = document.candles.map(({time}: {time: number}) => time);
		expect({stderr, status, complete: document.complete}).toEqual({stderr: '', status: 0, complete: true});
		expect(times).toEqual(Array.from({length: 1441}, (_, index) => at - (1440 - index) * minute));
	});

	test('is cut to the newest --limit', async () => {
		const range = ['--from', '2026-11-01', '--to', '2026-11-02'];
		const {stdout, stderr, status} = await candles('--limit', '1200', '--json', ...range);
		const document = JSON.parse(stdout);
		expect({stderr, status, complete: document.complete}).toEqual({stderr: '', status: 0, complete: true});
		expect([document.candles.length, document.candles[0].time, document.candles.at(-1).time]).toEqual([
			...[1200, at - 1199 * minute, at],
		]);
	});

	test('shows its pages on standard error on a terminal, and removes them', async () => {
		const descriptor = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
		Object.defineProperty(process.stderr, 'isTTY', {value: true, configurable: true});
		const outcomes = [
			await candles('--from', '2026-11-01', '--to', '2026-11-02'),
			await candles('--limit', '2000'),
			await candles('--limit', '1000'),
			await candles(),
		];
		Object.defineProperty(process.stderr, 'isTTY', descriptor ?? {value: undefined, configurable: true});
		const end = '\u001B[K';
		const pages = `\rtapewatch: page 1 of 2${end}\rtapewatch: page 2 of 2${end}\r${end}`;
		expect(outcomes.map(({stderr}) => stderr)).toEqual([pages, pages, '', '']);
	});

	test('prints nothing when it is interrupted between two pages', async () => {
		const exchange = await startSmallExchange();
		let pages = 0;
		const page = v2([candle(at / 1000)]);
		exchange.answer('/trade-chart/v2/public/kline', (response, request) => {
			if (pages++ === 0) page(response, request);
		});
		const range = ['--period', '1m', '--from', '2026-11-01', '--to', '2026-11-02'];
		const run = startInProcess(['candles', 'BTCUSDT', ...range, '--base-url', exchange.url]);
		await exchange.received(3);
		run.kill('SIGINT');
		expect(await run.outcome).toEqual({stdout: '', stderr: '', status: 130});
		await exchange.close();
	});

	test.each([
		[
			['--from', '2026-01-01', '--to', '2026-11-01'],
			'the range has 437,761 candles of 1m, at most 100,000 are read; choose a longer --period, a shorter range, or --limit',
		],
		[['--limit', '100001'], '--limit must be a whole number from 1 to 100000'],
	])('is refused when it is too long: %j', async (args, line) => {
		const outcome = await inProcess([
			'candles',
			'BTCUSDT',
			'--period',
			'1m',
			...args,
			'--base-url',
			'http://127.0.0.1:1',
		]);
		expect(outcome).toEqual({stdout: '', stderr: refusal('candles', line), status: 2});
	});
});

test.each([
	['candles may be missing', '--from', '2024-08-08T09:00', '--to', '2024-08-08T10:00'],
	['1 of 2 candles received', '--to', '2024-08-08T10:00'],
	['1 of 2 candles received'],
])('with unreadable candles: %s, with status 1: %s %s', async (subject, ...range) => {
	const exchange = await startSmallExchange();
	const hour = Date.UTC(2024, 7, 8, 10) / 1000;
	exchange.answer('/trade-chart/v2/public/kline', v2([candle(hour), candle(hour - 3600, {close: null})]));
	const {stdout, stderr, status} = await inProcess([
		...['candles', 'BTCUSDT', '--json', '--limit', '2', ...range, '--base-url', exchange.url],
	]);
	await exchange.close();
	const {candles, complete, dropped} = JSON.parse(stdout);
	expect({count: candles.length, complete, status}).toEqual({count: 1, complete: false, status: 1});
	expect(dropped).toBeGreaterThan(0);
	expect(stderr).toBe(`tapewatch: ${subject}: the exchange sent invalid entries\n`);
});

test.each([
	['fails', sends('', {status: 503}), 'server error 503', 'HTTP 503: server error 503', 'try again later'],
	[
		...(['is unreadable', v2([{id: 1}]), 'unreadable answer'] as const),
		...(['unreadable answer: data has no readable entry', 'check the address'] as const),
	],
] as const)(
	'where a page of a range %s, the others are printed, with status 1',
	async (_, page, brief, text, advice) => {
		const exchange = await startSmallExchange();
		let pages = 0;
		exchange.answer('/trade-chart/v2/public/kline', (response, request) => {
			const answer = pages++ === 0 ? v2(Array.from({length: 998}, (_, index) => candle(at / 1000 - index * 60))) : page;
			answer(response, request);
		});
		const range = ['--period', '1m', '--from', '2026-11-01T04:00', '--to', '2026-11-02'];
		const {stdout, stderr, status} = await inProcess([
			...['candles', 'BTCUSDT', '--json', ...range, '--base-url', exchange.url],
		]);
		await exchange.close();
		const {candles, complete, incomplete} = JSON.parse(stdout);
		expect({count: candles.length, complete, incomplete, status}).toEqual({
			...{count: 998, complete: false, incomplete: brief, status: 1},
		});
		expect(stderr).toMatch(/^.*\n$/);
		expect(stderr.startsWith(`tapewatch: candles may be missing: ${text} (v2 candles at `)).toBe(true);
		expect(stderr.endsWith(`); ${advice}\n`)).toBe(true);
	},
);

describe('an exchange that ignores', () => {
	let exchange: ExchangeServer;
	beforeAll(async () => {
		exchange = await startSmallExchange();
		const hour = Date.UTC(2024, 7, 8, 10) / 1000;
		exchange.answer(
			'/trade-chart/v2/public/kline',
			v2(Array.from({length: 30}, (_, index) => candle(hour - index * 3600))),
		);
		exchange.answer('/engine/v2/public/markets', v2([market('BTC', {id: 17})]));
		exchange.answer(
			'/trade/v2/public/trade',
			v2([1, 2, 3, 4].map(id => trade(id, {time: Date.UTC(2024, 7, 8) + 1000 * id}))),
		);
	});
	afterAll(() => exchange.close());
	const run = (...args: readonly string[]) => inProcess([...args, '--base-url', exchange.url]);

	test('a range: says that candles may be missing, with status 1', async () => {
		const range = ['--from', '2024-08-01', '--to', '2024-08-07T06:00'];
		const failure = 'tapewatch: candles may be missing: the exchange ignores the range\n';
		const json = await run('candles', 'BTCUSDT', '--json', ...range);
		const {complete, candles} = JSON.parse(json.stdout);
		expect({complete, count: candles.length, stderr: json.stderr, status: json.status}).toEqual({
			...{complete: false, count: 2, stderr: failure, status: 1},
		});
		const table = await run('candles', 'BTCUSDT', ...range);
		expect(table.stdout).toContain(' · 2 candles · incomplete: the exchange ignores the range · ');
	});

	test('a range that begins in the future: says that it does, with status 2', async () => {
		const {stdout, stderr, status} = await run('candles', 'BTCUSDT', '--from', '+1h', '--to', '+3h', '--json');
		expect({stdout, status}).toEqual({stdout: '', status: 2});
		expect(stderr).toMatch(
			/^tapewatch: --from is in the future: it is 2026-11-20 12:\d\d:\d\d UTC \(see tapewatch candles --help\)\n$/,
		);
	});

	test('a range in our future and its own past: it is not refused', async () => {
		const args = ['candles', 'BTCUSDT', '--json', '--from', '2024-08-08T09:30', '--base-url', exchange.url];
		const behind = await inProcess(args, {env: {TAPEWATCH_DEMO_AT: '2024-08-08T06:00Z'}});
		expect(JSON.parse(behind.stdout).candles).toHaveLength(1);
		const late = ['candles', 'BTCUSDT', '--from', '2024-08-08T10:30', '--base-url', exchange.url];
		const {stderr} = await inProcess(late, {env: {TAPEWATCH_DEMO_AT: '2024-08-08T06:00Z'}});
		expect(stderr).toContain('--from is in the future: it is 2024-08-08 10:00:00 UTC');
	});

	test.each([
		['trades', ['3', '4']],
		['candles', [1_723_107_600_000, 1_723_111_200_000]],
	])('the limit of %s: cuts to the newest and says so', async (name, kept) => {
		const json = await run(name, 'BTCUSDT', '--limit', '2', '--json');
		const document = JSON.parse(json.stdout);
		const entries: readonly {id?: string; time: number}[] = document[name];
		expect(entries.map(({id, time}) => id ?? time)).toEqual(kept);
		if (name === 'candles') {
			expect(document).toMatchObject({complete: false, incomplete: 'limit ignored by the exchange'});
		}

		expect([json.stderr, json.status]).toEqual(['tapewatch: limit ignored by the exchange\n', 0]);
		expect((await run(name, 'BTCUSDT', '--limit', '2')).stdout).toContain(' · limit ignored by the exchange · ');
	});

	test('a limit of trades above its own maximum: says how many it has sent', async () => {
		const {stdout, stderr, status} = await run('trades', 'BTCUSDT', '--limit', '700', '--json');
		const {trades} = JSON.parse(stdout);
		const remark = '4 of 700 trades received';
		expect({count: trades.length, stderr, status}).toEqual({count: 4, stderr: `tapewatch: ${remark}\n`, status: 0});
		expect((await run('trades', 'BTCUSDT', '--limit', '700')).stdout).toContain(` · ${remark} · `);
	});

	test('nothing: a market is read by its id, with the name of the list', async () => {
		const before = exchange.requests.length;
		const {stdout, stderr, status} = await run('trades', '--market-id', '17', '--json', '--limit', '4');
		expect({stderr, status, symbol: JSON.parse(stdout).symbol}).toEqual({stderr: '', status: 0, symbol: 'BTCUSDT'});
		expect(exchange.requests.slice(before).map(({query}) => query)).toContainEqual({marketId: '17', limit: '4'});
		const unlisted = await run('trades', '--market-id', '18');
		expect(unlisted.stdout).toContain('market 18 trades, newest first · 4 trades');
		expect(JSON.parse((await run('trades', '--market-id', '18', '--json')).stdout).symbol).toBe(null);
	});
});

describe('trades by market id', () => {
	const legacyOnly = 'the legacy interface has no trades by market id; set the base URL (--base-url)';
	const notV2 = '--market-id needs the v2 interface, not --interface legacy (see tapewatch trades --help)';
	test.each<readonly [addresses: string, choice: string, failure: string | undefined]>([
		['v2', 'auto', undefined],
		['v2', 'legacy', 'interface legacy is chosen, but HOST has no legacy-base-url; set it, or choose auto'],
		['legacy', 'auto', legacyOnly],
		['legacy', 'legacy', notV2],
		['both', 'legacy', notV2],
	])('with %s configured and %s chosen', async (addresses, choice, failure) => {
		const exchange = await startSmallExchange();
		const flags = [
			...(addresses === 'legacy' ? [] : ['--base-url', exchange.url]),
			...(addresses === 'v2' ? [] : ['--legacy-base-url', exchange.url]),
		];
		const outcome = await inProcess(['trades', '--market-id', '1', '--json', '--interface', choice, ...flags]);
		await exchange.close();
		const {stdout, stderr, status} = outcome;
		if (failure === undefined) {
			const {symbol, interface: source, trades} = JSON.parse(stdout);
			expect({symbol, source, count: trades.length, stderr, status}).toEqual({
				...{symbol: 'BTCUSDT', source: 'v2', count: 2, stderr: '', status: 0},
			});
		} else {
			const sent = exchange.requests.length;
			expect({...outcome, stderr: withoutReceipt(stderr), sent}).toEqual({
				...{stdout: '', stderr: `tapewatch: ${failure}\n`, status: 2, sent: 0},
			});
		}
	});
});

test.each([
	[['trades'], "missing argument 'MARKET' or option '--market-id <N>' (see tapewatch trades --help)"],
	[['trades', 'BTCUSDT', '--market-id', '1'], 'give MARKET or --market-id, not both (see tapewatch trades --help)'],
])('%j is a usage error', async (args, line) => {
	expect(await inProcess(args)).toEqual({stdout: '', stderr: refusal('trades', line), status: 2});
});

describe('entries that cannot be right are counted in table and document, and misdated ones on standard error', () => {
	const serverTime = Date.UTC(2024, 7, 8, 10);
	const hour = serverTime / 1000;
	const candleOf = (id: number, index: number) => candle(id, {volume: index});
	const wrong = 'the time is implausible or later than the answer';
	const cases: ReadonlyArray<readonly [string, string, unknown, object, string, string]> = [
		[
			...(['ticker', '/engine/v2/public/ticker', [ticker(), ticker({lastPrice: 1}), ticker()]] as const),
			...([{dropped: 1}, '1 dropped · v2', ''] as const),
		],
		[
			...(['candles BTCUSDT', '/trade-chart/v2/public/kline', [hour, hour, hour - 3600].map(candleOf)] as const),
			...([{dropped: 1}, '1 dropped · v2', ''] as const),
		],
		[
			...(['candles BTCUSDT', '/trade-chart/v2/public/kline', [7200, 3600].map(id => candle(id))] as const),
			...([
				...[{dropped: 0, misdated: 2}, '2 misdated · v2'],
				`tapewatch: misdated 2 candles: ${wrong}\ntapewatch: candles may be missing: the exchange has trades after its newest candle\n`,
			] as const),
		],
		[
			...(['trades BTCUSDT', '/trade/v2/public/trade', [trade(1, {time: 1_723_111})]] as const),
			...([{dropped: 0, misdated: 1}, '1 misdated · v2', `tapewatch: misdated 1 trade: ${wrong}\n`] as const),
		],
		[
			...(['trades BTCUSDT', '/trade/v2/public/trade', [trade(1, {time: Date.UTC(2090, 0)})]] as const),
			...([{dropped: 0, misdated: 1}, '1 misdated · v2', `tapewatch: misdated 1 trade: ${wrong}\n`] as const),
		],
	];
	test.each(cases)('%s, of %s: %j', async (read, path, entries, counts, text, said) => {
		const exchange = await startSmallExchange();
		onTestFinished(() => exchange.close());
		exchange.answer(path, v2(entries));
		const args = [...read.split(' '), '--base-url', exchange.url, '--rate', '1000'];
		const json = await inProcess([...args, '--json']);
		const {dropped, misdated} = JSON.parse(json.stdout);
		expect({dropped, ...(misdated && {misdated}), stderr: json.stderr}).toEqual({...counts, stderr: said});
		expect((await inProcess(args)).stdout).toContain(text);
	});
});

describe('candles of calendar months', () => {
	const months = (period: string, ...args: readonly string[]) =>
		inProcess(['candles', 'BTCUSDT', '--period', period, ...args, '--base-url', demo.url]);
	const startsOf = ({candles: list}: {candles: ReadonlyArray<{time: number}>}) =>
		list.map(({time}) => new Date(time).toISOString().slice(0, 10));

	test('are built from days, whose volume they have, up to the month that is forming', async () => {
		const range = ['--from', '2026-08-15', '--json'];
		const {stdout, stderr, status} = await months('1M', ...range);
		const document = JSON.parse(stdout);
		expect([stderr, status, document.period, document.builtFrom, document.complete]).toEqual(['', 0, '1M', 1440, true]);
		expect(startsOf(document)).toEqual(['2026-09-01', '2026-10-01', '2026-11-01']);
		const days = JSON.parse((await months('1d', '--from', '2026-09-01', '--to', '2026-09-30', '--json')).stdout);
		const [september] = document.candles;
		expect([days.candles.length, days.candles[0].open, days.candles.at(-1).close]).toEqual([
			...[30, september.open, september.close],
		]);
		expect(Math.max(...days.candles.map(({high}: {high: number}) => high))).toBe(september.high);
	});
});

test('candles of a longer period are counted, and no gaps are named between them', async () => {
	const exchange = await startSmallExchange();
	onTestFinished(() => exchange.close());
	const starts = Array.from({length: 12}, (_, index) => at / 1000 - index * 14_400);
	exchange.answer('/trade-chart/v2/public/kline', v2(starts.map(id => candle(id))));
	const read = (...more: readonly string[]) =>
		inProcess(['candles', 'BTCUSDT', '--period', '1h', ...more, '--base-url', exchange.url]);
	const {stdout, stderr, status} = await read('--json');
	const {gaps, complete, incomplete} = JSON.parse(stdout);
	const reason = 'the exchange sends candles of another period';
	expect({gaps, complete, incomplete, status}).toEqual({gaps: null, complete: false, incomplete: reason, status: 1});
	expect(stderr).toContain(`tapewatch: candles may be missing: ${reason}\n`);
	expect((await read()).stdout).not.toContain('after a gap');
});
