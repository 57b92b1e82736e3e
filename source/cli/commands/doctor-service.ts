import type {Inspection, OperationReport} from '../../client/inspect/reports.ts';
import {formatExact, formatFixed} from '../../format/number.ts';
import {formatAge, formatDateTime} from '../../format/time.ts';
import {type Interface, interfaceName, operationTitle} from '../../market/types.ts';
import {secondMs} from '../../market/units.ts';
import {about, type Finding, type Judge} from './finding.ts';

const tolerableSkewMs = 2 * secondMs;
/** Depth and trades are polled every second. */
const tolerableLatencyMs = secondMs;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** Whether and how the exchange answers at all: what cannot be watched, failures, rate limit, latency, clocks, connections. */
export function serviceFindings(inspection: Inspection): readonly Finding[] {
	const judges = [missing, failing, repeated, rateLimited, bids, oneInterface, clocks, slow, keepAlive, large];
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

const rateLimited: Judge = ({rateLimit: {refusals, allowed, longestWaitMs}, requests}) => {
	if (refusals === 0) return [];
	const wait = longestWaitMs === undefined ? '' : `, waits of up to ${formatAge(longestWaitMs)}`;
	const text = `${formatExact(refusals)} of ${formatExact(requests)} requests were rate-limited (429)${wait}; settled at ${allowed.toFixed(1)} per second`;
	return [{severity: 'warning', code: 'rate-limited', text}];
};

const bids: Judge = inspection => {
	const legacy = reportOf(inspection, 'v1', 'depth');
	if (inspection.v2Bids !== false || (legacy && answers(legacy))) return [];
	const why = legacy ? 'the legacy order book fails' : 'there is no legacy order book';
	const text = `the v2 order book has no bids, and ${why}: the ladder shows only asks`;
	return [{severity: 'warning', code: 'no-bids', text}];
};

const oneInterface: Judge = ({operations}) => {
	const has = (source: Interface) => operations.some(report => report.interface === source);
	const code = 'one-interface';
	if (!has('v2')) {
		const text = 'only legacy: trades have no sides, and candles are built from the trades received so far';
		return [{severity: 'warning', code, text}];
	}

	return has('v1') ? [] : [{severity: 'note', code, text: 'only v2: there is no fallback for failures'}];
};

const clocks: Judge = inspection => {
	const wrong = inspection.clocks.filter(
		({skewMs, uncertaintyMs, frozenAt}) => frozenAt !== undefined || Math.abs(skewMs) - uncertaintyMs > tolerableSkewMs,
	);
	// One clock that differs from the others is not a fault of this computer.
	const advice = wrong.length === inspection.clocks.length ? "; set this computer's clock if it is wrong" : '';
	return wrong.map(({interface: source, operations = [], frozenAt, skewMs}) => {
		const where = {interface: source, operation: operations.length === 1 ? operations[0] : undefined};
		const owner = clockOwner(source, operations);
		if (frozenAt !== undefined) {
			const text = `${owner}: clock frozen at ${formatDateTime(frozenAt)} UTC`;
			return {severity: 'warning', code: 'frozen-clock', ...where, text};
		}

		const offset = `${formatAge(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'}`;
		return {
			severity: 'warning',
			code: 'clock',
			...where,
			text: `${owner}: clock is ${offset} this computer's${advice}`,
		};
	});
};

/** `v2`, or `v2 trades, candles`. */
export const clockOwner = (source: Interface, operations: readonly string[] = []): string =>
	[interfaceName(source), operations.join(', ')].join(' ').trim();

const slow: Judge = ({operations}) =>
	operations
		.filter(({p50Ms = 0}) => p50Ms > tolerableLatencyMs)
		.map(report => ({
			...about('warning', 'slow', report),
			text: `${operationTitle(report)}: median latency ${formatAge(report.p50Ms ?? 0)}; what it shows is at least as old`,
		}));

const keepAlive: Judge = ({connections}) => {
	const requests = connections.reduce((sum, each) => sum + each.requests, 0);
	const reopened = connections.reduce((sum, each) => sum + each.reopened, 0);
	if (reopened <= 2 || reopened <= requests / 2) return [];
	const text = `no keep-alive: ${formatExact(reopened)} new connections for ${formatExact(requests)} requests, each costs a round trip or more`;
	return [{severity: 'warning', code: 'no-keep-alive', text}];
};

const large: Judge = ({operations}) =>
	operations
		.filter(({encoding, sentBytes = 0}) => encoding === undefined && sentBytes > largeBytes)
		.map(report => ({
			...about('note', 'uncompressed', report),
			text: `${operationTitle(report)}: ${formatFixed((report.sentBytes ?? 0) / 1000, 0)} kB sent uncompressed`,
		}));
