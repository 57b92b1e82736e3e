/** Levels that the user draws: typed, on the crosshair, in chart, ladder and list. */
import {describe, expect, test} from 'vitest';
import {mostDrawnLevels} from '../../source/view/drawn-levels.ts';
import {changed} from '../../source/view/ui-state.ts';
import {openHeadless} from './commands/headless.ts';
import {openMonitor} from './monitor.tsx';

describe(':level', () => {
	test.each([
		['61500', [{price: 61_500}], 'level 61500 drawn'],
		['61,500.5 "support"', [{price: 61_500.5, note: 'support'}], 'level 61500.5 "support" drawn'],
		['61500 weekly low', [{price: 61_500, note: 'weekly low'}], 'level 61500 "weekly low" drawn'],
		['61500 \u001B[31m"a\tb', [{price: 61_500, note: '[31m"a b'}], 'level 61500 "[31m"a b" drawn'],
	])('%s', async (text, levels, notice) => {
		const {paste, press, outcome} = await openHeadless();
		await press(':');
		await paste(`level ${text}`);
		await press('enter');
		expect([outcome().ui.drawnLevels.get('BTCUSDT'), outcome().ui.notice]).toEqual([levels, notice]);
	});

	test('of the same price changes the note, and an empty note removes it', async () => {
		const {type, outcome} = await openHeadless();
		await type(':level 5 "one"\r:level 5 "two"\r');
		expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 5, note: 'two'}]);
		await type(':level 5 ""\r');
		expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 5}]);
	});

	const takes = 'level takes a price, optionally a note in quotes: 61500 "support"';
	test.each([
		['61500', 'there is a level at 61500 already'],
		['-5', 'a level is at a price above 0'],
		['support', `support is not a number; ${takes}`],
		[`1 ${'x'.repeat(61)}`, 'a note has at most 60 characters, this one 61'],
	])('%s is a mistake', async (text, fault) => {
		const {type, outcome} = await openHeadless();
		await type(':level 61500 "here"\r');
		await type(`:level ${text}\r`);
		expect(outcome().ui.command?.fault).toBe(fault);
		expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 61_500, note: 'here'}]);
	});

	test('refuses more than a market can have, wherever they are drawn', async () => {
		const {type, press, outcome} = await openHeadless();
		for (let price = 1; price <= mostDrawnLevels; price++) await type(`:level ${price}\r`);
		await type(':level 99\r');
		expect(outcome().ui.command?.fault).toBe('a market has at most 50 levels; levels lists them');
		await press('esc 2 x enter');
		expect(outcome().ui.notice).toBe('a market has at most 50 levels; levels lists them');
		await type(':level 7 "kept"\r');
		expect(outcome().ui.drawnLevels.get('BTCUSDT')).toHaveLength(mostDrawnLevels);
	});
});

test('Enter beside a level moves the crosshair to it, and Enter there deletes it', async () => {
	const {type, press, outcome} = await openHeadless();
	await type(':level 61793.5 "here"\r');
	await press('2 x enter');
	expect(outcome().ui).toMatchObject({
		chart: {crossPrice: 61_793.5},
		notice: 'at the level 61793.5 "here"; again deletes it',
	});
	await press('enter');
	expect([outcome().ui.drawnLevels.get('BTCUSDT'), outcome().ui.notice]).toEqual([[], 'level 61793.5 "here" deleted']);
});

test('Enter in the end row of the scale draws a level there, whatever lies beyond', async () => {
	const {type, press, outcome} = await openHeadless();
	await type(':level 99999\r');
	await press(`2 x ${'up '.repeat(60)}enter`);
	const {crossPrice} = outcome().ui.chart;
	expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 99_999}, {price: crossPrice}]);
});

test('m on a crosshair that follows the close stops the measurement, though the close has moved', async () => {
	const {clock, press, ui} = await openMonitor({size: {columns: 80, rows: 24}});
	await clock.advance(2000);
	await press('2', 'm');
	const {mark} = ui.getSnapshot().chart;
	const before = mark && {...mark, price: mark.price - 1};
	ui.update(changed('chart', {mark: before}));
	await press('m');
	expect([mark === undefined, ui.getSnapshot().chart.mark]).toEqual([false, undefined]);
	// One that was moved to another price sets the mark there.
	ui.update(changed('chart', {mark: before}));
	await press('up', 'm');
	expect(ui.getSnapshot().chart.mark).toEqual({time: mark?.time, price: ui.getSnapshot().chart.crossPrice});
});

test('a typed deletion opens the list, where it deletes as its key does', async () => {
	const {type, press, outcome} = await openHeadless();
	await type(':level 60000\r:level-delete\r');
	expect([outcome().ui.overlay, outcome().ui.notice]).toEqual(['levels', 'x again deletes it']);
	await press('esc');
	await type(':level-delete\r');
	expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 60_000}]);
	await press('x');
	expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([]);
});

test.each([
	['"long"', 'er', 'longer'],
	['', 'new', 'new'],
	['the "wall"', '', 'the "wall"'],
])('a note that is edited goes on where it ended: %s', async (before, typed, note) => {
	const {type, press, outcome} = await openHeadless();
	await type(`:level 60000 ${before}\r:levels\r`);
	await press('e');
	await type(`${typed}\r`);
	expect(outcome().ui.drawnLevels.get('BTCUSDT')).toEqual([{price: 60_000, note}]);
});

describe('the crosshair, its mark and levels', () => {
	test.each([
		['160x45', {size: {columns: 160, rows: 45}}],
		['120x40', {size: {columns: 120, rows: 40}}],
		['80x24', {size: {columns: 80, rows: 24}}],
		['40x12', {size: {columns: 40, rows: 12}}],
		['120x40-ascii', {size: {columns: 120, rows: 40}, ascii: true}],
	])('%s', async (name, options) => {
		const monitor = await openMonitor(options);
		await monitor.clock.advance(2000);
		await monitor.type(':level 61500.25 "support of a long week, 支持"\r:level 65000 "far above"\r:level 66000\r');
		await monitor.type(':level 61825 "ask wall"\r:level 60000 "round"\r:level 50000 "bottom"\r');
		await monitor.press('2', 'z', 'left', 'x', 'down', 'm', 'left', 'left', 'left', 'left', 'down', 'down');
		await expect(`${monitor.frame()}\n`).toMatchFileSnapshot(`../frames/levels/${name}.txt`);
	});
});

test('levels are those of their market, in chart and ladder', async () => {
	const monitor = await openMonitor({size: {columns: 120, rows: 40}});
	await monitor.clock.advance(2000);
	await monitor.type(':level 61825.1 "wall"\r');
	expect(monitor.frame()).toMatch(/◆61,825\.18/);
	expect(monitor.frame()).toContain(' wall ');
	await monitor.press('n');
	await monitor.clock.advance(2000);
	expect(monitor.frame()).not.toMatch(/◆|wall/);
	await monitor.press('p');
	await monitor.clock.advance(2000);
	expect(monitor.frame()).toContain(' wall ');
});
