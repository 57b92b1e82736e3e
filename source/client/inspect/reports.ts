import {stripControl} from '../../format/control.ts';
import {percentile} from '../../market/percentile.ts';
import type {Interface} from '../../market/types.ts';
import type {Inspection, OperationReport} from './inspection.ts';
import {entriesOf} from './limits.ts';
import type {InspectedOperation, Probe} from './operations.ts';
import {createComparison} from './shape.ts';

export function operationReport(inspected: InspectedOperation): OperationReport {
	const {samples} = inspected;
	const good = samples.filter(({answer}) => answer);
	const last = good.at(-1);
	const failed = samples.findLast(({error}) => error)?.error;
	const quick = good.filter(({connected}) => !connected);
	const durations = (quick.length > 0 ? quick : good).map(({durationMs}) => durationMs);
	const comparison = createComparison();
	for (const {json} of samples) if (json !== undefined) comparison.add(json, inspected.shape);
	return {
		operation: inspected.operation,
		interface: inspected.interface,
		requests: samples.length,
		failures: samples.length - good.length,
		status: samples.at(-1)?.status,
		error: failed && {brief: failed.brief, message: failed.message, advice: failed.words.advice},
		p50Ms: percentile(durations, 0.5),
		p95Ms: percentile(durations, 0.95),
		sentBytes: last?.sentBytes,
		bytes: last?.bytes,
		encoding: last && headerText(last, 'content-encoding'),
		entries: last && entriesOf(last),
		dropped: last?.answer?.dropped ?? 0,
		deviations: comparison.deviations().map(deviation => ({
			...deviation,
			path: clean(deviation.path),
			found: deviation.found && clean(deviation.found),
		})),
	};
}

const clean = (text: string): string => stripControl(text).trim();

const headerText = ({headers}: Probe, name: string): string | undefined => {
	const header = headers[name];
	return header === undefined ? undefined : clean(header);
};

export const connectionReports = (
	probes: readonly Probe[],
	interfaces: readonly Interface[],
): Inspection['connections'] =>
	interfaces.map(source => {
		const own = probes.filter(probe => probe.interface === source);
		return {interface: source, requests: own.length, opened: own.filter(({connected}) => connected).length};
	});

/** The names that exchanges commonly use. */
const isRateHeader = /rate-?limit|^retry-after$|^x-mbx-used-weight|^x-.*-quota/;

/** The last value of each rate-limit header, by interface and name. */
export function rateHeaders(probes: readonly Probe[]): Inspection['rateLimit']['headers'] {
	const found = new Map<string, Inspection['rateLimit']['headers'][number]>();
	for (const probe of probes) {
		for (const name of Object.keys(probe.headers).filter(key => isRateHeader.test(key))) {
			const value = headerText(probe, name)?.slice(0, 100) ?? '';
			found.set(`${probe.interface} ${name}`, {interface: probe.interface, name: clean(name), value});
		}
	}

	return [...found.values()];
}
