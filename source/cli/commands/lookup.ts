import type {Answer, CallOptions} from '../../client/exchange.ts';
import {findMarket, nearestSymbols, symbolKey} from '../../market/symbol.ts';
import type {Market} from '../../market/types.ts';
import type {Context} from '../context.ts';
import {UsageError} from '../exit.ts';

/** The market of the list that `text` means, in any spelling. Throws a `UsageError` with the nearest names. */
export function marketNamed(markets: readonly Market[], text: string): Market {
	const market = findMarket(markets, text);
	if (market) return market;
	const nearest = nearestSymbols(markets, text);
	const hint = nearest.length > 0 ? `nearest: ${nearest.join(', ')}` : 'tapewatch markets lists them';
	throw new UsageError(`no market ${text} on this exchange; ${hint}`);
}

/** What is known of a market before any list says more. */
const unlistedMarket = (text: string): Market => ({symbol: symbolKey(text), state: ''});

/** How long a market that was read waits for the list that only names its assets. */
const namesMs = 1000;

/**
 * Reads a market while the list is read, for its names: one request more, no wait more than a second. Without a list the
 * market is taken as it was spelled. Rejects with a `UsageError` for a market that the list does not have.
 */
export async function readMarket<T>(
	{exchange, clock}: Pick<Context, 'exchange' | 'clock'>,
	text: string,
	call: CallOptions,
	read: (symbol: string) => Promise<Answer<T>>,
): Promise<{readonly market: Market; readonly answer: Answer<T>}> {
	const late = new AbortController();
	const signal = call.signal ? AbortSignal.any([call.signal, late.signal]) : late.signal;
	let stopWaiting = () => {};
	const [list, answer] = await Promise.allSettled([
		exchange.markets({...call, signal}),
		read(symbolKey(text)).then(given => {
			stopWaiting = clock.after(namesMs, () => late.abort());
			return given;
		}),
	]);
	stopWaiting();
	const market = list.status === 'fulfilled' ? marketNamed(list.value.data, text) : unlistedMarket(text);
	if (answer.status === 'rejected') throw answer.reason;
	return {market, answer: answer.value};
}

/**
 * What a watch follows: the markets of `texts`, else the configured one, else `undefined`, which stands for the exchange's
 * default one. Without a list they are taken as they were spelled: a watch outlasts a failing exchange.
 */
export async function watchedSymbols(
	{exchange, options}: Context,
	texts: readonly string[],
	signal?: AbortSignal,
): Promise<ReadonlyArray<string | undefined>> {
	const named = texts.length > 0 || options.market === undefined ? texts : [options.market];
	if (named.length === 0) return [undefined];
	const list = await exchange.markets({signal, use: options.choice}).catch(error => {
		if (signal?.aborted) throw error;
		return undefined;
	});
	return [...new Set(named.map(text => (list ? marketNamed(list.data, text) : unlistedMarket(text)).symbol))];
}
