import {spawnSync} from 'node:child_process';
import {randomUUID} from 'node:crypto';
import {chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {formatExact} from '../../source/format/number.ts';
import {schemaFaults} from '../helpers/json-schemas.ts';
import {command, openProgram, openScript, type Session, type Size} from './program.ts';
import {startTradedExchange} from './traded-exchange.ts';

const size: Size = {columns: 120, rows: 40};

/** A folder that goes with the test. */
function folder(): string {
	const path = mkdtempSync(join(tmpdir(), 'tapewatch-alerts-'));
	onTestFinished(() => rmSync(path, {recursive: true}));
	return path;
}

/** An executable file of these lines of shell. */
function program(path: string, ...lines: readonly string[]): string {
	writeFileSync(path, ['#!/bin/sh', ...lines, ''].join('\n'));
	chmodSync(path, 0o755);
	return path;
}

const read = (path: string): string => {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
};

/** Settles when the terminal was sent what fits; its output as a whole is too long for a report. */
const sent = (session: Session, pattern: RegExp) => expect.poll(() => pattern.test(session.raw())).toBe(true);

test('the tiles of watch ring the bell, notify, and run a program with the alert, whose failure is said', async () => {
	const path = folder();
	const hook = program(
		join(path, 'hook'),
		`env | grep '^TAPEWATCH_ALERT_' | sort > ${path}/variables`,
		`cat > ${path}/alert`,
		'exit 3',
	);
	const rule = 'ETHUSDT last > 1 note a "note"\u0007';
	const watch = openProgram(['watch', 'BTCUSDT', 'ETHUSDT', '--alert', rule, '--on-alert', hook], size);
	await sent(
		watch,
		/\u0007\u001B\]9;! ETHUSDT last > 1: last [\d,.]+ \(trades [^)]*\), a "note"[^\u0007\u001B]*\u0007/,
	);
	await expect.poll(() => read(join(path, 'alert'))).toMatch(/\n$/);
	const alert = JSON.parse(read(join(path, 'alert')));
	expect(schemaFaults('watch-event', alert)).toEqual([]);
	expect(alert).toMatchObject({
		...{type: 'alert', symbol: 'ETHUSDT', rule, note: 'a "note"\u0007', demo: true},
		values: {last: expect.any(Number)},
	});
	const variables = read(join(path, 'variables')).split('\n');
	expect(variables).toContain('TAPEWATCH_ALERT_MARKET=ETHUSDT');
	expect(variables.find(each => each.startsWith('TAPEWATCH_ALERT_MESSAGE='))).toContain(
		`last ${formatExact(alert.values.last)}`,
	);
	await watch.waitFor(text => text.length === size.rows);
	watch.press('q');
	expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
	expect(watch.screen().join('\n')).toContain(`${hook}: ended with status 3`);
});

test('inside tmux the bell and the notification reach the terminal around it', {tags: 'tmux'}, async () => {
	const path = folder();
	const socket = `tapewatch-${randomUUID()}`;
	const configuration = join(path, 'tmux.conf');
	writeFileSync(configuration, 'set -g allow-passthrough on\nset -g bell-action any\n');
	const watch = `${command} watch BTCUSDT ETHUSDT --alert "ETHUSDT last > 1"`;
	const tmux = `tmux -L ${socket} -u -f ${configuration}`;
	const outer = openScript(`${tmux} new-session '${watch}'`, size);
	onTestFinished(() => {
		spawnSync('tmux', ['-L', socket, 'kill-server']);
	});
	await sent(outer, /\u001B\]9;! ETHUSDT last > 1: last [\d.]+[^\u0007\u001B]*\u0007/);
	const isRung = () =>
		outer
			.raw()
			.replaceAll(/\u001B\][^\u0007]*\u0007/g, '')
			.includes('\u0007');
	await expect.poll(isRung).toBe(true);
	outer.press('q');
	expect(await outer.exit).toEqual({exitCode: 0, signal: undefined});
});

test('the lines of watch give the window title back when the program fails', async () => {
	const failing = join(folder(), 'failing.mjs');
	const fail = 'if (String(text).includes("]2;!")) setImmediate(() => { throw new Error("fault"); });';
	writeFileSync(
		failing,
		`const {stderr} = process, write = stderr.write; stderr.write = text => { ${fail} return write.call(stderr, text); };`,
	);
	const watch = `${command} watch BTCUSDT --alert "last > 1" --notify title`;
	const session = openScript(`export NODE_OPTIONS='--import ${failing}'; ${watch} | cat`, size);
	await sent(session, /\u001B\]2;! BTCUSDT last > 1\u0007[\s\S]*\u001B\]2;\u0007\u001B\[23;2t/);
	await session.exit;
});

/** The notifications that a terminal was sent, each with the bell before it. */
const notified = (session: Session): readonly string[] =>
	[...session.raw().matchAll(/\u0007\u001B\]9;! ([^\u0007\u001B]*)\u0007/g)].map(([, text = '']) => text);

const shows = (symbol: string) => (text: readonly string[]) => (text[0] ?? '').startsWith(` ${symbol} `);

test('a rule outlives a kill: what crossed meanwhile is called once, in the words of the gap, and is armed again; one that is typed is called until it is acknowledged', async () => {
	const home = folder();
	const {url, trade} = await startTradedExchange(99);
	const start = () => openProgram(['--base-url', url], {...size, env: {XDG_STATE_HOME: home}});
	const state = () => read(join(home, 'tapewatch', 'state.json'));

	const first = start();
	await first.waitFor(shows('BTC/USDT'));
	trade(99);
	first.press(':alert last crosses above 100 every 1s<enter>');
	await expect.poll(state).toMatch(/"BTCUSDT last crosses above 100 every 1s":.*"sides":\s*\[\s*-1\s*\]/s);
	first.kill('SIGKILL');
	await first.exit;

	// The page that the next one reads begins later.
	trade(101, 102, ...Array.from({length: 6}, () => 98));
	const second = start();
	await expect
		.poll(() => notified(second))
		.toEqual([
			expect.stringMatching(
				/^BTCUSDT last crosses above 100: between 12:\d\d:\d\d and 12:\d\d:\d\d \(high 102\) \(trades [^)]*\), while blind since 12:\d\d:\d\d$/,
			),
		]);
	second.kill('SIGKILL');
	await second.exit;

	const third = start();
	await third.waitFor(shows('BTC/USDT'));
	trade(103);
	await expect
		.poll(() => notified(third))
		.toEqual([expect.stringMatching(/^BTCUSDT last crosses above 100: last 103 /)]);
	expect([notified(first), notified(second).length, notified(third).length]).toEqual([[], 1, 1]);

	// A rule that is typed calls at once, and is shown until it is acknowledged.
	const isShown = (text: readonly string[]) => text.slice(-2).join('').includes('BTCUSDT last > 1:');
	third.press('<esc>');
	third.press(':alert last > 1<enter>');
	await expect.poll(() => notified(third).slice(1)).toEqual([expect.stringMatching(/^BTCUSDT last > 1: last 103 /)]);
	await third.waitFor(text => isShown(text) && /\besc\b/i.test(text.slice(-2).join('')));
	third.press('<esc>');
	await third.waitFor(text => shows('BTC/USDT')(text) && !isShown(text));
	third.press('q');
	expect(await third.exit).toEqual({exitCode: 0, signal: undefined});
	expect(notified(third)).toHaveLength(2);
});

test('of a monitor and a watch with the same rule and state file one calls, and both show the alert', async () => {
	const home = folder();
	const {url, trade} = await startTradedExchange(99);
	const shared = {...size, env: {XDG_STATE_HOME: home}, config: '[[alerts]]\nrule = "BTCUSDT last crosses 100"\n'};
	const instances = [
		openProgram(['--base-url', url], shared),
		openProgram(['watch', 'BTCUSDT', '--base-url', url], shared),
	] as const;
	const [monitor, watch] = instances;
	await monitor.waitFor(shows('BTC/USDT  99'));
	await watch.waitFor(text => /│ +99\b/.test(text[1] ?? ''));
	trade(101);
	await Promise.all(
		instances.map(each => each.waitFor(text => /last crosses 100\b.* 101\b/.test(text.slice(-2).join(' ')))),
	);
	for (const each of instances) each.press('q');
	// Nothing is left to be called at the end.
	for (const each of instances) expect(await each.exit).toEqual({exitCode: 0, signal: undefined});
	expect(instances.flatMap(notified)).toEqual([expect.stringMatching(/^BTCUSDT last crosses 100: last 101 /)]);
});
