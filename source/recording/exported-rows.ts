import type {Level} from '../market/types.ts';
import type {AnswerHead} from './answer-table.ts';
import type {RecordingReader} from './recording-reader.ts';

/** What other programs get of a recording: tables with rows of plain values. */

/** `time`: epoch ms. Any value can be unknown. */
export type ColumnKind = 'text' | 'number' | 'integer' | 'time';
export type ExportedTable = keyof typeof exportedColumns;
type Value = string | number | undefined;
/** Values in the order of the columns of their table. */
export type ExportedRow = readonly Value[];

const market = {market: 'text', time: 'time'} as const;
const prices = {open: 'number', high: 'number', low: 'number'} as const;
const source = {interface: 'text', answer: 'integer'} as const;

/**
 * `trades`: each once for each interface. `books`: a row for each level; level 0 is the best. `tickers`: a row whenever one changed.
 * `candles`: the last state of each; the period is in minutes. The `time` of trades and candles is the exchange's, that of books and
 * tickers when the answer was known. `answer`: its number in the recording.
 */
export const exportedColumns = {
	trades: {...market, id: 'text', price: 'number', quantity: 'number', side: 'text', ...source},
	books: {...market, side: 'text', level: 'integer', price: 'number', quantity: 'number', ...source},
	tickers: {
		...{...market, last: 'number', change: 'number', change_percent: 'number', ...prices},
		...{bid: 'number', bid_quantity: 'number', ask: 'number', ask_quantity: 'number'},
		...{volume: 'number', quote_volume: 'number', state: 'text', ...source},
	},
	candles: {market: 'text', period: 'integer', time: 'time', ...prices, close: 'number', volume: 'number'},
	gaps: {market: 'text', operation: 'text', from_time: 'time', to_time: 'time', reason: 'text'},
} as const satisfies Record<string, Readonly<Record<string, ColumnKind>>>;

export const exportedTables = Object.keys(exportedColumns) as readonly ExportedTable[];

/** Rows of one table, of one answer. */
export type ExportedRows = {readonly table: ExportedTable; readonly rows: readonly ExportedRow[]};

/** Which rows are exported. `markets`: none: all. `levels`: the best of each side of a book; absent: all. */
export type ExportChoice = {readonly markets: readonly string[]; readonly levels?: number | undefined};

/** The rows of an answer; undefined: it has none. */
export function rowsOfAnswer(
	reader: RecordingReader,
	answer: AnswerHead,
	{markets, levels}: ExportChoice,
): ExportedRows | undefined {
	const isChosen = (symbol: string) => markets.length === 0 || markets.includes(symbol);
	const ofAnswer = [answer.interface, answer.id] as const;
	if (answer.operation === 'ticker') {
		const tickers = reader.changedTickers(answer.id).filter(({symbol}) => isChosen(symbol));
		const rows = tickers.map(({symbol, last, change, changePercent, open, high, low, ...ticker}) => [
			...[symbol, answer.time, last, change, changePercent, open, high, low],
			...[ticker.bid, ticker.bidQuantity, ticker.ask, ticker.askQuantity, ticker.volume, ticker.quoteVolume],
			...[ticker.state, ...ofAnswer],
		]);
		return {table: 'tickers', rows};
	}

	const {market: symbol} = answer;
	if (symbol === undefined || !isChosen(symbol)) return undefined;
	if (answer.operation === 'trades') {
		const {trades} = reader.trades(symbol, answer.id);
		return {
			table: 'trades',
			rows: trades.map(({time, id, price, quantity, side}) => [symbol, time, id, price, quantity, side, ...ofAnswer]),
		};
	}

	if (answer.operation !== 'depth') return undefined;
	const {bids = [], asks} = reader.data({ask: 'depth', market: symbol}, answer.id);
	const side = (name: string, list: readonly Level[]) =>
		list
			.slice(0, levels)
			.map(([price, quantity], level) => [symbol, answer.time, name, level, price, quantity, ...ofAnswer]);
	return {table: 'books', rows: [...side('bid', bids), ...side('ask', asks)]};
}

/** Read in some milliseconds. */
const rowsAtOnce = 2000;

/** What later answers may still change, as it is now; in pieces. */
export function* rowsOfNow(reader: RecordingReader, {markets}: ExportChoice): Generator<ExportedRows> {
	const isChosen = (symbol: string) => markets.length === 0 || markets.includes(symbol);
	let candles: ExportedRow[] = [];
	for (const {market: symbol, period, time, open, high, low, close, volume} of reader.finalCandles()) {
		if (isChosen(symbol)) candles.push([symbol, period, time, open, high, low, close, volume]);
		if (candles.length < rowsAtOnce) continue;
		yield {table: 'candles', rows: candles};
		candles = [];
	}

	yield {table: 'candles', rows: candles};
	for (const page of reader.gapPages()) {
		const gaps = page.filter(({symbol}) => isChosen(symbol));
		yield {
			table: 'gaps',
			rows: gaps.map(({symbol, operation, from, to, reason}) => [symbol, operation, from, to, reason]),
		};
	}
}
