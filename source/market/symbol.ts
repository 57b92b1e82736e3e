import {activeState, type Market} from './types.ts';

const separators = /[\s_\-/:]+/g;

/** Quote assets of spot exchanges, for symbols that come without a market list. */
const quoteAssets: readonly string[] = [
	...['USDT', 'USDC', 'BUSD', 'TUSD', 'FDUSD', 'USDP', 'USDE', 'USD1', 'PYUSD', 'USDS', 'PAX', 'DAI'],
	...['USD', 'EUR', 'GBP', 'TRY', 'BRL', 'AUD', 'CAD', 'CHF', 'JPY', 'KRW', 'RUB', 'UAH', 'NGN', 'ZAR', 'IDR', 'INR'],
	...['ARS', 'COP', 'MXN', 'PLN', 'RON', 'CZK', 'AED', 'IRT', 'IRR', 'TMN', 'BIDR', 'IDRT', 'EURI', 'EURC'],
	...['BTC', 'ETH', 'BNB', 'TRX', 'XRP', 'SOL', 'DOGE', 'DOT'],
];

/** Normalizes the spelling of a pair: `btc-usdt`, `BTC_USDT` and `BTC/USDT` become `BTCUSDT`. */
export function symbolKey(text: string): string {
	return text.replace(separators, '').toUpperCase();
}

type Pair = {readonly base: string; readonly quote: string};

/**
 * Every split of a symbol into base and quote asset, in capitals: at its separator, else before each known quote asset that ends it. A
 * hyphen may be a part of the base, as in `A-B.CUSDT`.
 */
function possiblePairs(symbol: string): readonly Pair[] {
	const capitals = symbol.trim().toUpperCase();
	const [base, quote, ...others] = capitals.split(separators).filter(part => part !== '');
	const parts = base !== undefined && quote !== undefined && others.length === 0 ? [{base, quote}] : [];
	if (parts.length > 0 && (/[_/]/.test(capitals) || quoteAssets.includes(quote ?? ''))) return parts;
	const pairs = quoteAssets
		.filter(asset => capitals.endsWith(asset))
		.map(asset => ({base: capitals.slice(0, -asset.length).replace(/[\s_\-/:]+$/, ''), quote: asset}))
		.filter(pair => pair.base !== '');
	return pairs.length > 0 ? pairs : parts;
}

/** Whether a symbol that comes without a list may be of several pairs, as `ABUSD` may be of A/BUSD and AB/USD. */
export const isAmbiguous = (symbol: string): boolean => possiblePairs(symbol).length > 1;

/**
 * Splits a symbol that comes without a list into base and quote asset: at its separator, else before the longest known quote
 * asset that leaves a base. Undefined when neither works.
 */
export const splitSymbol = (symbol: string): Pair | undefined =>
	possiblePairs(symbol).reduce<Pair | undefined>(
		(longest, pair) => (longest && longest.quote.length >= pair.quote.length ? longest : pair),
		undefined,
	);

/**
 * Splits the symbols of one list, in its order. Of several possible splits, the one whose base has other markets in the list
 * is right; if that decides nothing, the one whose quote asset has. Undefined where neither tells: `ABUSD` may be AB/USD or A/BUSD.
 */
export function splitSymbols(symbols: readonly string[]): ReadonlyArray<Pair | undefined> {
	const choices = symbols.map(possiblePairs);
	const pairs = choices.map(([first, ...others]) => (others.length === 0 ? first : undefined));
	const bases = new Set(pairs.map(pair => pair?.base));
	const quotes = new Set(pairs.map(pair => pair?.quote));
	const byBase = (choice: readonly Pair[]) => onlyOne(choice.filter(({base}) => bases.has(base)));
	const byQuote = (choice: readonly Pair[]) =>
		choice.some(({base}) => bases.has(base))
			? onlyOne(choice.filter(({base, quote}) => bases.has(base) && quotes.has(quote)))
			: onlyOne(choice.filter(({quote}) => quotes.has(quote)));

	// What one step decides is evidence for the next one, in no order of the list.
	for (const decide of [byBase, byQuote]) {
		const decided = choices.map((choice, index) => pairs[index] ?? decide(choice));
		for (const [index, pair] of decided.entries()) {
			if (!pair) continue;
			pairs[index] = pair;
			bases.add(pair.base);
			quotes.add(pair.quote);
		}
	}

	return pairs;
}

/** The markets that have these symbols, as far as they tell their assets: for where no list of markets is known. */
export function unlistedMarkets(symbols: readonly string[]): readonly Market[] {
	const pairs = splitSymbols(symbols);
	return symbols.map((symbol, index) => ({symbol, ...pairs[index], state: activeState}));
}

type Numbered = Pick<Market, 'symbol' | 'id'>;

/** The symbol of a market whose name others have too: the exchange does not know it. */
export const numberedSymbol = (name: string, id: string): string => `${name}#${id}`;

/** The id at the end of a symbol whose name others have; undefined: it has none. */
export const idIn = (symbol: string): string | undefined => /#(\d+)$/.exec(symbol)?.[1];

/** Whether other markets have its name, so that its symbol ends with its id. */
export const isNumbered = ({symbol, id}: Numbered): boolean => id !== undefined && symbol.endsWith(`#${id}`);

/** The concatenated name of a market, which others may share: its symbol without the id. */
export const sharedName = (market: Numbered): string =>
	isNumbered(market) ? market.symbol.slice(0, market.symbol.lastIndexOf('#')) : market.symbol;

/** `BTC/USDT` where the market has base and quote, else the symbol; `AB/USD#3` where others have its name. */
export function pairName(market: Pick<Market, 'symbol' | 'base' | 'quote' | 'id'>): string {
	const {base, quote, id} = market;
	if (!base || !quote) return market.symbol;
	return isNumbered(market) ? `${base}/${quote}#${id}` : `${base}/${quote}`;
}

/** The market that `text` names in any spelling. Undefined: none, or several that share a name (`marketsNamed`). */
export function findMarket(markets: readonly Market[], text: string): Market | undefined {
	return markets.find(market => market.symbol === text) ?? onlyOne(marketsNamed(markets, text));
}

/**
 * The markets that `text` may name: with their symbol, with or without their id, or, where it separates base and quote, with that pair.
 */
export function marketsNamed(markets: readonly Market[], text: string): readonly Market[] {
	const key = symbolKey(text);
	const isNamed = (market: Market) =>
		[market.symbol, sharedName(market), `${sharedName(market)}#${market.id}`].some(name => symbolKey(name) === key);
	const alike = markets.filter(isNamed);
	const pairs = alike.filter(market => isPair(market, text));
	return pairs.length > 0 ? pairs : alike.filter(market => !isOtherPair(market, text));
}

const onlyOne = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined);

/** Whether `text` is the market's base and quote with a separator between them, which either may contain too. */
function isPair({base, quote}: Market, text: string): boolean {
	if (base === undefined || quote === undefined) return false;
	const [start, end] = [base.toUpperCase(), quote.toUpperCase()];
	const capitals = text.trim().toUpperCase();
	return (
		capitals.startsWith(start) &&
		capitals.endsWith(end) &&
		/^[\s_\-/:]$/.test(capitals.slice(start.length, -end.length))
	);
}

/** Whether `text` separates base and quote elsewhere than the market: BTCU/SDT is not BTC/USDT. */
function isOtherPair({base, quote}: Market, text: string): boolean {
	const parts = text.split(separators).filter(part => part !== '');
	if (parts.length !== 2 || base === undefined || quote === undefined) return false;
	const isPlain = base === symbolKey(base) && quote === symbolKey(quote);
	return isPlain && parts[0]?.toUpperCase() !== base;
}

/**
 * How a market of no list is asked for: where `text` separates base and quote, `AB_USD`, which tells AB/USD from A/BUSD, else the
 * concatenated name.
 */
export function unlistedName(text: string): string {
	const [base = '', quote = '', ...others] = text
		.trim()
		.toUpperCase()
		.split(text.includes('/') ? '/' : separators);
	return base && quote && others.length === 0 ? `${base}_${quote}` : symbolKey(text);
}

/** The texts that name different markets as far as can be told without a list, in order. */
export const distinctNames = (texts: readonly string[]): readonly string[] =>
	texts.filter((text, index) => !texts.slice(0, index).some(other => isSameName(other, text)));

/** Whether two spellings name one market as far as can be told without a list: AB/USD and A/BUSD do not. */
export function isSameName(one: string, other: string): boolean {
	if (symbolKey(one) !== symbolKey(other)) return false;
	const [first, second] = [unlistedName(one), unlistedName(other)];
	return first === second || !first.includes('_') || !second.includes('_');
}

/** `ABUSD is the name of several markets: A/BUSD#2 (Spot, active), AB/USD#3 (Spot, active)`, where `text` names more than one; else undefined. */
export function sharedNameText(markets: readonly Market[], text: string): string | undefined {
	const alike = marketsNamed(markets, text);
	if (alike.length < 2) return undefined;
	const words = ({type, state}: Market) => (type === undefined ? state : `${type}, ${state}`);
	const names = alike.map(market => `${pairName(market)} (${words(market)})`);
	return `${text} is the name of several markets: ${names.join(', ')}`;
}

const preferredKey = 'BTCUSDT';

/** The market to show when none was named: BTC/USDT when it is active, else the first active one whose name is its own, else the first. */
export function defaultSymbol(markets: Iterable<Numbered & {readonly state: string}>): string | undefined {
	const all = [...markets];
	const active = all.filter(market => market.state === activeState);
	const preferred = active.find(market => symbolKey(market.symbol) === preferredKey);
	return (preferred ?? active.find(market => !isNumbered(market)) ?? active[0] ?? all[0])?.symbol;
}

/**
 * Up to three symbols that `text` most likely means, nearest first, ties in the order of `markets`. A typo or two swapped
 * letters count 1, a missing quote asset less.
 */
export function nearestSymbols(markets: readonly Market[], text: string): readonly string[] {
	const key = symbolKey(text);
	return markets
		.map(({symbol, base = splitSymbol(symbol)?.base}) => {
			const whole = editDistance(key, symbolKey(symbol));
			const withoutQuote = base === undefined ? Infinity : editDistance(key, symbolKey(base)) + 0.5;
			return {symbol, distance: Math.min(whole, withoutQuote)};
		})
		.filter(({distance}) => distance <= (key.length + 1) / 2)
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 3)
		.map(({symbol}) => symbol);
}

/** `did you mean A, B or C?` with the markets that `text` may be a typo of; empty if no market is near. */
export function marketSuggestion(markets: readonly Market[], text: string): string {
	const names = nearestSymbols(markets, text);
	if (names.length === 0) return '';
	return `did you mean ${[names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' or ')}?`;
}

/** Why `text` names no market: none has that name, or several do. */
export function noMarketText(markets: readonly Market[], text: string): string {
	const shared = sharedNameText(markets, text);
	if (shared !== undefined) return shared;
	const hint = marketSuggestion(markets, text);
	return `no market ${text}${hint && `; ${hint}`}`;
}

/** The word that `text` is a typo of, in any case: at most a third of the word is wrong. Undefined: none. */
export function nearestWord<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
	const distance = (word: string) => editDistance(text.toLowerCase(), word.toLowerCase());
	const [nearest] = words.toSorted((a, b) => distance(a) - distance(b));
	return nearest !== undefined && distance(nearest) <= nearest.length / 3 ? nearest : undefined;
}

/** Optimal string alignment: insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(a: string, b: string): number {
	let beforeLast: number[] = [];
	let last = Array.from({length: b.length + 1}, (_, column) => column);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const same = a[row - 1] === b[column - 1];
			let distance = Math.min(
				(last[column] ?? 0) + 1,
				(current[column - 1] ?? 0) + 1,
				(last[column - 1] ?? 0) + (same ? 0 : 1),
			);
			const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
			if (swapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
			current.push(distance);
		}

		beforeLast = last;
		last = current;
	}

	return last[b.length] ?? 0;
}
