import {chmodSync, existsSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {parseFaultRules} from '../../source/demo/faults/rule.ts';
import {startDemo} from '../../source/demo/server.ts';
import {formatDateTime} from '../../source/format/time.ts';
import {systemClock} from '../../source/market/clock.ts';
import {demoNow} from '../helpers/environment.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {query} from '../recording/recordings.ts';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Session, type Size} from './program.ts';
import {startTapewatch} from './tapewatch.ts';
import {startTradedExchange} from './traded-exchange.ts';

const standard: Size = {columns: 120, rows: 40};
const small: Size = {columns: 80, rows: 24};
const tiny: Size = {columns: 40, rows: 12};

const isQuit = {exitCode: 0, signal: undefined};

/** Of the last price in the header, also where the names of the market's assets are not known yet. */
const shows = (price: number) => (text: readonly string[]) =>
	new RegExp(`^ BTC/?USDT +${price}\\b`).test(text[0] ?? '');
const isAt = (status: RegExp) => (text: readonly string[]) => status.test(text.slice(-2).join('\n'));

/** Waits until the recording's only row of `sql` is `row`: answers are written some time after they came. */
const recorded = (path: string, sql: string, row: Readonly<Record<string, unknown>>) =>
	expect.poll(() => query(path, sql)).toEqual([row]);

/**
 * Presses a key that returns to the present, and expects that one frame does: of the past until then, with one of its prices,
 * of the present from then on.
 */
async function expectPresent(monitor: Session, key: string, past: readonly number[], present: number): Promise<void> {
	const from = monitor.raw().length;
	monitor.press(key);
	await monitor.waitFor(text => isLive(text) && shows(present)(text));
	const frames = (await monitor.painted(from)).map(({text}) => {
		if (isAt(/REWOUND/)(text)) return past.some(price => shows(price)(text)) ? 'past' : 'mixed';
		return shows(present)(text) ? 'present' : 'mixed';
	});
	const back = frames.indexOf('present');
	expect(frames).toEqual(frames.map((_, index) => (index < back ? 'past' : 'present')));
}

test('a live session steps back and returns while it polls, records and calls, and its recording outlives a kill', async () => {
	const folder = temporaryFolder();
	const [path, called, hook] = [join(folder, 'session.twr'), join(folder, 'called'), join(folder, 'hook')];
	writeFileSync(hook, `#!/bin/sh\necho > ${called}\n`);
	chmodSync(hook, 0o755);
	const {url, trade, requests} = await startTradedExchange(100);
	const config = `on-alert = ["${hook}"]\n[[alerts]]\nrule = "BTCUSDT last > 110"\n`;
	const live = openProgram(['BTCUSDT', '--base-url', url, '--record', path], {...small, config});
	await live.waitFor(text => isLive(text) && shows(100)(text));
	// The change that is stepped back to, when all is known.
	trade(100);
	await live.waitFor(text => isLive(text) && shows(100)(text) && /● REC 00:00:(?:0[6-9]|1\d)/.test(text[0] ?? ''));
	await recorded(path, 'SELECT count(*) AS count FROM trades', {count: 6});
	live.press(',');
	await live.waitFor(isAt(/^ REWOUND 00:00:\d\d {2}12:\d\d:\d\d paused · live goes on [━╱]*●[━╱]* +Esc present/m));

	const before = requests();
	trade(120);
	await live.waitFor(isAt(/REWOUND 00:00:\d\d {2}12:\d\d:\d\d ! BTCUSDT /));
	await expect
		.poll(() => [/\u0007\u001B\]9;! BTCUSDT last > 110/.test(live.raw()), existsSync(called)])
		.toEqual([true, true]);
	expect([shows(100)(live.screen()), requests() > before]).toEqual([true, true]);
	live.press('<esc>');
	await live.waitFor(isAt(/paused · live goes on/));
	await expectPresent(live, '<esc>', [100], 120);

	live.press(',');
	live.resize(tiny.columns, tiny.rows);
	await live.waitFor(text => text.length === tiny.rows && isAt(/^ REWOUND 00:00:\d\d {2}12:\d\d:\d\d paused$/m)(text));
	live.press(' ');
	await live.waitFor(isAt(/^ REWOUND 00:00:\d\d {2}12:\d\d:\d\d ▶ ×1$/m));
	await expectPresent(live, '<end>', [100, 120], 120);
	expect(frameFault(live.screen(), tiny)).toBeUndefined();

	await recorded(path, 'SELECT rule FROM alert', {rule: 'BTCUSDT last > 110'});
	live.kill('SIGKILL');
	await live.exit;
	expect(query(path, 'PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
	expect(query(path, 'SELECT price FROM trades ORDER BY time DESC LIMIT 1')).toEqual([{price: 120}]);

	const sent = requests();
	const replay = openProgram(['replay', path, '--from', '-1s'], {...standard, config: `base-url = "${url}"\n`});
	await replay.waitFor(isAt(/^ REPLAY {2}2026-11-20 12:\d\d:\d\d (▶ ×1|paused) /m));
	await replay.waitFor(shows(120));
	replay.press('{');
	await replay.waitFor(isAt(/ ━*●━*!/));
	for (const key of ['r', '!', 'd', 'C', ']', 'n']) replay.press(key);
	replay.press('q');
	expect(await replay.exit).toEqual(isQuit);
	expect(requests()).toBe(sent);
});

test('a recording of an exchange that fails opens after a kill, is appended to, replayed with its failures at every size, and watched', async () => {
	const path = join(temporaryFolder(), 'session.twr');
	const {url, faults, close} = await startDemo({clock: {...systemClock, now: demoNow}});
	onTestFinished(close);
	const exchange = ['--base-url', url, '--legacy-base-url', url];
	const record = () => startTapewatch(['record', 'BTCUSDT', '--books', '--out', path, '--json', ...exchange]);
	/** Settles when a session has those of more than a second. */
	const haveBooks = (session: number) => {
		const books = `FROM answer WHERE operation = 'depth' AND error IS NULL AND session = ${session}`;
		const count = () => Number(query(path, `SELECT max(received_at) - min(received_at) AS ms ${books}`)[0]?.ms);
		return expect.poll(count).toBeGreaterThan(1000);
	};
	const first = record();
	await first.wrote(text => text.includes('"type":"recording"'));
	await haveBooks(1);
	for (const rule of parseFaultRules('*.depth=status-500')) faults.add(rule);
	const sinceFailure = 'SELECT max(received_at) - min(received_at) AS ms FROM answer WHERE error IS NOT NULL';
	await expect.poll(() => Number(query(path, sinceFailure)[0]?.ms)).toBeGreaterThan(1000);
	const answers = () => Number(query(path, 'SELECT count(*) AS answers FROM answer')[0]?.answers);
	const before = answers();
	first.kill('SIGKILL');
	await first.outcome;
	expect(query(path, 'PRAGMA integrity_check')).toEqual([{integrity_check: 'ok'}]);
	expect(query(path, 'SELECT process FROM session')[0]?.process).not.toBeNull();
	expect(answers()).toBeGreaterThanOrEqual(before);
	faults.clear();
	const second = record();
	await second.wrote(text => text.includes('"type":"recording"'));
	await haveBooks(2);
	second.kill('SIGTERM');
	expect((await second.outcome).status).toBe(143);
	expect(query(path, 'SELECT count(*) = count(DISTINCT id) AS once FROM trades')).toEqual([{once: 1}]);

	const replay = openProgram(['replay', path], standard);
	await replay.waitFor(isAt(/^ REPLAY {2}2026-11-20 12:\d\d:\d\d ▶ ×1 [━●╱]+$/m));
	replay.press(' ');
	await replay.waitFor(isAt(/ paused /));
	const expectStatus = async (keys: string, status: RegExp) => {
		replay.press(keys);
		await replay.waitFor(isAt(status));
	};
	await expectStatus('{{', /this is the beginning/);
	await expectStatus('.', /Space play/);
	const [{failedAt} = {}] = query(path, 'SELECT min(received_at) AS failedAt FROM answer WHERE error IS NOT NULL');
	const failing = formatDateTime(Math.ceil(Number(failedAt) / 1000) * 1000);
	await expectStatus(`:goto ${failing}<enter>`, new RegExp(`^ REPLAY {2}${failing} paused`, 'm'));
	await replay.waitFor(isAt(/paused .*server error 500 [━╱]*●[━╱]+$/m));
	const [{endedAt} = {}] = query(path, 'SELECT max(received_at) AS endedAt FROM answer');
	const nearEnd = formatDateTime(Number(endedAt) - 5000);
	await expectStatus(`:goto ${nearEnd}<enter>`, new RegExp(`^ REPLAY {2}${nearEnd} paused`, 'm'));
	await expectStatus('>', /paused .*[━╱]+●$/m);
	await expectStatus(':speed 0.1<enter>', /paused ×0\.1 /);
	await expectStatus(':goto +1h<enter>', /the end: recorded until 2026-11-20 12:\d\d:\d\d/);
	await expectStatus('}', /this is the end/);
	await expectStatus(':goto -1h<enter>', /the beginning: recorded from 2026-11-20 12:\d\d:\d\d/);
	await expectStatus(':speed max<enter> ', /paused max .*[━╱]+●$/m);
	for (const size of [small, tiny]) {
		replay.resize(size.columns, size.rows);
		await replay.waitFor(text => text.length === size.rows && isAt(/^ REPLAY .*12:\d\d:\d\d paused max/m)(text));
	}

	replay.press('q');
	expect(await replay.exit).toEqual(isQuit);

	const watch = openProgram(['watch', 'BTCUSDT', '--recording', path, '--from', '-2s', '--speed', '0.5'], small);
	await watch.waitFor(text => /BTC\/USDT/.test(text[0] ?? '') && / REPLAY .*×0\.5/.test(text.at(-1) ?? ''));
	expect(await watch.exit).toEqual(isQuit);
});
