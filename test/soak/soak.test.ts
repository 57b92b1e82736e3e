import {expect, test} from 'vitest';
import {growth, type Measured} from './measure.ts';
import {soak} from './soak.ts';

const measured: Measured = {heapMegabytes: 80, handles: 5, listeners: 40, timers: 6};

test('says what has grown, and by how much, and lets a few buffers, sockets and timers come and go', () => {
	expect(growth(measured, {heapMegabytes: 84, handles: 9, listeners: 40, timers: 10})).toEqual([]);
	expect(growth(measured, {heapMegabytes: 20, handles: 1, listeners: 12, timers: 0})).toEqual([]);
	expect(growth(measured, {heapMegabytes: 84.24, handles: 10, listeners: 41, timers: 11})).toEqual([
		'heapMegabytes grew from 80 to 84.2',
		'handles grew from 5 to 10',
		'listeners grew from 40 to 41',
		'timers grew from 6 to 11',
	]);
});

test('holds no more listeners and timers after half an hour of everything than after three minutes', async () => {
	const tenths = await soak({ms: 1_800_000, virtual: true});
	const counts = tenths.map(({listeners, timers}) => ({listeners, timers}));
	expect(counts).toEqual(Array(10).fill(counts[0]));
	expect(tenths.at(-1)?.requests).toBeGreaterThan(500);
	expect(tenths.at(-1)?.failures).toBeGreaterThan(50);
}, 120_000);
