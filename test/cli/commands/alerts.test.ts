import {mkdir, mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {inProcess} from '../in-process.ts';

/** The environment of a user with this config file. */
async function withConfig(...lines: readonly string[]): Promise<{readonly env: Readonly<Record<string, string>>}> {
	const home = await mkdtemp(join(tmpdir(), 'tapewatch-alerts-'));
	await mkdir(join(home, 'tapewatch'));
	await writeFile(join(home, 'tapewatch', 'config.toml'), lines.join('\n'));
	return {env: {XDG_CONFIG_HOME: home, XDG_STATE_HOME: home, TAPEWATCH_DEMO_AT: '2026-11-20T12:00:00Z'}};
}

const rules = [
	'[[alerts]]',
	'rule = "btc-usdt last crosses 70000 note a\\u001b[31mb"',
	'[[alerts]]',
	'rule = "* changePercent(5m)<-2 every 10m until 2026-11-01"',
];

describe('alerts', () => {
	test('lists the rules of the config file', async () => {
		const surroundings = await withConfig(...rules);
		expect(await inProcess(['alerts'], surroundings)).toEqual({
			stdout: [
				'DEMO · alerts of demo · 2 rules',
				'rule                                                          origin  state',
				'BTCUSDT last crosses 70000 note ab                            config  armed',
				'* changePercent(5m) < -2 every 10m until 2026-11-01 00:00:00  config  ended',
				'',
			].join('\n'),
			...{stderr: '', status: 0},
		});
	});

	test('says that there are none', async () => {
		const {stdout} = await inProcess(['alerts', '--ascii'], await withConfig());
		expect(stdout).toBe('DEMO | alerts of demo | 0 rules\n');
	});

	test.each([
		[['alerts', 'tset'], 'alerts has no tset: tapewatch alerts lists the rules, tapewatch alerts test calls\n'],
		[
			['alerts', '--timeout', '5'],
			'--timeout does not apply to alerts, which sends no request (see tapewatch alerts --help)\n',
		],
		[['alerts', 'test', '--on-alert', '/no/such'], 'on-alert: /no/such does not exist; give the path of a program\n'],
		[['alerts', 'test', '--on-alert', '/bin/true', '--notify', 'bell'], 'on-alert is not run: add command to notify\n'],
	])('%j is refused', async (args, message) => {
		expect(await inProcess(args, await withConfig())).toEqual({
			...{stdout: '', stderr: `tapewatch: ${message}`, status: 2},
		});
	});
});

describe('alerts test', () => {
	const noTerminal = 'not sent: there is no terminal';

	test('runs the program with a test alert of the first rule, and says how it ended', async () => {
		const home = await mkdtemp(join(tmpdir(), 'tapewatch-seen-'));
		const seen = join(home, 'seen');
		const command = `on-alert = ["tee", "${seen}", "${home}/{market}"]`;
		const surroundings = await withConfig('notify = ["bell", "title", "command"]', command, ...rules);
		expect(await inProcess(['alerts', 'test'], surroundings)).toEqual({
			stdout: [`bell     ${noTerminal}`, `title    ${noTerminal}`, 'command  tee: ended with status 0', ''].join('\n'),
			...{stderr: '', status: 0},
		});
		const document = JSON.parse(await readFile(seen, 'utf8'));
		expect(await readFile(join(home, 'BTCUSDT'), 'utf8')).toBe(`${JSON.stringify(document)}\n`);
		expect(document).toMatchObject({type: 'alert', symbol: 'BTCUSDT', test: true, values: {}, demo: true});
	});

	test('fails when the program does, which the log keeps', async () => {
		const home = await mkdtemp(join(tmpdir(), 'tapewatch-log-'));
		const log = join(home, 'log');
		const surroundings = await withConfig('on-alert = ["no-such-program", "{message}"]');
		const {stdout, stderr, status} = await inProcess(['alerts', 'test', '--json', '--log-file', log], surroundings);
		const failure = 'no-such-program: cannot be run: no such program';
		expect({...JSON.parse(stdout), stderr, status}).toEqual({
			ways: [
				{way: 'bell', called: false, result: noTerminal},
				{way: 'terminal', called: false, result: noTerminal},
				{way: 'command', called: false, result: failure},
			],
			...{exchange: 'demo', demo: true, stderr: '', status: 1},
		});
		expect(JSON.parse(await readFile(log, 'utf8'))).toMatchObject({level: 'warn', reason: failure, msg: 'call failed'});
	});

	test.each([
		['no way at all', 'notify = []', 'no way to call: notify is empty', 0],
		['a command that is not set', 'notify = ["command"]', 'command  no program: set on-alert', 1],
	])('says that there is %s', async (_, line, result, status) => {
		expect(await inProcess(['alerts', 'test'], await withConfig(line))).toEqual({
			...{stdout: `${result}\n`, stderr: '', status},
		});
	});
});
