import {expect, test} from 'vitest';
import {commands} from '../../source/view/commands/table.ts';
import {keysOfRound} from './keys.ts';
import {growth, type Measured} from './measure.ts';
import {openMonitor} from './monitor.tsx';
import {boundsAfter, pace, slowToWake, soak} from './soak.ts';
import {createSoakWorld} from './world.ts';

const measured: Measured = {
	heapMegabytes: 80,
	codeMegabytes: 14,
	outsideMegabytes: 35,
	handles: 5,
	files: 40,
	listeners: 40,
	timers: 6,
};
const bounds: Measured = {
	heapMegabytes: 2,
	codeMegabytes: 3,
	outsideMegabytes: 4,
	handles: 4,
	files: 8,
	listeners: 0,
	timers: 4,
};

/** Ten tenths at the end of which this was counted. */
const tenthsOf = (count: (tenth: number) => Partial<Measured>): readonly Measured[] =>
	Array.from({length: 10}, (_, index) => ({...measured, ...count(index)}));

test('reports what has grown, and by how much', () => {
	const growing = (tenth: number) => ({
		heapMegabytes: 80 + tenth / 2,
		codeMegabytes: 14 + tenth,
		outsideMegabytes: 35 + tenth,
		handles: 5 + tenth,
		files: 40 + 3 * tenth,
		listeners: tenth < 7 ? 40 : 41,
		timers: 6 + tenth,
	});
	expect(growth(tenthsOf(growing), bounds)).toEqual([
		'heapMegabytes grew from 80 to 83.5, by more than 2',
		'codeMegabytes grew from 14 to 21, by more than 3',
		'outsideMegabytes grew from 35 to 42, by more than 4',
		'handles grew from 5 to 12, by more than 4',
		'files grew from 40 to 61, by more than 8',
		'listeners grew from 40 to 41, by more than 0',
		'timers grew from 6 to 13, by more than 4',
	]);
});

test('presses every key but those that end or stop the program, and restores the view and its listeners', async () => {
	const strange = new Set(['quit', 'interrupt', 'suspend']);
	const keys = commands.flatMap(({name, keys}) => (strange.has(name) ? [] : keys));
	expect(keys.filter(key => !keysOfRound.includes(key))).toEqual([]);

	const world = await createSoakWorld();
	const monitor = await openMonitor(world, pace);
	const shown = () => {
		// What was typed and deleted leaves traces: history, cursors, markets without levels.
		const {commandsEntered, compared, cursors, deleting, drawnLevels, ...view} = monitor.ui.getSnapshot();
		const {period, choice, paused} = monitor.store.getSnapshot();
		return {...view, period, choice, paused};
	};
	await world.pass(2000);
	const [before, listeners] = [shown(), monitor.listeners()];
	for (const key of keysOfRound) {
		await monitor.press(key);
		await world.pass(0);
	}

	expect(shown()).toEqual(before);
	// Of the alerts of the round two go on, and follow what is shown.
	expect(monitor.listeners()).toBe(listeners + 1);
	await monitor.close();
	await world.close();
});

test('keeps no more listeners, timers and open files over time, and is fresh soon after hostile bodies and a sleep', async () => {
	// Parsing the longest bodies takes seconds and adds nothing to what is counted.
	const options = {ms: 40_000, keys: keysOfRound.slice(0, keysOfRound.indexOf('ctrl+l') + 1)};
	const tenths = await soak({...options, warmUp: false, tenths: 2, hostileShare: 1 / 16});
	const [first, last] = tenths;
	expect(last?.listeners).toBe(first?.listeners);
	// A budget may recover just then.
	expect((last?.timers ?? 0) - (first?.timers ?? 0)).toBeLessThanOrEqual(boundsAfter(options.ms).timers);
	// The state may be saved just then: the file, its lock and its folder.
	expect((last?.files ?? 0) - (first?.files ?? 0)).toBeLessThanOrEqual(3);
	expect(slowToWake(tenths)).toEqual([]);
	expect(tenths.at(-1)?.requests).toBeGreaterThan(100);
	expect(tenths.at(-1)?.failures).toBeGreaterThan(20);
	expect(last?.calls).toBeGreaterThan(0);
});
