import stringWidth from 'string-width';
import type {BenchRow} from '../row.ts';

/** The rows below headings that say once what the names of several begin with; those that missed their target again at the end. */
export function tableLines(rows: readonly BenchRow[]): readonly string[] {
	const headings = rows.map((row, index) => headingOf(row, rows[index - 1], rows[index + 1]));
	const table = rows.map((row, index) => [
		row.name.slice(headings[index]?.length ?? 0).replace(/^[:,] /, '  '),
		row.measured,
		row.target ?? '',
		verdict(row),
	]);
	const widths = [0, 1, 2].map(column => Math.max(0, ...table.map(cells => stringWidth(cells[column] ?? ''))));
	const lines: string[] = [];
	for (const [index, cells] of table.entries()) {
		const heading = headings[index] ?? '';
		const isNew = index === 0 || heading !== headings[index - 1];
		if (isNew && index > 0) lines.push('');
		if (isNew && heading !== '') lines.push(heading);
		const padded = cells.map(
			(cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell))),
		);
		lines.push(padded.join('  ').trimEnd());
	}

	const missed = rows.filter(({met}) => met === false);
	const judged = rows.filter(({met}) => met !== undefined);
	lines.push('', `${judged.length - missed.length} of ${judged.length} targets met`);
	return [...lines, ...missed.map(({name, measured, target}) => `missed: ${name}: ${measured}, target ${target}`)];
}

/** What the name begins with up to its first separator, or its second where a neighbour shares that; empty without one. */
function headingOf({name}: BenchRow, ...neighbours: ReadonlyArray<BenchRow | undefined>): string {
	const [first = '', second] = name.split(/(?=: |, )/);
	if (second === undefined) return '';
	const longer = first + second;
	const isShared = neighbours.some(
		row => row !== undefined && row.name !== longer && row.name.startsWith(`${longer},`),
	);
	return isShared && name !== longer ? longer : first;
}

function verdict({met}: BenchRow): string {
	if (met === undefined) return '';
	return met ? 'met' : 'MISSED';
}
