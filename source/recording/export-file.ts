import {csvLine, fieldText, timeField} from '../format/csv.ts';
import {type ColumnKind, type ExportedRow, type ExportedTable, exportedColumns} from './exported-rows.ts';

export const exportFormats = ['parquet', 'csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

type Columns = ReadonlyArray<readonly [name: string, kind: ColumnKind]>;

/** Rows of a table as a whole file. */
export async function exportFile(
	format: ExportFormat,
	table: ExportedTable,
	rows: readonly ExportedRow[],
): Promise<string | Uint8Array> {
	const columns: Columns = Object.entries(exportedColumns[table]);
	if (format === 'parquet') return parquetFile(columns, rows);
	const lines = format === 'csv' ? csvLines(columns, rows) : rows.map(row => jsonLine(columns, row));
	return lines.map(line => `${line}\n`).join('');
}

const csvLines = (columns: Columns, rows: readonly ExportedRow[]): readonly string[] => [
	csvLine(columns.map(([name]) => name)),
	...rows.map(row =>
		csvLine(columns.map(([, kind], index) => (kind === 'time' ? timeField(row[index]) : fieldText(row[index])))),
	),
];

/** Times are epoch ms, as in all JSON of Tapewatch. */
const jsonLine = (columns: Columns, row: ExportedRow): string =>
	JSON.stringify(Object.fromEntries(columns.map(([name], index) => [name, row[index] ?? null])));

/** How Parquet has a kind of column. Times have their zone, which is UTC. */
const elements = {
	text: {type: 'BYTE_ARRAY', converted_type: 'UTF8'},
	number: {type: 'DOUBLE'},
	integer: {type: 'INT64'},
	time: {type: 'INT64', logical_type: {type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS'}},
} as const;

async function parquetFile(columns: Columns, rows: readonly ExportedRow[]): Promise<Uint8Array> {
	const {ByteWriter, parquetWrite} = await import('hyparquet-writer');
	const writer = new ByteWriter();
	const list = columns.map(([name, kind]) => ({name, repetition_type: 'OPTIONAL' as const, ...elements[kind]}));
	const isWhole = (kind: ColumnKind) => kind === 'integer' || kind === 'time';
	await parquetWrite({
		writer,
		schema: [{name: 'root', num_children: columns.length}, ...list],
		columnData: columns.map(([name, kind], index) => ({
			name,
			data: rows.map(row => {
				const value = row[index] ?? null;
				return isWhole(kind) && value !== null ? BigInt(value) : value;
			}),
		})),
		rowGroupSize: Math.max(rows.length, 1),
	});
	return writer.getBytes();
}
