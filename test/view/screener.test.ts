/** The columns of the list of markets that candles of each market tell: changes since an hour ago and longer, and relative volume. */
import {expect, test} from 'vitest';
import type {Candle} from '../../source/market/types.ts';
import {hourMs, minuteMs} from '../../source/market/units.ts';
import {pickerListOf} from '../../source/view/panels/markets/list.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';
import {at, openRecorded, openRewindable, recordSessions} from './recorded-monitor.tsx';
import {sampleScript, sampleTime} from './sample-exchange.ts';

/** Rises by a share per hour that is the market's own, and trades twice as much in its last full hour. */
function candlesOf(symbol: string, period: number, {count, last}: {readonly count: number; readonly last: number}) {
	const periodMs = period * minuteMs;
	const forming = Math.floor(sampleTime / periodMs) * periodMs;
	const hourly = 1 + (symbol.charCodeAt(0) - 77) / 1000;
	return Array.from({length: count}, (_, index): Candle => {
		const ago = count - 1 - index;
		const time = forming - ago * periodMs;
		const price = last / hourly ** ((sampleTime - time - periodMs) / hourMs);
		return {time, open: price, high: price, low: price, close: price, volume: ago === 1 ? 20 : 10};
	});
}

const tickers = sampleScript.tickers?.({} as never);
const lastOf = new Map(
	Array.isArray(tickers) ? tickers.map(({symbol, last}) => [String(symbol), Number(last ?? 1)]) : [],
);

/** All markets but those that begin with S, which have no candles. */
const script: typeof sampleScript = {
	...sampleScript,
	candles: ({symbol = '', options: {period = 60, limit = 500}}) =>
		symbol.startsWith('S') ? [] : candlesOf(symbol, period, {count: limit, last: lastOf.get(symbol) ?? 1}),
};

const candlesRead = ({exchange}: OpenMonitor) => exchange.calls.candles.filter(({options}) => options.priority === 2);

test.each([
	['120x40', {columns: 120, rows: 40}, '1z:columns last change 1h 4h 7d volume rvol range\r', false],
	['80x24-ascii', {columns: 80, rows: 24}, '1z:columns last 1h 4h 7d rvol\r', true],
	['80x24-shared-ascii', {columns: 80, rows: 24}, '1:columns 1h rvol\r', true],
])('frames while nothing, some and all is known: %s', async (name, size, keys, ascii) => {
	const monitor = await openMonitor({size, ascii, script});
	const {clock, exchange, frame} = monitor;
	exchange.currentBudget = {used: 0, allowed: 1};
	const framed = (state: string) =>
		expect(`${frame()}\n`).toMatchFileSnapshot(`../frames/markets/${name}-${state}.txt`);
	await monitor.type(keys);
	await framed('none');
	await clock.advance(10_000);
	await monitor.settle();
	await framed('some');
	exchange.currentBudget = {used: 0, allowed: 100};
	await clock.advance(10_000);
	await monitor.settle();
	await framed('all');
});

test('nothing is read until a column of the past is on the screen or sorts the list, and no more once it is not', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}, script});
	const {clock, exchange, type, press} = monitor;
	exchange.currentBudget = {used: 0, allowed: 100};
	const advanced = async (ms: number) => {
		await clock.advance(ms);
		await monitor.settle();
		return candlesRead(monitor).length;
	};
	await type('1z');
	expect(await advanced(60_000)).toBe(0);
	// Beside the other panels there is no room for the third column.
	await type('z:columns last change 1h\r');
	expect(await advanced(60_000)).toBe(0);
	await press('z');
	const all = await advanced(10_000);
	expect(all).toBeGreaterThan(25);
	expect(new Set(candlesRead(monitor).map(({options}) => options.period))).toEqual(new Set([1]));
	await type('z:columns default\r:sort 7d\r');
	expect(await advanced(10_000)).toBe(2 * all);
	expect(monitor.frame()).toContain('7d');
	// Hidden.
	await press('2', 'z');
	expect(await advanced(15 * minuteMs)).toBe(2 * all);
	// Paused.
	await press('space', 'z');
	expect(await advanced(15 * minuteMs)).toBe(2 * all);
	await press('space');
	expect(await advanced(10_000)).toBe(3 * all);
});

test('the list is sorted by the change once that is known, unknown ones last in either direction, and names the column', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}, script});
	const {clock, exchange} = monitor;
	exchange.currentBudget = {used: 0, allowed: 100};
	await monitor.type(':sort 1h\r');
	await clock.advance(10_000);
	await monitor.settle();
	const listed = () =>
		pickerListOf(monitor.store.getSnapshot(), monitor.ui.getSnapshot().picker).map(({past}) => past?.['1h']);
	const known = listed().filter(change => change !== undefined);
	expect(known.length).toBe(30);
	expect(listed()).toEqual([...known.toSorted((a, b) => b - a), ...Array.from({length: 4}, () => undefined)]);
	expect(monitor.rows().slice(2, 6).join('\n')).toMatch(
		/ 1h 30\/34 .*\n┃market +last +1 h %┃.*\n.*ZRX\/BTC.*\+1\.30.*\n.*\+1\.10/,
	);
	await monitor.type(':reverse-sort\r');
	expect(listed()).toEqual([...known.toSorted((a, b) => a - b), ...Array.from({length: 4}, () => undefined)]);
});

test('the sort key goes through the columns that are shown, and through those of the past only where the user chose them', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}, script});
	const sorts = async (keys: number) => {
		const found: string[] = [];
		for (let key = 0; key < keys; key++) {
			await monitor.press('s');
			found.push(monitor.ui.getSnapshot().picker.sort);
		}

		return found;
	};
	await monitor.type('1z');
	expect((await sorts(20)).filter(name => ['1h', '4h', '7d', 'rvol'].includes(name))).toEqual([]);
	await monitor.type(':columns last 1h rvol\r:sort last\r');
	expect(await sorts(4)).toEqual(['1h', 'rvol', 'name', 'last']);
});

test('without v2 the cells stay empty, the border says what they need, and nothing is requested', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}, script, interfaces: ['legacy']});
	await monitor.type('1z:columns last 1h rvol\r');
	await monitor.clock.advance(60_000);
	await monitor.settle();
	expect(monitor.frame()).toContain('Markets 34 · 1h needs candles of v2');
	expect(candlesRead(monitor).length).toBe(0);
});

test('a figure that was known is unknown, not old, once candles cannot be read any more, and a volume is dimmed', async () => {
	const monitor = await openMonitor({size: {columns: 80, rows: 24}, script});
	const {clock, exchange} = monitor;
	exchange.currentBudget = {used: 0, allowed: 100};
	await monitor.type('1z:columns last 1h rvol\r');
	await clock.advance(10_000);
	await monitor.settle();
	const rowOf = (pair: string) => monitor.rows().find(row => row.includes(pair)) ?? '';
	expect(rowOf('XRP/USDT')).toMatch(/\+1\.10 .* 2\.00 55 min/);
	const answer = exchange.script.candles;
	exchange.script.candles = call => (call.options.priority === 2 ? undefined : answer?.(call));
	await clock.advance(40 * minuteMs);
	await monitor.settle();
	expect(rowOf('XRP/USDT')).toMatch(/\+\d.* 2\.00 +1 h/);
	await clock.advance(30 * minuteMs);
	await monitor.settle();
	expect(rowOf('XRP/USDT')).toMatch(/0\.6123 +2\.00 +2 h/);
});

test('rewound, figures are as of the moment that is shown', async () => {
	const monitor = await openRewindable({size: {columns: 120, rows: 40}});
	const {clock, exchange} = monitor;
	exchange.currentBudget = {used: 0, allowed: 100};
	// One percent of a price an hour ago, and one more with each minute after.
	const {candles} = exchange.script;
	exchange.script.candles = call => {
		if (call.options.period !== 1) return candles?.(call);
		const minute = Math.floor(clock.now() / minuteMs);
		const price = (ago: number) => 61_822.4 / (2 - ago / 100);
		return Array.from({length: 302}, (_, index): Candle => {
			const time = (minute - 301 + index) * minuteMs;
			const close = price((sampleTime - time) / minuteMs);
			return {time, open: close, high: close, low: close, close, volume: 1};
		});
	};
	await monitor.type('1z:columns last 1h\r');
	await clock.advance(8 * minuteMs);
	await monitor.settle();
	const shown = () => Number(/BTC\/USDT +61,822\.4 +\+?(\S+)/.exec(monitor.rows().join('\n'))?.[1]);
	const now = shown();
	await monitor.type(':goto -5m\r');
	expect(monitor.frame()).toContain('REWOUND 00:05:0');
	expect(shown()).toBeCloseTo(now - 5, 5);
	await monitor.press('end');
	expect(shown()).toBeCloseTo(now, 5);
});

test('a replay has the figures that recorded candles tell, at each moment, and sends no request', async () => {
	const path = await recordSessions();
	const monitor = await openRecorded(path, {from: at(30), size: {columns: 120, rows: 40}});
	const shown = async () => {
		await monitor.clock.advance(1500);
		await monitor.settle();
		return monitor.rows().slice(2, 6).join('\n');
	};
	await monitor.type('1z:columns last 1h 7d rvol\r');
	expect(await shown()).toMatch(
		/Markets 34 · 1h 0 of 34 known[\s\S]*BTC\/USDT +61,822\.4 +[+−]\d+\.\d\d +\d\.\d\d 55 min/,
	);
	const first = await shown();
	await monitor.press('>');
	expect((await shown()).split('\n')[2]).toBe(first.split('\n')[2]);
});
