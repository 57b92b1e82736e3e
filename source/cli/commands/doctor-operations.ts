import type {Deviation, Finding, Flaw, Inspection, OperationReport} from '../../client/inspect/inspection.ts';
import {understoodUnit} from '../../client/inspect/shape.ts';
import {formatExact} from '../../format/number.ts';
import {formatDateTime} from '../../format/time.ts';
import {about} from './finding.ts';

/** What is wrong in the answers of single operations: entries, fields, values, times, order. */
export const operationFindings = ({operations}: Inspection): readonly Finding[] =>
	operations.flatMap(report => [
		...unread(report),
		...report.flaws.map(flaw => flawFinding(report, flaw)),
		...report.deviations.map(deviation => deviationFinding(report, deviation)),
	]);

function unread(report: OperationReport): readonly Finding[] {
	const {operation, dropped, cut, entries = 0} = report;
	const droppedText = `dropped ${formatExact(dropped)} of ${formatExact(entries)} entries as invalid or contradicting others`;
	// A longer page than was asked for is found by its limit.
	const isTooLong = cut > 0 && operation !== 'trades' && operation !== 'candles';
	return [
		...(dropped > 0 ? [about(report, 'warning', 'dropped', droppedText)] : []),
		...(isTooLong ? [about(report, 'warning', 'too-long', `${formatExact(cut)} entries not read: too many`)] : []),
	];
}

function flawFinding(report: OperationReport, {kind, part, example, ...counts}: Flaw): Finding {
	const [count, of] = [formatExact(counts.count), formatExact(counts.of)];
	const texts: Readonly<Record<Flaw['kind'], string>> = {
		empty: `no ${part}`,
		absent: `no readable entry for ${example}`,
		unreadable: `the entry of ${example} is unreadable`,
		inactive: `state of the inspected market is ${JSON.stringify(example)}, not active`,
		crossed: part === 'book' ? `bids reach asks: ${example}` : `bid above ask in ${count} of ${of} ${part}: ${example}`,
		unpriced: `no last price, but volume, in ${count} of ${of} ${part}: ${example}`,
		spacing: `${count} of ${of} ${part} do not follow at multiples of 60 min: ${example}`,
		sideless: `side unknown in ${count} of ${of} ${part}`,
	};
	return {...about(report, 'warning', kind, texts[kind]), example};
}

const notes: ReadonlySet<Deviation['problem']> = new Set([
	...(['unknown', 'undocumented', 'long', 'rounded', 'unsorted'] as const),
]);

function deviationFinding(report: OperationReport, deviation: Deviation): Finding {
	const {path, problem, found, example, count, of} = deviation;
	const isHarmless = notes.has(problem) || (problem === 'unit' && found === understoodUnit);
	const times = `, ${formatExact(count)} of ${formatExact(of)} times`;
	const text = `${path || 'the answer'} ${deviationText(deviation, times)}`;
	return {
		...about(report, isHarmless ? 'note' : 'warning', problem, text),
		field: path,
		example: problem === 'undocumented' ? found : example,
	};
}

/** What is wrong, the number of times, and what follows. */
function deviationText({problem, expected = '', found = '', example = ''}: Deviation, times: string): string {
	const texts: Readonly<Record<Deviation['problem'], string>> = {
		missing: `is missing${times}`,
		mistyped: `is ${found}, not ${expected}${times}`,
		sign: `is not ${expected}${times}: ${example}`,
		unit: `is ${unitText(found)}, not ${unitText(expected)}${times}: ${example}${readingOf(found, example)}`,
		implausible: `is not a plausible time${times}: ${example}`,
		future: `is later than the answer${times}: ${example}`,
		offset: `has no UTC offset${times}: ${example}, read as UTC`,
		control: `contains control characters${times}`,
		repeated: `repeats an earlier entry${times}`,
		unsorted: `is not in order of ${expected}${times}; sorted here`,
		unknown: `(${found}) is not in the specification${times}; ignored`,
		undocumented: `has the undocumented value ${JSON.stringify(found)}${times}; shown as is`,
		long: `is beyond 2^53${times}; all digits are kept`,
		rounded: `has more digits than a number holds${times}: ${example}`,
	};
	return texts[problem];
}

const unitText = (unit: string) => (unit === 'ISO 8601' ? unit : `epoch ${unit}`);

/** What a time in the wrong unit is taken for: a number is epoch ms. */
function readingOf(found: string, example: string): string {
	if (found === understoodUnit) return ', understood';
	return found === 's' && Number(example) > 0 ? `, read as ${formatDateTime(Number(example))}` : '';
}
