import {chmod, mkdtemp, readFile, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {Alert} from '../../../source/alerts/judged-rule.ts';
import {parseRule} from '../../../source/alerts/rule.ts';
import {createAlertCalls} from '../../../source/cli/commands/alert-calls.ts';
import {systemClock} from '../../../source/market/clock.ts';
import type {ExchangeServer} from '../../helpers/exchange-server.ts';
import {createFakeClock} from '../../helpers/fake-clock.ts';
import {inProcess} from '../in-process.ts';
import {startSmallExchange} from '../small-exchange.ts';

let exchange: ExchangeServer;
let folder: string;
beforeAll(async () => {
	exchange = await startSmallExchange();
	folder = await mkdtemp(join(tmpdir(), 'tapewatch-alerts-'));
});
afterAll(() => exchange.close());

/** A program of these lines of shell. */
async function program(name: string, ...lines: readonly string[]): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
	await chmod(path, 0o755);
	return path;
}

const watch = (...args: readonly string[]) =>
	inProcess(['watch', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000']);

describe('--alert', () => {
	test('prints a line and runs the program, once', async () => {
		const seen = join(folder, 'seen');
		const path = await program(
			'hook',
			`printf '%s|' "$TAPEWATCH_ALERT_MARKET" "$TAPEWATCH_ALERT_RULE" >> ${seen}`,
			`cat >> ${seen}`,
		);
		const rule = 'PEPEBTC last > 60000 note watch "it"';
		const {stdout, stderr, status} = await watch(
			'BTCUSDT',
			'PEPEBTC',
			'--for',
			'3s',
			'--alert',
			rule,
			'--alert',
			'open < 0',
			'--on-alert',
			path,
		);
		expect({stderr, status}).toEqual({stderr: 'tapewatch: open < 0: by the 24 h ticker, delayed\n', status: 0});
		const lines = stdout.split('\n').filter(line => line.includes('ALERT'));
		expect(lines).toEqual([
			expect.stringMatching(
				/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ALERT PEPEBTC last > 60000: last 61824\.01, watch "it"$/,
			),
		]);
		const [market, title, document] = (await readFile(seen, 'utf8')).split('|');
		expect([market, title]).toEqual(['PEPEBTC', 'PEPEBTC last > 60000']);
		expect(JSON.parse(document ?? '')).toEqual({
			...{type: 'alert', symbol: 'PEPEBTC', time: expect.any(Number), rule, delayed: false, note: 'watch "it"'},
			...{values: {last: 61_824.01}, trade: null, delay: null, blindSince: null},
			...{exchange: new URL(exchange.url).host, demo: false},
		});
	});

	test('is an event of --json; a rule that is given twice calls once', async () => {
		const rules = ['--alert', 'BTCUSDT last>1', '--alert', 'BTCUSDT last > 1', '--alert', 'bid < 1 and last < 0'];
		const {stdout, stderr, status} = await watch('BTCUSDT', '--json', '--for', '3s', ...rules);
		expect({stderr, status}).toEqual({stderr: '', status: 0});
		const events = stdout
			.trimEnd()
			.split('\n')
			.map(line => JSON.parse(line));
		const alerts = events.filter(({type}) => type === 'alert');
		expect(alerts.map(({symbol, rule, values}) => ({symbol, rule, values}))).toEqual([
			{symbol: 'BTCUSDT', rule: 'BTCUSDT last > 1', values: {last: 61_824.01}},
		]);
	});

	test.each([
		[['--alert', 'last >'], '--alert: expected a number or a quantity after >\n  last >\n        ^\n'],
		[['--alert', 'SOLUSDT last > 1'], '--alert: SOLUSDT is not watched; watched: BTCUSDT\n  SOLUSDT last > 1\n  ^\n'],
		[['--alert', 'last > 1', '--once'], '--alert needs a watch that goes on; leave out --once\n'],
		[['--on-alert', '/bin/true'], '--on-alert needs a rule; add --alert\n'],
		[['--alert', 'last > 1', '--on-alert', '/no/such'], '--on-alert: /no/such does not exist; it takes a path\n'],
		[['--alert', 'last > 1', '--on-alert', '/tmp'], '--on-alert: /tmp is not a program\n'],
	])('%j is refused', async (options, message) => {
		expect(await watch('BTCUSDT', ...options)).toEqual({stdout: '', stderr: `tapewatch: ${message}`, status: 2});
	});
});

describe('a program of an alert', () => {
	const alert = (time: number): Alert => ({
		...{type: 'alert', time, symbol: 'BTCUSDT', values: {last: 1}},
		rule: parseRule('last > 0', {marketNamed: name => ({key: name}), now: 0}),
	});
	const callsOf = (path: string, clock = systemClock) => {
		const failures: string[] = [];
		const written: string[] = [];
		const calls = createAlertCalls({
			...{program: path, environment: {TERM: 'xterm-256color', PATH: process.env.PATH}, clock},
			...{origin: {exchange: 'demo', demo: true}, onFailure: text => failures.push(text)},
			terminal: text => written.push(text),
		});
		return {calls, failures, written};
	};

	test('that fails or is missing is said', async () => {
		const failing = await program('failing', 'exit 3');
		const {calls, failures} = callsOf(failing);
		calls.call(alert(0));
		await calls.ended();
		const missing = callsOf(join(folder, 'missing'));
		missing.calls.call(alert(0));
		await missing.calls.ended();
		expect([...failures, ...missing.failures]).toEqual([
			`${failing}: ended with status 3`,
			expect.stringMatching(/missing: cannot be run: ENOENT$/),
		]);
	});

	test('that hangs is ended after 10 s, and three run at once', async () => {
		const started = join(folder, 'started');
		const clock = createFakeClock();
		const {calls, failures} = callsOf(await program('hanging', `echo x >> ${started}`, 'exec sleep 1000'), clock);
		for (let count = 0; count < 4; count++) calls.call(alert(count));
		const count = async () => (await readFile(started, 'utf8').catch(() => '')).length / 2;
		await expect.poll(count).toBe(3);
		await clock.advance(9999);
		expect(failures).toEqual([]);
		await clock.advance(1);
		await expect.poll(count).toBe(4);
		await clock.advance(10_000);
		await calls.ended();
		expect(failures).toEqual(Array(4).fill(expect.stringMatching(/stopped after 10 s$/)));
	});

	test('that is slow holds up no end: what waits for it is not run, and that is said', async () => {
		const clock = createFakeClock();
		const path = await program('slow', 'exec sleep 5');
		const {calls, failures} = callsOf(path, clock);
		for (let count = 0; count < 5; count++) calls.call(alert(count));
		const end = calls.ended();
		await clock.advance(1000);
		await end;
		expect(failures).toEqual([`${path}: not run for 2 alerts`]);
	});

	test('is run beside the bell and a notification, whose text stays in its place', () => {
		const {calls, written} = callsOf('/bin/true');
		calls.call({...alert(0), symbol: 'A\u0007\u001B]0;x\u001B\\B'});
		expect(written).toEqual(['\u0007\u001B]9;AB last > 0\u0007']);
	});
});
