import type {Inspection, OperationReport} from '../../client/inspect/reports.ts';
import {formatExact, formatFixed} from '../../format/number.ts';
import {formatAge} from '../../format/time.ts';
import {type Interface, interfaceName, operationTitle} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import {about, type Finding, type Judge} from './finding.ts';

/** Depth and trades are polled every second. */
const tolerableLatencyMs = secondMs;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** Whether and how the exchange answers at all: what cannot be watched, failures, latency, size. */
export function serviceFindings(inspection: Inspection): readonly Finding[] {
	const judges = [missing, failing, repeated, oneInterface, slow, large];
	return judges.flatMap(judge => judge(inspection));
}

const answers = (report: OperationReport): boolean => report.failures < report.requests;

const reportOf = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(report => report.interface === source && report.operation === operation);

/** What the monitor needs, and the operations that can provide it. */
const needs = [
	{code: 'no-markets', what: 'market list', from: [['v2', 'markets'] as const, ['v1', 'ticker'] as const]},
	{code: 'no-book', what: 'order book', from: [['v2', 'depth'] as const, ['v1', 'depth'] as const]},
	{code: 'no-trades', what: 'trades', from: [['v2', 'trades'] as const, ['v1', 'trades'] as const]},
];

/** Operations that fill a panel by themselves. */
const panels: ReadonlySet<string> = new Set(['ticker', 'summary', 'depth', 'trades', 'candles']);

/** One panel with data makes an exchange usable: a user can name a market even without a list. */
const missing: Judge = inspection => {
	const isUsable = inspection.operations.some(report => panels.has(report.operation) && answers(report));
	return needs.flatMap(({code, what, from}) => {
		const reports = from.flatMap(([source, operation]) => reportOf(inspection, source, operation) ?? []);
		if (reports.some(answers)) return [];
		const reasons = reports.map(report => `${operationTitle(report)}: ${report.error?.brief ?? 'not requested'}`);
		return [{severity: isUsable ? 'warning' : 'failure', code, text: `no ${what} (${reasons.join('; ')})`}];
	});
};

/** An interface on which every operation fails is one finding, not one per operation. */
const failing: Judge = ({operations}) =>
	(['v2', 'v1'] as const).flatMap((source): readonly Finding[] => {
		const own = operations.filter(report => report.interface === source);
		if (own.length === 0 || own.some(answers)) return own.flatMap(failingOperation);
		const reasons = [...new Set(own.map(({error}) => error?.brief ?? ''))];
		const text = `${interfaceName(source)}: no operation answers (${reasons.join(', ')})`;
		return [{severity: 'warning', code: 'no-answer', interface: source, text}];
	});

function failingOperation(report: OperationReport): readonly Finding[] {
	const {requests, failures, error} = report;
	if (failures === 0) return [];
	const share =
		failures === requests
			? 'no request succeeded'
			: `${formatExact(failures)} of ${formatExact(requests)} reads failed`;
	const text = `${operationTitle(report)}: ${share}, last error: ${error?.brief ?? ''}`;
	return [{...about('warning', 'failed', report), text}];
}

/** Requests that failed first and were answered when sent again. */
const repeated: Judge = ({operations}) =>
	operations
		.filter(({repeats, failures}) => repeats > 0 && failures === 0)
		.map(report => ({
			...about('warning', 'repeated', report),
			text: `${operationTitle(report)}: ${formatExact(report.repeats)} failed ${report.repeats === 1 ? 'request was' : 'requests were'} sent again, last error: ${report.repeatedAfter ?? ''}`,
		}));

const oneInterface: Judge = ({operations}) => {
	const has = (source: Interface) => operations.some(report => report.interface === source);
	const code = 'one-interface';
	if (!has('v2')) {
		const text = 'only legacy: trades have no sides, and candles are built from the trades received so far';
		return [{severity: 'warning', code, text}];
	}

	return has('v1') ? [] : [{severity: 'note', code, text: 'only v2: there is no fallback for failures'}];
};

const slow: Judge = ({operations}) =>
	operations
		.filter(({p50Ms = 0}) => p50Ms > tolerableLatencyMs)
		.map(report => ({
			...about('warning', 'slow', report),
			text: `${operationTitle(report)}: median latency ${formatAge(report.p50Ms ?? 0)}; what it shows is at least as old`,
		}));

const large: Judge = ({operations}) =>
	operations
		.filter(({encoding, sentBytes = 0}) => encoding === undefined && sentBytes > largeBytes)
		.map(report => ({
			...about('note', 'uncompressed', report),
			text: `${operationTitle(report)}: ${formatFixed((report.sentBytes ?? 0) / 1000, 0)} kB sent uncompressed`,
		}));
