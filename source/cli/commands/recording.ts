import {statSync} from 'node:fs';
import {setImmediate} from 'node:timers/promises';
import type {Ask} from '../../client/question.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatDateTime, formatPeriod} from '../../format/time.ts';
import {utc} from '../../format/zone.ts';
import {systemClock} from '../../market/clock.ts';
import {secondMs} from '../../market/units.ts';
import {exportRecording as exportTables} from '../../recording/export-recording.ts';
import {exportedTables} from '../../recording/exported-rows.ts';
import {compareGaps, type RecordedGap} from '../../recording/outcome-log.ts';
import {recordedSymbol} from '../../recording/recorded-exchange.ts';
import type {RecordingReader} from '../../recording/recording-reader.ts';
import type {recording as schema} from '../../schema/document-schemas.ts';
import type {Of, Origin} from '../../schema/parts.ts';
import {type Column, type Table, table} from '../../view/kit/table.ts';
import {exitStatus, UsageError, unheard, untilInterrupted} from '../exit.ts';
import type {FlagsOf} from '../options/option-table.ts';
import {readOptions} from '../options/options.ts';
import {demoTitle, ownOutput, ownWidth, print, printTable} from '../output.ts';
import {exchangeIn, withReader} from '../recorded.ts';
import {clearProgress, note, showProgress} from '../standard-error.ts';
import {originOf} from './documents.ts';
import {type TableStyle, titleLines, zoneNote} from './tables.ts';

type Reads = ReturnType<RecordingReader['counts']>[number];

type Contents = Of<typeof schema> & Origin;

/** Prints what a recording holds. Rejects with a `RecordingError`. */
export async function recording({output = 'table', ...flags}: FlagsOf<'recording'>, path: string): Promise<number> {
	const {ascii, zone} = await readOptions(flags, process.env);
	const ofExport = (flag: string) => {
		throw new UsageError(`${flag} is only for an export: tapewatch recording ${path} export DIR`);
	};
	if (output === 'parquet' || output === 'csv' || output === 'ndjson') return ofExport(`-o ${output}`);
	if (flags.markets) return ofExport('--markets');
	if (flags.levels) return ofExport('--levels');
	const style = {ascii, zone, width: ownWidth({output})};
	return withReader(path, reader =>
		untilInterrupted(async () => {
			const contents = await contentsOf(reader, path);
			if (flags.json) await print(`${JSON.stringify(contents)}\n`);
			else await printTable(recordingTable(contents, style), ownOutput);
			return exitStatus.done;
		}, unheard),
	);
}

async function contentsOf(reader: RecordingReader, path: string): Promise<Contents> {
	const {baseUrl = null, legacyBaseUrl = null} = reader.about();
	const [sessions, counts] = [reader.sessions(), reader.counts()];
	const gaps: RecordedGap[] = [];
	for (const page of reader.gapPages()) {
		gaps.push(...page);
		await setImmediate();
	}

	gaps.sort(compareGaps);
	const answersTo = (ask: Ask) =>
		sum(
			counts.filter(each => each.ask === ask),
			'answers',
		);
	return {
		...{file: path, bytes: bytesOf(path), baseUrl, legacyBaseUrl},
		...{from: sessions[0]?.from ?? null, to: sessions.at(-1)?.to ?? null},
		sessions: sessions.map(({from, to, firstId, lastId, clockSkew = null, version, options, isOpen}) => ({
			...{from, to, reads: lastId - firstId + 1, clockSkew, version, options, ended: !isOpen},
		})),
		markets: marketsOf(counts, gaps),
		...{tickerLists: answersTo('tickers'), marketLists: answersTo('markets')},
		...{failures: sum(counts, 'failures'), gaps, alerts: reader.alerts().length},
		...originOf(exchangeIn(reader)),
	};
}

function marketsOf(counts: readonly Reads[], gaps: readonly RecordedGap[]): Contents['markets'] {
	const bySymbol = Map.groupBy(counts, ({market}) => market);
	const gapsBySymbol = Map.groupBy(gaps, ({symbol}) => symbol);
	return [...bySymbol].flatMap(([symbol, reads]) => {
		if (symbol === undefined) return [];
		const answers = (ask: Ask) =>
			sum(
				reads.filter(each => each.ask === ask),
				'answers',
			);
		return {
			...{symbol, books: answers('depth'), pagesOfTrades: answers('trades')},
			candlePeriods: reads.flatMap(({period, answers: count}) => (period !== undefined && count > 0 ? [period] : [])),
			...{failures: sum(reads, 'failures'), gaps: gapsBySymbol.get(symbol)?.length ?? 0},
		};
	});
}

const sum = (counts: readonly Reads[], name: 'answers' | 'failures'): number =>
	counts.reduce((total, each) => total + each[name], 0);

/** With what a recorder has not moved into the file yet. */
const bytesOf = (path: string): number =>
	[path, `${path}-wal`].reduce((total, each) => total + (statSync(each, {throwIfNoEntry: false})?.size ?? 0), 0);

/** The most gaps that a table has; JSON has all. */
const mostGaps = 20;

function recordingTable(contents: Contents, style: Pick<TableStyle, 'ascii' | 'zone' | 'width'>): Table {
	const {file, bytes, exchange, sessions, markets, gaps, failures, tickerLists, alerts, demo} = contents;
	const {ascii, zone = utc} = style;
	const none = ascii ? '-' : '–';
	const facts = [
		...[file, `recording of ${exchange}`, `${formatFixed(bytes / 1_000_000, 1)} MB`],
		...[formatCount(sessions.length, 'session'), formatCount(tickerLists, 'ticker list')],
		...[formatCount(failures, 'failure'), formatCount(gaps.length, 'gap'), formatCount(alerts, 'alert')],
		...zoneNote(zone),
	];
	const sessionRows = sessions.map(({from, to, reads, version, ended}) => [
		...[formatDateTime(from, zone), formatDateTime(to, zone), formatExact(reads), version, ended ? '' : 'not ended'],
	]);
	const marketRows = markets.map(({symbol, books, pagesOfTrades, candlePeriods, ...others}) => [
		...[symbol, formatExact(books), formatExact(pagesOfTrades), candlePeriods.map(formatPeriod).join(' ') || none],
		...[formatExact(others.failures), formatExact(others.gaps)],
	]);
	const gapRows = gaps
		.slice(0, mostGaps)
		.map(({symbol, operation, from, to, reason}) => [
			formatDateTime(from, zone),
			formatDateTime(to, zone),
			symbol,
			operation,
			reason,
		]);
	const more = gaps.length - gapRows.length;
	const sections = [
		table(
			[...stretch(`session from (${zone.name})`), count('reads', 1), text('recorded by', 2), text('')],
			sessionRows,
			style,
		),
		table(
			[
				text('market'),
				count('books', 1),
				count('pages of trades', 4),
				{...text('candles', 5), least: 10},
				count('failures', 3),
				count('gaps', 2),
			],
			marketRows,
			style,
		),
		table(
			[...stretch(`gap from (${zone.name})`), text('market'), text('of', 1), {...text('reason'), least: 20}],
			gapRows,
			style,
		),
	].filter(({lines}) => lines.length > 1);
	return {
		lines: [
			...titleLines(facts, {demo, ...style}),
			...sections.flatMap(({lines}) => ['', ...lines]),
			...(more > 0 ? [`${formatCount(more, 'more gap')}: --json has all`] : []),
		],
		hidden: sections.flatMap(({hidden}) => hidden),
	};
}

const text = (title: string, rank = 0): Column => ({titles: [title], rank});
const count = (title: string, rank: number): Column => ({...text(title, rank), alignment: 'right'});
const stretch = (from: string): readonly Column[] => [{titles: [from, from.replace(/ \(.*/, '')]}, text('to')];

/** `exportFrom` by flags. */
export async function exportRecording(flags: FlagsOf<'recording'>, path: string, folder: string): Promise<number> {
	const {output: format = 'parquet', markets = [], levels} = flags;
	if (format === 'table' || format === 'wide' || format === 'json')
		throw new UsageError(`an export is -o parquet, csv or ndjson, not ${format}`);
	return withReader(path, reader =>
		untilInterrupted(signal => exportFrom(reader, path, {folder, format, markets, levels, signal})),
	);
}

type Export = Pick<Parameters<typeof exportTables>[1], 'folder' | 'format' | 'levels'> & {
	/** In any spelling; none: all. */
	readonly markets: readonly string[];
	readonly signal: AbortSignal;
};

/**
 * Exports a recording, shows how far it is, and prints how many rows the folder has. Settles with the exit status. Rejects with a
 * `UsageError` for a market that was not recorded, and with a `RecordingError`.
 */
async function exportFrom(reader: RecordingReader, path: string, {markets, ...how}: Export): Promise<number> {
	const {now} = systemClock;
	const {folder, format, signal} = how;
	let showAt = now() + secondMs;
	try {
		if (exchangeIn(reader).demo) note(demoTitle);
		const tables = await exportTables(reader, {
			...{...how, markets: recordedSymbols(reader, path, markets)},
			onProgress(share) {
				if (now() < showAt) return;
				showAt = now() + secondMs / 5;
				showProgress(`${Math.floor(100 * share)} %`);
			},
		});
		clearProgress();
		const rows = exportedTables.map(name => [name, formatExact(tables[name].rows), formatExact(tables[name].files)]);
		const {lines, ...rest} = table(exportColumns, rows, {width: ownOutput.columns});
		await printTable({lines: [`${path} as ${format} in ${folder}`, '', ...lines], ...rest}, ownOutput);
		return exitStatus.done;
	} catch (error) {
		clearProgress();
		if (signal.aborted) note('the export is incomplete; the same command continues it');
		throw error;
	}
}

const exportColumns: readonly Column[] = [text('table'), count('rows', 0), count('files', 0)];

function recordedSymbols(reader: RecordingReader, path: string, markets: readonly string[]): readonly string[] {
	const recorded = reader.symbols();
	return markets.map(text => {
		const symbol = recordedSymbol(reader, text);
		if (recorded.includes(symbol)) return symbol;
		throw new UsageError(`${path} has no market ${text} (see tapewatch recording ${path})`);
	});
}
