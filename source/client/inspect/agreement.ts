import type {DepthBook, Interface, Level, Ticker} from '../../market/types.ts';
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
export function tickerAgreement(
	{before, between, after}: Three<readonly Ticker[]>,
	earlier?: TickerAgreement,
): TickerAgreement {
	const [others, later] = [between, after].map(
		tickers => new Map(tickers.map(ticker => [ticker.symbol, ticker] as const)),
	);
	const agreementOn = (name: keyof TickerAgreement): Agreement =>
		count(
			before.flatMap(ticker => {
				const price = ticker[name];
				const other = others?.get(ticker.symbol)?.[name];
				const unchanged = price !== undefined && later?.get(ticker.symbol)?.[name] === price;
				return unchanged && other !== undefined ? [[ticker.symbol, other === price] as const] : [];
			}),
			earlier?.[name],
		);
	return {last: agreementOn('last'), bid: agreementOn('bid'), ask: agreementOn('ask')};
}

/** Compares the levels that are equal before and after, as deep as the book in the middle goes. `earlier`: as for tickers. */
export function bookAgreement({before, between, after}: Three<DepthBook>, earlier?: BookAgreement): BookAgreement {
	const asks = comparedLevels(before.asks, between.asks, after.asks, (price, deepest) => price <= deepest);
	const bids =
		between.bids &&
		comparedLevels(before.bids ?? [], between.bids, after.bids ?? [], (price, deepest) => price >= deepest);
	return {asks: count(asks, earlier?.asks), bids: bids && count(bids, earlier?.bids)};
}

/** The key of a value, and whether it is equal in both interfaces. */
type Compared = readonly [key: string, isEqual: boolean];

function comparedLevels(
	before: readonly Level[],
	between: readonly Level[],
	after: readonly Level[],
	reaches: (price: number, deepest: number) => boolean,
): readonly Compared[] {
	const later = new Map(after);
	const other = new Map(between);
	const deepest = between.at(-1)?.[0];
	const unchanged = before.filter(([price, quantity]) => later.get(price) === quantity);
	const comparable = unchanged.filter(([price]) => deepest !== undefined && reaches(price, deepest));
	return comparable.map(([price, quantity]) => [String(price), other.get(price) === quantity]);
}

function count(values: readonly Compared[], earlier?: Agreement): Agreement {
	const different = new Set(values.flatMap(([key, isEqual]) => (isEqual ? [] : [key])));
	const differing = earlier ? earlier.differing.filter(key => different.has(key)) : [...different];
	const compared = earlier?.compared ?? values.length;
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
