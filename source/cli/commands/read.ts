import type {CallOptions} from '../../client/exchange.ts';
import type {Period} from '../../market/types.ts';
import type {Context} from '../context.ts';
import {note, print} from '../output.ts';
import {
	candlesDocument,
	depthDocument,
	infoDocument,
	marketsDocument,
	tickerDocument,
	tradesDocument,
} from './documents.ts';
import {marketNamed, readMarket} from './lookup.ts';
import {
	candlesTable,
	depthTable,
	infoTable,
	marketsTable,
	type TableStyle,
	tickerTable,
	tradesTable,
} from './tables.ts';

/** One read of the exchange, as the command line names it. */
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

/** The same answer for programs and for people. */
type Reply = {
	document(): object;
	/** Lines. */
	table(style: TableStyle): readonly string[];
	/** Asked for, known to the exchange, and yet not in its answer. */
	readonly missing?: readonly string[] | undefined;
};

/** Writes one answer to standard output. Rejects with a `UsageError` or an `ExchangeError`. */
export async function runRead(
	request: ReadRequest,
	json: boolean,
	context: Context,
	signal: AbortSignal,
): Promise<void> {
	const {options, clock, demo} = context;
	const {document, table, missing = []} = await reply(request, context, {signal, use: options.choice});
	if (json && demo) note('DEMO data of the embedded exchange');
	const style = {demo, ascii: options.ascii, now: clock.now()};
	await print(`${json ? JSON.stringify(document()) : table(style).join('\n')}\n`);
	if (missing.length > 0) throw new Error(`the exchange gave no ticker for ${missing.join(', ')}; try again later`);
}

async function reply(request: ReadRequest, context: Context, call: CallOptions): Promise<Reply> {
	const {exchange} = context;
	switch (request.read) {
		case 'info': {
			const answer = await exchange.info(call);
			return {document: () => infoDocument(answer), table: style => infoTable(answer, style)};
		}

		case 'markets': {
			const answer = await exchange.markets(call);
			return {document: () => marketsDocument(answer), table: style => marketsTable(answer, style)};
		}

		case 'ticker':
			return tickerReply(request.markets, exchange, call);

		case 'depth': {
			const read = (symbol: string) => exchange.depth(symbol, call);
			const {market, answer} = await readMarket(context, request.market, call, read);
			return {
				document: () => depthDocument(market.symbol, answer),
				table: style => depthTable(market, answer, style),
			};
		}

		case 'trades': {
			const read = (symbol: string) => exchange.trades(symbol, {...call, limit: request.limit});
			const {market, answer} = await readMarket(context, request.market, call, read);
			return {
				document: () => tradesDocument(market.symbol, answer),
				table: style => tradesTable(market, answer, style),
			};
		}

		case 'candles': {
			const {period, limit, from, to} = request;
			const read = (symbol: string) => exchange.candles(symbol, {...call, period, limit, from, to});
			const {market, answer} = await readMarket(context, request.market, call, read);
			return {
				document: () => candlesDocument(market.symbol, period, answer),
				table: style => candlesTable(market, period, answer, style),
			};
		}
	}
}

/** Of the markets that were asked for, in that order; of all when none was named. */
async function tickerReply(texts: readonly string[], exchange: Context['exchange'], call: CallOptions): Promise<Reply> {
	const [list, tickers] = await Promise.allSettled([
		texts.length > 0 ? exchange.markets(call) : undefined,
		exchange.tickers(call),
	]);
	if (tickers.status === 'rejected') throw tickers.reason;
	let answer = tickers.value;
	let missing: readonly string[] = [];
	if (texts.length > 0) {
		const markets = list.status === 'fulfilled' && list.value ? list.value.data : answer.data;
		const wanted = new Set(texts.map(text => marketNamed(markets, text).symbol));
		const bySymbol = new Map(answer.data.map(ticker => [ticker.symbol, ticker]));
		answer = {...answer, data: [...wanted].flatMap(symbol => bySymbol.get(symbol) ?? [])};
		missing = [...wanted].filter(symbol => !bySymbol.has(symbol));
	}

	return {document: () => tickerDocument(answer), table: style => tickerTable(answer, style), missing};
}
