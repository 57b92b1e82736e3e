import type {Inspection, OperationReport} from '../../client/inspect/reports.ts';
import {alignTable} from '../../format/cells.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatFullTime} from '../../format/time.ts';
import type {Zone} from '../../format/zone.ts';
import {operationTitle} from '../../market/types.ts';
import {factsOf, type Verdict} from './doctor-findings.ts';
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
export function doctorTable(diagnosed: Diagnosed, ascii: boolean, zone?: Zone): readonly string[] {
	const {inspection, findings, exchangeName, demo, checkedAt} = diagnosed;
	const title = [
		...(demo ? ['DEMO'] : []),
		'doctor',
		exchangeName,
		inspection.symbol,
		`${formatExact(inspection.requests)} requests`,
		formatFullTime(checkedAt, zone),
	].join(ascii ? ' - ' : ' · ');
	const words = {failure: 'FAILURE', warning: 'WARNING', unchecked: 'unchecked', note: 'note'};
	return [
		title,
		'',
		...operationTable(inspection.operations, ascii ? '-' : '–'),
		'',
		...alignTable(
			factsOf(inspection, ascii ? '+-' : '±').map(({label, text}) => [label, text]),
			[],
		),
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
		report.status === undefined ? none : String(report.status),
		`${formatExact(report.requests - report.failures)}/${formatExact(report.requests)}`,
		ms(report.p50Ms),
		ms(report.p95Ms),
		kilobytes(report.sentBytes) ?? none,
		kilobytes(report.bytes) ?? none,
		report.bytes === undefined ? none : (report.encoding ?? 'none'),
		report.entries === undefined ? none : formatExact(report.entries),
	]);
	const names = ['operation', 'status', 'ok', 'p50 ms', 'p95 ms', 'kB sent', 'kB', 'encoding', 'entries'];
	return alignTable([names, ...rows], ['left', 'left', 'right', 'right', 'right', 'point', 'point', 'left', 'right']);
}

const kilobytes = (bytes: number | undefined) => (bytes === undefined ? undefined : formatFixed(bytes / 1000, 1));

function verdictLine({verdict, findings, inspection}: Diagnosed): string {
	const of = (severity: Finding['severity']) => findings.filter(finding => finding.severity === severity);
	const checks = of('unchecked').reduce((sum, finding) => sum + (finding.checks?.length ?? 0), 0);
	const impossible = `${formatCount(checks, 'check')} not possible`;
	switch (verdict) {
		case 'healthy': {
			const notes = of('note').length;
			return `Healthy: every check was made, and none found a problem${notes > 0 ? ` (${formatCount(notes, 'note')})` : ''}.`;
		}
		case 'incomplete':
			return `No problem found, ${impossible}.`;
		case 'warnings':
			return `Usable with ${formatCount(of('warning').length, 'warning')}${checks > 0 ? `, ${impossible}` : ''}.`;
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
