import {expect, test} from 'vitest';
import {frameFault, isLive} from './frame.ts';
import {openProgram, type Size} from './program.ts';

const start: Size = {columns: 120, rows: 40};
const sizes: readonly Size[] = [
	{columns: 80, rows: 24},
	{columns: 160, rows: 45},
	{columns: 40, rows: 12},
	{columns: 39, rows: 11},
	{columns: 111, rows: 30},
	{columns: 10, rows: 3},
	{columns: 120, rows: 40},
	{columns: 100, rows: 25},
	{columns: 200, rows: 60},
	{columns: 80, rows: 24},
];

test('is laid out anew for every size, with no wrong frame in between', async () => {
	const monitor = openProgram([], start);
	await monitor.waitFor(isLive);
	const marks: number[] = [];
	for (const size of sizes) {
		marks.push(monitor.raw().length);
		monitor.resize(size.columns, size.rows);
		await monitor.waitFor(text => frameFault(text, size) === undefined);
	}

	const painted = await monitor.painted();
	let late = 0;
	for (const [index, mark] of marks.entries()) {
		const until = marks[index + 1] ?? monitor.raw().length;
		const faults = painted
			.filter(({rawAt}) => rawAt > mark && rawAt <= until)
			.map(frame => frameFault(frame.text, frame));
		const answer = faults.indexOf(undefined);
		expect(answer).toBeGreaterThan(-1);
		expect(faults.slice(answer).filter(fault => fault !== undefined)).toEqual([]);
		late += answer;
	}

	// A frame can be under way when the terminal changes; one after every change would be drawn because of it.
	expect(late).toBeLessThan(sizes.length / 2);
});

test('settles on the last of many sizes that come at once', async () => {
	const monitor = openProgram([], start);
	await monitor.waitFor(isLive);
	for (let columns = 40; columns <= 160; columns += 3) monitor.resize(columns, 12 + (columns % 34));
	const last: Size = {columns: 100, rows: 30};
	monitor.resize(last.columns, last.rows);
	await monitor.waitFor(text => frameFault(text, last) === undefined && isLive(text));
	const settled = monitor.raw().length;
	monitor.press('?');
	await monitor.waitFor(/\? Keys/);
	monitor.press('?');
	await monitor.waitFor(/3 Book/);
	const painted = await monitor.painted(settled);
	expect(painted.flatMap(({text}) => frameFault(text, last) ?? [])).toEqual([]);
});
