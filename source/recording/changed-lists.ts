import {isDeepStrictEqual} from 'node:util';
import type {Candle, Market, Ticker} from '../market/types.ts';
import {type Answered, answerTo, periodOf} from './outcome-log.ts';
import type {Insert, Row} from './table-rows.ts';
import type {WrittenSymbols} from './written-symbols.ts';

/** Writes the entries of lists that have changed since the same list before. `answer` and `symbol` are ids. */
export type ChangedLists = {
	write(answer: number, symbol: number, outcome: Answered): void;
};

/** The newest candles of each series that are compared with; older ones are written again when they come again. */
const mostCompared = 2000;

export function createChangedLists(insert: Insert, symbols: WrittenSymbols): ChangedLists {
	let tickers: ReadonlyMap<string, Row> = new Map();
	let markets: ReadonlyMap<string, Row> = new Map();
	const series = new Map<string, Map<number, Candle>>();

	/** Without a state: the list has the entry no more. */
	function writeChanged(
		table: string,
		answer: number,
		before: ReadonlyMap<string, Row>,
		after: ReadonlyMap<string, Row>,
		gone: Row,
	): void {
		for (const [symbol, row] of after) {
			if (!isDeepStrictEqual(before.get(symbol), row)) insert(table, {answer, symbol: symbols.listed(symbol), ...row});
		}

		for (const symbol of before.keys()) {
			if (!after.has(symbol)) insert(table, {answer, symbol: symbols.listed(symbol), ...gone});
		}
	}

	function writeCandles(answer: number, symbol: number, period: number, list: readonly Candle[]): void {
		const key = `${symbol} ${period}`;
		const known = series.get(key) ?? new Map<number, Candle>();
		for (const {time, open, high, low, close, volume} of list) {
			const candle = {time, open, high, low, close, volume};
			if (isDeepStrictEqual(known.get(time), candle)) continue;
			insert('candle', {answer, symbol, period, ...candle});
			known.set(time, candle);
		}

		const oldestFirst = [...known.keys()].sort((a, b) => a - b);
		for (const time of oldestFirst.slice(0, -mostCompared)) known.delete(time);
		series.set(key, known);
	}

	return {
		write(answer, symbol, outcome) {
			const candles = answerTo('candles', outcome)?.data;
			if (candles) writeCandles(answer, symbol, periodOf(outcome.question) ?? 0, candles);
			const listed = answerTo('tickers', outcome)?.data.map(ticker => [ticker.symbol, tickerRow(ticker)] as const);
			if (listed) {
				const after = new Map(listed);
				writeChanged('ticker', answer, tickers, after, {});
				tickers = after;
			}

			const all = answerTo('markets', outcome)?.data.map(
				(each, place) => [each.symbol, marketRow(each, place)] as const,
			);
			if (all) {
				const after = new Map(all);
				writeChanged('market', answer, markets, after, {place: -1});
				markets = after;
			}
		},
	};
}

function tickerRow(ticker: Ticker): Row {
	const {last = null, change = null, changePercent = null, open = null, high = null, low = null} = ticker;
	const {bid = null, bidQuantity = null, ask = null, askQuantity = null} = ticker;
	const {volume = null, quoteVolume = null, state, type} = ticker;
	return {
		...{last, change, change_percent: changePercent, open, high, low},
		...{bid, bid_quantity: bidQuantity, ask, ask_quantity: askQuantity},
		...{volume, quote_volume: quoteVolume, state, type: type ?? null},
	};
}

function marketRow({id, base, quote, state, type, unreadable}: Market, place: number): Row {
	const names = {base: base ?? null, quote: quote ?? null};
	return {place, market_id: id ?? null, ...names, state, type: type ?? null, unreadable: unreadable ? 1 : null};
}
