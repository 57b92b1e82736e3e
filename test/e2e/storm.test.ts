import {setTimeout} from 'node:timers/promises';
import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const start: Size = {columns: 120, rows: 40};
const last: Size = {columns: 100, rows: 30};
const count = 200;
const stormMs = 2000;

/** From 300×100 to 1×1 and everything between, large and small by turns. */
const sizes: readonly Size[] = Array.from({length: count}, (_, index) => {
	const share = (index % 2 === 0 ? index / 2 : count - (index + 1) / 2) / (count - 1);
	return {columns: Math.round(300 - 299 * share), rows: Math.round(100 - 99 * share)};
});

test('a storm of 200 sizes in two seconds ends in whole frames of the last one, and the terminal is given back', async () => {
	const monitor = openProgram([], start);
	await monitor.waitFor(isLive);
	const before = monitor.raw().length;
	const begun = performance.now();
	for (const [index, size] of sizes.entries()) {
		monitor.resize(size.columns, size.rows);
		await setTimeout(Math.max(0, begun + ((index + 1) * stormMs) / count - performance.now()));
	}

	monitor.resize(last.columns, last.rows);
	await monitor.waitFor(text => frameFault(text, last) === undefined && isLive(text));
	const settled = monitor.raw().length;
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('q');
	expect(await monitor.exit).toEqual({exitCode: 0, signal: undefined});
	expect([monitor.alternate(), monitor.cursorVisible()]).toEqual([false, true]);

	const painted = await monitor.painted(before);
	// While the storm lasts what is under way was written for a size that the emulator no longer has.
	const after = painted.filter(({rawAt, text}) => rawAt > settled && text.some(row => row !== ''));
	expect(after.length).toBeGreaterThan(0);
	expect(after.flatMap(frame => frameFault(frame.text, frame) ?? [])).toEqual([]);
	expect(new Set(sizes.map(({columns, rows}) => `${columns}×${rows}`)).size).toBe(count);
});
