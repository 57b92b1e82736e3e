import {describe, expect, test} from 'vitest';
import {openWith} from './long-history.ts';
import {sampleTime} from './sample-exchange.ts';

const minute = 60_000;
const hour = 60 * minute;
const newest = Math.floor(sampleTime / hour) * hour;

describe('older candles', () => {
	test('are loaded before the view reaches the first one, which the chart says', async () => {
		const {exchange, press, shows, clock} = await openWith(5000, to => (to === undefined ? undefined : 'open'));
		expect(exchange.calls.candles).toHaveLength(1);
		await press('g');
		expect(exchange.last('candles').options).toMatchObject({limit: 1000, to: newest - 499 * hour - 1});
		expect(shows('loading older candles')).toBe(true);
		await clock.advance(3000);
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(1);
	});

	test('end where the exchange has none, which the chart says at its first candle', async () => {
		const {press, shows, clock} = await openWith(2600);
		await press('g');
		await clock.advance(3000);
		expect(shows('no older candles on the exchange')).toBe(true);
		await press('G');
		expect(shows('no older candles on the exchange')).toBe(false);
	});

	test('are retried after a failure, which the chart says', async () => {
		const {press, shows, clock, exchange} = await openWith(5000, to => (to === undefined ? undefined : 'fail'));
		await press('g');
		await clock.advance(500);
		expect(shows('older candles: timed out')).toBe(true);
		await clock.advance(6000);
		expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(2);
	});

	test('are loaded page by page until merged candles fill the chart and one more screen', async () => {
		const {press, clock, store, shows} = await openWith(30_000);
		await press('-', '-', '-', '-', '-', '-');
		await clock.advance(5000);
		expect(shows('50 a column')).toBe(true);
		const {candles} = store.getSnapshot();
		expect(candles.status === 'ready' && candles.data.candles.length).toBe(4500);
	});
});

describe('goto', () => {
	test('loads older candles until that of the time is under the crosshair in the middle', async () => {
		const {type, clock, shows, chart, store, ui} = await openWith(5000);
		await type(':goto 2024-04-10 14:30\r');
		await clock.advance(5000);
		expect(shows('loading')).toBe(false);
		expect(chart().find(row => row.includes('2024-04-10 14:00'))).toMatch(/2024-04-10 14:00 .* V /);
		expect(chart()[0]).toContain('2024-04-09 – 2024-04-11');
		expect(ui.getSnapshot().focus).toBe('chart');
		const {candles} = store.getSnapshot();
		expect(candles.status === 'ready' && candles.data.candles.length).toBe(3500);
	});

	test('reads a time in the zone that is shown, and a date of daily candles as theirs', async () => {
		const {type, ui, store, clock} = await openWith(700, undefined, 1440);
		const goTo = async (line: string) => {
			await type(`:${line}\r`);
			return ui.getSnapshot().chart.cross;
		};
		await type(':set timezone Europe/Berlin\r');
		expect(await goTo('goto 2024-08-08 02:00')).toBe(Date.UTC(2024, 7, 8));
		store.setPeriod(1440);
		await clock.advance(300);
		expect(await goTo('goto 2024-08-06')).toBe(Date.UTC(2024, 7, 6));
	});

	test('says where history ends if that is later', async () => {
		const {type, clock, shows} = await openWith(700);
		await type(':goto 2023-01-01\r');
		await clock.advance(3000);
		expect(shows('━ the first is of 2024-07-10 20:00 ━')).toBe(true);
	});

	test.each(['esc', 'right'])(
		'says how far loading is, stops it for %s, and leaves the view where it is',
		async key => {
			const {type, press, clock, exchange, shows, ui} = await openWith(5000, to =>
				to === undefined ? undefined : 'open',
			);
			await type(':goto 2024-02-01\r');
			expect(shows('━ loading older candles, now at 2024-07-19 04:00 ━')).toBe(true);
			await press(key);
			expect([shows('now at'), ui.getSnapshot().chart.centre]).toEqual([false, undefined]);
			const oldest = ui.getSnapshot().chart.rightEdge;
			expect(oldest).toBeLessThan(newest - 440 * hour);
			await clock.advance(3000);
			expect(exchange.calls.candles.filter(call => call.options.to !== undefined)).toHaveLength(1);
			expect(ui.getSnapshot().chart.rightEdge).toBe(oldest);
		},
	);

	test.each([
		['soon', 'goto takes a time in UTC such as 2026-11-10 14:00, 14:00 or -2d'],
		[
			'2030-01-01',
			'2030-01-01 00:00:00 is in the future; goto takes a time in UTC such as 2026-11-10 14:00, 14:00 or -2d',
		],
	])('refuses %s', async (text, fault) => {
		const {type, ui} = await openWith(60);
		await type(`:goto ${text}\r`);
		expect(ui.getSnapshot().command?.fault).toBe(fault);
	});
});

test('zooming out ends with all candles there are, and leaves no blank beside older ones', async () => {
	const {press, shows, clock, ui, store} = await openWith(700);
	await press('g');
	await clock.advance(2000);
	expect(store.getSnapshot().history.status).toBe('complete');
	await press('left', ...Array.from({length: 12}, () => '-'));
	expect(shows('20 a column')).toBe(true);
	expect(ui.getSnapshot().chart.rightEdge).toBeUndefined();
	await press('-');
	expect(ui.getSnapshot().notice).toBe('all candles are visible');
});

test('zooming out waits for older candles', async () => {
	const {press, clock, exchange, candles, shows, ui} = await openWith(5000, to =>
		to === undefined ? undefined : 'open',
	);
	await press(...Array.from({length: 12}, () => '-'));
	expect([shows('20 a column'), ui.getSnapshot().notice]).toEqual([true, 'loading older candles']);
	exchange.last('candles').answer(candles.slice(-1500, -500));
	await clock.advance(250);
	await press('-');
	expect(shows('50 a column')).toBe(true);
});
