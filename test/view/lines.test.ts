/** Trend lines that the user draws: at the crosshair, in the list, in their own market. */
import {describe, expect, test} from 'vitest';
import {mostDrawnLines} from '../../source/view/drawn-lines.ts';
import {openHeadless} from './commands/headless.ts';
import {openMonitor} from './monitor.tsx';

const hour = 3_600_000;
/** Start of the newest candle of the sample. */
const newest = Date.UTC(2024, 7, 8, 23);

async function openDrawing() {
	const {press, type, outcome} = await openHeadless();
	const lines = () => outcome().ui.drawnLines.get('BTCUSDT');
	return {press, type, lines, outcome, notice: () => outcome().ui.notice};
}

describe('T', () => {
	test('twice draws a line through both places, in either order', async () => {
		const {press, lines, notice} = await openDrawing();
		await press('2 x left left left down T');
		expect([lines(), notice()]).toEqual([undefined, 'line from 8 Aug 20:00; T at its other end draws it']);
		await press('right right right T');
		const line = {from: {time: newest - 3 * hour, price: 62_150}, to: {time: newest, price: 62_150}, log: false};
		expect([lines(), notice()]).toEqual([{lines: [{...line, number: 1}], used: [1]}, 'line 1 drawn']);
		await press('T left T');
		expect(lines()?.lines[1]).toMatchObject({from: {time: newest - hour}, to: {time: newest}, number: 2});
	});

	test('on one candle says that two are needed, and keeps the first end; Esc drops it, then the crosshair', async () => {
		const {press, lines, notice, outcome} = await openDrawing();
		await press('2 x T up T');
		expect(notice()).toBe('a line goes through two candles; move the crosshair to another one');
		const {lineFrom} = outcome().ui.chart;
		expect(lineFrom).toEqual({time: newest, price: 61_793.11});
		await press('esc');
		expect([outcome().ui.chart.lineFrom, outcome().ui.chart.cross]).toEqual([undefined, newest]);
		await press('esc');
		expect([outcome().ui.chart.cross, lines()]).toEqual([undefined, undefined]);
	});

	test('on the logarithmic scale draws what is straight there, but not in a footprint, which has none', async () => {
		const {press, type, lines} = await openDrawing();
		await press('2 l x T left T');
		await type(':chart-type footprint\r');
		await press('T left T');
		expect(lines()?.lines.map(each => each.log)).toEqual([true, false]);
	});

	test('does not join places of two markets, or of two periods', async () => {
		const {clock, press, ui} = await openMonitor({size: {columns: 120, rows: 40}});
		for (const change of ['n', ']']) {
			await clock.advance(2000);
			await press('2', 'x', 'T');
			expect(ui.getSnapshot().chart.lineFrom).toBeDefined();
			await press(change);
			expect([ui.getSnapshot().chart.lineFrom, ui.getSnapshot().drawnLines.size]).toEqual([undefined, 0]);
		}
	});

	test('refuses more lines than a market can have', async () => {
		const {press, lines, notice} = await openDrawing();
		await press('2 x');
		for (let count = 0; count < mostDrawnLines; count++) await press('T left T');
		await press('T');
		expect([lines()?.lines.length, notice()]).toEqual([20, 'a market has at most 20 lines; levels lists them']);
	});
});

test('the number of a deleted line is not given again', async () => {
	const {press, type, lines, notice} = await openDrawing();
	await press('2 x T left T T left T');
	await type(':levels\r');
	await press('j x x');
	expect([notice(), lines()?.lines.map(({number}) => number)]).toEqual(['line 2 deleted', [1]]);
	await press('x x esc 2 x x T left T');
	expect(lines()?.lines.map(({number}) => number)).toEqual([3]);
});

test('Enter in the list shows the second end of a line under the crosshair; a line has no note to edit', async () => {
	const {press, type, notice, outcome} = await openDrawing();
	await press('2 x left left left T right right down T esc');
	await type(':levels\r');
	await press('e');
	expect(notice()).toBe('a line has no note');
	const [drawn] = outcome().ui.drawnLines.get('BTCUSDT')?.lines ?? [];
	await press('enter');
	const {overlay, chart} = outcome().ui;
	expect([overlay, chart.cross, chart.crossPrice]).toEqual([undefined, drawn?.to.time, drawn?.to.price]);
});

test.each([
	['120x40', {size: {columns: 120, rows: 40}}],
	['80x24', {size: {columns: 80, rows: 24}}],
	['80x24-ascii', {size: {columns: 80, rows: 24}, ascii: true}],
	['40x12', {size: {columns: 40, rows: 12}}],
])('lines are listed after the levels with their prices now, %s', async (name, options) => {
	const monitor = await openMonitor(options);
	await monitor.clock.advance(2000);
	await monitor.type(':level 61500 "support"\r');
	await monitor.press('2', 'x', 'left', 'left', 'left', 'T', 'right', 'right', 'up', 'T');
	await monitor.press('l', 'T', 'left', 'down', 'T');
	await monitor.type(':levels\r');
	await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/levels/lines-${name}.txt`);
});

test('lines are those of their market', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	await monitor.clock.advance(2000);
	await monitor.press(
		'2',
		'x',
		'down',
		'down',
		'down',
		'T',
		'left',
		'left',
		'left',
		'left',
		'left',
		'left',
		'down',
		'T',
		'x',
	);
	expect(monitor.frame()).toMatch(/[╱╲]1/);
	await monitor.press('n');
	await monitor.clock.advance(2000);
	expect(monitor.frame()).not.toMatch(/[╱╲]1/);
	await monitor.press('p');
	await monitor.clock.advance(2000);
	expect(monitor.frame()).toMatch(/[╱╲]1/);
});

describe('an alert', () => {
	test('names a line of its market; what is not one is said where it is typed', async () => {
		const {press, type, outcome} = await openDrawing();
		await press('2 x T left T');
		const faultOf = async (rule: string) => {
			await type(`:alert ${rule}\r`);
			const {fault} = outcome().ui.command ?? {};
			await press('esc');
			return fault;
		};
		expect(await faultOf('last crosses line 2')).toBe('no line 2 in BTCUSDT');
		expect(await faultOf('ETHUSDT last crosses line 1')).toBe('no line 1 in ETHUSDT');
		expect(await faultOf('ETHUSDT.last > BTCUSDT.line 1')).toBeUndefined();
		expect(await faultOf('last crosses line 1')).toBeUndefined();
		expect(await faultOf('* last crosses line 5')).toBeUndefined();
	});

	test('keeps the line that it names from being deleted while it is armed', async () => {
		const {press, type, lines, notice} = await openDrawing();
		await press('2 x T left T T left T');
		await type(':alert last crosses line 1\r:levels\r');
		await press('x x');
		expect([notice(), lines()?.lines.length]).toEqual([
			'line 1 is in an alert, last crosses line 1: delete that first',
			2,
		]);
		await press('j x x');
		expect([notice(), lines()?.lines.length]).toEqual(['line 2 deleted', 1]);
		await press('esc');
		await type(':alerts\r');
		await press('o esc');
		await type(':levels\r');
		await press('x x');
		expect(lines()?.lines).toEqual([]);
	});

	test('lets one of two lines be deleted that have the number that it names', async () => {
		const {clock, press, type, ui} = await openMonitor({size: {columns: 120, rows: 40}});
		await clock.advance(2000);
		await press('2', 'x', 'T', 'left', 'T');
		await type(':alert last crosses line 1\r');
		const linesNow = () => ui.getSnapshot().drawnLines.get('BTCUSDT')?.lines ?? [];
		const [line] = linesNow();
		if (!line) throw new Error('one is drawn');
		// As another instance may have given it, too.
		const both = [line, {...line, log: true, to: {...line.to, price: 1}}];
		ui.update(state => ({...state, drawnLines: new Map([['BTCUSDT', {lines: both, used: [1]}]])}));
		await type(':levels\r');
		await press('j', 'x', 'x');
		expect([linesNow(), ui.getSnapshot().notice]).toEqual([[line], 'line 1 deleted']);
		await press('x');
		expect(ui.getSnapshot().notice).toBe('line 1 is in an alert, last crosses line 1: delete that first');
	});

	test('is completed to the lines of the market', async () => {
		const {press, type, outcome} = await openDrawing();
		await press('2 x T left T');
		await type(':alert last crosses li');
		await press('tab');
		expect(outcome().ui.command?.text).toBe('alert last crosses line 1 ');
	});
});
