import {statSync} from 'node:fs';
import {alignTable} from '../../format/cells.ts';
import {formatCount, formatExact, formatFixed} from '../../format/number.ts';
import {formatDateTime, formatPeriod} from '../../format/time.ts';
import {utc, type Zone} from '../../format/zone.ts';
import type {RecordedGap} from '../../recording/answer-gaps.ts';
import {openRecording, type RecordingReader} from '../../recording/recording-reader.ts';
import type {recording as schema} from '../../schema/document-schemas.ts';
import type {Of, Origin} from '../../schema/parts.ts';
import {demoName} from '../options/options.ts';
import {print} from '../output.ts';
import {originOf} from './documents.ts';

type Reads = ReturnType<RecordingReader['counts']>[number];

type Contents = Of<typeof schema> & Origin;

/** Prints what a recording holds. Rejects with a `RecordingError`. */
export async function runRecording(
	path: string,
	{json, ascii, zone}: {readonly json: boolean; readonly ascii: boolean; readonly zone?: Zone | undefined},
): Promise<void> {
	const reader = openRecording(path);
	try {
		const contents = contentsOf(reader, path);
		await print(`${json ? JSON.stringify(contents) : table(contents, ascii, zone).join('\n')}\n`);
	} finally {
		reader.close();
	}
}

function contentsOf(reader: RecordingReader, path: string): Contents {
	const {name, baseUrl = null, legacyBaseUrl = null} = reader.about();
	const [sessions, counts, gaps] = [reader.sessions(), reader.counts(), reader.gaps()];
	const answersTo = (operation: Reads['operation']) =>
		sum(
			counts.filter(each => each.operation === operation),
			'answers',
		);
	return {
		...{file: path, bytes: bytesOf(path), baseUrl, legacyBaseUrl},
		...{from: sessions[0]?.from ?? null, to: sessions.at(-1)?.to ?? null},
		sessions: sessions.map(({from, to, firstId, lastId, clockSkew = null, version, options, isOpen}) => ({
			...{from, to, reads: lastId - firstId + 1, clockSkew, version, options, ended: !isOpen},
		})),
		markets: marketsOf(counts, gaps),
		...{tickerLists: answersTo('ticker'), marketLists: answersTo('markets')},
		...{failures: sum(counts, 'failures'), gaps, alerts: reader.alerts().length},
		...originOf({exchangeName: name, demo: name === demoName}),
	};
}

function marketsOf(counts: readonly Reads[], gaps: readonly RecordedGap[]): Contents['markets'] {
	const bySymbol = Map.groupBy(counts, ({symbol}) => symbol);
	return [...bySymbol].flatMap(([symbol, reads]) => {
		if (symbol === undefined) return [];
		const answers = (operation: Reads['operation']) =>
			sum(
				reads.filter(each => each.operation === operation),
				'answers',
			);
		return {
			...{symbol, books: answers('depth'), pagesOfTrades: answers('trades')},
			candlePeriods: reads.flatMap(({period, answers: count}) => (period !== undefined && count > 0 ? [period] : [])),
			...{failures: sum(reads, 'failures'), gaps: gaps.filter(gap => gap.symbol === symbol).length},
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

function table(contents: Contents, ascii: boolean, zone: Zone = utc): readonly string[] {
	const {file, bytes, exchange, sessions, markets, gaps, failures, tickerLists, alerts, demo} = contents;
	const none = ascii ? '-' : '–';
	const facts = [
		...(demo ? ['DEMO'] : []),
		...[file, `recording of ${exchange}`, `${formatFixed(bytes / 1_000_000, 1)} MB`],
		...[formatCount(sessions.length, 'session'), formatCount(tickerLists, 'ticker list')],
		...[formatCount(failures, 'failure'), formatCount(gaps.length, 'gap'), formatCount(alerts, 'alert')],
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
	return [
		facts.join(ascii ? ' | ' : ' · '),
		...section([`session from (${zone.name})`, 'to', 'reads', 'recorded by'], sessionRows),
		...section(['market', 'books', 'pages of trades', 'candles', 'failures', 'gaps'], marketRows),
		...section([`gap from (${zone.name})`, 'to', 'market', 'of', 'reason'], gapRows),
		...(more > 0 ? [`${formatCount(more, 'more gap')}: --json has all`] : []),
	];
}

const numeric = ['reads', 'books', 'pages of trades', 'failures', 'gaps'];

function section(header: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
	if (rows.length === 0) return [];
	return [
		'',
		...alignTable(
			[header, ...rows],
			header.map(name => (numeric.includes(name) ? 'right' : 'left')),
		),
	];
}
