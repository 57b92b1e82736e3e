import {describe, expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Session, type Size, startDemoProcess} from './program.ts';

const size: Size = {columns: 120, rows: 40};
const quick = `
rate = 100
[intervals]
depth = 0.3
trades = 0.3
tickers = 0.3
candles = 0.3
markets = 0.3
`;

const titles = ['1 Markets', '2 Chart', '3 Book', '4 Tape'];
const titleOf = (text: readonly string[], panel: string): string => {
	return new RegExp(`[╭┏][─━] ${panel}[^╮┓]*`).exec(text.join('\n'))?.[0] ?? '';
};

/** The prices of the book, each in its row, and how they are drawn. */
function book(monitor: Session): {readonly rows: readonly string[]; readonly dim: boolean} {
	const text = monitor.screen();
	const top = text.findIndex(row => row.includes(' 3 Book'));
	const left = (text[top] ?? '').indexOf('3 Book') - 3;
	const rows = text.slice(top + 2, top + 10).map(row => row.slice(left + 1, -1));
	return {rows, dim: monitor.cell(top + 3, left + 3).dim};
}

describe('when the exchange goes away and comes back', () => {
	test('every panel keeps its numbers, says since when they are stale and why, and recovers by itself', async () => {
		const exchange = await startDemoProcess();
		const addresses = ['--base-url', exchange.url, '--legacy-base-url', exchange.url];
		const monitor = openProgram(addresses, {...size, config: quick});
		await monitor.waitFor(isLive);
		expect(monitor.screen().join('\n')).not.toContain('DEMO');
		expect(book(monitor).dim).toBe(false);

		await exchange.stop();
		const isStale = (text: readonly string[]) => titles.every(panel => /stale/.test(titleOf(text, panel)));
		// The request under way breaks off; those after it are refused.
		const isRefused = (text: readonly string[]) =>
			/stale since \d\d:\d\d:\d\d · connection refused/.test(text[1] ?? '') &&
			/^ no answer: connection refused · /m.test(text.join('\n'));
		await monitor.waitFor(text => isStale(text) && isRefused(text) && frameFault(text, size) === undefined);
		const text = monitor.screen();
		expect(titleOf(text, '3 Book')).toMatch(/stale since \d\d:\d\d:\d\d/);
		const kept = book(monitor);
		expect(kept.rows.filter(row => /^ \d\d,\d{3}\.\d\d +\d/.test(row)).length).toBeGreaterThan(5);
		expect(kept.dim).toBe(true);
		const seconds = new Set<string>();
		await monitor.waitFor(text => {
			const [time] = /(?<=UTC )\d\d:\d\d:\d\d$/m.exec(text.join('\n')) ?? [];
			return time !== undefined && seconds.add(time).size > 3;
		});
		expect(book(monitor)).toEqual(kept);

		const again = await startDemoProcess(exchange.port);
		await monitor.waitFor(text => isLive(text) && !text.some(row => row.includes('stale')));
		expect(book(monitor).dim).toBe(false);
		const painted = await monitor.painted();
		expect(painted.flatMap(({text}) => frameFault(text, size) ?? [])).toEqual([]);
		await again.stop();
	});

	test('a start without an answer says what failed and goes on when the exchange is there', async () => {
		const {port, url, stop} = await startDemoProcess();
		await stop();
		const addresses = ['--base-url', url, '--legacy-base-url', url];
		const small = openProgram(addresses, {columns: 80, rows: 24, config: quick});
		const monitor = openProgram(addresses, {...size, config: quick});
		await monitor.waitFor(/┃ *connection refused *┃/);
		await small.waitFor(/^ no answer: connection refused +.*UTC \d\d:\d\d:\d\d$/m);
		expect(monitor.screen().join('\n')).toMatch(/^ no answer: connection refused · /m);
		const exchange = await startDemoProcess(port);
		await Promise.all([monitor.waitFor(isLive), small.waitFor(isLive)]);
		await exchange.stop();
	});
});

describe('with one interface only', () => {
	test('v2 alone: asks without bids, and the ticker’s best bid by that name', async () => {
		const exchange = await startDemoProcess();
		const monitor = openProgram(['--base-url', exchange.url], {...size, config: quick});
		await monitor.waitFor(text => isLive(text) && frameFault(text, size) === undefined);
		const text = monitor.screen().join('\n');
		expect(titleOf(monitor.screen(), '3 Book')).toContain('v2');
		expect(text).toContain('no bids shown by this interface');
		expect(text).toMatch(/│ ticker bid \d\d,\d{3}\.\d\d × \d/);
		expect(text).toMatch(/^ ticker bid \d\d,\d{3}\.\d\d/m);
	});

	test('legacy alone: markets from the ticker, candles from the trades, no exchange info and why', async () => {
		const exchange = await startDemoProcess();
		const monitor = openProgram(['--legacy-base-url', exchange.url], {...size, config: quick});
		await monitor.waitFor(text => isLive(text) && frameFault(text, size) === undefined);
		const text = monitor.screen();
		expect(titleOf(text, '1 Markets')).toContain('legacy');
		expect(text.join('\n')).toMatch(/^┃▶ BTC\/USDT /m);
		expect(titleOf(text, '2 1h')).toMatch(/ 2 1h · built from trades ─+ legacy · [\d.]+ s ─$/);
		monitor.press('i');
		await monitor.waitFor(/the legacy interface has no exchange info/);
		expect(monitor.screen().join('\n')).toContain('--base-url');
	});
});
