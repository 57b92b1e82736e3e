import type {Answer, CallOptions} from '../../client/exchange.ts';
import type {Market, Period, Ticker} from '../../market/types.ts';
import type {Context} from '../context.ts';
import {demoTitle, note, print, roundedText} from '../output.ts';
import * as documents from './documents.ts';
import {marketNamed, readMarket} from './lookup.ts';
import * as tables from './tables.ts';

/** What one of the read commands requests. */
export type ReadRequest =
	| {readonly read: 'info' | 'markets'}
	| {readonly read: 'ticker'; readonly markets: readonly string[]}
	| {readonly read: 'depth'; readonly market: string}
	| {readonly read: 'trades'; readonly market: string; readonly limit?: number | undefined}
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
	const {answer, document, table, missing} = await reply(request, context, {signal, use: options.choice});
	if (json && demo) note(demoTitle);
	if (answer.rounded) note(roundedText(answer.rounded));
	const style = {demo, ascii: options.ascii, now: clock.now()};
	await print(`${json ? JSON.stringify({...document, ...documents.originOf(context)}) : table(style).join('\n')}\n`);
	if (missing !== undefined) throw new Error(`${missing}; try again later`);
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
			const missing = absent.length > 0 ? `the exchange has ${none} for ${absent.join(', ')}` : undefined;
			return {answer, document: documents.tickerDocument(answer), table, missing};
		}

		case 'depth': {
			const read = (symbol: string) => exchange.depth(symbol, call);
			const {market, answer} = await readMarket(context, request.market, call, read);
			const table = (style: tables.TableStyle) => tables.depthTable(market, answer, style);
			const {bidsFailure} = answer.data;
			const missing = bidsFailure && `the book has no bids: ${bidsFailure.message}`;
			return {answer, document: documents.depthDocument(market.symbol, answer), table, missing};
		}

		case 'trades': {
			const read = (symbol: string) => exchange.trades(symbol, {...call, limit: request.limit});
			const {market, answer} = await readMarket(context, request.market, call, read);
			const table = (style: tables.TableStyle) => tables.tradesTable(market, answer, style);
			return {answer, document: documents.tradesDocument(market.symbol, answer), table};
		}

		case 'candles': {
			const {period, limit, from, to} = request;
			const read = (symbol: string) => exchange.candles(symbol, {...call, period, limit, from, to});
			const {market, answer} = await readMarket(context, request.market, call, read);
			const table = (style: tables.TableStyle) => tables.candlesTable(market, period, answer, style);
			return {answer, document: documents.candlesDocument(market.symbol, period, answer), table};
		}
	}
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
