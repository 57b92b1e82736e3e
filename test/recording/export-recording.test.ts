import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parquetReadObjects} from 'hyparquet';
import {expect, test} from 'vitest';
import {type ExportFormat, exportFormats} from '../../source/recording/export-file.ts';
import {type Exported, exportRecording} from '../../source/recording/export-recording.ts';
import {type ExportedTable, exportedColumns, exportedTables} from '../../source/recording/exported-rows.ts';
import {openRecording} from '../../source/recording/recording-reader.ts';
import {answered, query, recordQuarterHour, recordSample, startedAt, symbol, temporaryFolder} from './recordings.ts';

type Row = Readonly<Record<string, unknown>>;
type Request = Partial<Parameters<typeof exportRecording>[1]>;

async function exported(path: string, folder: string, request: Request = {}): Promise<Exported> {
	const reader = openRecording(path);
	const {signal} = new AbortController();
	try {
		return await exportRecording(reader, {
			...{folder, format: 'ndjson', markets: [], signal, onProgress() {}},
			...request,
		});
	} finally {
		reader.close();
	}
}

/** The rows of a table in all its files, with times as epoch ms and unknown values as null. */
async function rowsOf(folder: string, table: ExportedTable, format: ExportFormat = 'ndjson'): Promise<readonly Row[]> {
	const files = readdirSync(join(folder, table)).sort();
	const rows = files.map(async name => {
		const bytes = readFileSync(join(folder, table, name));
		if (format === 'parquet') return (await parquetReadObjects({file: new Uint8Array(bytes).buffer})).map(plain);
		const lines = bytes.toString().split('\n').slice(0, -1);
		return format === 'ndjson' ? lines.map(line => JSON.parse(line)) : csvRows(table, lines);
	});
	return (await Promise.all(rows)).flat();
}

const plain = (row: Row): Row =>
	Object.fromEntries(
		Object.entries(row).map(([name, value]) => {
			if (value instanceof Date) return [name, value.getTime()];
			return [name, typeof value === 'bigint' ? Number(value) : (value ?? null)];
		}),
	);

/** Of a sample without quotes. */
function csvRows(table: ExportedTable, [head = '', ...lines]: readonly string[]): readonly Row[] {
	const columns = Object.entries(exportedColumns[table]);
	expect(head).toBe(columns.map(([name]) => name).join(','));
	return lines.map(line => {
		const fields = line.split(',');
		const values = columns.map(([name, kind], index) => {
			const field = fields[index] ?? '';
			if (field === '') return [name, null];
			return [name, kind === 'text' ? field : kind === 'time' ? Date.parse(field) : Number(field)];
		});
		return Object.fromEntries(values);
	});
}

const candle = {time: startedAt, open: 1, high: 3, low: 0.5, close: 2, volume: 1e-7};
const trade = {id: '9007199254740993', time: startedAt, price: 0.000000012, quantity: 5, sideText: 'auction'};

function sample(): string {
	const path = join(temporaryFolder(), 'sample.twr');
	recordQuarterHour(path);
	const later = startedAt + 86_400_000;
	// Nothing tells what was traded between the two sessions.
	recordSample([answered.trades([{...trade, id: '5', time: later}], later)], path, later);
	return path;
}

/** One answer of each kind; the trade has no side, the book no bids. */
const oneOfEach = (): string =>
	recordSample([
		answered.candles([candle], startedAt),
		answered.candles([{...candle, close: 3, volume: 2}], startedAt + 1000),
		answered.trades([trade], startedAt + 1001),
		answered.depth(
			{
				asks: [
					[5, 1],
					[6, 2],
					[7, 3],
				],
			},
			startedAt + 1002,
			{interface: 'legacy'},
		),
		answered.ticker([{symbol, state: 'active', last: 5}], startedAt + 1003),
		answered.ticker([{symbol, state: 'active', last: 5}], startedAt + 2003),
		answered.ticker([], startedAt + 3003),
	]);

test.each(exportFormats)('has every row of the views of a recording, as %s', async format => {
	const [path, folder] = [sample(), temporaryFolder()];
	const tables = await exported(path, folder, {format});

	expect(await rowsOf(folder, 'trades', format)).toEqual(
		query(path, 'SELECT market, time, id, price, quantity, side, interface, answer FROM trades ORDER BY answer, time'),
	);
	const books = await rowsOf(folder, 'books', format);
	const bestOf = (side: string) => books.filter(row => row.side === side && row.level === 0);
	expect(
		bestOf('bid').map(({market, time, price, answer}, index) => ({
			market,
			time,
			bid: price,
			ask: bestOf('ask')[index]?.price,
			answer,
		})),
	).toEqual(query(path, 'SELECT * FROM best ORDER BY answer'));
	const gaps = query(path, 'SELECT * FROM gaps');
	expect(gaps.length).toBeGreaterThan(0);
	expect(await rowsOf(folder, 'gaps', format)).toEqual(gaps);
	expect(Object.fromEntries(exportedTables.map(table => [table, tables[table].files]))).toEqual({
		...{trades: 1, books: 1, tickers: 1, candles: 1, gaps: 1},
	});
	expect(tables.trades.rows).toBe(361);
	expect(books).toHaveLength(tables.books.rows);
});

test.each(exportFormats)('keeps ids, small numbers and what is unknown, as %s', async format => {
	const [path, folder] = [oneOfEach(), temporaryFolder()];
	await exported(path, folder, {format});

	expect(await rowsOf(folder, 'candles', format)).toEqual([
		{market: symbol, period: 1, ...candle, close: 3, volume: 2},
	]);
	expect(await rowsOf(folder, 'trades', format)).toEqual([
		{
			...{market: symbol, time: startedAt, id: trade.id, price: 1.2e-8, quantity: 5},
			side: null,
			interface: 'v2',
			answer: 3,
		},
	]);
	expect(await rowsOf(folder, 'books', format)).toEqual(
		[5, 6, 7].map((price, level) => ({
			...{market: symbol, time: startedAt + 1002, side: 'ask', level, price, quantity: level + 1},
			...{interface: 'legacy', answer: 4},
		})),
	);
	const [ticker, ...others] = await rowsOf(folder, 'tickers', format);
	expect(ticker).toMatchObject({
		market: symbol,
		time: startedAt + 1003,
		last: 5,
		bid: null,
		state: 'active',
		answer: 5,
	});
	expect(others).toEqual([]);
});

test('exports only the markets and levels that were chosen', async () => {
	const [path, folder] = [sample(), temporaryFolder()];
	const levels = temporaryFolder();
	await exported(path, folder, {markets: ['ETHUSDT']});
	await exported(oneOfEach(), levels, {levels: 2});

	for (const table of ['trades', 'books', 'tickers'] as const) {
		const markets = (await rowsOf(folder, table)).map(row => row.market);
		expect([...new Set(markets)]).toEqual(['ETHUSDT']);
	}

	expect((await rowsOf(levels, 'books')).map(row => row.price)).toEqual([5, 6]);
});

test('goes on after each interruption, and ends with the same rows in files of a bounded size', async () => {
	const [path, whole, folder] = [sample(), temporaryFolder(), temporaryFolder()];
	await exported(path, whole);

	const reached: number[] = [];
	for (const interruption of [1, 2]) {
		const controller = new AbortController();
		const onProgress = () => controller.abort(new Error(`interruption ${interruption}`));
		const request = {mostRows: 300, signal: controller.signal, onProgress};
		await expect(exported(path, folder, request)).rejects.toThrow(`interruption ${interruption}`);
		reached.push(JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8')).answer);
	}

	const [first = 0, second = 0] = reached;
	expect(first).toBeGreaterThan(0);
	expect(second).toBeGreaterThan(first);
	await exported(path, folder, {mostRows: 300});
	for (const table of exportedTables) expect(await rowsOf(folder, table)).toEqual(await rowsOf(whole, table));
	expect(readdirSync(join(folder, 'books')).length).toBeGreaterThan(2);
	expect(readdirSync(folder).sort()).toEqual(['export.json', ...exportedTables].sort());
});

test('adds only what came since to an export of a recording that grew', async () => {
	const folder = temporaryFolder();
	const page = (id: number) => [{id: String(id), time: startedAt + id, price: 1, quantity: 1}];
	const path = recordSample([answered.trades(page(1), startedAt + 10)]);
	await exported(path, folder);
	const [first] = readdirSync(join(folder, 'trades'));
	recordSample([answered.trades([...page(2), ...page(1)], startedAt + 5000)], path, startedAt + 4000);
	await exported(path, folder);
	await exported(path, folder);

	expect(readdirSync(join(folder, 'trades'))).toEqual([first, '000002.ndjson']);
	expect((await rowsOf(folder, 'trades')).map(({id}) => id)).toEqual(['1', '2']);
});

test('has a file of each table for a recording without answers', async () => {
	const folder = temporaryFolder();
	await exported(recordSample([]), folder, {format: 'parquet'});
	for (const table of exportedTables) expect(await rowsOf(folder, table, 'parquet')).toEqual([]);
});

test('refuses a folder with something else', async () => {
	const path = sample();
	const folder = temporaryFolder();
	await exported(path, folder);
	const [full, file, damaged] = [temporaryFolder(), join(temporaryFolder(), 'file'), temporaryFolder()];
	writeFileSync(join(full, 'notes.txt'), '');
	writeFileSync(file, '');

	await expect(exported(oneOfEach(), folder)).rejects.toThrow(`${folder} has an export of another recording`);
	await expect(exported(path, folder, {format: 'csv'})).rejects.toThrow(
		`${folder} has an export as ndjson; choose another folder for csv`,
	);
	await expect(exported(path, folder, {levels: 5})).rejects.toThrow(
		`${folder} has an export of other markets or levels; choose another folder`,
	);
	await expect(exported(path, full)).rejects.toThrow(`${full} is not empty, and has no export; choose another folder`);
	await expect(exported(path, file)).rejects.toThrow(`cannot read ${join(file, 'export.json')}: its folder is a file`);
	for (const text of ['{', 'null', '{}', '{"answer": 1, "time": 1, "markets": [], "tables": {}}']) {
		writeFileSync(join(damaged, 'export.json'), text);
		await expect(exported(path, damaged), text).rejects.toThrow(
			`${join(damaged, 'export.json')} is damaged; choose another folder`,
		);
	}

	expect(readdirSync(full)).toEqual(['notes.txt']);
});
