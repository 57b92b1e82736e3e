import {formatExact} from '../../format/number.ts';
import type {Clock} from '../../market/clock.ts';
import {secondMs} from '../../market/units.ts';
import type {ExportFormat} from '../../recording/export-file.ts';
import {exportRecording} from '../../recording/export-recording.ts';
import {exportedTables} from '../../recording/exported-rows.ts';
import {recordedSymbol} from '../../recording/recorded-exchange.ts';
import {openRecording, type RecordingReader} from '../../recording/recording-reader.ts';
import {type Column, table} from '../../view/kit/table.ts';
import {exitStatus, UsageError} from '../exit.ts';
import {demoName} from '../options/option-table.ts';
import {demoTitle, ownOutput, printTable} from '../output.ts';
import {clearProgress, note, showProgress} from '../standard-error.ts';

type ExportRequest = {
	readonly path: string;
	readonly folder: string;
	readonly format: ExportFormat;
	/** In any spelling; none: all. */
	readonly markets: readonly string[];
	/** Of each side of a book. Absent: all. */
	readonly levels?: number | undefined;
	readonly width?: number | undefined;
	readonly clock: Clock;
};

/**
 * Exports a recording, shows how far it is, and prints how many rows the folder has. Settles with the exit status. Rejects with a
 * `UsageError` for a market that was not recorded, and with a `RecordingError`.
 */
export async function runExport(request: ExportRequest, signal: AbortSignal): Promise<number> {
	const {path, folder, format, levels, width, clock} = request;
	const reader = openRecording(path);
	let showAt = clock.now() + secondMs;
	try {
		if (reader.about().name === demoName) note(demoTitle);
		const markets = recordedSymbols(reader, request);
		const tables = await exportRecording(reader, {
			...{folder, format, markets, levels, signal},
			onProgress(share) {
				if (clock.now() < showAt) return;
				showAt = clock.now() + secondMs / 5;
				showProgress(`${Math.floor(100 * share)} %`);
			},
		});
		clearProgress();
		const rows = exportedTables.map(name => [name, formatExact(tables[name].rows), formatExact(tables[name].files)]);
		const {lines, ...rest} = table(columns, rows, {width});
		await printTable({lines: [`${path} as ${format} in ${folder}`, '', ...lines], ...rest}, ownOutput);
		return exitStatus.done;
	} catch (error) {
		clearProgress();
		if (signal.aborted) note('the export is incomplete; the same command continues it');
		throw error;
	} finally {
		reader.close();
	}
}

const count = (title: string): Column => ({titles: [title], alignment: 'right'});
const columns: readonly Column[] = [{titles: ['table']}, count('rows'), count('files')];

function recordedSymbols(reader: RecordingReader, {path, markets}: ExportRequest): readonly string[] {
	const recorded = reader.symbols();
	return markets.map(text => {
		const symbol = recordedSymbol(reader, text);
		if (recorded.includes(symbol)) return symbol;
		throw new UsageError(`${path} has no market ${text} (see tapewatch recording ${path})`);
	});
}
