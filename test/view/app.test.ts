import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {type Size, textWidth} from '../../source/format/cells.ts';
import {styleOf} from '../../source/format/style.ts';
import {layoutName, panelNames} from '../../source/view/layout.ts';
import {timeout} from '../store/samples.ts';
import {type OpenMonitor, openMonitor} from './monitor.tsx';

const sizes = {
	large: {columns: 200, rows: 60},
	wide: {columns: 160, rows: 45},
	standard: {columns: 120, rows: 40},
	small: {columns: 80, rows: 24},
	tiny: {columns: 40, rows: 12},
	none: {columns: 39, rows: 11},
} satisfies Record<string, Size>;

/** As long as it takes until every panel has data of a different age. */
const whileMs = 4400;

async function running(options: Parameters<typeof openMonitor>[0]): Promise<OpenMonitor> {
	const monitor = await openMonitor(options);
	await monitor.clock.advance(whileMs);
	return monitor;
}

function failAll({exchange: {script}}: OpenMonitor): void {
	script.info = () => timeout('info');
	script.markets = () => timeout('markets');
	script.tickers = () => timeout('ticker');
	script.depth = () => timeout('depth');
	script.trades = () => timeout('trades');
	script.candles = () => timeout('candles');
}

const expectFrame = (monitor: OpenMonitor, name: string) =>
	expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/monitor/${name}.txt`);

/** Without the number of rows of the help, which every new command changes. */
const expectHelp = (monitor: OpenMonitor, name: string) =>
	expect(`${monitor.frame().replace(/ of \d+ · ↑↓ scroll/, ' of N · ↑↓ scroll')}\n`).toMatchFileSnapshot(
		`../frames/monitor/${name}.txt`,
	);

describe('frames', () => {
	test.each([
		['200x60', sizes.large],
		['160x45', sizes.wide],
		['39x11', sizes.none],
	])('%s', async (name, size) => {
		await expectFrame(await running({size}), name);
	});

	test.each([
		['200x60', sizes.large],
		['120x40', sizes.standard],
		['80x24', sizes.small],
	])('%s with the zoomed list of markets, and with chosen columns', async (name, size) => {
		const monitor = await running({size});
		await monitor.press('1', 'z');
		await expectFrame(monitor, `${name}-zoomed-markets`);
		await monitor.type(':columns volume last range trend\r');
		if (size === sizes.standard) await expectFrame(monitor, `${name}-columns`);
		await monitor.press('z');
		if (size === sizes.small) await expectFrame(monitor, `${name}-columns`);
	});

	test('120x40, its help, and stale after good data', async () => {
		const monitor = await running({size: sizes.standard});
		await expectFrame(monitor, '120x40');
		await monitor.press('?');
		await expectHelp(monitor, '120x40-help');
		await monitor.press('esc');
		failAll(monitor);
		await monitor.clock.advance(20_000);
		await expectFrame(monitor, '120x40-stale');
	});

	test('every time is in the zone that is set, which is named', async () => {
		const monitor = await running({size: sizes.standard});
		await monitor.type(':set timezone Europe/Berlin\r');
		failAll(monitor);
		await monitor.clock.advance(20_000);
		await expectFrame(monitor, '120x40-zone');
		await monitor.resize(sizes.tiny);
		await expectFrame(monitor, '40x12-zone');
	});

	test('80x24, its help, exchange info with flags that are true, false and without a value, and paused', async () => {
		const monitor = await running({size: sizes.small});
		await expectFrame(monitor, '80x24');
		await monitor.press('?');
		await expectHelp(monitor, '80x24-help');
		await monitor.press('esc', 'i');
		await expectFrame(monitor, '80x24-info');
		await monitor.press('esc', 'space');
		await monitor.clock.advance(5000);
		await expectFrame(monitor, '80x24-paused');
	});

	test('80x24 with the picker open over chart and tape', async () => {
		const monitor = await running({size: sizes.small});
		await monitor.press('/', 's', 'h');
		await expectFrame(monitor, '80x24-filter');
	});

	test('40x12: every panel, help and the end of the exchange info', async () => {
		const monitor = await running({size: sizes.tiny});
		for (const [index, name] of panelNames.entries()) {
			await monitor.press(String(index + 1));
			await expectFrame(monitor, `40x12-${name}`);
		}

		await monitor.press('2', '?');
		await expectHelp(monitor, '40x12-help');
		await monitor.press('esc', 'i', 'G');
		await expectFrame(monitor, '40x12-info-end');
	});

	test('120x40 in plain ASCII', async () => {
		const monitor = await running({size: sizes.standard, ascii: true, color: 0});
		await monitor.press('f');
		expect(monitor.frame()).toMatch(/^[\n -~]*$/);
		await expectFrame(monitor, '120x40-ascii');
		await monitor.press('z');
		await expectFrame(monitor, '120x40-zoomed-markets-ascii');
	});

	test.each([
		['120x40-waiting', sizes.standard],
		['40x12-waiting', sizes.tiny],
	])('%s', async (name, size) => {
		await expectFrame(await running({size, script: {}}), name);
	});

	test('every resource failed', async () => {
		const monitor = await openMonitor({size: sizes.standard, script: {}});
		failAll(monitor);
		for (const calls of Object.values(monitor.exchange.calls)) for (const call of calls) call.fail(timeout());
		await monitor.clock.advance(1000);
		await expectFrame(monitor, '120x40-failed');
	});

	test('only one interface, which answers with entries that had to be dropped', async () => {
		const monitor = await openMonitor({size: sizes.standard, script: {}});
		await monitor.press('v', 'v');
		for (const call of monitor.exchange.calls.depth) {
			call.answer({asks: [[61_824, 1]], bids: [[61_823, 1]]}, {interface: 'legacy', dropped: 3});
		}

		await monitor.clock.advance(1000);
		await expectFrame(monitor, '120x40-legacy-dropped');
	});

	test.each([
		['SHIBUSDT', '120x40-shib'],
		['DUSTBTC', '120x40-dust-without-bids'],
		['MOONUSDT', '120x40-moon'],
	])('%s', async (symbol, name) => {
		await expectFrame(await running({size: sizes.standard, symbol}), name);
	});
});

test('a stale panel names since when, why and the next retry in its title and is dimmed', async () => {
	const monitor = await running({size: sizes.standard});
	await monitor.press('3', 'z');
	failAll(monitor);
	await monitor.clock.advance(10_000);

	const rows = monitor.rows();
	expect(rows[2]).toContain('stale since 23:55:03 · no answer within 5 s, retry in 1.0 s ━┓');
	const body = monitor.picture().rows.slice(3, -3);
	const drawn = body.flatMap(cells => cells.slice(1, -1)).filter(({text}) => text.trim() !== '');
	// All grey but warnings, which keep their yellow. Grey is not dim as well: it would be too faint to read.
	expect(new Set(drawn.map(({style}) => style))).toEqual(new Set([styleOf('', '90'), styleOf('', '33')]));
	expect(drawn.filter(({style}) => style.foreground === '33').length).toBeLessThan(drawn.length / 10);
});

const anySize = fc.record({columns: fc.integer({min: 1, max: 220}), rows: fc.integer({min: 1, max: 70})});
const anyView = fc.constantFrom(
	...['1', '2', '3', '4', '5'].flatMap(panel => [[panel], [panel, 'z'], [panel, '?'], [panel, 'i']]),
);

test('no frame is ever wider or higher than its terminal, and each fills it', async () => {
	const monitor = await running({size: sizes.standard});
	await fc.assert(
		fc.asyncProperty(anySize, anyView, async (size, keys) => {
			await monitor.resize(size);
			await monitor.press('esc', 'esc', ...keys);
			const rows = monitor.rows();
			if (layoutName(size) === 'none') expect(rows.length).toBeLessThanOrEqual(1);
			else expect(rows.length).toBe(size.rows);
			expect(Math.max(...rows.map(textWidth))).toBeLessThanOrEqual(size.columns);
			await monitor.press('esc');
			if (monitor.ui.getSnapshot().zoomed) await monitor.press('z');
		}),
		{numRuns: 6},
	);
});

test('the focused picker does not cover the chart when its column disappears, and regains the focus with it', async () => {
	const monitor = await running({size: sizes.standard});
	const before = monitor.frames.length;
	await monitor.resize(sizes.small);
	const drawn = monitor.frames.slice(before).filter(frame => frame.split('\n').length === sizes.small.rows);
	expect(drawn.length).toBeGreaterThan(0);
	expect(drawn.filter(frame => frame.includes('1 Markets'))).toEqual([]);
	await monitor.press('1');
	expect(monitor.frame()).toContain('1 Markets');
	await monitor.press('esc');
	await monitor.resize(sizes.standard);
	expect(monitor.ui.getSnapshot().focus).toBe('chart');
	await monitor.press('1');
	await monitor.resize(sizes.tiny);
	await monitor.resize(sizes.standard);
	expect(monitor.ui.getSnapshot().focus).toBe('markets');
	await monitor.press('/');
	await monitor.resize(sizes.small);
	expect(monitor.frame()).toContain('1 Markets');
});

/** Its chart loses more than half of its candles. */
const narrowed = [
	{columns: 170, rows: 45},
	{columns: 119, rows: 24},
];

test('a resized terminal shows the same as one that started at its size', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(anySize, {minLength: 2, maxLength: 5}), async path => {
			const [first = sizes.small] = path;
			const size = path.at(-1) ?? first;
			const resized = await openMonitor({size: first});
			for (const next of path.slice(1)) await resized.resize(next);
			const fresh = await openMonitor({size});
			// Where the focus is first depends on the first size.
			for (const monitor of [resized, fresh]) {
				await monitor.press('3');
				await monitor.clock.advance(2000);
			}

			expect(resized.frame()).toBe(fresh.frame());
			resized.close();
			fresh.close();
		}),
		{numRuns: 3, examples: [[narrowed]]},
	);
});
