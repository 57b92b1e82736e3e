import type {DatabaseSync, SQLOutputValue, StatementSync} from 'node:sqlite';
import {type Candle, largestPage, type Market, type Ticker} from '../market/types.ts';
import {mostCandles} from '../store/candle-feed.ts';
import {
	type Columns,
	DamagedError,
	knownFields,
	numberIn,
	priceIn,
	quantityIn,
	requiredNumber,
	requiredPrice,
	requiredQuantity,
	requiredTime,
	textOf,
} from './recorded-columns.ts';
import type {RecordedSessions} from './recorded-sessions.ts';

/** The lists of a recording as of an answer. A session begins with whole ones. */
export type RecordedLists = {
	/** In the order in which the markets were recorded first. Cheap if it is called with rising answers. */
	tickers(answer: number): readonly Ticker[];
	/** Whether the ticker of a market changed with the answer. `symbol`: an id. */
	hasTicker(symbol: number, answer: number): boolean;
	/** In the order of the list. */
	markets(answer: number): readonly Market[];
	/** Oldest first, the newest `most` (default 20,000). `symbol`: an id. */
	candles(symbol: number, period: number, answer: number, most?: number): readonly Candle[];
	/** The candles that changed with this answer, oldest first. */
	changedCandles(answer: number): readonly Candle[];
	/** Whether any was recorded. */
	hasCandles(symbol: number, period: number): boolean;
};

/** Of an answer: a page, and what a trim has moved to it. */
const mostChangedCandles = 2 * largestPage;
/** A list that is further behind, or that more has changed in, is read anew. */
const mostBehind = 500;
const mostChanged = 10_000;

const candleColumns = 'candle.time, open, high, low, close, volume';

/** By symbol, in order; undefined: gone. */
type Tickers = {readonly first: number; readonly answer: number; readonly entries: Map<number, Ticker | undefined>};

export function createRecordedLists(db: DatabaseSync, {firstOf}: RecordedSessions): RecordedLists {
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
	const candleRow = db.prepare('SELECT 1 FROM candle WHERE symbol = ? AND period = ? LIMIT 1');
	const tickerRow = db.prepare('SELECT 1 FROM ticker WHERE answer = ? AND symbol = ?');
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
		tickers(answer) {
			latest = tickersOf(answer);
			return [...latest.entries.values()].filter(ticker => ticker !== undefined);
		},
		hasTicker: (symbol, answer) => tickerRow.get(answer, symbol) !== undefined,
		markets(answer) {
			if (latestMarkets?.answer !== answer) latestMarkets = {answer, list: marketsOf(answer)};
			return latestMarkets.list;
		},
		candles(symbol, period, answer, most = mostCandles) {
			return arraysOf(allCandles.all(symbol, period, firstOf(answer), answer, most))
				.map(candleOf)
				.reverse();
		},
		changedCandles(answer) {
			const rows = arraysOf(candlesOf.all(answer));
			if (rows.length > mostChangedCandles) throw new DamagedError(`at most ${mostChangedCandles} candles`, answer);
			return rows.map(candleOf);
		},
		hasCandles: (symbol, period) => candleRow.get(symbol, period) !== undefined,
	};
}

const tickerEntry = (row: Columns): [symbol: number, ticker: Ticker | undefined] => [
	requiredNumber(row.symbol),
	row.state === null ? undefined : tickerOf(row),
];

const tickerOf = (row: Columns): Ticker =>
	knownFields({
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
	knownFields({
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
const arraysOf = (rows: unknown): readonly Values[] => rows as readonly Values[];

const candleOf = ([time, open, high, low, close, volume]: Values): Candle => ({
	time: requiredTime(time),
	open: requiredPrice(open),
	high: requiredPrice(high),
	low: requiredPrice(low),
	close: requiredPrice(close),
	volume: requiredQuantity(volume),
});
