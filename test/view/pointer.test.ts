import {describe, expect, test} from 'vitest';
import type {Size} from '../../source/format/cells.ts';
import {layoutFor, type PanelName} from '../../source/view/layout.ts';
import {clickOn, type OpenMonitor, openMonitor} from './monitor.tsx';
import {at, openRewindable} from './recorded-monitor.tsx';

const standard = {columns: 120, rows: 40};
const small = {columns: 80, rows: 24};
const sizes = [standard, {columns: 40, rows: 12}] as const;

async function running(size: Size, ...keys: readonly string[]): Promise<OpenMonitor> {
	const monitor = await openMonitor({size});
	await monitor.clock.advance(300);
	await monitor.press(...keys);
	return monitor;
}

/** Where the body of a panel is on the screen, and what a row of it shows. */
function bodyOf(monitor: OpenMonitor, size: Size, panel: PanelName) {
	const {headerRows, panels} = layoutFor(size, monitor.ui.getSnapshot());
	const place = panels.find(({name}) => name === panel);
	if (!place) throw new Error(`${panel} is not on the screen`);
	const [left, top, width] = [place.x + 1, place.y + headerRows + 1, place.width - 2];
	const cells = (row: number) => monitor.picture().rows[top + row]?.slice(left, left + width) ?? [];
	const text = (row: number) =>
		cells(row)
			.map(each => each.text)
			.join('');
	return {left, top, width, rows: place.height - 2, cells, text};
}

/** Clicks on rows at both ends and in the middle of a body, each time in the same state. `rowText`: what the row showed before. */
async function clickRows(
	monitor: OpenMonitor,
	size: Size,
	panel: PanelName,
	check: (rowText: string, row: number) => void,
): Promise<void> {
	const {store, ui, clock} = monitor;
	const state = ui.getSnapshot();
	const {left, top, rows} = bodyOf(monitor, size, panel);
	const {symbol = ''} = store.getSnapshot();
	const chosen = [0, 3, Math.floor(rows / 2), rows - 2, rows - 1];
	for (const [index, row] of chosen.entries()) {
		const before = bodyOf(monitor, size, panel).text(row);
		// No two of them are a double click.
		const later = clock.now() + index * 1000;
		await monitor.point(...clickOn(left + 6, top + row).map(gesture => ({...gesture, at: later})));
		check(before, row);
		if (store.getSnapshot().symbol !== symbol) store.select(symbol);
		ui.update(() => state);
		await monitor.clock.advance(0);
		await monitor.settle();
	}
}

describe.each(sizes)('at $columns×$rows', size => {
	/** All at the usual size, elsewhere the first. */
	const states = (...keys: readonly (readonly string[])[]) =>
		keys.slice(0, size === standard ? undefined : 1).map(each => [each]);

	test.each(states(['1', 'G'], ['1', 'z', 'f', 'S'], ['1', '/', 'u'], [...'1:sort', 'space', ...'1h', 'enter']))(
		'after %j a click selects the market that the row shows',
		async keys => {
			const monitor = await running(size, ...keys);
			const {symbol} = monitor.store.getSnapshot();
			let selected = 0;
			await clickRows(monitor, size, 'markets', text => {
				const pair = /[A-Z\d]+\/[A-Z\d]+/.exec(text)?.[0].replace('/', '');
				expect(monitor.store.getSnapshot().symbol, text).toBe(pair ?? symbol);
				if (pair !== undefined) selected++;
			});
			expect(selected).toBeGreaterThan(1);
		},
	);

	test.each(states(['3'], ['3', 'z', '+'], ['3', 'G', 'a', '2', 'enter']))(
		'after %j a click marks the price that the row of the ladder shows, and at the spread centres it',
		async keys => {
			const monitor = await running(size, ...keys);
			let marked = 0;
			await clickRows(monitor, size, 'book', text => {
				const [price] = /^ [\d,]+(?:\.\d+)?(?= +\d)/.exec(text) ?? [];
				const expected = price === undefined ? undefined : Number(price.replaceAll(',', ''));
				expect(monitor.ui.getSnapshot().book.anchor?.price, text).toBe(expected);
				if (price !== undefined) marked++;
			});
			expect(marked).toBeGreaterThan(1);
		},
	);

	test.each(states(['2', 'x'], ['2', 'z', 'x', 'o', 'j', 'space', 'esc']))(
		'after %j a click puts the crosshair on its cell, or only on its candle where the row shows no prices',
		async keys => {
			const monitor = await running(size, ...keys);
			const body = bodyOf(monitor, size, 'chart');
			const priced: number[] = [];
			await clickRows(monitor, size, 'chart', (_, row) => {
				const {cross, crossPrice} = monitor.ui.getSnapshot().chart;
				expect(cross).toBeDefined();
				const lines = Array.from({length: body.rows}, (_each, index) => body.text(index).search(/[╎┼]/));
				expect(Math.abs((lines.find(column => column >= 0) ?? -9) - 6)).toBeLessThan(3);
				const isMarked = body.cells(row).some(({style}) => style.attributes.includes('7'));
				const isDates = row === body.rows - 1;
				expect([row, isMarked], body.text(row)).toEqual([row, isDates || crossPrice !== undefined]);
				if (crossPrice !== undefined) priced.push(row);
			});
			expect(priced.length).toBeGreaterThan(0);
		},
	);
});

/** The middle of a panel, below its titles. */
function middleOf(monitor: OpenMonitor, size: Size, panel: PanelName) {
	const {left, top, width, rows} = bodyOf(monitor, size, panel);
	return {column: left + Math.floor(width / 3), row: top + Math.floor(rows / 3)};
}

const wheel = (by: 'up' | 'down', place: {readonly column: number; readonly row: number}) => ({
	...place,
	kind: `wheel-${by}` as const,
	button: undefined,
});

const press = (column: number, row: number) => ({kind: 'press' as const, column, row});
const drag = (column: number, row: number) => ({kind: 'drag' as const, column, row});
const release = (column: number, row: number) => ({kind: 'release' as const, column, row});

describe('a double click', () => {
	test.each(['chart', 'book', 'tape', 'markets'] as const)(
		'zooms %s and back, and leaves the crosshair and the ladder as they were',
		async panel => {
			const monitor = await running(standard, '5');
			const {chart, book} = monitor.ui.getSnapshot();
			for (const zoomed of [true, false]) {
				const {column, row} = middleOf(monitor, standard, panel);
				await monitor.point(...clickOn(column, row), ...clickOn(column + 1, row));
				const state = monitor.ui.getSnapshot();
				expect([state.zoomed, state.focus]).toEqual([zoomed, panel]);
				expect([state.chart.cross, state.chart.rightEdge, state.book.anchor]).toEqual([
					...[chart.cross, chart.rightEdge, book.anchor],
				]);
			}
		},
	);

	test('that closes the list of markets does not reach the panel below it', async () => {
		const monitor = await running(small, '1');
		const {left, top} = bodyOf(monitor, small, 'markets');
		await monitor.point(...clickOn(left + 3, top + 2), ...clickOn(left + 3, top + 2));
		const {focus, zoomed, chart} = monitor.ui.getSnapshot();
		expect([focus, zoomed, chart.cross]).toEqual(['chart', false, undefined]);
		expect(monitor.store.getSnapshot().symbol).not.toBe('BTCUSDT');
	});

	test('is two clicks if they are far apart in time or place', async () => {
		const monitor = await running(standard);
		const {column, row} = middleOf(monitor, standard, 'tape');
		await monitor.point(...clickOn(column, row), ...clickOn(column, row + 3));
		const later = monitor.clock.now() + 500;
		await monitor.point(...clickOn(column, row + 3).map(gesture => ({...gesture, at: later})));
		expect(monitor.ui.getSnapshot()).toMatchObject({focus: 'tape', zoomed: false});
	});
});

describe('the wheel', () => {
	test('scrolls or zooms what is under it, without the focus but for the list of markets', async () => {
		const monitor = await running(standard, '5');
		const turn = async (panel: PanelName, by: 'up' | 'down') => {
			await monitor.point(wheel(by, middleOf(monitor, standard, panel)));
			return monitor.ui.getSnapshot();
		};
		const {chart} = monitor.ui.getSnapshot();
		expect((await turn('chart', 'up')).chart.zoom).not.toEqual(chart.zoom);
		expect((await turn('chart', 'down')).chart.zoom).toEqual(chart.zoom);
		const [best = ''] = /[\d,.]+/.exec(bodyOf(monitor, standard, 'book').text(11)) ?? [];
		const third = bodyOf(monitor, standard, 'book').text(13);
		expect((await turn('book', 'down')).book.anchor).toMatchObject({side: 'bid'});
		// Three rows down from the spread, where the best bid was one.
		expect(bodyOf(monitor, standard, 'book').text(10)).toBe(third);
		expect(bodyOf(monitor, standard, 'book').text(8)).toContain(best);
		expect((await turn('book', 'up')).book.anchor).toBeUndefined();
		expect((await turn('tape', 'down')).tape.anchor).toBeDefined();
		expect(monitor.ui.getSnapshot().focus).toBe('ticker');
		expect((await turn('markets', 'down')).picker.cursor).toBe('ETHUSDT');
		expect(monitor.ui.getSnapshot().focus).toBe('markets');
		await monitor.press('3', 'b');
		expect((await turn('book', 'down')).book.zoom).toBe(1);
		await monitor.point(wheel('up', {column: 5, row: 0}), wheel('up', {column: 5, row: 39}));
		expect(monitor.ui.getSnapshot().book.zoom).toBe(1);
	});

	test('moves an open overlay, whatever panel is below', async () => {
		const monitor = await running(standard, '?');
		const before = monitor.ui.getSnapshot();
		const place = {column: 60, row: 20};
		await monitor.point(wheel('down', place), wheel('down', place), wheel('up', place));
		expect(monitor.ui.getSnapshot()).toEqual({...before, overlayScroll: 3});
		await monitor.type(':settings\r');
		await monitor.point(wheel('down', place), wheel('down', place));
		expect(monitor.ui.getSnapshot().cursors.settings).toBe('theme');
		await monitor.press('esc', 'C');
		await monitor.clock.advance(2000);
		const {zoom} = monitor.ui.getSnapshot().compare;
		await monitor.point(wheel('up', place));
		expect(monitor.ui.getSnapshot().compare.zoom).not.toEqual(zoom);
	});
});

describe('a drag', () => {
	test('pans the chart with the pointer, also beyond its panel, and sets no crosshair', async () => {
		const monitor = await running(standard);
		const {left, top, text} = bodyOf(monitor, standard, 'chart');
		const shown = text(20);
		await monitor.point(press(left + 10, top + 20), drag(left + 16, top + 25), drag(left + 20, top + 20));
		expect(text(20).slice(12, 36)).toBe(shown.slice(2, 26));
		await monitor.point(drag(left + 15, 0), release(0, 39));
		const {cross, rightEdge} = monitor.ui.getSnapshot().chart;
		expect([cross, rightEdge !== undefined]).toEqual([undefined, true]);
		await monitor.point(press(left + 15, top + 20), drag(left, top + 20), release(left, top + 20));
		expect(monitor.ui.getSnapshot().chart.rightEdge).toBeUndefined();
		expect(text(20)).toBe(shown);
	});

	test('of any other panel, and of the border of the chart, moves nothing', async () => {
		const monitor = await running(standard, '2');
		for (const [column, row] of [
			[100, 30],
			[100, 1],
			[40, 2],
		] as const) {
			const {chart} = monitor.ui.getSnapshot();
			await monitor.point(press(column, row), drag(column - 20, row), release(column - 20, row));
			expect(monitor.ui.getSnapshot().chart).toEqual(chart);
		}
	});
});

test('a click on a border, the ticker panel or the tape gives the focus, and one on the status line nothing', async () => {
	const monitor = await running(standard);
	const focused: string[] = [];
	for (const [column, row] of [
		[50, 2],
		[3, 0],
		[100, 30],
		[84, 5],
		[5, 39],
		[200, 90],
		[0, 5],
	] as const) {
		await monitor.point(...clickOn(column, row));
		focused.push(monitor.ui.getSnapshot().focus);
	}

	expect(focused).toEqual(['chart', 'ticker', 'tape', 'book', 'book', 'book', 'markets']);
	const {chart, book} = monitor.ui.getSnapshot();
	expect([chart.cross, book.anchor, monitor.store.getSnapshot().symbol]).toEqual([undefined, undefined, 'BTCUSDT']);
});

test('Shift, other buttons, the open command line and overlays keep clicks from the panels', async () => {
	const monitor = await running(standard);
	const on = (kind: 'press' | 'release') => ({kind, column: 10, row: 6});
	const state = monitor.ui.getSnapshot();
	for (const more of [{shift: true}, {button: 'right'}, {button: 'middle'}] as const) {
		await monitor.point({...on('press'), ...more}, {...on('release'), ...more});
	}

	expect(monitor.ui.getSnapshot()).toEqual(state);
	for (const keys of [[':'], ['?'], ['i'], ['d'], ['!'], ['C']]) {
		await monitor.press(...keys);
		const open = monitor.ui.getSnapshot();
		await monitor.point(...clickOn(10, 6), ...clickOn(60, 20), ...clickOn(100, 10));
		expect(monitor.ui.getSnapshot(), keys.join()).toEqual(open);
		await monitor.press('esc');
	}

	expect(monitor.store.getSnapshot().symbol).toBe('BTCUSDT');
});

test('of several reports in one piece of input, each acts on what the one before it left', async () => {
	const monitor = await running(standard);
	const {left, top} = bodyOf(monitor, standard, 'chart');
	// Zoomed, the chart begins at the left edge of the screen.
	const zoom = [...clickOn(left + 6, top + 9), ...clickOn(left + 6, top + 9)];
	const later = {at: monitor.clock.now() + 1000};
	await monitor.point(...zoom, ...clickOn(100, top + 9).map(gesture => ({...gesture, ...later})));
	const {cross, crossPrice} = monitor.ui.getSnapshot().chart;
	expect(bodyOf(monitor, standard, 'chart').text(9).search(/[╎┼]/)).toBe(99);
	expect([cross !== undefined, crossPrice !== undefined]).toEqual([true, true]);
});

test('in a recorded moment the mouse selects what was there', async () => {
	const monitor = await openRewindable({size: standard});
	await monitor.press('<');
	expect(monitor.controls.getSnapshot()?.time).toBeLessThan(at(60));
	await monitor.point(...clickOn(60, 12));
	expect(monitor.rows()[2]).toContain('┏━ 2 Chart');
	expect(monitor.frame()).toContain('╎');
	await monitor.point(...clickOn(10, 4));
	expect(monitor.rows()[0]).toMatch(/^ ETH\/USDT/);
	expect(monitor.controls.getSnapshot()?.time).toBeLessThan(at(60));
});
