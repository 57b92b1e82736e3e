import type {Agreement} from '../../client/inspect/agreement.ts';
import type {Inspection, OperationReport} from '../../client/inspect/inspection.ts';
import type {Deviation} from '../../client/inspect/shape.ts';
import {formatAge, formatOffset} from '../../format/time.ts';
import {type Interface, interfaceName} from '../../market/types.ts';

/**
 * `failure`: the exchange cannot be watched. `warning`: it can, with something missing, late or doubtful. `note`: outside of
 * the specification, and of no harm.
 */
export type Finding = {readonly severity: 'failure' | 'warning' | 'note'; readonly text: string};

export type Verdict = 'healthy' | 'warnings' | 'unusable';

type Judge = (inspection: Inspection) => readonly Finding[];

const failure = (text: string): Finding => ({severity: 'failure', text});
const warning = (text: string): Finding => ({severity: 'warning', text});
const note = (text: string): Finding => ({severity: 'note', text});

/** The exchange's clock may be so far off without anybody minding. */
const tolerableSkewMs = 2000;
/** A 24 h ticker is delayed by the exchange's own word, but not by this much. */
const tolerableTickerDelayMs = 60_000;
/** Depth and trades are polled every second. */
const pollMs = 1000;
const tolerableDisagreement = 0.05;
/** Larger answers are worth compressing. */
const largeBytes = 50_000;

/** Everything about the exchange that somebody who is about to rely on it should know, the worst first. */
export function findingsOf(inspection: Inspection): readonly Finding[] {
	const found = judges.flatMap(judge => judge(inspection));
	return (['failure', 'warning', 'note'] as const).flatMap(severity =>
		found.filter(each => each.severity === severity),
	);
}

export function verdictOf(findings: readonly Finding[]): Verdict {
	if (findings.some(({severity}) => severity === 'failure')) return 'unusable';
	return findings.some(({severity}) => severity === 'warning') ? 'warnings' : 'healthy';
}

const name = ({interface: source, operation}: Pick<OperationReport, 'interface' | 'operation'>): string =>
	`${interfaceName(source)} ${operation}`;

const answers = (report: OperationReport): boolean => report.failures < report.requests;

const find = ({operations}: Inspection, source: Interface, operation: string): OperationReport | undefined =>
	operations.find(report => report.interface === source && report.operation === operation);

/** What there is to watch, and the operations that it can be read with. */
const needs = [
	{what: 'the market list', from: [['v2', 'markets'] as const, ['v1', 'ticker'] as const]},
	{what: 'the order book', from: [['v2', 'depth'] as const, ['v1', 'depth'] as const]},
	{what: 'the trades', from: [['v2', 'trades'] as const, ['v1', 'trades'] as const]},
];

/** Of what is shown without the others. */
const panels: ReadonlySet<string> = new Set(['ticker', 'summary', 'depth', 'trades', 'candles']);

/** One panel that has data is something to watch; its market can be named where no list names it. */
const missing: Judge = inspection => {
	const isWatchable = inspection.operations.some(report => panels.has(report.operation) && answers(report));
	return needs.flatMap(({what, from}) => {
		const reports = from.flatMap(([source, operation]) => find(inspection, source, operation) ?? []);
		if (reports.some(answers)) return [];
		const reasons = reports.map(report => `${name(report)}: ${report.error?.brief ?? 'not asked'}`);
		const text = `${what} cannot be read (${reasons.join('; ')})`;
		return [isWatchable ? warning(text) : failure(text)];
	});
};

/** An interface of which nothing answers is one finding, not as many as it has operations. */
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
	return [warning(`${name(report)}: ${share} requests failed, last with: ${error?.brief ?? ''}`)];
}

const dropped: Judge = ({operations}) =>
	operations.flatMap(report =>
		report.dropped > 0
			? [
					warning(
						`${name(report)}: ${report.dropped} of ${report.entries ?? 0} entries cannot be read and are left out`,
					),
				]
			: [],
	);

const deviations: Judge = ({operations}) =>
	operations.flatMap(report => report.deviations.map(deviation => deviationFinding(name(report), deviation)));

function deviationFinding(operation: string, {path, problem, expected, found, count, of}: Deviation): Finding {
	const field = path || 'the answer';
	const often = `${count} of ${of} times`;
	switch (problem) {
		case 'missing':
			return warning(`${operation}: ${field} is missing, ${often}`);
		case 'mistyped':
			return warning(`${operation}: ${field} is ${found}, not ${expected}, ${often}`);
		case 'unknown':
			return note(`${operation}: ${field} (${found}) is not in the specification, ${often}; ignored`);
		case 'undocumented':
			return note(
				`${operation}: ${field} has the undocumented value ${JSON.stringify(found)}, ${often}; shown as it is`,
			);
		case 'long':
			return note(`${operation}: ${field} is beyond 2^53, ${often}; kept digit for digit`);
	}
}

const bids: Judge = inspection => {
	const legacy = find(inspection, 'v1', 'depth');
	if (inspection.v2Bids !== false || (legacy && answers(legacy))) return [];
	return [warning('the v2 book shows no bids, and there is no legacy book: the ladder has asks only')];
};

const oneInterface: Judge = ({operations}) => {
	const has = (source: Interface) => operations.some(report => report.interface === source);
	if (!has('v2')) return [warning('legacy alone: no sides of trades, and candles only of the trades seen so far')];
	return has('v1') ? [] : [note('v2 alone: nothing stands in for what fails')];
};

const clocks: Judge = ({clocks}) =>
	clocks.flatMap(({interface: source, skewMs, uncertaintyMs}) => {
		if (Math.abs(skewMs) - uncertaintyMs <= tolerableSkewMs) return [];
		return [
			warning(
				`${interfaceName(source)}: by this computer's clock its own is ${formatOffset(skewMs)}; set yours, or read its times so`,
			),
		];
	});

const slow: Judge = ({operations}) =>
	operations.flatMap(report => {
		const isPolledOften = report.operation === 'depth' || report.operation === 'trades';
		if (!isPolledOften || (report.p50Ms ?? 0) <= pollMs) return [];
		return [
			warning(
				`${name(report)}: half the answers take over ${formatAge(report.p50Ms ?? 0)}; the screen lags by as much`,
			),
		];
	});

const large: Judge = ({operations}) =>
	operations.flatMap(report =>
		report.encoding === undefined && (report.sentBytes ?? 0) > largeBytes
			? [note(`${name(report)}: ${Math.round((report.sentBytes ?? 0) / 1000)} kB are sent uncompressed`)]
			: [],
	);

const limits: Judge = ({limits}) =>
	limits.flatMap(bounds => {
		const largest = bounds.answers.find(({limit}) => limit === 1000);
		if (largest?.outcome !== 'refused') return [];
		return [warning(`${name(bounds)}: refuses the documented limit of 1000; gaps are harder to close`)];
	});

const range: Judge = ({rangeUnit}) =>
	rangeUnit === 'neither'
		? [warning('v2 candles: heeds startTime and endTime in no unit; candles further back cannot be loaded')]
		: [];

const tickerDelay: Judge = ({tickerDelays}) =>
	tickerDelays.flatMap(delay =>
		delay.atLeastMs > tolerableTickerDelayMs
			? [warning(`${name(delay)}: at least ${formatAge(delay.atLeastMs)} late against the trades`)]
			: [],
	);

const agreement: Judge = ({agreement: {tickers, book}}) => {
	const judged: ReadonlyArray<readonly [string, Agreement | undefined]> = [
		['last prices', tickers?.last],
		['best bids', tickers?.bid],
		['best asks', tickers?.ask],
		['asks of the book', book?.asks],
		['bids of the book', book?.bids],
	];
	return judged.flatMap(([what, found]) => {
		const differing = found ? found.compared - found.agreeing : 0;
		if (!found || differing === 0) return [];
		const text = `v2 and legacy differ on ${differing} of ${found.compared} ${what} that did not change meanwhile`;
		return [differing > found.compared * tolerableDisagreement ? warning(text) : note(text)];
	});
};

const keepAlive: Judge = ({connections}) => {
	const requests = connections.reduce((sum, each) => sum + each.requests, 0);
	const opened = connections.reduce((sum, each) => sum + each.opened, 0);
	return opened > 2 && opened > requests / 2
		? [warning(`no connection is kept: ${opened} were made for ${requests} requests, each costs a round trip or more`)]
		: [];
};

const tooMany: Judge = ({rateLimit: {refusals, allowed}, requests}) =>
	refusals > 0
		? [
				warning(
					`${refusals} of ${requests} requests were refused as too many; ${allowed.toFixed(1)} a second was aimed for in the end`,
				),
			]
		: [];

const judges: readonly Judge[] = [
	missing,
	failing,
	tooMany,
	dropped,
	deviations,
	bids,
	oneInterface,
	clocks,
	slow,
	tickerDelay,
	agreement,
	limits,
	range,
	keepAlive,
	large,
];
