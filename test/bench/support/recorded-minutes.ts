import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import type {Candle, DepthBook, Level, Market, Ticker, Trade} from '../../../source/market/types.ts';
import {hourMs} from '../../../source/market/units.ts';
import type {Answered} from '../../../source/recording/outcome-log.ts';

/** Recorded data of a real exchange, which is no part of the project. */
const folder = join(import.meta.dirname, '../../../../shared/market-data');
export const noMinutes = 'skipped: ../shared/market-data with recorded data is not there';
const symbol = 'BTCUSDT';
const period = 60;
/** At least: while more trades happen in a second, larger pages are read, which reach back to a known trade. */
const pageSize = 100;
const candleCount = 500;

export type Minutes = {
	/** One a second. */
	readonly books: readonly {readonly time: number; readonly book: DepthBook}[];
	/** Oldest first. */
	readonly trades: readonly Trade[];
	readonly tickers: readonly Ticker[];
	/** Hourly, oldest first; the last one has begun before the first book. */
	readonly candles: readonly Candle[];
};

type Columns = Readonly<Record<string, string>>;

/** Undefined where the data is not there. */
export function readMinutes(): Minutes | undefined {
	if (!existsSync(folder)) return undefined;
	const read = (name: string) => gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString();
	const lines = (name: string) =>
		read(name)
			.trim()
			.split('\n')
			.map(line => JSON.parse(line));
	const levels = (side: readonly (readonly string[])[]) =>
		side.map((level): Level => [Number(level[0]), Number(level[1])]);
	const books = lines(`depth-${symbol}.ndjson`).map(({t, asks, bids}) => ({
		time: Number(t),
		book: {asks: levels(asks), bids: levels(bids)},
	}));
	return {
		books,
		trades: lines(`trades-${symbol}.ndjson`).map(({id, t, price, qty, side}) => ({
			...{id: String(id), time: t, price: Number(price), quantity: Number(qty), side, sideText: side},
		})),
		tickers: JSON.parse(read('tickers-binance.json')).map((row: Columns) => ({
			...{symbol: row.symbol, last: Number(row.last), change: Number(row.change), open: Number(row.open)},
			...{changePercent: Number(row.changePercent), high: Number(row.high), low: Number(row.low)},
			...{bid: Number(row.bid), bidQuantity: Number(row.bidQty), ask: Number(row.ask), askQuantity: Number(row.askQty)},
			...{volume: Number(row.volume), state: 'active', type: 'spot'},
		})),
		candles: candlesUntil(books[0]?.time ?? 0, JSON.parse(read(`candles-${symbol}-1h.json`))),
	};
}

/** The candles with other times: those before `time`. */
function candlesUntil(time: number, rows: readonly Columns[]): readonly Candle[] {
	const last = Math.floor(time / hourMs) * hourMs;
	return rows.slice(-candleCount).map(({open, high, low, close, volume}, index, {length}) => ({
		...{time: last - (length - 1 - index) * hourMs, open: Number(open), high: Number(high)},
		...{low: Number(low), close: Number(close), volume: Number(volume)},
	}));
}

export type Resource = 'depth' | 'trades' | 'tickers' | 'candles' | 'markets';

/** How many trades happened until then. */
function endBefore(trades: readonly Trade[], time: number): number {
	const end = trades.findIndex(trade => trade.time > time);
	return end === -1 ? trades.length : end;
}

/** The answer `second` after the start, which is received at `now`. After the last book, the minutes begin anew. */
export function answerAt(
	{books, trades, tickers, candles}: Minutes,
	name: Resource,
	second: number,
	now: number,
	allMove = false,
): Answered {
	const about = {interface: 'v2', receivedAt: now, serverTime: now - 30, dropped: 0} as const;
	const times = {sentAt: now - 60, endedAt: now};
	const round = Math.floor(second / books.length);
	const index = second % books.length;
	const {book, time} = books[index] ?? {book: {asks: []}, time: 0};
	if (name === 'depth') {
		return {question: {ask: name, market: symbol}, ...times, answer: {...about, interface: 'legacy', data: book}};
	}

	const end = endBefore(trades, time);
	const fresh = end - endBefore(trades, books[index - 1]?.time ?? 0);
	if (name === 'trades') {
		const shiftMs = round * 1000 * books.length;
		const page = trades.slice(Math.max(0, end - Math.max(pageSize, fresh + 1)), end).map(({id, ...trade}) => ({
			...trade,
			...{id: String(Number(id) + round * trades.length), time: trade.time + shiftMs},
		}));
		return {question: {ask: name, market: symbol}, ...times, answer: {...about, data: page.reverse()}};
	}

	const last = trades[end - 1]?.price ?? 0;
	if (name === 'candles') {
		const data = candles.map((candle, index) => (index === candles.length - 1 ? {...candle, close: last} : candle));
		return {question: {ask: name, market: symbol, period}, ...times, answer: {...about, data}};
	}

	if (name === 'markets') {
		const data = tickers.map(
			({symbol: of, state}): Market => ({symbol: of, base: of.slice(0, -4), quote: of.slice(-4), state}),
		);
		return {question: {ask: name}, ...times, answer: {...about, data}};
	}

	const [bid, bidQuantity] = book.bids?.[0] ?? [];
	const [ask, askQuantity] = book.asks[0] ?? [];
	const data = tickers.map((ticker, place): Ticker => {
		const {symbol: of, volume = 0} = ticker;
		if (of === symbol || of === 'ETHUSDT') return {...ticker, last, bid, bidQuantity, ask, askQuantity};
		return allMove ? {...ticker, volume: volume + second * (place + 1)} : ticker;
	});
	return {question: {ask: 'tickers'}, ...times, answer: {...about, data}};
}
