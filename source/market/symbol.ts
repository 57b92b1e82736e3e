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

/** Every split of a symbol into base and quote asset, in capitals: at its separator, else before each known quote asset that ends it. */
function possiblePairs(symbol: string): readonly Pair[] {
	const parts = symbol
		.toUpperCase()
		.split(separators)
		.filter(part => part !== '');
	const [base, quote] = parts;
	if (base !== undefined && quote !== undefined && parts.length === 2) return [{base, quote}];
	const key = symbolKey(symbol);
	return quoteAssets
		.filter(asset => asset.length < key.length && key.endsWith(asset))
		.map(asset => ({base: key.slice(0, -asset.length), quote: asset}));
}

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
	const onlyOne = (found: readonly Pair[]) => (found.length === 1 ? found[0] : undefined);
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

/** `BTC/USDT` where the market has base and quote, else the symbol. */
export function pairName(market: Pick<Market, 'symbol' | 'base' | 'quote'>): string {
	return market.base && market.quote ? `${market.base}/${market.quote}` : market.symbol;
}

/** The market that `text` names in any spelling. */
export function findMarket(markets: readonly Market[], text: string): Market | undefined {
	const key = symbolKey(text);
	const isNamed = (market: Market) => symbolKey(market.symbol) === key && !isOtherPair(market, text);
	return markets.find(market => market.symbol === text) ?? markets.find(isNamed);
}

/** Whether `text` separates base and quote elsewhere than the market: BTCU/SDT is not BTC/USDT. */
function isOtherPair({base, quote}: Market, text: string): boolean {
	const parts = text.split(separators).filter(part => part !== '');
	if (parts.length !== 2 || base === undefined || quote === undefined) return false;
	const isPlain = base === symbolKey(base) && quote === symbolKey(quote);
	return isPlain && parts[0]?.toUpperCase() !== base;
}

const preferredKey = 'BTCUSDT';

/** The market to show when none was named: BTC/USDT when it is active, else the first active one, else the first. */
export function defaultSymbol(
	markets: Iterable<{readonly symbol: string; readonly state: string}>,
): string | undefined {
	const all = [...markets];
	const active = all.filter(market => market.state === activeState);
	return (active.find(market => symbolKey(market.symbol) === preferredKey) ?? active[0] ?? all[0])?.symbol;
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
