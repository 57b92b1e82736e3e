import {expect, test} from 'vitest';
import {RefusedError} from '../../../../source/client/errors.ts';
import {lineText} from '../../../../source/view/line.ts';
import {initialCompare} from '../../../../source/view/panels/compare/compare-view.ts';
import {type ComparePanelInput, comparePanel} from '../../../../source/view/panels/compare/rows.ts';
import {received} from '../../../helpers/market-state.ts';
import {zoneOf} from '../../../helpers/zones.ts';
import {timeout} from '../../../store/samples.ts';
import {type OpenMonitor, openMonitor} from '../../monitor.tsx';
import {sampleScript} from '../../sample-exchange.ts';

async function comparing(
	size: {readonly columns: number; readonly rows: number},
	more: Partial<Parameters<typeof openMonitor>[0]> = {},
): Promise<OpenMonitor> {
	const monitor = await openMonitor({size, ...more});
	await monitor.clock.advance(300);
	await monitor.type(':compare btcusdt ethusdt ethbtc\r');
	await monitor.clock.advance(1000);
	return monitor;
}

const requested = ({exchange}: OpenMonitor) => exchange.calls.candles.map(({symbol}) => symbol);

test.each([
	['120x40', {columns: 120, rows: 40}],
	['80x24', {columns: 80, rows: 24}],
	['40x12', {columns: 40, rows: 12}],
])('the comparison at %s', async (name, size) => {
	const monitor = await comparing(size);
	await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../../../frames/compare/monitor-${name}.txt`);
});

test.each([
	['200x60', {columns: 200, rows: 60}, {}],
	['120x40', {columns: 120, rows: 40}, {}],
	['120x40-ascii', {columns: 120, rows: 40}, {ascii: true, color: 0}],
	['80x24', {columns: 80, rows: 24}, {}],
	['40x12', {columns: 40, rows: 12}, {}],
] as const)('the crosshair and a base at %s', async (name, size, more) => {
	const monitor = await comparing(size, more);
	await monitor.press(
		'+',
		'x',
		...Array.from({length: 12}, () => 'left'),
		'enter',
		...Array.from({length: 5}, () => 'right'),
	);
	await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../../../frames/compare/base-${name}.txt`);
	await monitor.press(...Array.from({length: 5}, () => 'left'));
	// At the base the change of each market is 0.
	expect(monitor.frame().match(/[ABC] \w+\/\w+ +[\d,.]+ +0\.00 %/g)?.length).toBe(3);
});

test('panning requests older candles of every market, and shows them when they come', async () => {
	const monitor = await comparing({columns: 120, rows: 40});
	const {candles} = sampleScript;
	monitor.exchange.script.candles = call => {
		const all = candles?.(call);
		const {to, period = 60} = call.options;
		if (to === undefined || !Array.isArray(all)) return all;
		const shift = Math.ceil(((all.at(-1)?.time ?? 0) - to) / (period * 60_000)) * period * 60_000;
		return all.map(candle => ({...candle, time: candle.time - shift}));
	};
	const before = requested(monitor).length;
	await monitor.press('g');
	await monitor.clock.advance(100);
	expect(new Set(requested(monitor).slice(before))).toEqual(new Set(['BTCUSDT', 'ETHUSDT', 'ETHBTC']));
	const row = monitor.rows().at(-4);
	await monitor.press('g');
	expect(monitor.rows().at(-4)).not.toBe(row);
	expect(monitor.rows().at(-4)).toContain(' Jul ');
});

test('names the dates of a view that is panned, and what changes count from', async () => {
	const monitor = await comparing({columns: 120, rows: 40});
	const title = () => /C (.*?) ━/.exec(monitor.frame())?.[1];
	expect(title()).toBe('Compare · 1h · change since the left edge');
	await monitor.press('left');
	expect(title()).toBe('Compare · 1h · 2024-08-05 – 2024-08-08 · change since the left edge');
	await monitor.press('-', 'x', 'enter');
	const titles: unknown[] = [title()];
	for (const size of [
		{columns: 80, rows: 24},
		{columns: 40, rows: 12},
	]) {
		await monitor.resize(size);
		titles.push(title());
	}

	expect(titles).toEqual([
		'Compare · 1h · 2 a step · 2024-08-01 – 2024-08-08 · change since 8 Aug 2024 18:00',
		'1h · 2 a step · 5–8 Aug · since 8 Aug 2024 18:00',
		'1h×2 since 8 Aug 18:00',
	]);
});

test('follows the period, and sends no requests once it is closed', async () => {
	const monitor = await comparing({columns: 120, rows: 40});
	const before = requested(monitor).length;
	await monitor.press('[');
	await monitor.clock.advance(300);
	expect(requested(monitor).slice(before).toSorted()).toEqual(['BTCUSDT', 'BTCUSDT', 'ETHBTC', 'ETHUSDT']);
	expect(monitor.rows()[2]).toContain('Compare · 30m');
	await monitor.press('esc');
	const closed = requested(monitor).length;
	await monitor.clock.advance(16_000);
	expect(new Set(requested(monitor).slice(closed))).toEqual(new Set(['BTCUSDT']));
});

test('marks a failing market stale, and says since when in the title', async () => {
	const monitor = await comparing({columns: 120, rows: 40});
	const script = {...monitor.exchange.script};
	monitor.exchange.script.candles = call => (call.symbol === 'ETHBTC' ? timeout('candles') : script.candles?.(call));
	await monitor.clock.advance(15_000);
	expect(monitor.frame()).toMatch(/C ETH\/BTC +stale/);
	expect(monitor.rows()[2]).toContain('stale since 23:54:59');
});

test('says what the candles of a refused period were built from', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	const {candles} = sampleScript;
	const refused = new RefusedError({
		operation: 'candles',
		interface: 'v2',
		url: '',
		status: 200,
		body: '',
		message: '',
	});
	monitor.exchange.script.candles = call => (call.options.period === 45 ? refused : candles?.(call));
	await monitor.type(':period 45m\r');
	await monitor.type(':compare btcusdt ethusdt\r');
	await monitor.clock.advance(1000);
	expect(monitor.rows()[2]).toContain('Compare · 45m · built from 15m · change since the left edge');
	expect(monitor.frame()).toMatch(/A BTC\/USDT +[+−]\d+\.\d\d %/);
	expect(monitor.frame()).toMatch(/B ETH\/USDT +[+−]\d+\.\d\d %/);
	await monitor.resize({columns: 40, rows: 12});
	expect(monitor.frame()).toContain('C 45m · from 15m ━');
});

test('shows the shape of a chart while it waits, and what failed when nothing arrives', async () => {
	const monitor = await openMonitor({size: {columns: 80, rows: 24}});
	await monitor.clock.advance(300);
	delete monitor.exchange.script.candles;
	await monitor.type(':compare ethusdt ethbtc\r');
	expect(monitor.rows()[2]).toContain('waiting');
	for (const call of monitor.exchange.calls.candles) if (!call.settled) call.fail(timeout('candles'));
	await monitor.clock.advance(0);
	expect(monitor.rows()[2]).toContain('no data');
	expect(monitor.frame()).toContain('r retries now');
	const before = requested(monitor).length;
	await monitor.press('r');
	expect(requested(monitor).slice(before)).toEqual(expect.arrayContaining(['ETHUSDT', 'ETHBTC']));
});

test('dates of last year have their year from the first minute of the year in the zone', () => {
	const newYear = Date.UTC(2026, 0, 1, 5);
	const labelsAt = (now: number) => {
		const candles = Array.from({length: 60}, (_, index) => ({
			time: newYear - (61 - index) * 3_600_000,
			...{open: 1, high: 1, low: 1, close: 1, volume: 1},
		}));
		const input: ComparePanelInput = {
			compared: ['BTCUSDT', 'ETHUSDT'].map(symbol => ({
				symbol,
				candles: received({period: 60, candles, builtFrom: 'exchange' as const}, now),
				history: {status: 'complete' as const},
			})),
			...{markets: {status: 'waiting'}, period: 60, compare: initialCompare, keyHint: () => ''},
			...{size: {columns: 100, rows: 16}, ascii: false, zone: zoneOf('America/New_York')},
		};
		return comparePanel(input, now)
			.map(lineText)
			.at(-2)
			?.match(/\d+ Dec( \d{4})?/)?.[0];
	};
	expect([labelsAt(newYear - 60_000), labelsAt(newYear)]).toEqual(['30 Dec', '30 Dec 2025']);
});
