import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {openHome, temporaryFolder} from '../../helpers/folders.ts';
import {inProcess} from '../in-process.ts';
import {expectAtWidths} from './table-widths.ts';

const at = {TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z'};
/** The environment of a user with this config file. */
const withConfig = (...lines: readonly string[]) => ({env: {...openHome(lines.join('\n')).env, ...at}});

const rules = [
	'[[alerts]]',
	'rule = "btc-usdt last crosses 70000 note a\\u001b[31mb"',
	'[[alerts]]',
	'rule = "* changePercent(5m)<-2 every 10m until 2026-11-01"',
];

describe('alerts', () => {
	test('lists the rules of the config file and of the state file, with what is remembered of them', async () => {
		const memory = {trades: {}, sides: [1], isReleased: true};
		const fired = {time: Date.UTC(2026, 10, 20, 11, 3), values: {last: 70_012.5}};
		const gap = {from: Date.UTC(2026, 10, 17, 23, 59), to: Date.UTC(2026, 10, 18), high: 2.5};
		const alerts = {
			'* changePercent(5m) < -2 every 10m until 2026-11-01 00:00:00': {
				...{origin: 'config', armedAt: 0},
				markets: {ETHUSDT: {...memory, judgedAt: Date.UTC(2026, 9, 31)}, SOLUSDT: {...memory, judgedAt: 1}},
			},
			'SOLUSDT last > 1': {
				...{origin: 'user', armedAt: 0},
				markets: {SOLUSDT: {...memory, judgedAt: Date.UTC(2026, 10, 20, 11, 4), fired}},
			},
			'ETHUSDT last > 1': {
				...{origin: 'user', isOff: true, armedAt: 0},
				markets: {ETHUSDT: {...memory, judgedAt: fired.time, fired: {...fired, values: {last: null}, gap}}},
			},
			'BTCUSDT volume > 1': {origin: 'user', armedAt: 0, markets: {}},
			'XRPUSDT last >': {origin: 'user', armedAt: 0, markets: {}},
			'BNBUSDT last > 1': {origin: 'config', armedAt: 0, markets: {}},
		};
		const surroundings = {env: {...openHome(rules.join('\n'), {demo: {alerts}}).env, ...at}};
		expect(await inProcess(['alerts'], surroundings)).toEqual({
			stdout: [
				'DEMO · alerts of demo · 5 rules',
				'rule                                                          from    market   state  judged                       last judged (UTC)    last fired (UTC)',
				'BTCUSDT last crosses 70000 note ab                            config  BTCUSDT  armed                               never                never',
				'* changePercent(5m) < -2 every 10m until 2026-11-01 00:00:00  config  ETHUSDT  ended                               2026-10-31 00:00:00  never',
				'* changePercent(5m) < -2 every 10m until 2026-11-01 00:00:00  config  SOLUSDT  ended                               1970-01-01 00:00:00  never',
				'SOLUSDT last > 1                                              user    SOLUSDT  fired                               2026-11-20 11:04:00  2026-11-20 11:03:00 at last 70,012.5',
				'ETHUSDT last > 1                                              user    ETHUSDT  off                                 2026-11-20 11:03:00  2026-11-20 11:03:00, between 2026-11-17 23:59:00 and 2026-11-18 00:00:00 (high 2.5)',
				'BTCUSDT volume > 1                                            user    BTCUSDT  armed  by the 24 h ticker, delayed  never                never',
				'',
			].join('\n'),
			stderr: expect.stringMatching(/^tapewatch: .*"XRPUSDT last >": expected a number or a quantity after >\n$/),
			status: 0,
		});
		await expectAtWidths('alerts', columns => inProcess(['alerts'], {...surroundings, columns}));
		const zoned = await inProcess(['alerts', '--timezone', 'Europe/Berlin'], surroundings);
		expect(zoned.stdout).toContain(
			'2026-11-20 12:03:00, between 2026-11-18 00:59:00 and 2026-11-18 01:00:00 +01:00 (high 2.5)',
		);
		const {stdout} = await inProcess(['alerts', '--json'], surroundings);
		const document = JSON.parse(stdout);
		expect(document.rules).toHaveLength(6);
		expect({...document, rules: document.rules.slice(3, 4)}).toEqual({
			rules: [
				{
					...{rule: 'SOLUSDT last > 1', origin: 'user', market: 'SOLUSDT', delayed: false, state: 'fired'},
					...{fired, judgedAt: Date.UTC(2026, 10, 20, 11, 4)},
				},
			],
			...{exchange: 'demo', demo: true, schemaVersion: 1},
		});
	});

	test('says that there are none', async () => {
		const {stdout} = await inProcess(['alerts', '--ascii'], withConfig());
		expect(stdout).toBe('DEMO | alerts of demo | 0 rules\n');
	});

	test.each([
		[
			['alerts', 'tset'],
			'alerts has no tset: tapewatch alerts lists the rules, tapewatch alerts test sends a test alert\n',
		],
		[
			['alerts', '--timeout', '5'],
			'--timeout does not apply to alerts, which sends no request (see tapewatch alerts --help)\n',
		],
		[['alerts', 'test', '--on-alert', '/no/such'], 'on-alert: /no/such does not exist; give the path of a program\n'],
		[['alerts', 'test', '--on-alert', '/bin/true', '--notify', 'bell'], 'on-alert is not run: add command to notify\n'],
	])('%j is refused', async (args, message) => {
		expect(await inProcess(args, withConfig())).toEqual({
			...{stdout: '', stderr: `tapewatch: ${message}`, status: 2},
		});
	});
});

describe('alerts test', () => {
	const noTerminal = 'not sent: there is no terminal';

	test('runs the program with a test alert of the first rule, and says how it ended', async () => {
		const home = temporaryFolder();
		const seen = join(home, 'seen');
		const command = `on-alert = ["tee", "${seen}", "${home}/{market}"]`;
		const surroundings = withConfig('notify = ["bell", "title", "command"]', command, ...rules);
		expect(await inProcess(['alerts', 'test'], surroundings)).toEqual({
			stdout: [`bell     ${noTerminal}`, `title    ${noTerminal}`, 'command  tee: ended with status 0', ''].join('\n'),
			...{stderr: '', status: 0},
		});
		const document = JSON.parse(await readFile(seen, 'utf8'));
		expect(await readFile(join(home, 'BTCUSDT'), 'utf8')).toBe(`${JSON.stringify(document)}\n`);
		expect(document).toMatchObject({type: 'alert', symbol: 'BTCUSDT', test: true, values: {}, demo: true});
	});

	test('fails when the program does, which the log keeps', async () => {
		const home = temporaryFolder();
		const log = join(home, 'log');
		const surroundings = withConfig('on-alert = ["no-such-program", "{message}"]');
		const {stdout, stderr, status} = await inProcess(['alerts', 'test', '--json', '--log-file', log], surroundings);
		const failure = 'no-such-program: cannot be run: no such program';
		expect({...JSON.parse(stdout), stderr, status}).toEqual({
			ways: [
				{way: 'bell', called: false, result: noTerminal},
				{way: 'terminal', called: false, result: noTerminal},
				{way: 'command', called: false, result: failure},
			],
			...{exchange: 'demo', demo: true, schemaVersion: 1, stderr: '', status: 1},
		});
		expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({level: 'warn', reason: failure, msg: 'call failed'});
	});

	test('says that there is no way at all', async () => {
		expect(await inProcess(['alerts', 'test'], withConfig('notify = []'))).toEqual({
			...{stdout: 'no way to alert you: notify is empty\n', stderr: '', status: 0},
		});
	});

	test.each(['alerts test', 'watch --alert last>1'])(
		'%s refuses to call by a program that is not set',
		async command => {
			expect(await inProcess(command.split(' '), withConfig('notify = ["bell", "command"]'))).toEqual({
				...{stdout: '', stderr: 'tapewatch: notify has command, but there is no program: set on-alert\n', status: 2},
			});
		},
	);
});
