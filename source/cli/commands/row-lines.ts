import type {Ask} from '../../client/question.ts';
import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {capabilityFlags} from '../../market/types.ts';
import {marketKeys, readCandleKeys, tickerKeys, tradeKeys} from '../options/fields.ts';
import type {OutputFormat} from '../options/option-table.ts';

/** The documents of the reads as rows, for spreadsheets and line by line. */

type Entry = Readonly<Record<string, unknown>>;
type Rows = {readonly columns: readonly string[]; readonly entries: readonly Entry[]};

export type RowFormat = Exclude<OutputFormat, 'table' | 'json'>;

/** The columns of the list of a document, which has its name. */
const columnsOf = {markets: marketKeys, tickers: tickerKeys, trades: tradeKeys, candles: readCandleKeys} as const;

/** Lists that can be null. */
const unknownLists: ReadonlySet<string> = new Set(['bids', 'gaps']);

/**
 * The document that answers `ask` as lines. `ndjson`: one entry per line, with what the document says of all of them, but no lists.
 * `csv` and `tsv`: a line of names, then one line per entry.
 */
export function rowLines(
	ask: Ask,
	document: Entry,
	format: RowFormat,
	ofEntries: readonly object[] = [],
): readonly string[] {
	const {columns, entries} = rowsOf(ask, document);
	if (format !== 'ndjson') {
		const line = format === 'csv' ? csvLine : tsvLine;
		return [columns, ...entries.map(entry => columns.map(name => fieldText(name, entry[name])))].map(line);
	}

	if (ask === 'info') return [JSON.stringify(document)];
	const isList = (name: string, value: unknown) => Array.isArray(value) || unknownLists.has(name);
	const ofAll = Object.fromEntries(Object.entries(document).filter(([name, value]) => !isList(name, value)));
	return entries.map((entry, index) => JSON.stringify({...entry, ...ofEntries[index], ...ofAll, ...entry}));
}

function rowsOf(ask: Ask, document: Entry): Rows {
	if (ask === 'info') return infoRows(document);
	if (ask === 'depth') return depthRows(document);
	const entries = document[ask];
	return {columns: columnsOf[ask], entries: Array.isArray(entries) ? entries : []};
}

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
