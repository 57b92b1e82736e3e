import {type Operation, UnavailableError} from '../client/errors.ts';
import type {Answer, CallOptions, Exchange} from '../client/exchange.ts';
import {memo} from '../market/memo.ts';
import {distinctNames, isSameName, marketsNamed, pairName, splitSymbol} from '../market/symbol.ts';
import type {Market, Ticker} from '../market/types.ts';

/** More are counted. */
const mostShown = 3;

/**
 * The exchange as a key shows it that is restricted to these markets, in any spelling: only they are listed, and reads of
 * others reject with an `UnavailableError` without a request.
 */
export function restrictedExchange(exchange: Exchange, markets: readonly string[]): Exchange {
	/** Symbols of the last list, which may have the id of a market whose name others have. */
	let listed: ReadonlySet<string> = new Set();
	const shows = (symbol: string): boolean => listed.has(symbol) || markets.some(market => isSameName(market, symbol));
	const only = <Entry extends Market | Ticker>(entries: readonly Entry[]) =>
		entries.filter(entry => listed.has(entry.symbol) || markets.some(text => marketsNamed([entry], text).length > 0));
	// What was the same answer stays one.
	const onlyMarkets = memo((answer: Answer<readonly Market[]>) => {
		const data = only(answer.data);
		listed = new Set(data.map(({symbol}) => symbol));
		return {...answer, data};
	});
	const onlyTickers = memo((answer: Answer<readonly Ticker[]>) => ({...answer, data: only(answer.data)}));
	const [preferred = 'v2'] = exchange.interfaces;

	function refused(operation: Operation): Promise<never> {
		const brief = `this key shows only ${namesOf(markets)}`;
		const context = {operation, interface: preferred, url: ''} as const;
		return Promise.reject(new UnavailableError({...context, brief, remedy: 'the owner of the server can allow more'}));
	}

	async function showsId(id: string, call: CallOptions): Promise<boolean> {
		const {data} = await exchange.markets({...call, use: 'v2'});
		return only(data).some(market => market.id === id);
	}

	return {
		...exchange,
		markets: async call => onlyMarkets(await exchange.markets(call)),
		tickers: async call => onlyTickers(await exchange.tickers(call)),
		depth: (symbol, call) => (shows(symbol) ? exchange.depth(symbol, call) : refused('depth')),
		async trades(market, call = {}) {
			const isShown = typeof market === 'string' ? shows(market) : await showsId(market.id, {signal: call.signal});
			return isShown ? exchange.trades(market, call) : refused('trades');
		},
		candles: (symbol, call) => (shows(symbol) ? exchange.candles(symbol, call) : refused('candles')),
	};
}

/** `BTC/USDT, ETH/USDT and 2 more`. */
function namesOf(symbols: readonly string[]): string {
	const names = distinctNames(symbols).map(symbol => pairName({symbol, ...splitSymbol(symbol)}));
	const [named, others] = [names.slice(0, mostShown), names.length - mostShown];
	if (others > 0) return `${named.join(', ')} and ${others} more`;
	return [named.slice(0, -1).join(', '), ...named.slice(-1)].filter(Boolean).join(' and ');
}
