import {expect, test} from 'vitest';
import {growth, type Measured} from './measure.ts';
import {soak} from './soak.ts';

const measured: Measured = {heapMegabytes: 80, handles: 5, listeners: 40, timers: 6};

/** Ten tenths at the end of which this was counted. */
const tenthsOf = (count: (tenth: number) => Partial<Measured>): readonly Measured[] =>
	Array.from({length: 10}, (_, index) => ({...measured, ...count(index)}));

test('lets a few buffers, sockets and timers come and go', () => {
	expect(growth(tenthsOf(() => ({})))).toEqual([]);
	expect(growth(tenthsOf(tenth => ({heapMegabytes: tenth % 2 === 0 ? 80 : 98, handles: 5 + (tenth % 4)})))).toEqual([]);
	expect(growth(tenthsOf(tenth => ({heapMegabytes: 90 - tenth, timers: 9 - tenth})))).toEqual([]);
});

test('says what has grown, and by how much', () => {
	const growing = (tenth: number) => ({
		heapMegabytes: 80 + tenth,
		handles: 5 + tenth,
		listeners: tenth < 7 ? 40 : 41,
		timers: 6 + tenth,
	});
	expect(growth(tenthsOf(growing))).toEqual([
		'heapMegabytes grew from 80 to 87',
		'handles grew from 5 to 12',
		'listeners grew from 40 to 41',
		'timers grew from 6 to 13',
	]);
});

test('holds no more listeners and timers after a quarter of an hour of everything than at first', async () => {
	const tenths = await soak({ms: 900_000, virtual: true});
	const counts = tenths.map(({listeners, timers}) => ({listeners, timers}));
	expect(counts).toEqual(Array(10).fill(counts[0]));
	expect(tenths.at(-1)?.requests).toBeGreaterThan(200);
	expect(tenths.at(-1)?.failures).toBeGreaterThan(20);
}, 120_000);
