import type {Exchange} from '../../../source/client/exchange.ts';
import {type ExchangeServer, legacy, paths, type Reply, v2} from '../../helpers/exchange-server.ts';
import {candle, legacyTicker, legacyTrade, market, ticker, trade} from '../../helpers/wire-entries.ts';

export const only = {use: 'legacy'} as const;
export const start = 1_723_158_000;
export const hour = 3_600_000;
export const book = {asks: [[11, 1]], bids: [[9, 1]]};

const answers: ReadonlyArray<readonly [path: string, reply: Reply]> = [
	[paths.info, v2({name: 'Loop'})],
	[paths.markets, v2([market('BTC')])],
	[paths.summary, v2({markets: [ticker()]})],
	[paths.ticker, v2([ticker()])],
	[paths.depth, v2(book)],
	[paths.trades, v2([trade(1)])],
	[paths.candles, v2([candle(start)])],
	[paths.legacyTicker, legacy({BTCUSDT: legacyTicker()})],
	[paths.legacyDepth, legacy(book)],
	[paths.legacyTrades, legacy([legacyTrade(1, '1970-01-01T00:00:01Z')])],
];

/** Answers every operation but that at `without`. */
export function answerAll(server: ExchangeServer, {prefix = '', without = ''} = {}): void {
	for (const [path, reply] of answers) if (path !== without) server.answer(prefix + path, reply);
}

/** Reads everything that there is to read, with every parameter. */
export async function readAll(exchange: Exchange): Promise<void> {
	await exchange.info();
	await exchange.markets();
	await exchange.markets(only);
	await exchange.tickers();
	await exchange.tickers(only);
	await exchange.depth('BTCUSDT', {use: 'v2'});
	await exchange.depth('BTCUSDT', only);
	await exchange.trades('BTCUSDT', {limit: 5});
	await exchange.trades({id: '7'});
	await exchange.trades('BTCUSDT', {...only, limit: 5});
	const range = {period: 60, from: start * 1000, to: start * 1000 + hour};
	await exchange.candles('BTCUSDT', {...range, limit: 5});
}
