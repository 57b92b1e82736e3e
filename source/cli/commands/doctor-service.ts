import type {Finding, Inspection, OperationReport} from '../../client/inspect/inspection.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatAge} from '../../format/time.ts';
import {type Interface, operationTitle} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import {about, type Judge} from './finding.ts';

/** Depth and trades are polled every second. */
const tolerableLatencyMs = secondMs;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** Whether and how the exchange answers at all: what cannot be watched, failures, latency, size. */
export function serviceFindings(inspection: Inspection): readonly Finding[] {
	return [missing, failing, oneInterface].flatMap(judge => judge(inspection));
}

const answers = (report: OperationReport): boolean => report.failures < report.requests;

const reportOf = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(report => report.interface === source && report.operation === operation);

/** What the monitor needs, and the operations that can provide it. */
const needs = [
	{code: 'no-markets', what: 'market list', from: [['v2', 'markets'] as const, ['legacy', 'ticker'] as const]},
	{code: 'no-book', what: 'order book', from: [['v2', 'depth'] as const, ['legacy', 'depth'] as const]},
	{code: 'no-trades', what: 'trades', from: [['v2', 'trades'] as const, ['legacy', 'trades'] as const]},
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
	(['v2', 'legacy'] as const).flatMap((source): readonly Finding[] => {
		const own = operations.filter(report => report.interface === source);
		if (own.length === 0 || own.some(answers)) return own.flatMap(serviceOf);
		const reasons = [...new Set(own.map(({error}) => error?.brief ?? ''))];
		const text = `${source}: no operation answers (${reasons.join(', ')})`;
		return [{severity: 'warning', code: 'no-answer', interface: source, text}];
	});

/** Failures, requests that were answered only when sent again, latency and size. */
function serviceOf(report: OperationReport): readonly Finding[] {
	const {requests, failures, repeats, repeatedAfter, error, p50Ms = 0, encoding, sentBytes = 0} = report;
	const share = `${formatExact(failures)} of ${formatExact(requests)} reads failed`;
	const failed = failures === requests ? 'no request succeeded' : share;
	const again = `${formatCount(repeats, 'failed request')} ${repeats === 1 ? 'was' : 'were'} retried`;
	const latency = `median latency ${formatAge(p50Ms)}; its data is at least that old`;
	const size = `${formatFixed(sentBytes / 1000, 0)} kB sent uncompressed`;
	const isRepeated = repeats > 0 && failures === 0;
	const isSlow = p50Ms > tolerableLatencyMs;
	const isLarge = encoding === undefined && sentBytes > largeBytes;
	return [
		...(failures > 0 ? [about(report, 'warning', 'failed', `${failed}, last error: ${error?.brief ?? ''}`)] : []),
		...(isRepeated ? [about(report, 'warning', 'repeated', `${again}, last error: ${repeatedAfter ?? ''}`)] : []),
		...(isSlow ? [about(report, 'warning', 'slow', latency)] : []),
		...(isLarge ? [about(report, 'note', 'uncompressed', size)] : []),
	];
}

const oneInterface: Judge = ({operations}) => {
	const has = (source: Interface) => operations.some(report => report.interface === source);
	const legacyOnly = 'only legacy: trades have no sides, and candles are built from the trades received so far';
	const code = 'one-interface';
	if (!has('v2')) return [{severity: 'warning', code, text: legacyOnly}];
	return has('legacy') ? [] : [{severity: 'note', code, text: 'only v2: there is no fallback for failures'}];
};
