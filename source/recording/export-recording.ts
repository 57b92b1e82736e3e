import {mkdir, readdir, readFile, rename, rm, writeFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import {setImmediate} from 'node:timers/promises';
import {fileFault, hasCode} from '../format/file-fault.ts';
import {type ExportFormat, exportFile} from './export-file.ts';
import {
	type ExportChoice,
	type ExportedRow,
	type ExportedRows,
	type ExportedTable,
	exportedTables,
	rowsOfAnswer,
	rowsOfNow,
} from './exported-rows.ts';
import {RecordingError} from './recorded-columns.ts';
import type {RecordingReader} from './recording-reader.ts';

/** Written in less than a fifth of a second, during which no signal is heard. */
const usualRows = 30_000;
const answersAtOnce = 200;
/** Some ten milliseconds of work, in rows; an answer is as much as some rows. */
const [workAtOnce, workOfAnswer] = [5000, 50];

/** How much of each table a folder has. */
export type Exported = Readonly<Record<ExportedTable, {readonly files: number; readonly rows: number}>>;

/** What a folder has of which recording. */
type ExportState = {
	readonly exchange: string;
	readonly format: ExportFormat;
	readonly markets: readonly string[];
	readonly levels: number | null;
	/** The last answer whose rows are in the files, and when it was known (epoch ms). */
	readonly answer: number;
	readonly time: number;
	readonly tables: Exported;
};

type ExportRequest = ExportChoice & {
	readonly folder: string;
	readonly format: ExportFormat;
	readonly signal: AbortSignal;
	/** Rows that are kept until they are written. Default 30,000. */
	readonly mostRows?: number | undefined;
	/** Called about every ten milliseconds. `share`: how much of the recording is exported, 0 to 1. */
	onProgress(share: number): void;
};

/**
 * Writes a recording into a folder, as files `TABLE/000001.FORMAT` and so on. Where the folder has a part of it, as after an
 * interruption or while it is still recorded, only what came since is added, and candles and gaps are written anew. Rejects with a
 * `RecordingError` if the folder has something else or cannot be written, and with the reason of the signal.
 */
export async function exportRecording(reader: RecordingReader, request: ExportRequest): Promise<Exported> {
	const {folder, format, signal, onProgress, mostRows = usualRows} = request;
	let state = await stateBefore(reader, request);
	let {answer, time} = state;
	const [first, last] = [answer, reader.sessions().at(-1)?.lastId ?? answer];
	const pending = new Map<ExportedTable, ExportedRow[]>();
	let count = 0;

	/** Until the state is written, an export that is continued writes the same files again. */
	async function save(): Promise<void> {
		const written = await Promise.all(
			[...pending].map(async ([table, rows]) => {
				const {files, rows: before} = state.tables[table];
				await write(fileOf(request, table, files + 1), await exportFile(format, table, rows));
				return [table, {files: files + 1, rows: before + rows.length}] as const;
			}),
		);
		state = {...state, answer, time, tables: {...state.tables, ...Object.fromEntries(written)}};
		await write(join(folder, stateName), `${JSON.stringify(state, undefined, '\t')}\n`);
		pending.clear();
		count = 0;
		signal.throwIfAborted();
	}

	async function add({table, rows}: ExportedRows): Promise<void> {
		const list = pending.get(table) ?? [];
		pending.set(table, list);
		for (const row of rows) list.push(row);
		count += rows.length;
		if (count >= mostRows) await save();
	}

	let work = 0;
	for (let isEnd = false; !isEnd; ) {
		const answers = reader.answeredAfter(answer, answersAtOnce);
		for (const head of answers) {
			const found = rowsOfAnswer(reader, head, request);
			[answer, time] = [head.id, head.time];
			if (found) await add(found);
			work += workOfAnswer + (found?.rows.length ?? 0);
			if (work < workAtOnce) continue;
			work = 0;
			await setImmediate();
			signal.throwIfAborted();
			onProgress(last > first ? Math.min((answer - first) / (last - first), 1) : 1);
		}

		isEnd = answers.length < answersAtOnce;
	}

	await save();
	state = {...state, tables: {...state.tables, candles: nothing, gaps: nothing}};
	for (const rows of rowsOfNow(reader, request)) {
		await add(rows);
		await setImmediate();
		signal.throwIfAborted();
	}

	// A table without rows has a file, too: queries find it.
	for (const table of exportedTables) if (state.tables[table].files === 0) await add({table, rows: []});
	await save();
	for (const table of ['candles', 'gaps'] as const) await removeAfter(request, table, state.tables[table].files);
	return state.tables;
}

const nothing = {files: 0, rows: 0};
const stateName = 'export.json';
const fileName = (number: number, format: ExportFormat): string => `${String(number).padStart(6, '0')}.${format}`;

const fileOf = ({folder, format}: ExportRequest, table: ExportedTable, number: number): string =>
	join(folder, table, fileName(number, format));

/** The state of an export that goes on, or of one that begins. */
async function stateBefore(reader: RecordingReader, request: ExportRequest): Promise<ExportState> {
	const {folder, format, markets, levels = null} = request;
	const {name, baseUrl, legacyBaseUrl} = reader.about();
	const exchange = [name, baseUrl, legacyBaseUrl].filter(Boolean).join(' ');
	const tables = {trades: nothing, books: nothing, tickers: nothing, candles: nothing, gaps: nothing};
	const fresh: ExportState = {...{exchange, format, markets, levels}, ...{answer: 0, time: 0, tables}};
	const found = await readState(folder);
	if (!found) return fresh;
	const [next] = reader.answeredAfter(found.answer - 1, 1);
	// The first answers may have been removed since.
	const isOther = !next || found.exchange !== exchange || (next.id === found.answer && next.time !== found.time);
	if (isOther && found.answer > 0) throw new RecordingError(`${folder} has an export of another recording`);
	if (found.format !== format)
		throw new RecordingError(`${folder} has an export as ${found.format}; choose another folder for ${format}`);
	if (found.levels !== levels || found.markets.join() !== markets.join())
		throw new RecordingError(`${folder} has an export of other markets or levels; choose another folder`);
	return found;
}

/** Undefined: the folder is empty, or is not there. */
async function readState(folder: string): Promise<ExportState | undefined> {
	const path = join(folder, stateName);
	try {
		const found: unknown = JSON.parse(await readFile(path, 'utf8'));
		if (!isState(found)) throw new SyntaxError('no state of an export');
		return found;
	} catch (error) {
		if (error instanceof SyntaxError) throw new RecordingError(`${path} is damaged; choose another folder`);
		if (!hasCode(error, 'ENOENT')) throw new RecordingError(`cannot read ${path}: ${fileFault(error)}`, {cause: error});
	}

	const names = await readdir(folder).catch((error: unknown) => {
		if (hasCode(error, 'ENOENT')) return [];
		throw new RecordingError(`cannot export to ${folder}: ${fileFault(error)}`, {cause: error});
	});
	const isOwn = (name: string) => exportedTables.some(table => table === name) || name === `${stateName}.part`;
	if (names.every(isOwn)) return undefined;
	throw new RecordingError(`${folder} is not empty, and has no export; choose another folder`);
}

function isState(found: unknown): found is ExportState {
	const {answer, time, markets, tables}: Partial<ExportState> = Object(found);
	const isCounted = (table: ExportedTable) =>
		Number.isSafeInteger(tables?.[table]?.files) && Number.isSafeInteger(tables?.[table]?.rows);
	return (
		Number.isSafeInteger(answer) && Number.isFinite(time) && Array.isArray(markets) && exportedTables.every(isCounted)
	);
}

/** Writes a whole file or none. */
async function write(path: string, content: string | Uint8Array): Promise<void> {
	const draft = `${path}.part`;
	try {
		await mkdir(dirname(path), {recursive: true});
		await writeFile(draft, content, {flush: true});
		await rename(draft, path);
	} catch (error) {
		await rm(draft, {force: true}).catch(() => {});
		throw new RecordingError(`cannot write ${path}: ${fileFault(error)}`, {cause: error});
	}
}

/** Removes the files of a table that an earlier export wrote beyond this number. */
async function removeAfter(request: ExportRequest, table: ExportedTable, files: number): Promise<void> {
	const folder = join(request.folder, table);
	const last = fileName(files, request.format);
	for (const name of await readdir(folder))
		if (/^\d{6}\.[a-z]+$/.test(name) && name > last) await rm(join(folder, name), {force: true});
}
