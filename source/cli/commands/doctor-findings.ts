import type {Agreement} from '../../client/inspect/agreement.ts';
import type {Inspection, OperationReport} from '../../client/inspect/reports.ts';
import type {Deviation} from '../../client/inspect/shape.ts';
import {formatAge} from '../../format/time.ts';
import {type Interface, interfaceName, operationTitle} from '../../market/types.ts';
import {minuteMs} from '../../market/units.ts';

/**
 * `failure`: the exchange cannot be watched. `warning`: something is missing, late or doubtful. `note`: a harmless deviation
 * from the specification.
 */
export type Finding = {readonly severity: 'failure' | 'warning' | 'note'; readonly text: string};

export type Verdict = 'healthy' | 'warnings' | 'unusable';

type Judge = (inspection: Inspection) => readonly Finding[];

const failure = (text: string): Finding => ({severity: 'failure', text});
const warning = (text: string): Finding => ({severity: 'warning', text});
const note = (text: string): Finding => ({severity: 'note', text});

const tolerableSkewMs = 2000;
/** The exchange documents that its 24 h ticker is delayed, but not by how much. */
const tolerableTickerDelayMs = minuteMs;
/** Depth and trades are polled every second. */
const pollMs = 1000;
const tolerableDisagreement = 0.05;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** What to know before relying on the exchange, worst first. */
export function findingsOf(inspection: Inspection): readonly Finding[] {
	const found = judges.flatMap(judge => judge(inspection));
	return (['failure', 'warning', 'note'] as const).flatMap(severity =>
		found.filter(finding => finding.severity === severity),
	);
}

export function verdictOf(findings: readonly Finding[]): Verdict {
	if (findings.some(({severity}) => severity === 'failure')) return 'unusable';
	return findings.some(({severity}) => severity === 'warning') ? 'warnings' : 'healthy';
}

const answers = (report: OperationReport): boolean => report.failures < report.requests;

const reportOf = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(report => report.interface === source && report.operation === operation);

/** What the monitor needs, and the operations that can provide it. */
const needs = [
	{what: 'market list', from: [['v2', 'markets'] as const, ['v1', 'ticker'] as const]},
	{what: 'order book', from: [['v2', 'depth'] as const, ['v1', 'depth'] as const]},
	{what: 'trades', from: [['v2', 'trades'] as const, ['v1', 'trades'] as const]},
];

/** Operations that fill a panel by themselves. */
const panels: ReadonlySet<string> = new Set(['ticker', 'summary', 'depth', 'trades', 'candles']);

/** One panel with data makes an exchange usable: a user can name a market even without a list. */
const missing: Judge = inspection => {
	const isUsable = inspection.operations.some(report => panels.has(report.operation) && answers(report));
	return needs.flatMap(({what, from}) => {
		const reports = from.flatMap(([source, operation]) => reportOf(inspection, source, operation) ?? []);
		if (reports.some(answers)) return [];
		const reasons = reports.map(report => `${operationTitle(report)}: ${report.error?.brief ?? 'not requested'}`);
		const text = `no ${what} (${reasons.join('; ')})`;
		return [isUsable ? warning(text) : failure(text)];
	});
};

/** An interface on which every operation fails is one finding, not one per operation. */
const failing: Judge = ({operations}) =>
	(['v2', 'v1'] as const).flatMap(source => {
		const own = operations.filter(report => report.interface === source);
		if (own.length === 0 || own.some(answers)) return own.flatMap(failingOperation);
		const reasons = [...new Set(own.map(({error}) => error?.brief ?? ''))];
		return [warning(`${interfaceName(source)}: no operation answers (${reasons.join(', ')})`)];
	});

function failingOperation(report: OperationReport): readonly Finding[] {
	const {requests, failures, error} = report;
	if (failures === 0) return [];
	const share = failures === requests ? `all ${requests}` : `${failures} of ${requests}`;
	return [warning(`${operationTitle(report)}: ${share} requests failed, last error: ${error?.brief ?? ''}`)];
}

const dropped: Judge = ({operations}) =>
	operations
		.filter(report => report.dropped > 0)
		.map(report =>
			warning(`${operationTitle(report)}: dropped ${report.dropped} of ${report.entries ?? 0} entries as invalid`),
		);

const deviations: Judge = ({operations}) =>
	operations.flatMap(report => report.deviations.map(deviation => deviationFinding(operationTitle(report), deviation)));

function deviationFinding(operation: string, {path, problem, expected, found, count, of}: Deviation): Finding {
	const field = `${operation}: ${path || 'the answer'}`;
	const times = `${count} of ${of} times`;
	switch (problem) {
		case 'missing':
			return warning(`${field} is missing, ${times}`);
		case 'mistyped':
			return warning(`${field} is ${found}, not ${expected}, ${times}`);
		case 'unknown':
			return note(`${field} (${found}) is not in the specification, ${times}; ignored`);
		case 'undocumented':
			return note(`${field} has the undocumented value ${JSON.stringify(found)}, ${times}; shown as is`);
		case 'long':
			return note(`${field} is beyond 2^53, ${times}; all digits are kept`);
	}
}

const bids: Judge = inspection => {
	const legacy = reportOf(inspection, 'v1', 'depth');
	if (inspection.v2Bids !== false || (legacy && answers(legacy))) return [];
	return [warning('the v2 order book has no bids, and there is no legacy order book: the ladder shows only asks')];
};

const oneInterface: Judge = ({operations}) => {
	const has = (source: Interface) => operations.some(report => report.interface === source);
	if (!has('v2'))
		return [warning('only legacy: trades have no sides, and candles are built from the trades received so far')];
	return has('v1') ? [] : [note('only v2: there is no fallback for failures')];
};

const clocks: Judge = ({clocks}) =>
	clocks
		.filter(({skewMs, uncertaintyMs}) => Math.abs(skewMs) - uncertaintyMs > tolerableSkewMs)
		.map(({interface: source, skewMs}) =>
			warning(
				`${interfaceName(source)}: clock is ${formatAge(Math.abs(skewMs))} ${skewMs < 0 ? 'behind' : 'ahead of'} this computer's; set this computer's clock if it is wrong`,
			),
		);

const slow: Judge = ({operations}) =>
	operations
		.filter(({operation, p50Ms = 0}) => (operation === 'depth' || operation === 'trades') && p50Ms > pollMs)
		.map(report =>
			warning(`${operationTitle(report)}: median latency ${formatAge(report.p50Ms ?? 0)}; the screen lags by as much`),
		);

const large: Judge = ({operations}) =>
	operations
		.filter(({encoding, sentBytes = 0}) => encoding === undefined && sentBytes > largeBytes)
		.map(report =>
			note(`${operationTitle(report)}: ${Math.round((report.sentBytes ?? 0) / 1000)} kB sent uncompressed`),
		);

const limits: Judge = ({limits}) =>
	limits
		.filter(({answers}) => answers.find(({limit}) => limit === 1000)?.outcome === 'refused')
		.map(bounds =>
			warning(`${operationTitle(bounds)}: refuses the documented limit of 1000; gaps are harder to close`),
		);

const range: Judge = ({rangeUnit}) =>
	rangeUnit === 'neither' ? [warning('v2 candles: ignores startTime and endTime; older candles cannot be loaded')] : [];

const tickerDelay: Judge = ({tickerDelays}) =>
	tickerDelays
		.filter(({atLeastMs}) => atLeastMs > tolerableTickerDelayMs)
		.map(delay => warning(`${operationTitle(delay)}: at least ${formatAge(delay.atLeastMs)} behind the trades`));

const agreement: Judge = ({agreement: {tickers, book}}) => {
	const compared: ReadonlyArray<readonly [string, Agreement | undefined]> = [
		['last prices', tickers?.last],
		['best bids', tickers?.bid],
		['best asks', tickers?.ask],
		['asks of the order book', book?.asks],
		['bids of the order book', book?.bids],
	];
	return compared.flatMap(([what, found]) => {
		const differing = found ? found.compared - found.agreeing : 0;
		if (!found || differing === 0) return [];
		const text = `v2 and legacy differ in ${differing} of ${found.compared} ${what} that did not change meanwhile`;
		return [differing > found.compared * tolerableDisagreement ? warning(text) : note(text)];
	});
};

const keepAlive: Judge = ({connections}) => {
	const requests = connections.reduce((sum, each) => sum + each.requests, 0);
	const opened = connections.reduce((sum, each) => sum + each.opened, 0);
	return opened > 2 && opened > requests / 2
		? [warning(`no keep-alive: ${opened} connections for ${requests} requests, each costs a round trip or more`)]
		: [];
};

const tooMany: Judge = ({rateLimit: {refusals, allowed}, requests}) =>
	refusals > 0
		? [
				warning(
					`${refusals} of ${requests} requests were rate-limited (429); settled at ${allowed.toFixed(1)} per second`,
				),
			]
		: [];

const judges: readonly Judge[] = [
	...[missing, failing, tooMany, dropped, deviations, bids, oneInterface, clocks, slow],
	...[tickerDelay, agreement, limits, range, keepAlive, large],
];
