import {expect, test} from 'vitest';
import {figureLines} from './helpers/report-figures.ts';

type Modules = Parameters<typeof figureLines>[0];

/** A module of tests with these states and notes. */
const moduleOf = (...tests: readonly (readonly [state: 'passed' | 'failed', meta: object])[]): Modules[number] => {
	const allTests = () => tests.map(([state, meta]) => ({result: () => ({state}), meta: () => meta}))[Symbol.iterator]();
	return {children: {allTests}} as unknown as Modules[number];
};

test('the figures of a run are the statements with a test that passes and the values compared', () => {
	const statement = {statement: true};
	const first = moduleOf(['passed', statement], ['failed', statement], ['passed', {compared: 1200}]);
	expect(figureLines([first, moduleOf(['passed', statement], ['passed', {compared: 34}])])).toEqual([
		"2 of 3 statements of the interface's specification have a test that passes",
		'1,234 values compared with an independent computation from raw data',
	]);
	expect(figureLines([moduleOf(['passed', {}])])).toEqual([]);
});
