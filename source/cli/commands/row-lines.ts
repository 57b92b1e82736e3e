import type {Ask} from '../../client/question.ts';
import {csvLine, fieldText, timeField} from '../../format/csv.ts';
import {capabilityFlags} from '../../market/types.ts';
import {
	holdingKeys,
	marketKeys,
	type OutputFormat,
	readCandleKeys,
	tickerKeys,
	tradeKeys,
} from '../options/option-table.ts';

/** The documents of the reads as rows, for spreadsheets and line by line. */

type Entry = Readonly<Record<string, unknown>>;
type Rows = {readonly columns: readonly string[]; readonly entries: readonly Entry[]};

export type RowFormat = Exclude<OutputFormat, 'table' | 'json'>;

/** The columns of the list of a document, which has its name. */
const columnsOf = {
	markets: marketKeys,
	tickers: tickerKeys,
	trades: tradeKeys,
	candles: readCandleKeys,
	holdings: holdingKeys,
} as const;

/** Lists that can be null. */
const unknownLists: ReadonlySet<string> = new Set(['bids', 'gaps']);

/**
 * The document that answers `ask` as lines. `ndjson`: one entry per line, with what the document says of all of them, but no lists.
 * `csv` and `tsv`: a line of names, then one line per entry.
 */
export function rowLines(
	ask: Ask | 'holdings',
	document: Entry,
	format: RowFormat,
	ofEntries: readonly object[] = [],
): readonly string[] {
	const {columns, entries} = rowsOf(ask, document);
	if (format !== 'ndjson') {
		const line = format === 'csv' ? csvLine : tsvLine;
		return [columns, ...entries.map(entry => columns.map(name => fieldOf(name, entry[name])))].map(line);
	}

	if (ask === 'info') return [JSON.stringify(document)];
	const isList = (name: string, value: unknown) => Array.isArray(value) || unknownLists.has(name);
	const ofAll = Object.fromEntries(Object.entries(document).filter(([name, value]) => !isList(name, value)));
	return entries.map((entry, index) => JSON.stringify({...entry, ...ofEntries[index], ...ofAll, ...entry}));
}

function rowsOf(ask: Ask | 'holdings', document: Entry): Rows {
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
			value: name.endsWith('At') || name === 'serverTime' ? timeField(value) : value,
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

const fieldOf = (name: string, value: unknown): string => (name === 'time' ? timeField(value) : fieldText(value));

const tsvEscapes: Readonly<Record<string, string>> = {'\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r'};

const tsvLine = (fields: readonly string[]): string =>
	fields.map(field => field.replaceAll(/[\\\t\n\r]/g, character => tsvEscapes[character] ?? '')).join('\t');
