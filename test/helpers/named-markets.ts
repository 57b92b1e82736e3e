import {type ExchangeServer, legacy, paths, type Reply, sends, v2} from './exchange-server.ts';
import {ticker as tickerEntry} from './wire-entries.ts';

/** A market of an exchange that answers by names and ids; everything of it is at its price. */
export type NamedMarket = {
	readonly id: number;
	readonly base: string;
	readonly quote: string;
	readonly price: number;
	readonly state?: string;
	readonly type?: string;
};

/** Markets of which several share a name: other pairs, and one that was listed again. */
export const sharedNames: readonly NamedMarket[] = [
	{id: 1, base: 'BTC', quote: 'USDT', price: 60_000},
	{id: 2, base: 'A', quote: 'BUSD', price: 1.5},
	{id: 3, base: 'AB', quote: 'USD', price: 300},
	{id: 4, base: 'LUNA', quote: 'USDT', price: 0.0001, state: 'delisted'},
	{id: 5, base: 'LUNA', quote: 'USDT', price: 5},
];

/** Markets with characters in their bases that a symbol has not, or no keyboard. */
export const oddNames: readonly NamedMarket[] = [
	{id: 1, base: 'BTC', quote: 'USDT', price: 60_000},
	{id: 7, base: '币安人生', quote: 'USDT', price: 0.1234},
	{id: 8, base: '1000SATS', quote: 'USDT', price: 0.0001234},
	{id: 9, base: '$WIF', quote: 'USDT', price: 1.5},
	{id: 10, base: 'A-B.C', quote: 'USDT', price: 2},
	{id: 11, base: 'kBONK', quote: 'USDT', price: 0.03},
];

/**
 * Answers both interfaces as an exchange does that lists these markets: the first of those that have a name answers to it, and a name
 * that none has is a bad request.
 */
export function answerByName(server: ExchangeServer, markets: () => readonly NamedMarket[], time = Date.now()): void {
	const nameOf = ({base, quote}: NamedMarket) => base + quote;
	const named = (name = '') =>
		markets().find(market => nameOf(market) === name || `${market.base}_${market.quote}` === name);
	const of =
		(reply: (market: NamedMarket) => Reply): Reply =>
		(response, request) => {
			const {symbol, marketId} = request.query;
			const market = marketId === undefined ? named(symbol) : markets().find(({id}) => `${id}` === marketId);
			(market ? reply(market) : sends({success: false, message: 'unknown symbol'}, {status: 400}))(response, request);
		};
	const all =
		(reply: () => Reply): Reply =>
		(response, request) =>
			reply()(response, request);
	const ticker = (market: NamedMarket) =>
		tickerEntry({
			...{symbol: nameOf(market), lastPrice: market.price, state: market.state ?? 'active'},
			type: (market.type ?? 'spot').toLowerCase(),
		});
	const list = ({id, base, quote, state = 'active', type = 'Spot'}: NamedMarket) => ({
		...{id, marketName: base + quote, base, quote, state, marketType: type},
	});
	const asks = ({price}: NamedMarket) => [[price, 2]];
	const legacyEntry = ({price}: NamedMarket) => ({
		...{percentChange: 1, high24hr: price, higestBid: price, last: price, id: null, quoteVolume: 1},
		...{isFrozen: 0, low24hr: price, lowestAsk: price},
	});
	server.answer(
		paths.markets,
		all(() => v2(markets().map(list))),
	);
	server.answer(
		paths.ticker,
		all(() => v2(markets().map(ticker))),
	);
	server.answer(
		paths.depth,
		of(market => v2({asks: asks(market)})),
	);
	server.answer(
		paths.trades,
		of(({id, price}) => v2([{id: 100 + id, quantity: 1, price, time, side: 'buy'}])),
	);
	const minute = Math.floor(time / 60_000) * 60;
	server.answer(
		paths.candles,
		of(({price}) => v2([{id: minute, open: price, close: price, low: price, high: price, volume: 1}])),
	);
	server.answer(
		paths.legacyTicker,
		all(() => legacy(Object.fromEntries(markets().map(market => [nameOf(market), legacyEntry(market)])))),
	);
	server.answer(
		paths.legacyDepth,
		of(market => legacy({asks: asks(market), bids: [[market.price / 2, 1]]})),
	);
	server.answer(
		paths.legacyTrades,
		of(({id, price}) => legacy([{tradeId: id, quantity: 1, price, createdOn: new Date(time).toISOString()}])),
	);
}
