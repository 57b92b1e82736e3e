import {UnavailableError} from '../client/errors.ts';
import type {Answer, CallOptions} from '../client/exchange.ts';
import {type Middleware, readBy, unsentContext} from '../client/middleware.ts';
import type {Question, QuestionOf} from '../client/question.ts';
import {memo} from '../market/memo.ts';
import {distinctNames, isSameName, marketsNamed, pairName, splitSymbol} from '../market/symbol.ts';
import type {Market, Ticker} from '../market/types.ts';

/** Maximum markets that a refusal names; it counts the others. */
const mostShown = 3;

/**
 * The exchange as a key shows it that is restricted to these markets, in any spelling: only they are listed, and reads of
 * others reject with an `UnavailableError` without a request.
 */
export function restrictedTo(markets: readonly string[]): Middleware {
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

	function checked(question: Question, isShown: boolean, call: CallOptions): void {
		if (isShown) return;
		const brief = `this key shows only ${namesOf(markets)}`;
		throw new UnavailableError({
			...unsentContext(question, call),
			brief,
			remedy: 'the owner of the server can allow more',
		});
	}

	return next => {
		async function showsId(id: string, signal: AbortSignal | undefined): Promise<boolean> {
			const {data} = await next({ask: 'markets'}, {signal, use: 'v2'});
			return only(data).some(market => market.id === id);
		}

		const ofMarket = async <Wanted extends QuestionOf<'depth' | 'trades' | 'candles'>>(
			question: Wanted,
			call: CallOptions,
		) => {
			const {market} = question;
			checked(question, typeof market === 'string' ? shows(market) : await showsId(market.id, call.signal), call);
			return next(question, call);
		};
		return readBy(
			{
				markets: async (question, call) => onlyMarkets(await next(question, call)),
				tickers: async (question, call) => onlyTickers(await next(question, call)),
				depth: ofMarket,
				trades: ofMarket,
				candles: ofMarket,
			},
			next,
		);
	};
}

/** `BTC/USDT, ETH/USDT and 2 more`. */
function namesOf(symbols: readonly string[]): string {
	const names = distinctNames(symbols).map(symbol => pairName({symbol, ...splitSymbol(symbol)}));
	const [named, others] = [names.slice(0, mostShown), names.length - mostShown];
	if (others > 0) return `${named.join(', ')} and ${others} more`;
	return [named.slice(0, -1).join(', '), ...named.slice(-1)].filter(Boolean).join(' and ');
}
