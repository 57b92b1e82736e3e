import {stripControl} from '../../format/control.ts';
import {percentile} from '../../market/percentile.ts';
import type {Interface} from '../../market/types.ts';
import type {Inspection, OperationReport} from './inspection.ts';
import {entriesOf} from './limits.ts';
import type {Look} from './look.ts';
import type {InspectedOperation} from './operations.ts';
import {createComparison} from './shape.ts';

export function operationReport(asked: InspectedOperation): OperationReport {
	const {looks} = asked;
	const good = looks.filter(look => look.answer);
	const last = good.at(-1);
	const failed = looks.findLast(look => look.error)?.error;
	const quick = good.filter(look => !look.connected);
	const durations = (quick.length > 0 ? quick : good).map(look => look.durationMs);
	const comparison = createComparison();
	for (const {json} of looks) if (json !== undefined) comparison.add(json, asked.shape);
	return {
		operation: asked.operation,
		interface: asked.interface,
		requests: looks.length,
		failures: looks.length - good.length,
		status: looks.at(-1)?.status,
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

const headerText = ({headers}: Look, name: string): string | undefined => {
	const header = headers[name];
	return header === undefined ? undefined : clean(header);
};

export const connectionReports = (
	looks: readonly Look[],
	interfaces: readonly Interface[],
): Inspection['connections'] =>
	interfaces.map(source => {
		const own = looks.filter(look => look.interface === source);
		return {interface: source, requests: own.length, opened: own.filter(look => look.connected).length};
	});

/** Of the many spellings that exchanges have for what they allow. */
const tellsOfRate = /rate-?limit|^retry-after$|^x-mbx-used-weight|^x-.*-quota/;

/** The last value of each header that tells of a rate limit, by interface and name. */
export function rateHeaders(looks: readonly Look[]): Inspection['rateLimit']['headers'] {
	const found = new Map<string, Inspection['rateLimit']['headers'][number]>();
	for (const look of looks) {
		for (const name of Object.keys(look.headers).filter(key => tellsOfRate.test(key))) {
			const value = headerText(look, name)?.slice(0, 100) ?? '';
			found.set(`${look.interface} ${name}`, {interface: look.interface, name: clean(name), value});
		}
	}

	return [...found.values()];
}
