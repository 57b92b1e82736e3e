import {stripControl} from '../../format/control.ts';
import {percentile} from '../../market/numbers.ts';
import type {Interface} from '../../market/types.ts';
import type {Deviation, Inspection, OperationReport} from './inspection.ts';
import {type InspectedOperation, type Probe, sentEntries} from './operations.ts';
import {answerTime, createComparison, understoodUnit} from './shape.ts';

/** `probes`: all of the inspection. */
export function operationReport(
	inspected: InspectedOperation,
	probes: readonly Probe[],
	symbol: string,
): OperationReport {
	const {samples} = inspected;
	const isOwn = (probe: Probe) => probe.interface === inspected.interface && probe.operation === inspected.operation;
	const repeated = probes.filter(probe => isOwn(probe) && probe.repeated && probe.status !== 429);
	const good = samples.filter(({answer}) => answer);
	const last = good.at(-1);
	const failed = samples.findLast(({error}) => error)?.error;
	const quick = good.filter(({connected}) => !connected);
	const durations = (quick.length > 0 ? quick : good).map(({durationMs}) => durationMs);
	return {
		operation: inspected.operation,
		interface: inspected.interface,
		requests: samples.length,
		failures: samples.length - good.length,
		repeats: repeated.length,
		repeatedAfter: repeated.at(-1)?.error?.brief,
		status: samples.at(-1)?.status,
		error: failed && {brief: failed.brief, message: failed.message, advice: failed.words.advice},
		p50Ms: percentile(durations, 0.5),
		p95Ms: percentile(durations, 0.95),
		sentBytes: last?.sentBytes,
		bytes: last?.bytes,
		encoding: last && headerText(last, 'content-encoding'),
		entries: last && sentEntries(last)?.length,
		dropped: last?.answer?.dropped ?? 0,
		cut: last?.answer?.cut ?? 0,
		deviations: deviationsOf(inspected),
		flaws: last?.answer ? inspected.examine(last.answer.data, symbol) : [],
	};
}

const headerText = ({headers}: Probe, name: string): string | undefined => {
	const header = headers[name];
	return header === undefined ? undefined : shortened(header);
};

/** A name or value of a header, which can be as long as all headers together. */
const shortened = (text: string): string => clean(text).slice(0, 100);

export const connectionReports = (
	probes: readonly Probe[],
	interfaces: readonly Interface[],
): Inspection['connections'] =>
	interfaces.map(source => {
		const own = probes.filter(probe => probe.interface === source);
		const opened = own.filter(({connected}) => connected);
		const reopened = opened.filter(probe => probes[probes.indexOf(probe) - 1]?.answer);
		return {interface: source, requests: own.length, opened: opened.length, reopened: reopened.length};
	});

/** `frozen`: interfaces whose clock does not run, so that answers may be alike without a cache. */
export const cacheReports = (
	probes: readonly Probe[],
	interfaces: readonly Interface[],
	frozen: readonly Interface[],
): Inspection['caches'] =>
	interfaces.flatMap(source => {
		const own = probes.filter(probe => probe.interface === source);
		const uses = own.flatMap(({answer}) => answer?.cache ?? []);
		const isSaid = uses.some(use => use.isSaid);
		if (uses.length === 0 || (!isSaid && frozen.includes(source))) return [];
		const last = own.findLast(({answer, headers}) => answer?.cache && headers.via);
		return [
			{
				interface: source,
				answers: own.filter(({answer}) => answer).length,
				hits: uses.filter(({isHit}) => isHit).length,
				oldestMs: Math.max(...uses.map(({ageMs}) => ageMs)),
				isSaid,
				via: last && headerText(last, 'via'),
			},
		];
	});

/** Names that exchanges commonly use. */
const isRateHeader = /rate-?limit|^retry-after$|^x-mbx-used-weight|^x-.*-quota/;

/** The last value of each rate-limit header, by interface and name. */
export function rateHeaders(probes: readonly Probe[]): Inspection['rateLimit']['headers'] {
	const found = new Map<string, Inspection['rateLimit']['headers'][number]>();
	for (const probe of probes) {
		for (const name of Object.keys(probe.headers).filter(key => isRateHeader.test(key))) {
			const value = headerText(probe, name) ?? '';
			found.set(`${probe.interface} ${name}`, {interface: probe.interface, name: shortened(name), value});
		}
	}

	return [...found.values()];
}

/** How the samples of an operation differ from the specification, without control characters. */
function deviationsOf({samples, shape}: InspectedOperation): readonly Deviation[] {
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

const clean = (text: string): string => stripControl(text).trim();
