import {
	candleCount,
	mostRangeCandles,
	rangeIgnored,
	readCandleRange,
	unreadableCandles,
} from '../../client/candle-range.ts';
import type {Answer, CallOptions, MarketId} from '../../client/exchange.ts';
import {formatExact} from '../../format/number.ts';
import {formatPeriod} from '../../format/time.ts';
import {largestPage, type Market, type Period, type Ticker} from '../../market/types.ts';
import type {Context} from '../context.ts';
import {UsageError} from '../exit.ts';
import {clearPage, demoTitle, note, print, roundedText, showPage} from '../output.ts';
import * as documents from './documents.ts';
import {marketNamed, readMarket, readMarketWithId} from './lookup.ts';
import * as tables from './tables.ts';

/** What one of the read commands requests. */
export type ReadRequest =
	| {readonly read: 'info' | 'markets'}
	| {readonly read: 'ticker'; readonly markets: readonly string[]}
	| {readonly read: 'depth'; readonly market: string}
	| {
			readonly read: 'trades';
			/** In any spelling, or its id. */
			readonly market: string | MarketId;
			readonly limit?: number | undefined;
	  }
	| {
			readonly read: 'candles';
			readonly market: string;
			readonly period: Period;
			readonly limit?: number | undefined;
			/** Epoch ms, inclusive. */
			readonly from?: number | undefined;
			readonly to?: number | undefined;
	  };

/** One answer, for programs and for people. */
type Reply = {
	readonly answer: Answer<unknown>;
	readonly document: object;
	/** Lines. */
	table(style: tables.TableStyle): readonly string[];
	/** Notes about the answer that are no failures. */
	readonly remarks?: readonly string[] | undefined;
	/** What the answer should have and does not, and why; absent: it is complete. */
	readonly missing?: string | undefined;
};

/** Reads the exchange and prints the answer. Rejects with a `UsageError` or an `ExchangeError`. */
export async function runRead(
	request: ReadRequest,
	json: boolean,
	context: Context,
	signal: AbortSignal,
): Promise<void> {
	const {options, clock, demo} = context;
	const {answer, document, table, remarks = [], missing} = await reply(request, context, {signal, use: options.choice});
	if (json && demo) note(demoTitle);
	for (const remark of remarks) note(remark);
	if (answer.rounded) note(roundedText(answer.rounded));
	const style = {demo, ascii: options.ascii, now: clock.now()};
	await print(`${json ? JSON.stringify({...document, ...documents.originOf(context)}) : table(style).join('\n')}\n`);
	if (missing !== undefined) throw new Error(missing);
}

async function reply(request: ReadRequest, context: Context, call: CallOptions): Promise<Reply> {
	const {exchange} = context;
	switch (request.read) {
		case 'info': {
			const answer = await exchange.info(call);
			return {answer, document: documents.infoDocument(answer), table: style => tables.infoTable(answer, style)};
		}

		case 'markets': {
			const answer = await exchange.markets(call);
			return {answer, document: documents.marketsDocument(answer), table: style => tables.marketsTable(answer, style)};
		}

		case 'ticker': {
			const {answer, absent} = await readTickers(request.markets, exchange, call);
			const table = (style: tables.TableStyle) => tables.tickerTable(answer, style);
			const none = answer.dropped > 0 ? 'no readable ticker' : 'no ticker';
			const missing =
				absent.length > 0 ? `the exchange has ${none} for ${absent.join(', ')}; try again later` : undefined;
			return {answer, document: documents.tickerDocument(answer), table, missing};
		}

		case 'depth': {
			const read = (symbol: string) => exchange.depth(symbol, call);
			const {market, answer} = await readMarket(context, request.market, call, read);
			const table = (style: tables.TableStyle) => tables.depthTable(market, answer, style);
			const {bidsFailure} = answer.data;
			const missing = bidsFailure && `the book has no bids: ${bidsFailure.message}; try again later`;
			return {answer, document: documents.depthDocument(market.symbol, answer), table, missing};
		}

		case 'trades':
			return tradesReply(request, context, call);
		case 'candles':
			return candlesReply(request, context, call);
	}
}

type TradesRequest = Extract<ReadRequest, {read: 'trades'}>;

async function tradesReply({market: named, limit}: TradesRequest, context: Context, call: CallOptions): Promise<Reply> {
	const read = (of: string | MarketId) => context.exchange.trades(of, {...call, limit});
	const {market, answer: whole} =
		typeof named === 'string'
			? await readMarket(context, named, call, read)
			: await readMarketWithId(context, named.id, call, () => read(named));
	const {answer, remarks} = bounded(whole, limit, trades => trades.slice(0, limit));
	const shown = market ?? {symbol: `market ${typeof named === 'string' ? named : named.id}`, state: ''};
	const table = (style: tables.TableStyle) => tables.tradesTable(shown, answer, style, remarks);
	return {answer, document: documents.tradesDocument(market?.symbol ?? null, answer), table, remarks};
}

type CandlesRequest = Extract<ReadRequest, {read: 'candles'}>;

async function candlesReply(request: CandlesRequest, context: Context, call: CallOptions): Promise<Reply> {
	const {period, limit, from, to} = request;
	refuseTooMany(request, context.clock.now());
	let incomplete: string | undefined;
	const read = async (symbol: string) => {
		const options = {...call, period, from, to};
		if (from === undefined) {
			const answer = await context.exchange.candles(symbol, {...options, limit});
			if (to !== undefined && answer.dropped > 0) incomplete = unreadableCandles;
			if (answer.rangeIgnored) incomplete = rangeIgnored;
			return answer;
		}

		const range = await readCandleRange(
			(from, to) => context.exchange.candles(symbol, {...options, limit: largestPage, from, to}),
			{from, to, now: context.clock.now(), period, limit, onPage: showPage},
		).finally(clearPage);
		incomplete = range.incomplete;
		return range.answer;
	};
	const {market, answer: whole} = await readMarket(context, request.market, call, read);
	// The newest of a range is what `limit` means, not a sign that the exchange ignores it.
	const {answer, remarks: ignored} = bounded(whole, limit, candles => candles.slice(-(limit ?? 0)), from === undefined);
	const received = whole.data.length + whole.dropped;
	// A range has all that the exchange has; without a start, its own maximum may be lower than the limit.
	const isShort = from === undefined && limit !== undefined && received < limit;
	const remarks = isShort ? [`${formatExact(received)} of ${formatExact(limit)} candles received`] : ignored;
	const isRange = from !== undefined || to !== undefined;
	const complete = remarks.length === 0 && incomplete === undefined ? isRange || null : false;
	const title = [...remarks, ...(incomplete ? [`incomplete: ${incomplete}`] : [])];
	return {
		answer,
		document: documents.candlesDocument(market.symbol, period, answer, complete),
		table: style => tables.candlesTable(market, period, answer, style, title),
		remarks,
		missing: incomplete && `candles of the range may be missing: ${incomplete}`,
	};
}

/** Throws a `UsageError` if more candles are asked for than are read at once. */
function refuseTooMany({from, to, period, limit = Infinity}: CandlesRequest, now: number): void {
	if (from === undefined) {
		if (limit <= largestPage || limit === Infinity) return;
		throw new UsageError(`--limit above ${largestPage} needs --from`);
	}

	const count = candleCount({from, to: to ?? now}, period);
	if (Math.min(count, limit) <= mostRangeCandles) return;
	const [counted, most] = [count, mostRangeCandles].map(number => formatExact(number));
	throw new UsageError(
		`the range has ${counted} candles of ${formatPeriod(period)}, at most ${most} are read; choose a longer --period, a shorter range, or --limit`,
	);
}

/** Cuts the list to `limit` with `cut`, and says where the exchange has ignored it. */
function bounded<T>(
	answer: Answer<readonly T[]>,
	limit: number | undefined,
	cut: (data: readonly T[]) => readonly T[],
	wasSent = true,
): {readonly answer: Answer<readonly T[]>; readonly remarks: readonly string[]} {
	if (limit === undefined || answer.data.length <= limit) return {answer, remarks: []};
	return {answer: {...answer, data: cut(answer.data)}, remarks: wasSent ? ['limit ignored by the exchange'] : []};
}

type Tickers = {
	readonly answer: Answer<readonly Ticker[]>;
	/** Markets that exist, but have no ticker in the answer. */
	readonly absent: readonly string[];
};

/** Reads the tickers of the markets in `texts`, in that order, or of all markets. */
async function readTickers(
	texts: readonly string[],
	exchange: Context['exchange'],
	call: CallOptions,
): Promise<Tickers> {
	if (texts.length === 0) return {answer: await exchange.tickers(call), absent: []};
	const [list, tickers] = await Promise.allSettled([exchange.markets(call), exchange.tickers(call)]);
	if (tickers.status === 'rejected') throw tickers.reason;
	const answer = tickers.value;
	// The tickers name the markets too.
	const markets: Pick<Answer<readonly Market[]>, 'data' | 'dropped'> = list.status === 'fulfilled'
		? list.value
		: answer;
	const wanted = [...new Set(texts.map(text => marketNamed(markets.data, text, markets.dropped).symbol))];
	const bySymbol = new Map(answer.data.map(ticker => [ticker.symbol, ticker]));
	return {
		answer: {...answer, data: wanted.flatMap(symbol => bySymbol.get(symbol) ?? [])},
		absent: wanted.filter(symbol => !bySymbol.has(symbol)),
	};
}
