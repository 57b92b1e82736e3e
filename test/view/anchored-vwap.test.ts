/** Means that the user anchors in the chart. */
import {expect, test} from 'vitest';
import {mostAnchors} from '../../source/view/panels/chart/chart-state.ts';
import {openHeadless} from './commands/headless.ts';
import {openMonitor} from './monitor.tsx';

const hour = 3_600_000;
/** Start of the newest candle of the sample. */
const newest = Date.UTC(2024, 7, 8, 23);

async function openAnchoring() {
	const {press, type, outcome} = await openHeadless();
	const anchors = () => outcome().ui.chart.anchors.get('BTCUSDT');
	return {press, type, anchors, notice: () => outcome().ui.notice, fault: () => outcome().ui.command?.fault};
}

test(':avwap anchors a VWAP at the candle under the crosshair, and again removes it', async () => {
	const {press, type, anchors, notice} = await openAnchoring();
	await press('2 x left left');
	await type(':avwap\r');
	expect([anchors(), notice()]).toEqual([[newest - 2 * hour], 'VWAP anchored at 8 Aug 21:00']);
	await press('left');
	await type(':avwap\r');
	expect(anchors()).toEqual([newest - 3 * hour, newest - 2 * hour]);
	// Two candles in one column: this one begins at 20:00.
	await press('x - x left');
	await type(':avwap\r');
	expect([anchors(), notice()]).toEqual([[], 'VWAP anchored at 8 Aug 20:00 removed']);
});

test('a market has four at most, and :avwap off removes them', async () => {
	const {press, type, anchors, notice} = await openAnchoring();
	await press('2 x');
	for (let count = 0; count <= mostAnchors; count++) {
		await type(':avwap\r');
		await press('left');
	}

	await type(':avwap\r');
	expect([anchors()?.length, notice()]).toEqual([
		mostAnchors,
		'a market has at most 4 anchored VWAPs; avwap off removes them',
	]);
	await type(':avwap off\r');
	expect([anchors(), notice()]).toEqual([[], '4 anchored VWAPs removed']);
	await type(':avwap off\r');
	expect(notice()).toBe('no VWAP is anchored in this market');
});

test('without a crosshair nothing is anchored, and what to do is said', async () => {
	const {press, type, anchors, fault} = await openAnchoring();
	await press('2');
	await type(':avwap\r');
	expect([anchors(), fault()]).toEqual([undefined, 'no crosshair to anchor a VWAP at; crosshair shows one']);
});

test.each([false, true])('the chart draws it with its bands in its own market, ASCII %j', async ascii => {
	const {press, type, frame} = await openMonitor({size: {columns: 120, rows: 40}, ascii});
	await press('2');
	await press('z');
	await press('x');
	for (let back = 0; back < 40; back++) await press('left');
	await type(':avwap\r');
	await press('x');
	await expect(frame()).toMatchFileSnapshot(`../frames/chart/avwap${ascii ? '-ascii' : ''}.txt`);
	await press('n');
	expect(frame()).not.toContain('AVWAP');
});

test('its value is in the legend of the chart between the other panels', async () => {
	const {press, type, frame} = await openMonitor({size: {columns: 120, rows: 40}});
	await press('2');
	await press('x');
	await type(':avwap\r');
	expect(frame()).toMatch(/AVWAP 8 Aug 23:00 of candles \d/);
});
