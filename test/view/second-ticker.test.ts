import {expect, test} from 'vitest';
import {openMonitor} from './monitor.tsx';

test('the other interface is asked for its ticker only while the zoomed ticker shows it', async () => {
	const {clock, exchange, press, frame} = await openMonitor({size: {columns: 120, rows: 40}});
	const asked = () => exchange.calls.tickers.filter(({options: {use}}) => use === 'legacy').length;
	await clock.advance(30_000);
	expect(asked()).toBe(0);

	await press('5', 'z');
	await clock.advance(16_000);
	expect([asked(), frame().includes('legacy  difference')]).toEqual([2, true]);

	await press('z');
	await clock.advance(60_000);
	expect(asked()).toBe(2);
});

test('a pause stops asking the other interface, and keeps its last answer', async () => {
	const {clock, exchange, press, frame} = await openMonitor({size: {columns: 120, rows: 40}});
	await press('space', '5', 'z');
	expect(frame()).toContain('legacy: not polled while paused');

	await press('space');
	await clock.advance(100);
	await press('space');
	const before = exchange.calls.tickers.length;
	await clock.advance(60_000);

	expect([exchange.calls.tickers.length, /legacy: not polled/.test(frame())]).toEqual([before, false]);
});
