import {ExchangeError} from '../../client/errors.ts';
import type {Answer, CallOptions} from '../../client/exchange.ts';
import {
	distinctNames,
	findMarket,
	isAmbiguous,
	isNumbered,
	marketSuggestion,
	marketsNamed,
	sharedNameText,
	symbolKey,
	unlistedName,
} from '../../market/symbol.ts';
import type {Market} from '../../market/types.ts';
import {listWith} from '../../store/listed.ts';
import {hasData, hasMarkets, type MarketStore} from '../../store/state.ts';
import type {Context} from '../context.ts';
import {UsageError} from '../exit.ts';
import type {Output} from '../output.ts';
import {commandNamed} from '../program/names.ts';
import {quotedIn} from './arrange.ts';

/**
 * Finds a market by any spelling. Throws a `UsageError` with the nearest names, or with the command that is meant. `dropped`: unreadable entries of the list,
 * one of which may have been the market if its name was unreadable too.
 */
export function marketNamed(markets: readonly Market[], text: string, dropped = 0): Market {
	const market = findMarket(markets, text);
	if (market) return market;
	const shared = sharedNameText(markets, text);
	if (shared !== undefined) throw new UsageError(shared);
	const command = commandNamed(text);
	if (command !== undefined) throw new UsageError(`no market ${text}; ${command}`);
	const nameless = dropped - markets.filter(({unreadable}) => unreadable).length;
	const where = nameless > 0 ? ` in the market list, ${nameless} of whose entries cannot be read` : '';
	const suggestion = marketSuggestion(markets, text) || 'tapewatch markets lists them';
	throw new UsageError(`no market ${text}${where}; ${suggestion}`);
}

/** Finds a market in a list that was read, as `marketNamed` does. Throws also where legacy does not tell whether it is the pair in `text`. */
function marketIn(list: Answer<readonly Market[]>, text: string): Market {
	const market = marketNamed(list.data, text, list.dropped);
	const {symbol, base} = market;
	const isUnknown = list.interface === 'legacy' && base === undefined && isAmbiguous(symbol);
	if (!isUnknown || !unlistedName(text).includes('_')) return market;
	throw new UsageError(`legacy lists ${symbol}, which may be another pair than ${text}; ask for ${symbol}, or use v2`);
}

/** The market whose base asset is `text`. */
export const marketByBase = (markets: readonly Market[], text: string): Market | undefined =>
	markets.find(({base}) => base !== undefined && symbolKey(base) === symbolKey(text));

/** Says on standard error that the market is read although its entry in the list is unreadable, if so. */
function noteUnreadable({symbol, unreadable}: Market, {note}: Pick<Output, 'note'>): void {
	if (unreadable) note(`the entry of ${symbol} in the market list cannot be read; reading ${symbol} anyway`);
}

/** The market as spelled by the user, when there is no list to look it up in. */
const unlistedMarket = (text: string): Market => ({symbol: symbolKey(text), state: ''});

/** How long a finished read waits for the list, which only adds the names of the assets. */
const namesMs = 1000;

export type Asking = Pick<Context, 'exchange' | 'clock'>;
type Reading = Asking & Pick<Context, 'output'>;

/** The list of markets, read anew where it lacks one of `texts` (`listWith`). */
export async function listNaming(
	texts: readonly string[],
	{exchange, clock}: Asking,
	call: CallOptions,
	list: Answer<readonly Market[]> | Promise<Answer<readonly Market[]>> = exchange.markets(call),
): Promise<Answer<readonly Market[]>> {
	return listWith(texts, await list, {read: exchange.read, clock}, call);
}

/**
 * Reads a market and, at the same time, the list that names its assets, which takes at most a second longer; once more, where the list has
 * another name for it than its spelling. If the list fails, the market is used as spelled. Rejects with a `UsageError` for a market
 * that is not in the list.
 */
export async function readMarket<T>(
	context: Reading,
	text: string,
	call: CallOptions,
	read: (symbol: string) => Promise<T>,
): Promise<{readonly market: Market; readonly answer: T}> {
	const [listed, spelled] = await besideList(context, call, () => read(unlistedName(text)));
	spelled.catch(() => {});
	const list = listed && (await listNaming([text], context, call, listed));
	const market = list ? marketIn(list, text) : unlistedMarket(text);
	noteUnreadable(market, context.output);
	const isOther = market.name !== undefined || isNumbered(market);
	return {market, answer: await (isOther ? read(market.symbol) : spelled)};
}

/**
 * Reads the market of a quote asset, `text` being any spelling of the pair or its base asset alone, once the list has named it.
 * Rejects with a `UsageError` if there is none.
 */
export async function readQuotedMarket<T>(
	context: Reading,
	{text, quote}: {readonly text: string; readonly quote: string},
	call: CallOptions,
	read: (symbol: string) => Promise<T>,
): Promise<{readonly market: Market; readonly answer: T}> {
	const list = await listNaming([text], context, call);
	const quoted = quotedIn(list.data, quote);
	const market = findMarket(quoted, text) ?? marketByBase(quoted, text);
	if (!market) {
		const advice = marketSuggestion(quoted, text) || `tapewatch markets --quote ${quote} lists them`;
		throw new UsageError(`no market ${text} with the quote asset ${quote.toUpperCase()}; ${advice}`);
	}

	noteUnreadable(market, context.output);
	return {market, answer: await read(market.symbol)};
}

/** Reads a market by its id, as `readMarket` does. `market` is undefined if the list fails or does not have it. */
export async function readMarketWithId<T>(
	context: Reading,
	id: string,
	call: CallOptions,
	read: () => Promise<T>,
): Promise<{readonly market: Market | undefined; readonly answer: T}> {
	const [list, answer] = await besideList(context, {...call, use: 'v2'}, read);
	const market = list?.data.find(each => each.id === id);
	if (!market && list) {
		context.output.note(`market ${id} is not in the market list, or its entry cannot be read; reading it anyway`);
	}

	return {market, answer: await answer};
}

/** Settles when both are done, the list with undefined if it failed, is empty or came too late; the answer is still to be awaited. */
async function besideList<T>(
	{exchange, clock}: Reading,
	call: CallOptions,
	read: () => Promise<T>,
): Promise<readonly [list: Answer<readonly Market[]> | undefined, answer: Promise<T>]> {
	const late = new AbortController();
	const signal = call.signal ? AbortSignal.any([call.signal, late.signal]) : late.signal;
	let stopWaiting = () => {};
	const reading = read();
	const [list] = await Promise.allSettled([
		exchange.markets({...call, signal}),
		reading.then(
			() => {
				stopWaiting = clock.after(namesMs, () => late.abort());
			},
			error => {
				// The list would wait for the same limit.
				if (error instanceof ExchangeError && error.status === 429) late.abort();
			},
		),
	]);
	stopWaiting();
	return [list.status === 'fulfilled' && list.value.data.length > 0 ? list.value : undefined, reading];
}

/** A market to watch; without symbol: the exchange's default one. */
export type WatchedMarket = {
	readonly symbol: string | undefined;
	/** The market as the user spelled it, which no list has confirmed yet. */
	readonly unlisted?: string | undefined;
};

/**
 * The markets to watch: those of `texts`, or only the exchange's default one. If the list fails or is empty, markets
 * are used as spelled, because a watch keeps running while an exchange fails.
 */
export async function watchedMarkets(
	context: Context,
	texts: readonly string[],
	signal?: AbortSignal,
): Promise<readonly WatchedMarket[]> {
	if (texts.length === 0) return [{symbol: undefined}];
	const {options, output} = context;
	const list = await listNaming(texts, context, {signal, use: options.choice}).catch(() => undefined);
	const isEmpty = list?.data.length === 0;
	if (isEmpty) output.note('no markets yet: the exchange lists none');
	if (!list || isEmpty) return distinctNames(texts).map(text => ({symbol: unlistedName(text), unlisted: text}));
	const markets = texts.map(text => marketIn(list, text));
	const bySymbol = new Map(markets.map(market => [market.symbol, market]));
	for (const market of bySymbol.values()) noteUnreadable(market, output);
	return [...bySymbol.keys()].map(symbol => ({symbol}));
}

/** What came before the first list that has markets. */
export type BeforeList = {
	/** Data of the market was received, so that a list without it is no reason to leave it. */
	readonly isShown: boolean;
	/** No list had failed or been empty. */
	readonly isFirst: boolean;
};

export type MarketList = Pick<Answer<readonly Market[]>, 'data' | 'dropped'>;

/**
 * A check for `onceListed` of a market that no list has confirmed. Throws a `UsageError` where the list lacks it and no data came, or
 * where it has several of that name; else notes that it is read anyway.
 */
export const checkUnlisted =
	({unlisted}: WatchedMarket, doing: 'watching' | 'recording', {note}: Pick<Output, 'note'>) =>
	({data, dropped}: MarketList, {isShown}: BeforeList): void => {
		if (unlisted === undefined) return;
		if (!isShown || sharedNameText(data, unlisted) !== undefined) marketNamed(data, unlisted, dropped);
		else if (!findMarket(data, unlisted)) note(`${unlisted} is not in the market list; ${doing} it anyway`);
	};

/**
 * Passes the first market list that has markets, or the next one if the market is not in it, to `check`, and what that throws to `fail`, if the market of the start is still
 * selected. Returns the function that stops this.
 */
export function onceListed(
	store: MarketStore,
	check: (list: MarketList, past: BeforeList) => void,
	fail: (error: unknown) => void,
): () => void {
	const {symbol: first = ''} = store.getSnapshot();
	let isFirst = true;
	/** The list that lacks the market and is read again. */
	let outdated: unknown;
	const unsubscribe = store.subscribe(() => {
		const state = store.getSnapshot();
		const {markets, symbol = ''} = state;
		if (!hasMarkets(markets)) {
			isFirst &&= markets.status === 'waiting';
			return;
		}

		if (markets === outdated) return;
		if (outdated === undefined && first !== '' && marketsNamed(markets.data, first).length === 0) {
			outdated = markets;
			if (store.relist()) return;
		}

		unsubscribe();
		if (symbolKey(symbol) !== symbolKey(first)) return;
		try {
			check(markets, {isShown: hasData(state), isFirst});
		} catch (error) {
			fail(error);
		}
	});
	return unsubscribe;
}
