import {expect, test} from 'vitest';
import {commands} from '../../source/view/commands/table.ts';
import {keysOfRound} from './keys.ts';
import {openMonitor} from './monitor.tsx';
import {boundsAfter, pace, slowToWake, soak} from './soak.ts';
import {createSoakWorld} from './world.ts';

test('presses every key but those that end or stop the program, and restores the view and its listeners', async () => {
	const strange = new Set(['quit', 'interrupt', 'suspend']);
	const keys = commands.flatMap(({name, keys}) => (strange.has(name) ? [] : keys));
	expect(keys.filter(key => !keysOfRound.includes(key))).toEqual([]);

	const world = await createSoakWorld();
	const monitor = await openMonitor(world, pace);
	const shown = () => {
		// What was typed and deleted leaves traces: history, cursors, markets without levels, how a list was sorted.
		const {commandsEntered, compared, cursors, deleting, drawnLevels, ...view} = monitor.ui.getSnapshot();
		const {sorts, ...picker} = view.picker;
		const {period, choice, paused} = monitor.store.getSnapshot();
		return {...view, picker, period, choice, paused};
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
