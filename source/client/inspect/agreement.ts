import type {DepthBook, Interface, Ticker} from '../../market/types.ts';
import type {Operation} from '../errors.ts';

/** Values of two interfaces that could be compared, as the outer one had them unchanged before and after. */
export type Agreement = {
	readonly compared: number;
	readonly agreeing: number;
	/** The symbols or prices of the others. */
	readonly differing: readonly string[];
};

export type TickerAgreement = {readonly last: Agreement; readonly bid: Agreement; readonly ask: Agreement};

export type BookAgreement = {
	readonly asks: Agreement;
	/** Absent: the book in the middle has no bids. */
	readonly bids?: Agreement | undefined;
};

export type Three<T> = {
	/** Two answers of one interface, and an answer of the other one between them. */
	readonly before: T;
	readonly between: T;
	readonly after: T;
};

/**
 * Compares the prices that are equal before and after; a price missing on either interface is not compared. A price may
 * have changed and changed back: of the differences of an `earlier` comparison only those that last are kept.
 */
export function tickerAgreement(three: Three<readonly Ticker[]>, earlier?: TickerAgreement): TickerAgreement {
	const agreementOn = (name: keyof TickerAgreement): Agreement => {
		const prices = (tickers: readonly Ticker[]) => new Map(tickers.map(ticker => [ticker.symbol, ticker[name]]));
		const values = {before: prices(three.before), between: prices(three.between), after: prices(three.after)};
		return agreementOf(values, symbol => values.between.get(symbol) !== undefined, earlier?.[name]);
	};
	return {last: agreementOn('last'), bid: agreementOn('bid'), ask: agreementOn('ask')};
}

/** Compares the levels that are equal before and after, as deep as the book in the middle goes. `earlier`: as for tickers. */
export function bookAgreement(three: Three<DepthBook>, earlier?: BookAgreement): BookAgreement {
	const agreementOn = (name: keyof BookAgreement, order: 1 | -1): Agreement => {
		const levels = ({[name]: side = []}: DepthBook) => new Map(side);
		const values = {before: levels(three.before), between: levels(three.between), after: levels(three.after)};
		const deepest = three.between[name]?.at(-1)?.[0] ?? Number.NaN;
		return agreementOf(values, price => price * order <= deepest * order, earlier?.[name]);
	};
	return {asks: agreementOn('asks', 1), bids: three.between.bids && agreementOn('bids', -1)};
}

/** `isCovered`: whether the answer in the middle should have the value. */
function agreementOf<K extends string | number>(
	{before, between, after}: Three<ReadonlyMap<K, number | undefined>>,
	isCovered: (key: K) => boolean,
	earlier?: Agreement,
): Agreement {
	const unchanged = [...before].filter(([key, value]) => value !== undefined && after.get(key) === value);
	const comparable = unchanged.filter(([key]) => isCovered(key));
	const different = comparable.filter(([key, value]) => between.get(key) !== value).map(([key]) => String(key));
	const differing = earlier ? earlier.differing.filter(key => different.includes(key)) : different;
	const compared = earlier?.compared ?? comparable.length;
	return {compared, agreeing: compared - differing.length, differing};
}

/** A list of markets in one operation. */
export type MarketList = {
	readonly interface: Interface;
	readonly operation: Operation;
	readonly symbols: ReadonlySet<string>;
};

/** A list that lacks markets of the others. */
export type ShortList = {
	readonly interface: Interface;
	readonly operation: Operation;
	readonly missing: readonly string[];
	/** Markets of all lists together. */
	readonly of: number;
};

export function shortLists(lists: readonly MarketList[]): readonly ShortList[] {
	const all = [...new Set(lists.flatMap(({symbols}) => [...symbols]))];
	return lists
		.map(({symbols, ...list}) => ({...list, missing: all.filter(symbol => !symbols.has(symbol)), of: all.length}))
		.filter(({missing}) => missing.length > 0);
}
