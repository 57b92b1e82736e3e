import {chmodSync, existsSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {formatExact} from '../../source/format/number.ts';
import {secondMs} from '../../source/market/units.ts';
import {demoNow} from '../helpers/environment.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {schemaFaults} from '../helpers/json-schemas.ts';
import {command, groupLives, openProgram, openScript, processLives, type Session, type Size} from './program.ts';
import {startTradedExchange} from './traded-exchange.ts';

const size: Size = {columns: 120, rows: 40};

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

test('tiles without a keyboard ring the bell, notify, and run a program with the alert; a signal ends them, and alert and failure are said', async () => {
	const path = temporaryFolder();
	const hook = program(
		join(path, 'hook'),
		`env | grep '^TAPEWATCH_ALERT_' | sort > ${path}/variables`,
		`echo $$ > ${path}/pid`,
		`cat > ${path}/alert`,
		'exit 3',
	);
	const rule = 'ETHUSDT last > 1 note a "note"\u0007';
	const watch = openScript(`exec ${command} watch BTCUSDT ETHUSDT --alert "$RULE" --on-alert ${hook} </dev/null`, {
		...size,
		env: {RULE: rule},
	});
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
	// Once the program knows how the hook ended.
	await expect.poll(() => processLives(Number(read(join(path, 'pid'))))).toBe(false);
	const seconds = new Set<string>();
	await watch.waitFor(text => seconds.add(/UTC [\d:]+/.exec(text.join('\n'))?.[0] ?? '').size > 2);
	watch.kill('SIGTERM');
	expect(await watch.exit).toEqual({exitCode: 143, signal: undefined});
	expect([watch.alternate(), watch.cursorVisible(), groupLives(watch.pid)]).toEqual([false, true, false]);
	const left = watch.screen().join('\n');
	expect(left).toContain(`${hook}: ended with status 3`);
	expect(left).toMatch(
		/^2026-11-20 12:\d\d:\d\d {2}ALERT ETHUSDT last > 1: last [\d,.]+ \(trades [\d.]+ m?s\), a "note"/m,
	);
});

/** The notifications that a terminal was sent, each with the bell before it. */
const notified = (session: Session): readonly string[] =>
	[...session.raw().matchAll(/\u0007\u001B\]9;! ([^\u0007\u001B]*)\u0007/g)].map(([, text = '']) => text);

const shows = (symbol: string) => (text: readonly string[]) => (text[0] ?? '').startsWith(` ${symbol} `);

test('a rule that is typed outlives a kill: what crossed meanwhile is called once, in the words of the gap, and it is armed again; of a monitor and a watch with the same state file one calls, and both show the alert until it is acknowledged', async () => {
	const home = temporaryFolder();
	const {url, trade} = await startTradedExchange(99);
	const start = (...words: readonly string[]) =>
		openProgram([...words, '--base-url', url], {...size, env: {XDG_STATE_HOME: home}});
	const file = join(home, 'tapewatch', 'state.json');
	const state = () => read(file);

	const first = start();
	await first.waitFor(shows('BTC/USDT'));
	trade(99);
	first.press(':alert last crosses above 100 every 1s<enter>');
	await expect.poll(state).toMatch(/"BTCUSDT last crosses above 100 every 1s":.*"sides":\s*\[\s*-1\s*\]/s);
	// One that is left behind keeps the others from saving, for seconds.
	await expect.poll(() => existsSync(`${file}.lock`)).toBe(false);
	first.kill('SIGKILL');
	await first.exit;

	// The page that the next one reads begins later.
	trade(101, 102, ...Array.from({length: 6}, () => 98));
	const second = start();
	const ofGap = expect.stringMatching(
		/^BTCUSDT last crosses above 100: between 12:\d\d:\d\d and 12:\d\d:\d\d \(high 102\) \(trades [^)]*\), while blind since 12:\d\d:\d\d$/,
	);
	await expect.poll(() => notified(second)).toEqual([ofGap]);
	second.press('<esc>');

	const watch = start('watch', 'BTCUSDT');
	await watch.waitFor(text => /│ +98\b/.test(text[1] ?? ''));
	// The rule fires once a second at most.
	const firedAt = Number(/"fired": \{\s*"time": (\d+)/.exec(state())?.[1]);
	await expect.poll(demoNow).toBeGreaterThan(firedAt + secondMs);
	trade(103);
	await Promise.all(
		[second, watch].map(each =>
			each.waitFor(text => /last crosses above 100\b.* 103\b/.test(text.slice(-2).join(' '))),
		),
	);
	watch.press('q');
	// Nothing is left to be called at the end.
	expect(await watch.exit).toEqual({exitCode: 0, signal: undefined});
	const called = expect.stringMatching(/^BTCUSDT last crosses above 100: last 103 /);
	expect([notified(first), notified(second)[0]]).toEqual([[], ofGap]);
	expect([...notified(second).slice(1), ...notified(watch)]).toEqual([called]);

	const isShown = (text: readonly string[]) => text.slice(-2).join('').includes('last crosses above 100');
	await second.waitFor(text => isShown(text) && /\besc\b/i.test(text.slice(-2).join('')));
	second.press('<esc>');
	await second.waitFor(text => shows('BTC/USDT')(text) && !isShown(text));
	second.press('q');
	expect(await second.exit).toEqual({exitCode: 0, signal: undefined});
});
