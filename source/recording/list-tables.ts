import type {DatabaseSync, SQLOutputValue, StatementSync} from 'node:sqlite';
import {isDeepStrictEqual} from 'node:util';
import {type Candle, largestPage, type Market, type Period, type Ticker} from '../market/types.ts';
import {mostCandles} from '../store/candle-feed.ts';
import {type Answered, answerTo, periodOf} from './outcome-log.ts';
import {
	type Columns,
	DamagedError,
	definedFields,
	numberIn,
	priceIn,
	quantityIn,
	requiredNumber,
	requiredPrice,
	requiredQuantity,
	requiredTime,
	textOf,
} from './recorded-columns.ts';
import type {RecordedSessions} from './session-table.ts';
import type {WrittenSymbols} from './symbol-table.ts';
import type {Insert, Row} from './table-rows.ts';

/** The newest candles of each series that are compared with; older ones are written again when they come again. */
const mostCompared = 2000;

/** Writes the entries of lists that have changed since the same list before. */
export function createChangedLists(insert: Insert, symbols: WrittenSymbols) {
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
		const candles = series.get(key) ?? new Map<number, Candle>();
		for (const {time, open, high, low, close, volume} of list) {
			const candle = {time, open, high, low, close, volume};
			if (isDeepStrictEqual(candles.get(time), candle)) continue;
			insert('candle', {answer, symbol, period, ...candle});
			candles.set(time, candle);
		}

		const oldestFirst = [...candles.keys()].sort((a, b) => a - b);
		for (const time of oldestFirst.slice(0, -mostCompared)) candles.delete(time);
		series.set(key, candles);
	}

	return {
		/** `answer` and `symbol` are ids. */
		write(answer: number, symbol: number, outcome: Answered): void {
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

/** Maximum changed candles of an answer: a page, and those that a trim has moved to it. */
const mostChangedCandles = 2 * largestPage;
/** A list that is further behind, or that more has changed in, is read anew. */
const mostBehind = 500;
const mostChanged = 10_000;

const candleColumns = 'candle.time, open, high, low, close, volume';

/** A candle in its last recorded state. */
export type FinalCandle = Candle & {readonly market: string; readonly period: Period};

/** The tickers as of an answer, by symbol id, in order; undefined: removed from the list. */
type Tickers = {readonly first: number; readonly answer: number; readonly entries: Map<number, Ticker | undefined>};

/** The lists of a recording as of an answer. A session begins with whole ones. */
export function createRecordedLists(db: DatabaseSync, {firstOf}: RecordedSessions) {
	const wholeList = (table: 'ticker' | 'market'): StatementSync =>
		db.prepare(
			`SELECT name, entry.* FROM symbol JOIN ${table} AS entry ON entry.symbol = id AND entry.answer = (
				SELECT max(answer) FROM ${table} AS newest WHERE newest.symbol = id AND answer BETWEEN ? AND ?
			) ORDER BY id`,
		);
	const wholeTickers = wholeList('ticker');
	const wholeMarkets = wholeList('market');
	const changedTickers = db.prepare(
		'SELECT name, ticker.* FROM ticker JOIN symbol ON id = symbol WHERE answer BETWEEN ? AND ? ORDER BY answer LIMIT ?',
	);
	/** Newest first, from one time to the one before: each candle is there as often as it changed. */
	const allCandles = db.prepare(
		`WITH RECURSIVE listed(time) AS (
			SELECT max(time) FROM candle WHERE symbol = ?1 AND period = ?2
			UNION ALL SELECT (SELECT max(time) FROM candle WHERE symbol = ?1 AND period = ?2 AND time < listed.time)
			FROM listed WHERE time IS NOT NULL
		)
		SELECT ${candleColumns} FROM listed JOIN candle ON symbol = ?1 AND period = ?2 AND candle.time = listed.time AND answer = (
			SELECT max(answer) FROM candle AS newest WHERE symbol = ?1 AND period = ?2 AND newest.time = listed.time
			AND answer BETWEEN ?3 AND ?4
		) LIMIT ?5`,
	);
	allCandles.setReturnArrays(true);
	const candlesOf = db.prepare(
		`SELECT ${candleColumns} FROM candle WHERE answer = ? ORDER BY time LIMIT ${mostChangedCandles + 1}`,
	);
	candlesOf.setReturnArrays(true);
	const finalCandles = db.prepare('SELECT market, period, time, open, high, low, close, volume FROM candles');
	finalCandles.setReturnArrays(true);
	const candleRow = db.prepare('SELECT 1 FROM candle WHERE symbol = ? AND period = ? LIMIT 1');
	let latest: Tickers | undefined;
	let latestMarkets: {readonly answer: number; readonly list: readonly Market[]} | undefined;

	function tickersOf(answer: number): Tickers {
		const first = firstOf(answer);
		const behind = latest?.first === first ? answer - latest.answer : -1;
		const isNear = behind >= 0 && behind <= mostBehind;
		const changed = latest && isNear ? changedTickers.all(latest.answer + 1, answer, mostChanged) : [];
		if (!latest || !isNear || changed.length === mostChanged) {
			return {first, answer, entries: new Map(wholeTickers.all(first, answer).map(tickerEntry))};
		}

		const {entries} = latest;
		const before = entries.size;
		for (const row of changed) entries.set(...tickerEntry(row));
		return {
			first,
			answer,
			entries: entries.size === before ? entries : new Map([...entries].sort(([a], [b]) => a - b)),
		};
	}

	function marketsOf(answer: number): readonly Market[] {
		const rows = wholeMarkets.all(firstOf(answer), answer).filter(({state}) => state !== null);
		return rows.sort((one, other) => requiredNumber(one.place) - requiredNumber(other.place)).map(marketOf);
	}

	return {
		/** In the order in which the markets were recorded first. Cheap if it is called with rising answers. */
		tickers(answer: number): readonly Ticker[] {
			latest = tickersOf(answer);
			return [...latest.entries.values()].filter(ticker => ticker !== undefined);
		},
		/** Those that changed with an answer. */
		changedTickers: (answer: number): readonly Ticker[] =>
			changedTickers
				.all(answer, answer, -1)
				.filter(({state}) => state !== null)
				.map(tickerOf),
		/** As each of them became, by market, period and time. */
		*finalCandles(): Generator<FinalCandle> {
			for (const [market = null, period, ...candle] of arraysOf(finalCandles.iterate()))
				yield {market: textOf(market) ?? '', period: requiredNumber(period), ...candleOf(candle)};
		},
		/** In the order of the list. */
		markets(answer: number): readonly Market[] {
			if (latestMarkets?.answer !== answer) latestMarkets = {answer, list: marketsOf(answer)};
			return latestMarkets.list;
		},
		/** Oldest first, the newest `most` (default 20,000). `symbol`: an id. */
		candles(symbol: number, period: Period, answer: number, most = mostCandles): readonly Candle[] {
			return arraysOf(allCandles.all(symbol, period, firstOf(answer), answer, most))
				.map(candleOf)
				.reverse();
		},
		/** The candles that changed with this answer, oldest first. */
		changedCandles(answer: number): readonly Candle[] {
			const rows = arraysOf(candlesOf.all(answer));
			if (rows.length > mostChangedCandles) throw new DamagedError(`at most ${mostChangedCandles} candles`, answer);
			return rows.map(candleOf);
		},
		/** Whether any was recorded. */
		hasCandles: (symbol: number, period: Period): boolean => candleRow.get(symbol, period) !== undefined,
	};
}

const tickerEntry = (row: Columns): [symbol: number, ticker: Ticker | undefined] => [
	requiredNumber(row.symbol),
	row.state === null ? undefined : tickerOf(row),
];

const tickerOf = (row: Columns): Ticker =>
	definedFields({
		symbol: textOf(row.name) ?? '',
		last: priceIn(row.last),
		change: numberIn(row.change),
		changePercent: numberIn(row.change_percent),
		open: priceIn(row.open),
		high: priceIn(row.high),
		low: priceIn(row.low),
		bid: priceIn(row.bid),
		bidQuantity: quantityIn(row.bid_quantity),
		ask: priceIn(row.ask),
		askQuantity: quantityIn(row.ask_quantity),
		volume: quantityIn(row.volume),
		quoteVolume: quantityIn(row.quote_volume),
		state: textOf(row.state) ?? '',
		type: textOf(row.type),
	});

const marketOf = (row: Columns): Market =>
	definedFields({
		symbol: textOf(row.name) ?? '',
		id: textOf(row.market_id),
		base: textOf(row.base),
		quote: textOf(row.quote),
		state: textOf(row.state) ?? '',
		type: textOf(row.type),
		unreadable: row.unreadable ? true : undefined,
	});

type Values = readonly SQLOutputValue[];

/** The rows of a statement that returns arrays: twice as quick as objects. */
const arraysOf = <Rows extends Iterable<unknown>>(rows: Rows) =>
	rows as unknown as Rows extends readonly unknown[] ? readonly Values[] : Iterable<Values>;

const candleOf = ([time, open, high, low, close, volume]: Values): Candle => ({
	time: requiredTime(time),
	open: requiredPrice(open),
	high: requiredPrice(high),
	low: requiredPrice(low),
	close: requiredPrice(close),
	volume: requiredQuantity(volume),
});
