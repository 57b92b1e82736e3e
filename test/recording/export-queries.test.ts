import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {expect, test} from 'vitest';
import {exportRecording} from '../../source/recording/export-recording.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {duckdb} from '../helpers/npm-tools.ts';
import {answered, recordQuarterHour, recordSample, temporaryFolder} from './recordings.ts';

/** What the test calls of DuckDB. */
type DuckDb = {
	readonly DuckDBInstance: {
		create(path: string): Promise<{
			connect(): Promise<{
				runAndReadAll(sql: string): Promise<{getRowObjectsJson(): Readonly<Record<string, unknown>>[]}>;
			}>;
		}>;
	};
};

const [, block = ''] =
	readFileSync(new URL('../../docs/recordings.md', import.meta.url), 'utf8').match(/```sql\n(.*?)```/s) ?? [];
const queries = block
	.split(';\n')
	.map(sql => sql.trim())
	.filter(Boolean);

/** DuckDB has times in the zone of the computer. */
const inUtc = (row: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => [
			name,
			/^\d{4}-/.test(String(value)) ? new Date(String(value)).toISOString() : value,
		]),
	);

test('DuckDB answers the queries of the document', {tags: 'duckdb'}, async () => {
	const folder = temporaryFolder();
	const path = join(folder, 'night.twr');
	recordQuarterHour(path);
	const later = Date.UTC(2026, 10, 20, 15);
	recordSample([answered.trades([], later)], path, later);
	const reader = openRecording(path);
	const {signal} = new AbortController();
	const request = {folder: join(folder, 'night'), format: 'parquet', markets: [], signal, onProgress() {}} as const;
	await exportRecording(reader, request).finally(reader.close);

	const {DuckDBInstance}: DuckDb = await import(pathToFileURL(duckdb).href);
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	const answers = queries.map(async sql => {
		const result = await connection.runAndReadAll(sql.replaceAll("'night/", `'${folder}/night/`));
		return result.getRowObjectsJson().map(inUtc);
	});
	const [candles, spreads, books, gaps] = await Promise.all(answers);

	expect(queries).toHaveLength(4);
	expect(candles).toHaveLength(90);
	expect(candles?.slice(0, 2)).toEqual([
		{start: '2026-11-20T13:58:00.000Z', open: 100, high: 101, low: 100, close: 101, volume: 2},
		{start: '2026-11-20T13:58:10.000Z', open: 102, high: 102, low: 100, close: 100, volume: 2},
	]);
	expect(spreads).toHaveLength(15);
	expect(spreads?.[0]).toEqual({minute: '2026-11-20T13:58:00.000Z', spread: 2, bids_to_asks: 2});
	// The first trade of the second market was made before its first book was known.
	expect(books).toHaveLength(359);
	expect(books?.find(row => row.price === 100)).toMatchObject({side: 'buy', best_ask: 102});
	// From the last answer of 14:12:55 to that of 15:00.
	expect(gaps).toEqual([{market: 'BTCUSDT', operation: 'trades', seconds: '2825'}]);
});
