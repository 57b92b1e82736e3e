import {findMarket, idIn, isNumbered, sharedName, sharedNameText, symbolKey, unlistedName} from '../market/symbol.ts';
import type {Interface, Market, Ticker} from '../market/types.ts';
import {distinct, firstOfEach} from './wire/decode.ts';

/** How the interfaces are asked for one market. */
type Names = {
	/** For the book and candles. */
	readonly v2?: string | undefined;
	/** For trades. */
	readonly v2Trades?: string | {readonly id: string} | undefined;
	readonly legacy?: string | undefined;
	/** Why one of them is absent: no answer would be known to be of this market. */
	readonly fault?: NameFault | undefined;
};

export type NameFault = {readonly brief: string; readonly remedy: string};

type List<Entry> = {readonly data: readonly Entry[]; readonly interface: Interface; readonly dropped: number};

/** The names of the markets in the last lists of an exchange. */
export function createListedNames() {
	/** Of v2. */
	let markets: readonly Market[] = [];
	let bySymbol: ReadonlyMap<string, Market> = new Map();
	/** Those that share a name, by that. */
	let sharing: ReadonlyMap<string, readonly Market[]> = new Map();
	/** Legacy's own names, by symbol, where they differ. */
	let legacyNames: ReadonlyMap<string, string> = new Map();

	function withListedPair(market: Market): readonly Market[] {
		// Legacy does not tell which of them it means.
		const alike = sharing.get(market.symbol);
		if (alike) return alike;
		const listed = bySymbol.get(market.symbol);
		return [listed && !listed.unreadable ? {...market, base: listed.base, quote: listed.quote} : market];
	}

	function namesOfSharing({id, base, quote, ...market}: Market): Names {
		const name = sharedName({id, ...market});
		// Where several markets have one id, the list gives it no pair.
		if (base === undefined || quote === undefined || id === undefined)
			return {fault: {...sharedPair(name), remedy: 'their ids are equal too'}};
		const isOnly = (sharing.get(name) ?? []).filter(each => each.base === base && each.quote === quote).length === 1;
		if (!isOnly) return {v2Trades: {id}, fault: sharedPair(`${base}/${quote}`)};
		const pair = `${base}_${quote}`;
		return {
			v2: pair,
			v2Trades: pair,
			fault: {brief: `${name} names several markets`, remedy: 'choose v2'},
		};
	}

	/** The market that a ticker of several can only be of. */
	function onlyMarket(ticker: Ticker): Market | undefined {
		const alike = sharing.get(ticker.symbol) ?? [];
		const [market, ...others] = alike.filter(each => each.state === ticker.state && hasType(each, ticker));
		return others.length === 0 ? market : undefined;
	}

	function distinguish(all: readonly Ticker[], isCertain: boolean): Ticker[] {
		const owners = all.map(ticker => (isCertain ? onlyMarket(ticker) : undefined));
		return all.flatMap((ticker, index): Ticker | [] => {
			if (!sharing.has(ticker.symbol)) return ticker;
			const owner = owners[index];
			const isOnly = owner && owners.filter(each => each === owner).length === 1;
			return isOnly ? {...ticker, symbol: owner.symbol} : [];
		});
	}

	return {
		/** Keeps what a list says, and returns it with what v2's last list says of legacy's markets. */
		listed<Answer extends List<Market>>(answer: Answer): Answer {
			if (answer.interface === 'v2') {
				markets = answer.data;
				bySymbol = new Map(markets.map(market => [market.symbol, market]));
				sharing = Map.groupBy(markets.filter(isNumbered), sharedName);
				return answer;
			}

			legacyNames = new Map(answer.data.flatMap(({symbol, name}) => (name === undefined ? [] : [[symbol, name]])));
			const data = distinct(answer.data.flatMap(withListedPair), ({symbol}) => symbol);
			return {...answer, data};
		},
		hasV2List: (): boolean => markets.length > 0,
		/** `text`: a symbol, or any spelling of a pair. */
		of(text: string): Names {
			const market = bySymbol.get(text) ?? findMarket(markets, text);
			if (market && isNumbered(market)) return namesOfSharing(market);
			const brief = market ? undefined : sharedNameText(markets, text);
			if (brief !== undefined) return {fault: {brief, remedy: 'name one of them'}};
			const id = market ? undefined : idIn(text);
			if (id !== undefined)
				return {v2Trades: {id}, fault: {brief: `${text} is not listed`, remedy: 'choose another market'}};
			const v2 = market ? (market.name ?? market.symbol) : unlistedName(text);
			const key = symbolKey(text);
			return {v2, v2Trades: v2, legacy: market?.name ?? legacyNames.get(key) ?? key};
		},
		/**
		 * One ticker of each symbol. Of markets that share a name, those that state and type tell apart; others count as dropped.
		 * `hasRepeats`: several tickers have one symbol.
		 */
		tickers<Answer extends List<Ticker>>(answer: Answer, hasRepeats: boolean): Answer {
			if (!hasRepeats && sharing.size === 0) return answer;
			const different = hasRepeats ? distinct(answer.data, ticker => JSON.stringify(ticker)) : answer.data;
			// A dropped entry may have been of the same name, and legacy knows no other name.
			const data = distinguish(different, answer.interface === 'v2' && answer.dropped === 0);
			const dropped = answer.dropped + different.length - data.length;
			return {...answer, ...firstOfEach({data, dropped}, ({symbol}) => symbol)};
		},
	};
}

const sharedPair = (pair: string): NameFault => ({
	brief: `several markets are ${pair}`,
	remedy: 'only their trades can be read, by id',
});

const hasType = (market: Market, {type}: Ticker): boolean =>
	market.type === undefined || type === undefined || market.type.toLowerCase() === type.toLowerCase();
