import type {Agreement} from '../../client/inspect/agreement.ts';
import type {Inspection, OperationReport} from '../../client/inspect/reports.ts';
import {alignTable} from '../../format/cells.ts';
import {formatAge, formatDateTime} from '../../format/time.ts';
import {interfaceName, operationTitle} from '../../market/types.ts';
import type {Finding, Verdict} from './doctor-findings.ts';

export type Diagnosed = {
	readonly inspection: Inspection;
	readonly findings: readonly Finding[];
	readonly verdict: Verdict;
	readonly exchangeName: string;
	readonly demo: boolean;
	/** Epoch ms. */
	readonly checkedAt: number;
};

/** The report for people as lines: operations, facts, findings and verdict. */
export function doctorTable(diagnosed: Diagnosed, ascii: boolean): readonly string[] {
	const {inspection, findings, exchangeName, demo, checkedAt} = diagnosed;
	const title = [
		...(demo ? ['DEMO'] : []),
		'doctor',
		exchangeName,
		inspection.symbol,
		`${inspection.requests} requests`,
		`${formatDateTime(checkedAt)} UTC`,
	].join(ascii ? ' - ' : ' · ');
	const words = {failure: 'FAILURE', warning: 'WARNING', note: 'note'};
	return [
		title,
		'',
		...operationTable(inspection.operations, ascii ? '-' : '–'),
		'',
		...alignTable(factsOf(inspection, ascii ? '+-' : '±'), []),
		'',
		...alignTable(
			findings.map(({severity, text}) => [words[severity], text]),
			[],
		),
		...(findings.length > 0 ? [''] : []),
		verdictLine(diagnosed),
	];
}

function operationTable(operations: readonly OperationReport[], none: string): readonly string[] {
	const ms = (value: number | undefined) => (value === undefined ? none : String(value));
	const rows = operations.map(report => [
		operationTitle(report),
		report.failures === report.requests ? (report.error?.brief ?? none) : `${report.status ?? report.error?.brief}`,
		`${report.requests - report.failures}/${report.requests}`,
		ms(report.p50Ms),
		ms(report.p95Ms),
		kilobytes(report.sentBytes) ?? none,
		kilobytes(report.bytes) ?? none,
		report.bytes === undefined ? none : (report.encoding ?? 'none'),
		report.entries === undefined ? none : String(report.entries),
		String(report.dropped),
	]);
	const names = ['operation', 'status', 'ok', 'p50 ms', 'p95 ms', 'kB sent', 'kB', 'encoding', 'entries', 'dropped'];
	return alignTable(
		[names, ...rows],
		['left', 'left', 'right', 'right', 'right', 'point', 'point', 'left', 'right', 'right'],
	);
}

const kilobytes = (bytes: number | undefined) => (bytes === undefined ? undefined : (bytes / 1000).toFixed(1));

/** Label and text of each measured fact. */
function factsOf(inspection: Inspection, plusMinus: string): readonly (readonly string[])[] {
	const {clocks, limits, rangeUnit, tickerDelays, agreement, connections, rateLimit, v2Bids} = inspection;
	const {tickers, book} = agreement;
	const requests = connections.reduce((sum, each) => sum + each.requests, 0);
	const opened = connections.reduce((sum, each) => sum + each.opened, 0);
	return [
		...clocks.map(({interface: source, skewMs, uncertaintyMs}) => [
			operationTitle({interface: source, operation: 'clock'}),
			`${offsetText(skewMs)}, ${plusMinus} ${durationText(uncertaintyMs)}`,
		]),
		...tickerDelays.map(({interface: source, operation, samples, behind, atLeastMs}) => [
			`${operationTitle({interface: source, operation})} delay`,
			behind === 0
				? `none: same price as the last trade, ${samples} of ${samples} times`
				: `behind the last trade ${behind} of ${samples} times, by at least ${formatAge(atLeastMs)}`,
		]),
		['v2 bids', v2Bids === undefined ? 'unknown' : v2Bids ? 'shown' : 'not shown'],
		...limits.map(bounds => [`${operationTitle(bounds)} limit`, limitText(bounds)]),
		['candle range unit', rangeText(rangeUnit)],
		[
			'v2 = legacy, tickers',
			tickers ? agreementText({last: tickers.last, bid: tickers.bid, ask: tickers.ask}) : 'not comparable',
		],
		['v2 = legacy, book', book ? agreementText({asks: book.asks, bids: book.bids}) : 'not comparable'],
		['connections', `${opened} for ${requests} requests`],
		['rate limit', rateText(rateLimit)],
	];
}

function limitText({standard, answers, most}: Inspection['limits'][number]): string {
	const refused = answers.filter(({outcome}) => outcome === 'refused').map(({limit, status}) => `${limit} (${status})`);
	const least = answers.find(({limit, entries}) => entries === limit)?.limit;
	const from = least === undefined ? 'up to' : `${least} to`;
	const refusedAfter = Math.min(
		...answers.flatMap(({outcome, limit}) => (outcome === 'refused' && limit > 1 ? [limit] : [])),
	);
	const exact = refusedAfter === (most?.entries ?? 0) + 1;
	const beyond = {
		refused: exact ? '' : ' or slightly more',
		cut: ', more are cut off',
		more: ' and more',
		unknown: ' received, possibly all',
	};
	return [
		`${standard ?? 'unknown'} by default`,
		most ? `${from} ${most.entries}${beyond[most.beyond]}` : 'bounds unknown',
		...(refused.length > 0 ? [`refused: ${refused.join(', ')}`] : []),
	].join('; ');
}

function rangeText(unit: Inspection['rangeUnit']): string {
	if (unit === undefined) return 'unknown: too few candles';
	return {
		ms: 'milliseconds',
		s: 'seconds',
		both: 'milliseconds or seconds',
		neither: 'ignored by the exchange',
	}[unit];
}

function agreementText(parts: Readonly<Record<string, Agreement | undefined>>): string {
	return Object.entries(parts)
		.map(([what, found]) => {
			// Absent only for the bids, if the v2 book has none.
			if (!found) return `${what} only in legacy`;
			return found.compared === 0 ? `${what} all changing` : `${what} ${found.agreeing} of ${found.compared}`;
		})
		.join(', ');
}

function rateText({refusals, allowed, headers}: Inspection['rateLimit']): string {
	const texts = headers.map(({interface: source, name, value}) => `${interfaceName(source)} ${name}: ${value}`);
	return [
		refusals > 0 ? `${refusals} requests rate-limited; settled at ${allowed.toFixed(1)} per second` : 'not reached',
		texts.length > 0 ? texts.join(', ') : 'no rate-limit headers',
	].join('; ');
}

function verdictLine({verdict, findings, inspection}: Diagnosed): string {
	const count = findings.filter(({severity}) => severity === 'warning').length;
	switch (verdict) {
		case 'healthy':
			return 'Healthy: everything that Tapewatch reads is available and as specified.';
		case 'warnings':
			return `Usable with ${count} warning${count === 1 ? '' : 's'}: Tapewatch works, and marks what is missing, late or doubtful.`;
		case 'unusable':
			return `Unusable: nothing to watch; ${adviceFor(inspection)}.`;
	}
}

/** The most frequent advice of the failed operations. */
function adviceFor({operations}: Inspection): string {
	const advice = operations.flatMap(({error}) => error?.advice || []);
	const frequency = (text: string) => advice.filter(other => other === text).length;
	return advice.toSorted((a, b) => frequency(b) - frequency(a))[0] ?? 'try again later';
}

const longestInMs = 10_000;

function offsetText(ms: number): string {
	return `${durationText(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead of'} this computer's clock`;
}

const durationText = (ms: number): string => (ms < longestInMs ? `${ms.toFixed(0)} ms` : formatAge(ms));
