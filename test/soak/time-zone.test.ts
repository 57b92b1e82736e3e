import {afterEach, expect, test} from 'vitest';
import {openMonitor} from '../view/monitor.tsx';

const {TZ} = process.env;
afterEach(() => {
	process.env.TZ = TZ;
});

test('shows the same times after the time zone of the machine has changed', async () => {
	const size = {columns: 120, rows: 40};
	const monitor = await openMonitor({size});
	const before = monitor.frame();
	const offset = new Date().getTimezoneOffset();
	process.env.TZ = 'America/Denver';
	expect(new Date().getTimezoneOffset()).not.toBe(offset);
	// Everything is drawn anew.
	await monitor.resize({columns: 80, rows: 24});
	await monitor.resize(size);
	expect(monitor.frame()).toBe(before);
	expect(before).toMatch(/UTC \d\d:\d\d:\d\d/);
});
