import {writeFileSync} from 'node:fs';
import {Socket} from 'node:net';
import {join} from 'node:path';
import {describe, expect, onTestFinished, test, vi} from 'vitest';
import {openHome} from '../../helpers/folders.ts';
import {answered, failed, recordSample, startedAt, symbol, temporaryFolder} from '../../recording/recordings.ts';
import {inProcess, refusal} from '../in-process.ts';

/** 14:00:00. */
const at = (seconds: number) => startedAt + seconds * 1000;

/** Rises by 1 a second. */
const trade = (second: number) => ({
	...{id: String(100 + second), time: at(second), price: 100 + second, quantity: 1},
	...({side: 'buy', sideText: 'buy'} as const),
});

const answersAt = (second: number) => [
	answered.depth({asks: [[101 + second, 1]], bids: [[99 + second, 2]]}, at(second) - 10),
	answered.trades([trade(second), trade(second - 1), trade(second - 2)], at(second)),
];
const seconds = (from: number, to: number) => Array.from({length: to - from + 1}, (_, index) => from + index);

/** From 14:00:00 to 14:01:00, with an outage of 40 s before 14:00:50, then from 14:10:00 to 14:10:20; ETHUSDT as a ticker alone. */
function record(): string {
	const tickers = ['BTCUSDT', 'ETHUSDT'].map(of => ({symbol: of, last: 50, state: 'active', type: 'spot'}));
	const path = recordSample([
		answered.ticker(tickers, at(0)),
		...seconds(0, 10).flatMap(answersAt),
		failed({ask: 'trades', market: symbol}, at(16)),
		failed({ask: 'trades', market: symbol}, at(30)),
		...seconds(50, 60).flatMap(answersAt),
	]);
	return recordSample(seconds(600, 620).flatMap(answersAt), path, at(600));
}

/** A minute of trades of BTCUSDT, and the tickers of two markets each 5 s. */
function recordTickers(): string {
	const tickers = (second: number) =>
		['BTCUSDT', 'ETHUSDT'].map(of => ({symbol: of, last: 50 + second, state: 'active', type: 'spot'}));
	return recordSample(
		seconds(0, 60).flatMap(second => [
			...(second % 5 === 0 ? [answered.ticker(tickers(second), at(second) - 10)] : []),
			answered.trades([trade(second), trade(second - 1)], at(second)),
		]),
	);
}

/** A minute of the books of BTCUSDT, without bids. */
const recordAsks = (): string =>
	recordSample(seconds(0, 60).map(second => answered.depth({asks: [[101, 1]]}, at(second))));

async function run(...args: readonly string[]) {
	const connect = vi.spyOn(Socket.prototype, 'connect');
	onTestFinished(() => connect.mockRestore());
	const {stdout, stderr, status} = await inProcess(args);
	// No request is sent.
	expect(connect).not.toHaveBeenCalled();
	return {stdout, stderr, status};
}

const events = (stdout: string) =>
	stdout
		.trim()
		.split('\n')
		.map(line => JSON.parse(line));

describe('rules are tried on a recording', () => {
	test('each call is printed with its time, and when they were blind', async () => {
		const rules = ['--alert', 'last crosses 104.5', '--alert', 'last > 155', '--alert', 'last > 610 every 5s'];
		expect(await run('replay', record(), ...rules)).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "",
			  "stdout": "2026-11-22 14:00:05  ALERT BTCUSDT last crosses 104.5: last 105 (trades 0.0 s), 0.0 s after the trade
			BTCUSDT last > 155: blind since 14:00:10: timed out
			BTCUSDT last > 610: blind since 14:00:10: timed out
			2026-11-22 14:00:56  ALERT BTCUSDT last > 155: last 156 (trades 0.0 s), 0.0 s after the trade, while blind since 14:00:10
			BTCUSDT last > 155: judged again, the outcome from 14:00:10 to 14:00:56 is unknown (timed out)
			2026-11-22 14:10:00  ALERT BTCUSDT last > 610: last 698 (trades 0.0 s), 2.0 s after the trade, while blind since 14:00:10
			BTCUSDT last > 610: judged again, the outcome from 14:00:10 to 14:10:00 is unknown (Tapewatch was not running)
			",
			}
		`);
	});

	test('as the events of watch', async () => {
		const {stdout, status} = await run('replay', record(), 'btc/usdt', '--alert', 'last crosses 104.5', '--json');
		expect(status).toBe(0);
		expect(events(stdout)[0]).toEqual({
			...{type: 'alert', symbol, time: at(5), rule: 'last crosses 104.5', delayed: false, note: null},
			values: {last: 105},
			trade: {id: '105', time: at(5), price: 105, quantity: 1, side: 'buy', sideText: 'buy'},
			...{delay: 0, blindSince: null, gap: null, interface: null, receivedAt: null, serverTime: null},
			eventId: expect.stringMatching(/^sample\.example:BTCUSDT:alert:[\w-]{22}$/),
			judgedOn: [{symbol, data: 'trades', receivedAt: at(5), lastTradeAt: at(5)}],
			...{exchange: 'sample.example', demo: false, schemaVersion: 1},
		});
	});

	test('blind as long as is configured', async () => {
		const rule = ['replay', record(), '--alert', 'last > 155', '--json'];
		const blind = async (...args: readonly string[]) =>
			events((await run(...rule, ...args)).stdout).find(({type}) => type === 'blind');
		expect(await blind()).toMatchObject({time: at(40), since: at(10)});
		expect(await blind('--blind-after', '20')).toMatchObject({time: at(30), since: at(10)});
	});

	test('from a time on', async () => {
		const {stdout} = await run('replay', record(), '--from', '14:10', '--alert', 'last > 1', '--json');
		expect(events(stdout).map(({type, time}) => [type, time])).toEqual([['alert', at(600)]]);
	});

	test('a market without trades is judged by the ticker, as delayed', async () => {
		const path = recordTickers();
		expect(await run('replay', path, '--alert', 'ETHUSDT last > 54')).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "tapewatch: ETHUSDT last > 54: by the 24 h ticker, delayed
			",
			  "stdout": "2026-11-22 14:00:04  ALERT ETHUSDT last > 54: last 55 (24 h ticker answer 0.0 s, delayed)
			",
			}
		`);
		const {stdout} = await run('replay', path, '--alert', 'ETHUSDT last > 54', '--json');
		expect(events(stdout)).toEqual([
			{
				...{type: 'alert', symbol: 'ETHUSDT', time: at(4.99), rule: 'ETHUSDT last > 54', delayed: true, note: null},
				...{values: {last: 55}, trade: null, delay: null, blindSince: null, gap: null, interface: null},
				...{receivedAt: null, serverTime: null, eventId: expect.stringContaining(`:ETHUSDT:alert:${at(4.99)}:`)},
				judgedOn: [{symbol: 'ETHUSDT', data: 'ticker', receivedAt: at(4.99)}],
				...{exchange: 'sample.example', demo: false, schemaVersion: 1},
			},
		]);
	});

	describe('a rule of favourites', () => {
		const rule = ['--alert', '* last > 54'];

		test('is judged for those of the exchange that was recorded', async () => {
			const state = {'sample.example': {favourites: ['ETHUSDT'], lists: {majors: ['BTCUSDT']}}};
			const {env} = openHome('', state);
			const list = ['--alert', '--list majors last > 99'];
			const {stdout, stderr, status} = await inProcess(['replay', recordTickers(), ...rule, ...list], {env});
			expect({stdout, stderr, status}).toMatchInlineSnapshot(`
				{
				  "status": 0,
				  "stderr": "tapewatch: * last > 54: by the 24 h ticker, delayed
				tapewatch: --list majors last > 99: by the 24 h ticker, delayed
				",
				  "stdout": "2026-11-22 14:00:04  ALERT ETHUSDT last > 54: last 55 (24 h ticker answer 0.0 s, delayed)
				2026-11-22 14:00:49  ALERT BTCUSDT last > 99: last 100 (24 h ticker answer 0.0 s, delayed)
				",
				}
			`);
			const refused = await inProcess(['replay', recordTickers(), '--alert', '--list minors last > 1'], {env});
			expect(refused.stderr).toMatchInlineSnapshot(`
				"tapewatch: --alert: --list minors last > 1: no list minors; did you mean majors? (see tapewatch replay --help)
				"
			`);
		});

		test('without any, for all markets of the recording', async () => {
			expect(await run('replay', recordTickers(), ...rule)).toMatchInlineSnapshot(`
				{
				  "status": 0,
				  "stderr": "tapewatch: * last > 54: there are no favourites; judged for all 2 recorded markets
				tapewatch: * last > 54: by the 24 h ticker, delayed
				",
				  "stdout": "2026-11-22 14:00:04  ALERT BTCUSDT last > 54: last 55 (24 h ticker answer 0.0 s, delayed)
				2026-11-22 14:00:04  ALERT ETHUSDT last > 54: last 55 (24 h ticker answer 0.0 s, delayed)
				",
				}
			`);
		});
	});

	test('on the lines that the user drew in the exchange that was recorded, at the times of its trades', async () => {
		// At 104.5 when the price is 105.
		const ends = `${new Date(at(0)).toISOString()} 102 ${new Date(at(10)).toISOString()} 107`;
		const {env} = openHome('', {'sample.example': {lines: {BTCUSDT: {'1': {[ends]: {}}, '2': {}}}}});
		const rules = ['--alert', 'last crosses line 1', '--alert', 'last crosses line 2'];
		expect(await inProcess(['replay', record(), '--from', '14:00:01', ...rules], {env})).toMatchObject({
			status: 0,
			stdout: expect.stringMatching(
				/^BTCUSDT last crosses line 2: blind since 14:00:0\d: no line 2 in BTCUSDT\n2026-11-22 14:00:05 {2}ALERT BTCUSDT last crosses line 1: last 105, line 1 104\.5 /,
			),
		});
		const until = (condition: string) =>
			inProcess(['watch', 'BTCUSDT', '--recording', record(), '--until', condition, '--json'], {env});
		const [met] = events((await until('last > line 1')).stdout);
		expect(met).toMatchObject({type: 'met', time: at(5), values: {last: 105, 'line 1': 104.5}});
		expect(await until('last > line 2')).toMatchObject({
			...{status: 2, stdout: ''},
			stderr: 'tapewatch: --until: no line 2 in BTCUSDT (see tapewatch watch --help)\n',
		});
	});

	test('by watch, too', async () => {
		const path = record();
		const replayed = await run('replay', path, '--alert', 'last crosses 104.5');
		expect(await run('watch', '--recording', path, '--alert', 'last crosses 104.5')).toEqual(replayed);
	});
});

describe('a recording is watched until a condition is met', () => {
	const watch = (...args: readonly string[]) =>
		run('watch', 'btc_usdt', '--recording', record(), '--speed', 'max', ...args);

	test('the market that met it is printed', async () => {
		expect(await watch('--until', 'last >= 107')).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "",
			  "stdout": "time (UTC)           market          last  change %         bid         ask  spread  volume 24 h     age
			2026-11-22 14:00:07  BTCUSDT          107         –         106         108       2            –   7.0 s
			",
			}
		`);
	});

	test('as an event', async () => {
		const {stdout, status} = await watch('--until', 'last >= 107 and spread = 2', '--json');
		const [event, ...others] = events(stdout);
		expect([others, status]).toEqual([[], 0]);
		expect(event).toMatchObject({type: 'met', symbol, time: at(7), last: 107, bid: 106, ask: 108});
	});

	test.each([
		['what was not recorded, in a few seconds', recordTickers, ['ETHUSDT', '--from', '14:00:45'], 'spread > 1'],
		['bids that no book shows', recordAsks, ['BTCUSDT'], 'spread > 1'],
	])('that compares %s cannot be judged', async (_, recordFile, args, until) => {
		const {stderr, status} = await run('watch', ...args, '--recording', recordFile(), '--until', until);
		expect([stderr, status]).toEqual([
			`tapewatch: --until could not be judged: it needs data that was not recorded: ${until}\n`,
			124,
		]);
	});

	test('or else its end is an exit status', async () => {
		expect(await watch('--until', 'last > 1000')).toEqual({
			stdout: '',
			stderr: 'tapewatch: --until was not met in the recording, which has gaps: last > 1000\n',
			status: 124,
		});
		expect((await watch('--until', 'last > 1000', '--from', '14:10:01')).stderr).toBe(
			'tapewatch: --until was not met in the recording: last > 1000\n',
		);
	});
});

describe('a recording is watched', () => {
	test('as lines with the recorded time, at each interval and at the end of a session', async () => {
		const path = recordSample([
			...seconds(0, 12).flatMap(answersAt),
			failed({ask: 'trades', market: symbol}, at(14)),
			failed({ask: 'depth', market: symbol}, at(14)),
		]);
		recordSample(seconds(600, 602).flatMap(answersAt), path, at(600));
		expect(await run('watch', 'BTCUSDT', '--recording', path)).toMatchInlineSnapshot(`
			{
			  "status": 0,
			  "stderr": "",
			  "stdout": "RECORDED 2026-11-22 14:00:00 to 2026-11-22 14:10:02 UTC
			time (UTC)           market          last  change %         bid         ask  spread  volume 24 h     age
			2026-11-22 14:00:05  BTCUSDT          104         –         104         106       2            –   1.0 s  ticker not recorded
			2026-11-22 14:00:10  BTCUSDT          109         –         109         111       2            –   1.0 s  ticker not recorded
			2026-11-22 14:00:14  BTCUSDT          112         –         111         113       2            –   2.0 s  ticker not recorded, stale since 14:00:11: timed out
			2026-11-22 14:10:02  BTCUSDT          702         –         701         703       2            –   0.0 s  ticker not recorded
			",
			}
		`);
	});

	test('as events, of each session anew', async () => {
		const {stdout, stderr, status} = await run('watch', '--recording', record(), '--from', '14:00:58', '--json');
		const trades = events(stdout).filter(({type}) => type === 'trade');
		expect([stderr, status]).toEqual(['tapewatch: RECORDED 2026-11-22 14:00:58 to 2026-11-22 14:10:20 UTC\n', 0]);
		const ids = [58, ...seconds(59, 60), ...seconds(600, 620)].map(second => String(100 + second));
		expect(trades.map(({id}) => id)).toEqual(ids);
		expect(trades.every(({symbol: of, exchange}) => of === symbol && exchange === 'sample.example')).toBe(true);
		expect(trades.filter(({gap}) => gap).map(({id}) => id)).toEqual(['158', '700']);
	});
});

describe('a usage error', () => {
	test.each<readonly [message: string, ...args: readonly string[]]>([
		['no market btcusd in FILE; did you mean BTCUSDT?', 'replay', 'FILE', 'btcusd'],
		['--alert plays at --speed max', 'replay', 'FILE', '--alert', 'last > 1', '--speed', '2'],
		[
			'with --recording, give --until or --alert, not both',
			...['watch', '--recording', 'FILE', '--until', 'last > 1', '--alert', 'last > 1'],
		],
		['lines and events of a recording come at --speed max', 'watch', '--recording', 'FILE', '--speed', '2'],
		[
			'--period must be minutes, or a period such as 15m, 1h, 1d, 1M: s is not a unit: use m, h, d, w or M',
			...['watch', '--recording', 'FILE', '--period', '5s'],
		],
		[
			'--notify does not apply to a recording',
			'watch',
			'--recording',
			'FILE',
			'--alert',
			'last > 1',
			'--notify',
			'bell',
		],
		[
			'--base-url does not apply to replay, which sends no request (see tapewatch replay --help)',
			...['replay', 'FILE', '--base-url', 'http://127.0.0.1'],
		],
		[
			'--alert: --list majors last > 1: no list majors; there are no lists (:list-add in the monitor makes one)',
			...['replay', 'FILE', '--alert', '--list majors last > 1'],
		],
		['no market XYZ in FILE; recorded: BTCUSDT, ETHUSDT', ...['replay', 'FILE', '--alert', 'BTCUSDT last > XYZ.last']],
		[
			'--from must be a UTC time such as 14:03, 14:03:10, 2026-11-20T14:03 or -5m, not soon',
			...['replay', 'FILE', '--from', 'soon'],
		],
		[
			'a replay needs a terminal: standard output is not a terminal; with --alert RULE it prints lines without one',
			...['replay', 'FILE'],
		],
	])('%s', async (message, ...args) => {
		const path = record();
		const {stdout, stderr, status} = await run(...args.map(arg => (arg === 'FILE' ? path : arg)));
		expect([stdout, stderr.replaceAll(path, 'FILE'), status]).toEqual(['', refusal(args[0] ?? '', message), 2]);
	});
});

describe('a file that cannot be shown is said in one line', () => {
	test('which is no recording', async () => {
		const path = join(temporaryFolder(), 'notes.txt');
		writeFileSync(path, 'buy low, sell high\n');
		const {stderr, status} = await run('replay', path);
		expect([stderr.replaceAll(path, 'FILE'), status]).toMatchInlineSnapshot(`
			[
			  "tapewatch: FILE is not a recording
			",
			  1,
			]
		`);
	});
});
