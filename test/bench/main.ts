/**
 * `npm run bench`: runs every module of this folder and prints one table; fails when a target is missed. With `-- --long`
 * it also waits for what takes ten minutes.
 */
import {readdirSync} from 'node:fs';
import stringWidth from 'string-width';
import type {BenchRow} from './row.ts';

type BenchModule = {bench(): Promise<readonly BenchRow[]>};

const helpers = ['main.ts', 'row.ts'];
const names = readdirSync(import.meta.dirname)
	.filter(name => name.endsWith('.ts') && !helpers.includes(name))
	.sort();

const rows: BenchRow[] = [];
for (const name of names) {
	const {bench}: BenchModule = await import(new URL(name, import.meta.url).href);
	rows.push(...(await bench()));
}

function verdict({met}: BenchRow): string {
	if (met === undefined) return '';
	return met ? 'met' : 'MISSED';
}

const table = [
	['', 'measured', 'target', ''],
	...rows.map(row => [row.name, row.measured, row.target ?? '', verdict(row)]),
];
const widths = [0, 1, 2].map(column => Math.max(...table.map(cells => stringWidth(cells[column] ?? ''))));
for (const cells of table) {
	const padded = cells.map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell))));
	console.log(padded.join('  ').trimEnd());
}

if (rows.some(({met}) => met === false)) process.exitCode = 1;
