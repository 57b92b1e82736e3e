import {expect, type TestContext} from 'vitest';

declare module 'vitest' {
	interface TaskMeta {
		/** The test proves one statement of the interface's specification. */
		statement?: true;
		/** How many values the test has compared with an independent computation. */
		compared?: number;
	}
}

/** Counts each value that it compares with what the test itself has computed from raw data, for the sum at the end of the run. */
export const comparing =
	({task}: Pick<TestContext, 'task'>) =>
	(actual: unknown, expected: unknown, what = ''): void => {
		task.meta.compared = (task.meta.compared ?? 0) + 1;
		// One in a thousand is an object, and an assertion takes as long as what it is about.
		if (!Object.is(actual, expected)) expect(actual, what).toEqual(expected);
	};
/** Relative to the size of the numbers that a value was computed from. */
const roundingError = 1e-9;

/** Compares numbers as `comparing` does, apart from rounding errors. `size`: of the numbers that they come from; default: their own. */
export function comparingNumbers(context: Pick<TestContext, 'task'>) {
	const compare = comparing(context);
	return (
		actual: number | undefined,
		expected: number | undefined,
		what = '',
		size = Math.abs(expected ?? 0),
	): void => {
		const isNear =
			actual !== undefined && expected !== undefined && Math.abs(actual - expected) <= size * roundingError;
		compare(isNear ? expected : actual, expected, what);
	};
}
