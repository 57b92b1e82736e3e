import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {capabilityFlags} from '../../market/types.ts';
import type {OutputFormat} from '../options/formats.ts';
import {marketKeys, readCandleKeys, tickerKeys, tradeKeys} from './fields.ts';

/** The documents of the reads as rows, for spreadsheets and line by line. */

type Entry = Readonly<Record<string, unknown>>;
type Rows = {readonly columns: readonly string[]; readonly entries: readonly Entry[]};

export type RowFormat = Exclude<OutputFormat, 'table' | 'json'>;

/** The list of a document, and the columns of its entries. */
const lists: Readonly<Record<string, readonly [list: string, columns: readonly string[]]>> = {
	markets: ['markets', marketKeys],
	ticker: ['tickers', tickerKeys],
	trades: ['trades', tradeKeys],
	candles: ['candles', readCandleKeys],
};

/** Lists that can be null. */
const unknownLists: ReadonlySet<string> = new Set(['bids', 'gaps']);

/**
 * The document of the read `read` as lines. `ndjson`: one entry per line, with what the document says of all of them, but no lists.
 * `csv` and `tsv`: a line of names, then one line per entry.
 */
export function rowLines(
	read: string,
	document: Entry,
	format: RowFormat,
	ofEntries: readonly object[] = [],
): readonly string[] {
	const {columns, entries} = rowsOf(read, document);
	if (format !== 'ndjson') {
		const line = format === 'csv' ? csvLine : tsvLine;
		return [columns, ...entries.map(entry => columns.map(name => fieldText(name, entry[name])))].map(line);
	}

	if (read === 'info') return [JSON.stringify(document)];
	const isList = (name: string, value: unknown) => Array.isArray(value) || unknownLists.has(name);
	const ofAll = Object.fromEntries(Object.entries(document).filter(([name, value]) => !isList(name, value)));
	return entries.map((entry, index) => JSON.stringify({...entry, ...ofEntries[index], ...ofAll, ...entry}));
}

function rowsOf(read: string, document: Entry): Rows {
	if (read === 'info') return infoRows(document);
	if (read === 'depth') return depthRows(document);
	const [name = '', columns = []] = lists[read] ?? [];
	return {columns, entries: entriesOf(document[name])};
}

const entriesOf = (list: unknown): readonly Entry[] => (Array.isArray(list) ? list : []);

function infoRows({capability, ...document}: Entry): Rows {
	const flags = Object(capability);
	const entries = [
		...Object.entries(document).map(([name, value]) => ({
			name,
			value: name.endsWith('At') || name === 'serverTime' ? timeText(value) : value,
		})),
		...capabilityFlags.map(flag => ({name: `capability.${flag}`, value: flags[flag]})),
	];
	return {columns: ['name', 'value'], entries};
}

/** Asks, then bids, best first. */
function depthRows({asks, bids}: Entry): Rows {
	const levels = (side: string, list: unknown) =>
		(Array.isArray(list) ? list : []).map(([price, quantity]) => ({side, price, quantity}));
	return {columns: ['side', 'price', 'quantity'], entries: [...levels('ask', asks), ...levels('bid', bids)]};
}

/** Unknown: empty. Numbers have every digit and no exponent; times are ISO 8601, in UTC, with milliseconds. */
function fieldText(name: string, value: unknown): string {
	if (value === undefined || value === null) return '';
	if (name === 'time') return timeText(value);
	return typeof value === 'number' ? formatPlain(value) : cleanText(String(value));
}

function timeText(value: unknown): string {
	if (typeof value !== 'number') return '';
	const date = new Date(value);
	return Number.isNaN(date.getTime()) ? formatPlain(value) : date.toISOString();
}

/** Without what acts on a terminal, but with tabs and line breaks, which the formats can hold. */
const cleanText = (text: string): string =>
	text
		.split(/([\t\r\n])/)
		.map((part, index) => (index % 2 === 0 ? stripControl(part) : part))
		.join('');

/** As of RFC 4180: quoted where needed, quotes doubled. */
const csvLine = (fields: readonly string[]): string =>
	fields.map(field => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',');

const tsvEscapes: Readonly<Record<string, string>> = {'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'};

const tsvLine = (fields: readonly string[]): string =>
	fields.map(field => field.replaceAll(/[\\\t\n\r]/g, character => tsvEscapes[character] ?? '')).join('\t');
