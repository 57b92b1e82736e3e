import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {type Demo, startDemo} from '../../source/demo/server.ts';
import {systemClock} from '../../source/market/clock.ts';
import {demoNow} from '../helpers/environment.ts';
import {temporaryFolder} from '../helpers/folders.ts';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Session, type Size} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const config = 'rate = 100\n[intervals]\ndepth = 0.5\ntrades = 0.5\ntickers = 0.5\ncandles = 0.5\nmarkets = 0.5\n';

const titles = ['1 Markets', '2 Chart', '3 ', '4 Tape'];
const titleOf = (text: readonly string[], panel: string): string =>
	new RegExp(`[╭┏][─━] ${panel}[^╮┓]*`).exec(text.join('\n'))?.[0] ?? '';

/** The prices of the book, each in its row, and how they are drawn. */
function book(monitor: Session): {readonly rows: readonly string[]; readonly grey: boolean} {
	const text = monitor.screen();
	// Beside a long status the title is the step alone.
	const title = /[╭┏][─━] 3 (?:Book|0)/;
	const top = text.findIndex(row => title.test(row));
	const left = (text[top] ?? '').search(title);
	// The sign of a change goes after a second.
	const rows = text.slice(top + 2, top + 10).map(row => row.slice(left + 1, -1).replace(/[+▲▼×]/, ' '));
	const price = String(monitor.cell(top + 3, left + 3).foreground);
	const channels = [1, 3, 5].map(at => Number.parseInt(price.slice(at, at + 2), 16));
	return {rows, grey: Math.max(...channels) - Math.min(...channels) < 40};
}

type LogEntry = {readonly msg: string; readonly interface: string; readonly operation: string; readonly time: number};

function logFile(): {readonly path: string; entries(): readonly LogEntry[]} {
	const folder = temporaryFolder();
	const path = join(folder, 'tape.log');
	const lines = () => readFileSync(path, 'utf8').split('\n').filter(Boolean);
	return {path, entries: () => lines().map(line => JSON.parse(line))};
}

/** The demo exchange at the time of the programs. Closed after the test. */
async function startExchange(port = 0): Promise<Demo> {
	const demo = await startDemo({port, clock: {...systemClock, now: demoNow}});
	onTestFinished(demo.close);
	return demo;
}

test('every panel keeps its numbers during an outage and recovers by itself, and the log has its start and end', async () => {
	const exchange = await startExchange();
	const log = logFile();
	const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
	const monitor = openProgram([...addresses, '--log-file', log.path], {...size, config});
	await monitor.waitFor(text => isLive(text) && !book(monitor).grey);
	expect(monitor.screen().join('\n')).not.toContain('DEMO');
	expect(log.entries()).toEqual([]);

	await exchange.close();
	const isStale = (text: readonly string[]) => titles.every(panel => /stale/.test(titleOf(text, panel)));
	// The request that is open breaks off; those after it are refused.
	const isRefused = (text: readonly string[]) =>
		/stale since \d\d:\d\d:\d\d · connection refused/.test(text[1] ?? '') &&
		/^ no answer since \d\d:\d\d:\d\d: connection refused · /m.test(text.join('\n'));
	await monitor.waitFor(text => isStale(text) && isRefused(text) && frameFault(text, size) === undefined);
	expect(titleOf(monitor.screen(), '3 ')).toMatch(/stale since 12:\d\d:\d\d/);
	const kept = book(monitor);
	expect(kept.rows.filter(row => /^ \d\d,\d{3}\.\d\d +\d/.test(row)).length).toBeGreaterThan(5);
	expect(kept.grey).toBe(true);
	const seconds = new Set<string>();
	await monitor.waitFor(text => {
		const [time] = /(?<=UTC )\d\d:\d\d:\d\d$/m.exec(text.join('\n')) ?? [];
		return time !== undefined && seconds.add(time).size > 2;
	});
	expect(book(monitor)).toEqual(kept);

	await startExchange(exchange.port);
	await monitor.waitFor(text => isLive(text) && !text.some(row => row.includes('stale')) && !book(monitor).grey);
	monitor.press('q');
	expect(await monitor.exit).toMatchObject({exitCode: 0});
	const painted = await monitor.painted();
	const shown = painted.filter(({text}) => text.some(row => row !== ''));
	expect(shown.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);

	const ofBook = log.entries().filter(entry => entry.interface === 'v2' && entry.operation === 'depth');
	expect(ofBook).toMatchObject([
		{msg: 'failed', level: 'warn', error: 'NetworkError', url: expect.stringContaining(exchange.url)},
		{msg: 'recovered'},
	]);
	expect(new Date(ofBook[0]?.time ?? 0).toISOString()).toMatch(/^2026-11-20T12:/);
});
