import {describe, expect, test} from 'vitest';
import type {Candle, Trade} from '../../../source/market/types.ts';
import {answered, recordSample, startedAt, symbol} from '../../recording/recordings.ts';
import {inProcess, refusal} from '../in-process.ts';
import {at, candle, market, page, record, ticker, trade} from './two-sessions.ts';

/** The minute of 14:00 at 14:00:05. */
const forming = {time: startedAt, open: 100, high: 105, low: 100, close: 105};
const entry = {...candle, forming: false, partial: false, builtFrom: 'exchange'};

/** Reads the recording in this process; the arguments follow its command. */
async function read(command: string, ...args: readonly string[]) {
	const {stdout, stderr, status} = await inProcess([command, ...args, '--recording', record()]);
	return {stdout, stderr, status};
}

async function document(command: string, ...args: readonly string[]) {
	const {stdout, status} = await read(command, ...args, '--json');
	return {...JSON.parse(stdout), status};
}

const recordedAt = (seconds: number) => ({
	exchange: 'sample.example',
	demo: false,
	schemaVersion: 1,
	recorded: {at: at(seconds)},
});

describe('a read of a recording', () => {
	test('has the book of a time, and says of which', async () => {
		expect(await read('depth', 'btc/usdt', '--at', '14:00:10')).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "",
			  "stdout": "RECORDED 2026-11-22 14:00:10 UTC · BTC/USDT depth · 1 bid · 1 ask · 0 dropped · v2 · 2026-11-22 14:00:10 UTC
			bid size (BTC)  bid (USDT)  ask (USDT)  ask size (BTC)
			             2         100         112               1
			",
			}
		`);
		expect(await document('depth', 'btc-usdt', '--at', '14:00:10')).toEqual({
			...{symbol, asks: [[112, 1]], bids: [[100, 2]], bidsFailure: null, interface: 'v2', serverTime: null},
			...{receivedAt: at(10), dropped: 0, rounded: 0, ...recordedAt(10), status: 0},
		});
	});

	test('says on standard error of which time a document is', async () => {
		expect((await read('depth', symbol, '--at', '14:00:10', '--json')).stderr).toBe(
			'tapewatch: RECORDED 2026-11-22 14:00:10 UTC\n',
		);
	});

	test('fails as the exchange failed at that time', async () => {
		expect(await read('depth', symbol, '--at', '2026-11-22T14:00:30.500Z')).toMatchInlineSnapshot(`
			{
			  "status": 1,
			  "stderr": "tapewatch: no complete answer within 5000 ms (v2 depth); this failure was recorded
			",
			  "stdout": "",
			}
		`);
	});

	test.each([
		['markets', [], {markets: [market]}],
		['ticker', [symbol], {tickers: [expect.objectContaining({symbol, last: 101.5})]}],
		[
			'candles',
			[symbol, '--period', '1m'],
			{
				candles: [entry, {...forming, volume: 6, forming: true, partial: false, builtFrom: 'trades'}],
				receivedAt: at(5),
			},
		],
	])('%s has what was known', async (command, args, known) => {
		expect(await document(command, ...args, '--at', '14:00:05')).toMatchObject({...known, ...recordedAt(5)});
	});

	test('has what was known while the next request was slow', async () => {
		const slow = {...answered.depth({asks: [[9, 1]], bids: [[8, 1]]}, at(60)), sentAt: at(1)};
		const path = recordSample([answered.depth({asks: [[7, 1]], bids: [[6, 1]]}, at(0)), slow]);
		const {stdout} = await inProcess(['depth', symbol, '--at', '14:00:40', '--json', '--recording', path]);
		expect(JSON.parse(stdout)).toMatchObject({asks: [[7, 1]], receivedAt: at(0)});
	});

	test.each([
		['are dated ahead of their answers', 3600, 13, {}],
		['came from both interfaces', 0, 913, {interface: 'legacy'} as const],
	])('of trades of a range has each of them once where they %s', async (_, aheadSeconds, newest, more) => {
		const dated = (second: number, id: number) =>
			page(second, 5).map((each, age) => ({...each, id: String(id - age), time: each.time + aheadSeconds * 1000}));
		const [first, second] = [answered.trades(dated(10, 10), at(10)), answered.trades(dated(13, newest), at(13), more)];
		const path = recordSample([first, second]);
		const range = ['--from', String(at(aheadSeconds + 7) / 1000), '--to', String(at(aheadSeconds + 13) / 1000)];
		const {stdout} = await inProcess(['trades', symbol, ...range, '--json', '--recording', path]);
		const times = JSON.parse(stdout).trades.map(({time}: Trade) => (time - at(aheadSeconds)) / 1000);
		expect(times).toEqual([7, 8, 9, 10, 11, 12, 13]);
	});

	test.each([
		['its end', [], 18],
		['a time before its end', ['--at', '14:00:11'], 16],
		['a range', ['--from', '14:00:11', '--to', '14:00:15'], 15],
	])('of candles of %s has all of its trades where they are dated ahead of their answers', async (_, args, last) => {
		const dated = (second: number) => page(second, 5).map(each => ({...each, time: each.time + 5000}));
		const path = recordSample([answered.trades(dated(10), at(10)), answered.trades(dated(13), at(13))]);
		const {stdout} = await inProcess(['candles', symbol, '--period', '1s', ...args, '--json', '--recording', path]);
		const times = JSON.parse(stdout).candles.map(({time}: Candle) => (time - at(0)) / 1000);
		expect(times).toEqual([11, 12, 13, 14, 15, 16, 17, 18].filter(second => second <= last));
	});

	test('of trades has the newest of a time', async () => {
		const {trades} = await document('trades', symbol, '--limit', '2', '--at', '14:00:10');
		expect(trades).toEqual([trade(9), trade(10)]);
		expect((await document('trades', '--market-id', '17', '--limit', '1', '--at', '14:00:10')).trades).toEqual([
			trade(10),
		]);
	});

	test('of trades of a range has each of them once, and says where some may be missing', async () => {
		expect(await document('trades', symbol, '--from', '14:00:29', '--to', '14:01:00')).toEqual({
			...{
				symbol,
				trades: [29, 30, 58, 59, 60].map(trade),
				from: at(29),
				to: at(60),
				missing: [{from: at(30), to: at(58)}],
			},
			...{interface: 'v2', receivedAt: at(60), serverTime: null, dropped: 0, rounded: 0, ...recordedAt(70), status: 0},
		});
		expect(
			await read('trades', symbol, '--from', '14:00:29', '--to', '14:01:00', '--limit', '2'),
		).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "tapewatch: trades may be missing from 2026-11-22 14:00:30 to 2026-11-22 14:00:58 UTC
			",
			  "stdout": "RECORDED 2026-11-22 14:00:29 to 2026-11-22 14:01:00 UTC · BTC/USDT trades, newest first · 2 trades · 0 dropped · v2 · 2026-11-22 14:01:00 UTC
			time (UTC)           side  price (USDT)  size (BTC)   id
			2026-11-22 14:01:00  buy            104           1  160
			2026-11-22 14:00:59  sell           103           1  159
			",
			}
		`);
	});

	test('of candles of a recorded period says which of a range were not recorded', async () => {
		const {candles, complete, incomplete} = await document('candles', symbol, '--period', '1m', '--from', '13:50');
		const volumes = candles.map(({time, volume}: Candle) => [time, volume]);
		expect({volumes, complete, incomplete}).toEqual({
			...{
				volumes: [
					[at(-60), 4],
					[at(0), 33],
					[at(60), 11],
				],
				complete: false,
			},
			incomplete: 'candles before 2026-11-22 13:59:00 UTC were not recorded',
		});
	});

	test('of candles builds calendar months from the trades where no days were recorded', async () => {
		const {candles, partial, period} = await document('candles', symbol, '--period', '1M');
		expect([period, candles.length, candles[0].time, candles[0].volume]).toEqual(['1M', 1, Date.UTC(2026, 10), 46]);
		expect(partial).toEqual([Date.UTC(2026, 10)]);
	});

	test('of candles builds calendar months from recorded days, and marks the month that lacks one', async () => {
		const dayOf = (index: number) => ({...candle, time: Date.UTC(2026, 8, index)});
		const days = Array.from({length: 83}, (_, index) => dayOf(index + 1)).filter(({time}) => time !== dayOf(40).time);
		const path = recordSample([answered.markets([market], at(0)), answered.candles(days, at(0), 1440)]);
		const args = ['candles', symbol, '--period', '1M', '--recording', path];
		const {candles, builtFrom, gaps} = JSON.parse((await inProcess([...args, '--json'])).stdout);
		expect(candles.map(({time, volume}: Candle) => [time, volume])).toEqual([
			...[
				[Date.UTC(2026, 8), 120],
				[Date.UTC(2026, 9), 120],
				[Date.UTC(2026, 10), 88],
			],
		]);
		expect([builtFrom, gaps]).toEqual([1440, [{from: dayOf(40).time, to: dayOf(40).time}]]);
		const {stdout} = await inProcess(args);
		expect(
			stdout
				.split('\n')
				.filter(row => /^2026-/.test(row))
				.map(row => /\w+$/.exec(row)?.[0]),
		).toEqual([...['120', 'incomplete', 'forming']]);
	});

	test('of candles builds them of any period from the trades, and marks those with missing trades', async () => {
		expect(await read('candles', symbol, '--period', '10s', '--from', '14:00:20')).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "tapewatch: trades may be missing from 2026-11-22 14:00:30 to 2026-11-22 14:00:58 UTC
			",
			  "stdout": "RECORDED 2026-11-22 14:00:20 to 2026-11-22 14:01:10 UTC · BTC/USDT candles of 10s · 5 candles · built from trades · 0 dropped · v2 · 2026-11-22 14:01:10 UTC
			start (UTC)          open (USDT)  high (USDT)  low (USDT)  close (USDT)  volume (BTC)
			2026-11-22 14:00:20          106          106         100           101            10
			2026-11-22 14:00:30          102          102         102           102             1  partial
			2026-11-22 14:00:50          102          103         102           103             2  partial
			2026-11-22 14:01:00          104          106         100           106            10
			2026-11-22 14:01:10          100          100         100           100             1  forming
			",
			}
		`);
		const {candles, partial, period} = await document('candles', symbol, '--period', '10s', '--from', '14:00:20');
		expect(candles[0]).toEqual({
			...{time: at(20), open: 106, high: 106, low: 100, close: 101, volume: 10},
			...{forming: false, partial: false, builtFrom: 'trades'},
		});
		expect({partial, period}).toEqual({partial: [at(30), at(50)], period: 10 / 60});
		const newest = await document('candles', symbol, '--period', '10s', '--from', '14:00:20', '--limit', '2');
		expect(newest.candles.map(({time}: Candle) => time)).toEqual([at(60), at(70)]);
	});

	test('of tickers says which the recording lacks', async () => {
		const markets = [market, {...market, symbol: 'ETHUSDT', id: '18', base: 'ETH'}];
		const path = recordSample([answered.markets(markets, at(0)), answered.ticker([ticker], at(0))]);
		const {stderr, status} = await inProcess(['ticker', symbol, 'ETHUSDT', '--recording', path]);
		expect([stderr, status]).toEqual(['tapewatch: the recording has no ticker of ETHUSDT at that time\n', 1]);
		const depth = await inProcess(['trades', 'ETHUSDT', '--recording', path]);
		expect(depth.stderr).toBe('tapewatch: not recorded; the recording has no trades of ETHUSDT\n');
	});

	test('of recorded candles fails where there are none of the range', async () => {
		const {stdout, stderr, status} = await read('candles', symbol, '--period', '1m', '--from', '2026-11-23');
		expect([stdout.includes('none'), stderr, status]).toEqual([
			...[true, 'tapewatch: the recording has no candles of that time\n', 1],
		]);
	});

	test.each([
		[['depth', symbol], 'not recorded; the recording has the order book of BTCUSDT until 2026-11-22 14:00:30 UTC'],
		[
			['depth', symbol, '--at', '14:00:45'],
			'not recorded; the recording is from 2026-11-22 14:00:00 to 2026-11-22 14:00:30, 2026-11-22 14:01:00 to 2026-11-22 14:01:10 UTC, not at 2026-11-22 14:00:45',
		],
		[
			['trades', symbol, '--from', '15:00', '--to', '16:00'],
			'not recorded; the recording has the trades of BTCUSDT until 2026-11-22 14:01:10 UTC',
		],
		[
			['candles', symbol, '--period', '5s', '--from', '2026-11-23'],
			'not recorded; the recording has the trades of BTCUSDT until 2026-11-22 14:01:10 UTC',
		],
		[['info'], 'not recorded; the recording has no exchange info'],
		[['depth', 'BTCUSD'], 'no market BTCUSD; did you mean BTCUSDT?'],
		[['ticker', '--at', '2pm'], '--at must be a UTC time such as 14:03, 14:03:10, 2026-11-20T14:03 or -5m, not 2pm'],
		[
			['ticker', '--base-url', 'http://a.example'],
			'--base-url does not apply to a recording, which is read without a request',
		],
		[['trades', symbol, '--at', '14:00', '--to', '14:01'], 'give --at, or --from and --to, not both'],
		[['candles', symbol, '--period', '0s'], '--period must be minutes, or a period such as 5s, 15m, 1h, 1d, 1M'],
		[
			['candles', symbol, '--period', '0.5s'],
			'--period must be minutes, or a period such as 5s, 15m, 1h, 1d, 1M: seconds are whole numbers',
		],
		[['candles', symbol, '--from', '14:01', '--to', '14:00'], '--from is later than --to'],
	])('refuses %s in words', async ([command = '', ...args], problem) => {
		expect(await read(command, ...args)).toEqual({stdout: '', stderr: refusal(command, problem), status: 2});
	});
});

test.each([
	[['depth', symbol, '--at', '14:00'], '--at needs --recording FILE'],
	[['trades', symbol, '--from', '14:00'], '--from and --to of trades need --recording FILE'],
	[['trades', symbol, '--limit', '1001'], '--limit must be a whole number from 1 to 1000'],
	[
		['candles', symbol, '--period', '5s'],
		'--period must be minutes, or a period such as 15m, 1h, 1d, 1M: s is not a unit: use m, h, d, w or M',
	],
])('only a recording takes %s', async (args, problem) => {
	expect(await inProcess(args)).toEqual({stdout: '', stderr: refusal(args[0] ?? '', problem), status: 2});
});

test('a file that is no recording is said to be none, with status 1', async () => {
	expect(await inProcess(['depth', symbol, '--recording', '/nowhere/to.twr'])).toEqual({
		...{stdout: '', stderr: 'tapewatch: /nowhere/to.twr does not exist\n', status: 1},
	});
});
