import type {Finding, Inspection, OperationReport} from '../../client/inspect/inspection.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatFullTime} from '../../format/time.ts';
import {operationTitle} from '../../market/types.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import {wrapped} from '../../view/wrap.ts';
import type {Judged} from './doctor-checks.ts';
import {labelled, type TableStyle, titleLines} from './tables.ts';

export type Diagnosed = Judged & {
	readonly inspection: Inspection;
	readonly exchangeName: string;
	readonly demo: boolean;
	/** Epoch ms. */
	readonly checkedAt: number;
};

/** The report for people: operations, facts, findings and verdict. */
export function doctorTable(diagnosed: Diagnosed, style: Pick<TableStyle, 'ascii' | 'zone' | 'width'>): Table {
	const {inspection, facts, findings, exchangeName, demo, checkedAt} = diagnosed;
	const {ascii, zone, width = Infinity} = style;
	const requests = `${formatExact(inspection.requests)} requests`;
	const title = ['doctor', exchangeName, inspection.symbol, requests, formatFullTime(checkedAt, zone)];
	const words = {failure: 'FAILURE', warning: 'WARNING', unchecked: 'unchecked', note: 'note'};
	const operations = operationTable(inspection.operations, style);
	const measured = ascii ? facts.map(fact => fact.map(text => text.replace('±', '+-'))) : facts;
	const found = findings.map(({severity, text}) => [words[severity], text]);
	const lines = [
		...[...titleLines(title, {demo, ...style}), '', ...operations.lines, ''],
		...[...table(labelled, measured, style).lines, '', ...table(labelled, found, style).lines],
		...[...(findings.length > 0 ? [''] : []), ...wrapped(verdictLine(diagnosed), width)],
	];
	return {lines, hidden: operations.hidden};
}

function operationTable(operations: readonly OperationReport[], style: Pick<TableStyle, 'ascii' | 'width'>): Table {
	const none = style.ascii ? '-' : '–';
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
	const column = (title: string, rank: number, alignment?: Column['alignment']) => ({titles: [title], rank, alignment});
	const columns = [
		...[column('operation', 0), column('status', 1), column('ok', 1, 'right')],
		...[column('p50 ms', 2, 'right'), column('p95 ms', 2, 'right')],
		...[column('kB sent', 4, 'point'), column('kB', 5, 'point'), column('encoding', 6), column('entries', 3, 'right')],
	];
	return table(columns, rows, style);
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
