import {describe, expect, test} from 'vitest';
import {HttpStatusError} from '../../source/client/errors.ts';
import {openWith} from './long-history.ts';
import {sampleScript, sampleTime} from './sample-exchange.ts';

const minute = 60_000;
const hour = 60 * minute;
const newest = Math.floor(sampleTime / hour) * hour;

describe('a typed period', () => {
	const refused = new HttpStatusError({
		operation: 'candles',
		interface: 'v2',
		url: '',
		status: 400,
		body: '',
		message: '',
	});

	test('is in the title while typed, and applied with Enter', async () => {
		const {press, type, shows, store} = await openWith(600);
		await press('t');
		await type('4x');
		await press('enter');
		expect(shows('━ x is not a unit: use m, h, d, w or M ━')).toBe(true);
		await press('backspace', '5');
		expect(shows('2 period 45_ (m h d w M) Enter ━')).toBe(true);
		await press('backspace', 'h', 'enter');
		expect(store.getSnapshot().period).toBe(240);
		expect(shows('period 4')).toBe(false);
	});

	test('that the exchange refuses is built from a shorter one, and says from which', async () => {
		const {press, clock, shows} = await openWith(600, (_, period) => (period === 180 ? refused : undefined));
		await press('t', '3', 'h', 'enter');
		await clock.advance(300);
		expect(shows('2 3h · built from 1h')).toBe(true);
	});
});

test('the menu chooses indicators, which stay for other markets and periods', async () => {
	const {press, clock, shows} = await openWith(600);
	await press('o', 'space', 'down', 'down', 'down', 'down', 'space');
	expect(shows('▶ ● RSI 14')).toBe(true);
	await press('esc');
	expect([shows('Indicators'), shows('SMA 50'), shows('─ RSI 14')]).toEqual([false, true, true]);
	await press('n', ']');
	await clock.advance(300);
	expect([shows('SMA 50'), shows('─ RSI 14')]).toEqual([true, true]);
});

test('the menu closes for the filter, another panel or another market', async () => {
	const {press, shows} = await openWith(600);
	for (const key of ['/', '3', 'n']) {
		await press('o');
		expect(shows('Indicators')).toBe(true);
		await press(key);
		expect(shows('Indicators')).toBe(false);
		await press('esc', '2');
	}
});

test('the newest candle moves with every trade', async () => {
	const {exchange, clock, shows} = await openWith(600);
	const {trades} = sampleScript;
	exchange.script.trades = call => {
		const before = trades?.(call);
		const latest = {id: '999999999', time: clock.now(), price: 63_999.99, quantity: 1, side: 'buy'} as const;
		return Array.isArray(before) ? [latest, ...before] : undefined;
	};
	await clock.advance(2000);
	expect(shows('63,999.99')).toBe(true);
});

describe('the crosshair', () => {
	test('moves by candle and by row of prices, its price on the axis', async () => {
		const {press, chart, ui} = await openWith(600);
		await press('x');
		const before = chart();
		expect(before.join('\n')).toMatch(/▸ 58,535\.64┃/);
		const steps: unknown[] = [];
		for (const key of ['down', 'down', 'up', 'left', 'left', 'right']) {
			await press(key);
			const {cross = 0, crossPrice} = ui.getSnapshot().chart;
			steps.push([(newest - cross) / hour, crossPrice]);
			expect(chart().find(row => row.includes('▸'))).toContain(`▸ ${crossPrice?.toLocaleString('en')}`);
		}

		expect(steps).toEqual([
			[0, 58_500],
			[0, 58_480],
			[0, 58_500],
			[1, 58_500],
			[2, 58_500],
			[1, 58_500],
		]);
	});

	test('moves by one row of the screen, whatever was shown before', async () => {
		const {press, type, chart} = await openWith(600);
		await type(':indicators sma\r:indicators bollinger\r');
		await press('left', 'left', 'left', 'right', 'right', 'l', 'x', 'left');
		const rowOf = () => chart().findIndex(row => row.includes('▸'));
		await press('down');
		const start = rowOf();
		const rows: number[] = [];
		for (let presses = 0; presses < 6; presses++) {
			await press('down');
			rows.push(rowOf() - start);
		}

		expect(rows).toEqual([1, 2, 3, 4, 5, 6]);
	});

	test('stops at both ends of the scale, and says so', async () => {
		const {press, chart, rows, ui} = await openWith(600);
		const ticks = () => chart().flatMap(row => row.match(/├ +([\d,.]+) *┃/)?.[1] ?? []);
		await press('x');
		const before = ticks();
		for (const [key, end] of [
			['up', 'top of the price scale'],
			['down', 'bottom of the price scale'],
		] as const) {
			for (let presses = 0; presses < 40; presses++) await press(key);
			expect(rows().join('\n')).toContain(end);
			const {crossPrice} = ui.getSnapshot().chart;
			await press(key);
			expect(ui.getSnapshot().chart.crossPrice).toBe(crossPrice);
		}

		expect(ticks()).toEqual(before);
	});
});
