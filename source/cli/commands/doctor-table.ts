import type {Agreement} from '../../client/inspect/agreement.ts';
import type {Compliance} from '../../client/inspect/limits.ts';
import {isObstacle} from '../../client/inspect/operations.ts';
import type {Agreements, Inspection, OperationReport} from '../../client/inspect/reports.ts';
import {documentedLimit} from '../../client/inspect/specification.ts';
import type {TickerDelay} from '../../client/inspect/timing.ts';
import {alignTable} from '../../format/cells.ts';
import {formatExact, formatFixed} from '../../format/number.ts';
import {formatAge, formatDateTime} from '../../format/time.ts';
import {interfaceName, operationTitle} from '../../market/types.ts';
import type {Verdict} from './doctor-findings.ts';
import {clockOwner} from './doctor-service.ts';
import {obstacleText} from './doctor-unchecked.ts';
import type {Finding} from './finding.ts';

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
		`${formatExact(inspection.requests)} requests`,
		`${formatDateTime(checkedAt)} UTC`,
	].join(ascii ? ' - ' : ' · ');
	const words = {failure: 'FAILURE', warning: 'WARNING', unchecked: 'unchecked', note: 'note'};
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
	const ms = (value: number | undefined) => (value === undefined ? none : formatExact(value));
	const rows = operations.map(report => [
		operationTitle(report),
		report.failures === report.requests ? (report.error?.brief ?? none) : `${report.status ?? report.error?.brief}`,
		`${formatExact(report.requests - report.failures)}/${formatExact(report.requests)}`,
		ms(report.p50Ms),
		ms(report.p95Ms),
		kilobytes(report.sentBytes) ?? none,
		kilobytes(report.bytes) ?? none,
		report.bytes === undefined ? none : (report.encoding ?? 'none'),
		report.entries === undefined ? none : formatExact(report.entries),
		formatExact(report.dropped),
	]);
	const names = ['operation', 'status', 'ok', 'p50 ms', 'p95 ms', 'kB sent', 'kB', 'encoding', 'entries', 'dropped'];
	return alignTable(
		[names, ...rows],
		['left', 'left', 'right', 'right', 'right', 'point', 'point', 'left', 'right', 'right'],
	);
}

const kilobytes = (bytes: number | undefined) => (bytes === undefined ? undefined : formatFixed(bytes / 1000, 1));

/** Label and text of each measured fact. */
function factsOf(inspection: Inspection, plusMinus: string): readonly (readonly string[])[] {
	const {clocks, limits, rangeUnit, tickerDelays, agreement, connections, rateLimit, v2Bids} = inspection;
	const requests = connections.reduce((sum, each) => sum + each.requests, 0);
	const opened = connections.reduce((sum, each) => sum + each.opened, 0);
	return [
		...clocks.map(({interface: source, operations, frozenAt, skewMs, uncertaintyMs}) => [
			`${clockOwner(source, operations)} clock`,
			frozenAt === undefined
				? `${offsetText(skewMs)}, ${plusMinus} ${durationText(uncertaintyMs)}`
				: `frozen at ${formatDateTime(frozenAt)} UTC`,
		]),
		...tickerDelays.map(ticker => [
			`${operationTitle(ticker)} delay`,
			isObstacle(ticker.delay) ? notMeasurable(ticker.delay) : delayText(ticker.delay),
		]),
		['v2 bids', v2Bids === undefined ? 'unknown' : v2Bids ? 'shown' : 'not shown'],
		...limits.map(bounds => [`${operationTitle(bounds)} limit`, limitText(bounds)]),
		...(rangeUnit ? [['candle range unit', rangeText(rangeUnit)]] : []),
		...(agreement ? agreementFacts(agreement) : []),
		['connections', `${formatExact(opened)} for ${formatExact(requests)} requests`],
		['rate limit', rateText(rateLimit)],
	];
}

const notMeasurable = (why: Parameters<typeof obstacleText>[0]): string => `not measurable: ${obstacleText(why)}`;

const delayText = ({samples, behind, atLeastMs, medianMs}: TickerDelay): string =>
	behind === 0
		? `none: same price as the last trade, ${formatExact(samples)} of ${formatExact(samples)} times`
		: `behind the last trade ${formatExact(behind)} of ${formatExact(samples)} times, by at least ${formatAge(medianMs)} typically, ${formatAge(atLeastMs)} at worst`;

function limitText({standard, answers, most, exceeded, documented}: Inspection['limits'][number]): string {
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
		all: ', all that exist',
		unknown: ' received, possibly all',
	};
	const bounds = most ? `${from} ${formatExact(most.entries)}${beyond[most.beyond]}` : 'bounds unknown';
	return [
		`${standard === undefined ? 'unknown' : formatExact(standard)} by default${complianceText(documented?.standard, documentedLimit.standard)}`,
		`${exceeded ? 'ignored' : bounds}${complianceText(documented?.most, documentedLimit.most, ' maximum')}`,
		...(refused.length > 0 ? [`refused: ${refused.join(', ')}`] : []),
	].join('; ');
}

function complianceText(compliance: Compliance | undefined, documented: number, what = ''): string {
	if (compliance === undefined) return '';
	return {
		ok: ` (documented${what})`,
		differs: ` (documented${what}: ${formatExact(documented)})`,
		unknown: ` (documented${what}: ${formatExact(documented)}, unchecked)`,
	}[compliance];
}

function rangeText(unit: NonNullable<Inspection['rangeUnit']>): string {
	if (isObstacle(unit)) return notMeasurable(unit);
	return {
		ms: 'milliseconds',
		s: 'seconds',
		both: 'milliseconds or seconds',
		neither: 'ignored by the exchange',
		other: 'not understood by the exchange',
	}[unit];
}

const agreementFacts = ({tickers, book, trades}: Agreements): readonly (readonly string[])[] => [
	[
		'v2 = legacy, tickers',
		isObstacle(tickers)
			? notMeasurable(tickers)
			: agreementText({last: tickers.last, bid: tickers.bid, ask: tickers.ask}),
	],
	['v2 = legacy, book', isObstacle(book) ? notMeasurable(book) : agreementText({asks: book.asks, bids: book.bids})],
	['v2 = legacy, trades', isObstacle(trades) ? notMeasurable(trades) : tradesText(trades)],
];

function agreementText(parts: Readonly<Record<string, Agreement | undefined>>): string {
	return Object.entries(parts)
		.map(([what, found]) => {
			// Absent only for the bids, if the v2 book has none.
			if (!found) return `${what} only in legacy`;
			return found.compared === 0
				? `${what} all changing`
				: `${what} ${formatExact(found.agreeing)} of ${formatExact(found.compared)}`;
		})
		.join(', ');
}

function tradesText({agreeing, sameIds, differing, onlyV2, onlyLegacy}: Exclude<Agreements['trades'], string>): string {
	const all = agreeing + differing.length + onlyV2.length + onlyLegacy.length;
	return `time, price and quantity ${formatExact(agreeing)} of ${formatExact(all)}, id too ${formatExact(sameIds)}`;
}

function rateText({refusals, allowed, headers}: Inspection['rateLimit']): string {
	const texts = headers.map(({interface: source, name, value}) => `${interfaceName(source)} ${name}: ${value}`);
	return [
		refusals > 0
			? `${formatExact(refusals)} requests rate-limited; settled at ${allowed.toFixed(1)} per second`
			: 'not reached',
		texts.length > 0 ? texts.join(', ') : 'no rate-limit headers',
	].join('; ');
}

function verdictLine({verdict, findings, inspection}: Diagnosed): string {
	const of = (severity: Finding['severity']) => findings.filter(finding => finding.severity === severity);
	const counted = (count: number, what: string) => `${formatExact(count)} ${what}${count === 1 ? '' : 's'}`;
	const checks = of('unchecked').reduce((sum, finding) => sum + (finding.checks?.length ?? 0), 0);
	const impossible = `${counted(checks, 'check')} not possible`;
	switch (verdict) {
		case 'healthy': {
			const notes = of('note').length;
			return `Healthy: every check was made, and none found a problem${notes > 0 ? ` (${counted(notes, 'note')})` : ''}.`;
		}
		case 'incomplete':
			return `No problem found, ${impossible}.`;
		case 'warnings':
			return `Usable with ${counted(of('warning').length, 'warning')}${checks > 0 ? `, ${impossible}` : ''}.`;
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

const durationText = (ms: number): string => (ms < longestInMs ? `${formatFixed(ms, 0)} ms` : formatAge(ms));
