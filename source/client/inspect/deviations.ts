import {stripControl} from '../../format/control.ts';
import type {InspectedOperation} from './operations.ts';
import {createComparison, type Deviation} from './shape.ts';
import {answerTime, understoodUnit} from './times.ts';

/** Samples can be thousands of entries, and several parts of a report need their deviations. */
const known = new WeakMap<InspectedOperation, {readonly samples: number; readonly deviations: readonly Deviation[]}>();

/** How the samples of an operation differ from the specification, without control characters. */
export function deviationsOf(operation: InspectedOperation): readonly Deviation[] {
	const samples = operation.samples.length;
	const earlier = known.get(operation);
	if (earlier?.samples === samples) return earlier.deviations;
	const deviations = compared(operation);
	known.set(operation, {samples, deviations});
	return deviations;
}

function compared({samples, shape}: InspectedOperation): readonly Deviation[] {
	const comparison = createComparison();
	for (const {json, answer, startedAt, durationMs} of samples) {
		const asOf = answerTime(startedAt + durationMs, answer?.serverTime);
		if (json !== undefined) comparison.add(json, shape, asOf);
	}

	return comparison.deviations().map(({path, found, example, expected, ...deviation}) => ({
		...deviation,
		path: clean(path),
		expected,
		found: found && clean(found),
		example: example && clean(example),
	}));
}

const timeProblems: ReadonlySet<string> = new Set(['unit', 'implausible', 'future', 'offset']);

/** Whether times of its answers may not be what they are read as. */
export const hasBadTimes = (operation: InspectedOperation): boolean =>
	deviationsOf(operation).some(({problem, found}) => timeProblems.has(problem) && found !== understoodUnit);

export const clean = (text: string): string => stripControl(text).trim();
