import type {DepthBook, Interface, Level, Ticker} from '../../market/types.ts';
import type {Operation} from '../errors.ts';

/** How many values could be compared, as they did not change meanwhile, and how many are equal in both interfaces. */
export type Agreement = {readonly compared: number; readonly agreeing: number};

export type TickerAgreement = {readonly last: Agreement; readonly bid: Agreement; readonly ask: Agreement};

export type BookAgreement = {
	readonly asks: Agreement;
	/** Absent: the book in the middle has no bids. */
	readonly bids?: Agreement | undefined;
};

type Three<T> = {
	/** Two answers of one interface, and an answer of the other one between them. */
	readonly before: T;
	readonly between: T;
	readonly after: T;
};

/** Compares the prices that are equal before and after; a price missing on either interface is not compared. */
export function tickerAgreement({before, between, after}: Three<readonly Ticker[]>): TickerAgreement {
	const [others, later] = [between, after].map(
		tickers => new Map(tickers.map(ticker => [ticker.symbol, ticker] as const)),
	);
	const agreementOn = (name: keyof TickerAgreement): Agreement =>
		count(
			before.flatMap(ticker => {
				const price = ticker[name];
				const other = others?.get(ticker.symbol)?.[name];
				const unchanged = price !== undefined && later?.get(ticker.symbol)?.[name] === price;
				return unchanged && other !== undefined ? [other === price] : [];
			}),
		);
	return {last: agreementOn('last'), bid: agreementOn('bid'), ask: agreementOn('ask')};
}

/** Compares the levels that are equal before and after, as deep as the book in the middle goes. */
export function bookAgreement({before, between, after}: Three<DepthBook>): BookAgreement {
	return {
		asks: levelAgreement(before.asks, between.asks, after.asks, (price, deepest) => price <= deepest),
		bids:
			between.bids &&
			levelAgreement(before.bids ?? [], between.bids, after.bids ?? [], (price, deepest) => price >= deepest),
	};
}

function levelAgreement(
	before: readonly Level[],
	between: readonly Level[],
	after: readonly Level[],
	reaches: (price: number, deepest: number) => boolean,
): Agreement {
	const later = new Map(after);
	const other = new Map(between);
	const deepest = between.at(-1)?.[0];
	const unchanged = before.filter(([price, quantity]) => later.get(price) === quantity);
	const comparable = unchanged.filter(([price]) => deepest !== undefined && reaches(price, deepest));
	return count(comparable.map(([price, quantity]) => other.get(price) === quantity));
}

const count = (equal: readonly boolean[]): Agreement => ({
	compared: equal.length,
	agreeing: equal.filter(Boolean).length,
});

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
