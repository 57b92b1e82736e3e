import {chmod, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {afterAll, describe, expect, test} from 'vitest';
import {folderOfFile, openHome} from '../../helpers/folders.ts';
import {inProcess, refusal, startInProcess} from '../in-process.ts';
import {smallExchangeTime, startSmallExchange} from '../small-exchange.ts';

const folder = folderOfFile();
const exchange = await startSmallExchange();
afterAll(() => exchange.close());

/** A program of these lines of shell. */
async function program(name: string, ...lines: readonly string[]): Promise<string> {
	const path = join(folder, name);
	await writeFile(path, ['#!/bin/sh', ...lines, ''].join('\n'));
	await chmod(path, 0o755);
	return path;
}

const watchArguments = (...args: readonly string[]) => [
	...['watch', ...args, '--base-url', exchange.url, '--legacy-base-url', exchange.url, '--rate', '1000'],
];

/** Watches until as many alerts as these are printed, and then for some polls more, after which another one would be. */
async function watchUntil(alerts: number, ...args: readonly string[]): Promise<string> {
	const run = startInProcess(watchArguments(...args));
	await run.wrote(stdout => stdout.split(/ALERT |"type":"alert"/).length > alerts);
	await exchange.received(exchange.requests.length + 10);
	run.kill('SIGTERM');
	const {stdout, stderr, status} = await run.outcome;
	expect([stderr.replace(delayed, ''), status]).toEqual(['', 143]);
	return stdout;
}

const delayed = 'tapewatch: open < 0: by the 24 h ticker, delayed\n';

const unlisted =
	'--alert: no market ETHUSD in the market list, 1 of whose entries cannot be read; did you mean ETHUSDT or BTCUSDT?\n';

test('a line that the user drew in the monitor can be named', async () => {
	const ends = [2, 1].map(hours => new Date(smallExchangeTime - hours * 3_600_000).toISOString());
	const lines = {BTCUSDT: {'1': {[`${ends[0]} 50000 ${ends[1]} 50001`]: {}}}};
	const {env} = openHome('', {[new URL(exchange.url).host]: {lines}});
	const watched = (condition: string) => inProcess(watchArguments('BTCUSDT', '--once', '--until', condition), {env});
	expect(await watched('last > line 1')).toMatchObject({status: 0, stdout: expect.stringContaining('61,824.01')});
	expect(await watched('last < line 1')).toMatchObject({status: 124});
	expect(await watched('last < line 3')).toMatchObject({
		status: 2,
		stderr: expect.stringContaining('no line 3 in BTCUSDT'),
	});
	const run = startInProcess(watchArguments('BTCUSDT', '--alert', 'last > line 1', '--alert', 'last > line 4'), {env});
	await run.wrote(stdout => stdout.includes('ALERT'));
	run.kill('SIGTERM');
	const {stdout, stderr} = await run.outcome;
	expect(stdout).toMatch(/ALERT BTCUSDT last > line 1: last 61,824\.01, line 1 /);
	expect(stdout + stderr).toMatch(/BTCUSDT last > line 4: blind since .*: no line 4 in BTCUSDT/);
});

describe('--alert', () => {
	test('prints a line and runs the program, once', async () => {
		const seen = join(folder, 'seen');
		const path = await program(
			'hook',
			`printf '%s|' "$TAPEWATCH_ALERT_MARKET" "$TAPEWATCH_ALERT_RULE" >> ${seen}`,
			`cat >> ${seen}`,
		);
		const rule = 'PEPEBTC last > 60000 note watch "it"';
		const stdout = await watchUntil(1, 'BTCUSDT', 'PEPEBTC', '--alert', rule, '--on-alert', path);
		const lines = stdout.split('\n').filter(line => line.includes('ALERT'));
		expect(lines).toEqual([
			expect.stringMatching(
				/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}ALERT PEPEBTC last > 60000: last 61,824\.01 \(trades [\d.]+ m?s\), watch "it"$/,
			),
		]);
		await expect.poll(() => readFile(seen, 'utf8').catch(() => '')).toMatch(/\n$/);
		const [market, title, document] = (await readFile(seen, 'utf8')).split('|');
		expect([market, title]).toEqual(['PEPEBTC', rule]);
		expect(JSON.parse(document ?? '')).toEqual({
			...{type: 'alert', symbol: 'PEPEBTC', time: expect.any(Number), rule, delayed: false, note: 'watch "it"'},
			...{values: {last: 61_824.01}, trade: null, delay: null, blindSince: null, gap: null},
			judgedOn: [
				{symbol: 'PEPEBTC', data: 'trades', receivedAt: expect.any(Number), lastTradeAt: smallExchangeTime - 1000},
			],
			...{interface: null, receivedAt: null, serverTime: null, eventId: expect.stringMatching(/:PEPEBTC:alert:/)},
			...{exchange: new URL(exchange.url).host, demo: false, schemaVersion: 1},
		});
	});

	test.each([
		[['--alert', 'last >'], '--alert: expected a number or a quantity after >\n  last >\n        ^\n'],
		[['--alert', 'ETHUSD last > 1'], `${unlisted}  ETHUSD last > 1\n  ^\n`],
		[['--alert', 'last < 2 * ETHUSD.last'], `${unlisted}  last < 2 * ETHUSD.last\n             ^\n`],
		[['--alert', 'last > 1', '--once'], '--alert needs a watch that continues; leave out --once\n'],
		[['--on-alert', '/bin/true'], '--on-alert needs a rule; add --alert\n'],
		[
			['--alert', 'last > 1', '--on-alert', '/no/such'],
			'on-alert: /no/such does not exist; give the path of a program\n',
		],
		[['--alert', 'last > 1', '--on-alert', '/tmp'], 'on-alert: /tmp is not a program\n'],
	])('%j is refused', async (options, message) => {
		expect(await inProcess(watchArguments('BTCUSDT', ...options))).toEqual({
			stdout: '',
			stderr: refusal('watch', message.trimEnd()),
			status: 2,
		});
	});
});
