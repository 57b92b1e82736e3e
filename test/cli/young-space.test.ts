import {execFileSync} from 'node:child_process';
import {expect, test} from 'vitest';

/** Leaves garbage behind of which some is in use for a while, as frames do. Prints the megabytes of one half after each second. */
const program = `
	import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';
	import {createYoungSpaceKeeper} from './source/cli/young-space.ts';
	setFlagsFromString('--semi-space-growth-factor=1');
	const inUse = [];
	function second() {
		for (let index = 0; index < 2_000; index++) {
			inUse.push(new Array(100).fill(index));
			if (inUse.length > 500) inUse.shift();
		}
	}
	function megabytes() {
		const space = getHeapSpaceStatistics().find(({space_name}) => space_name === 'new_space');
		return Math.round((space.space_used_size + space.space_available_size) / 2 ** 20);
	}
	const sizes = [];
	const keep = createYoungSpaceKeeper();
	for (let seconds = 0; seconds < 60; seconds++) {
		second();
		sizes.push(megabytes());
		keep();
	}
	console.log(JSON.stringify(sizes));
`;

test('the space for young objects grows to four megabytes and stays there', () => {
	const output = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {encoding: 'utf8'});
	const sizes: readonly number[] = JSON.parse(output);
	expect(sizes[0]).toBe(1);
	expect(sizes.slice(-5)).toEqual([4, 4, 4, 4, 4]);
});
