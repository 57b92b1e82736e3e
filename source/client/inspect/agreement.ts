import {activeState, type DepthBook, type Interface, type Market, type Ticker} from '../../market/types.ts';
import type {Operation} from '../errors.ts';

/** Values of two operations that could be compared, as the outer one had them unchanged before and after. */
export type Agreement = {
	readonly compared: number;
	readonly agreeing: number;
	/** The symbols or prices of the others. */
	readonly differing: readonly string[];
};

export type TickerAgreement = {readonly last: Agreement; readonly bid: Agreement; readonly ask: Agreement};

/** Of the entries of v2's ticker and summary, which have one shape. */
export type SummaryAgreement = TickerAgreement & {readonly state: Agreement};

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
export const tickerAgreement = (three: Three<readonly Ticker[]>, earlier?: TickerAgreement): TickerAgreement => ({
	last: fieldAgreement('last', three, earlier?.last),
	bid: fieldAgreement('bid', three, earlier?.bid),
	ask: fieldAgreement('ask', three, earlier?.ask),
});

/** `tickerAgreement`, also on the states of the markets. */
export const summaryAgreement = (three: Three<readonly Ticker[]>, earlier?: SummaryAgreement): SummaryAgreement => ({
	...tickerAgreement(three, earlier),
	state: fieldAgreement('state', three, earlier?.state),
});

function fieldAgreement(
	name: keyof SummaryAgreement,
	three: Three<readonly Ticker[]>,
	earlier: Agreement | undefined,
): Agreement {
	const fields = (tickers: readonly Ticker[]) => new Map(tickers.map(ticker => [ticker.symbol, ticker[name]]));
	const values = {before: fields(three.before), between: fields(three.between), after: fields(three.after)};
	return agreementOf(values, symbol => values.between.get(symbol) !== undefined, earlier);
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
	{before, between, after}: Three<ReadonlyMap<K, number | string | undefined>>,
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

/** The states that two answers have of one market. */
type DifferingState = {readonly symbol: string; readonly listed: string; readonly found: string};

/** How the states in the entries of an operation agree with those in the list of markets. */
export type StateAgreement = {
	readonly interface: Interface;
	readonly operation: Operation;
	readonly compared: number;
	readonly differing: readonly DifferingState[];
};

/**
 * Compares the states that markets have in the list with those that they have in the entries of another operation. `lists` and
 * `entries` are the answers of one inspection: a state that changed meanwhile is not compared. Legacy has other words than v2: of
 * its states only whether they are `active` counts.
 */
export function stateAgreement(
	lists: ReadonlyArray<readonly Market[]>,
	entries: ReadonlyArray<readonly Ticker[]>,
	{interface: source, operation}: Pick<StateAgreement, 'interface' | 'operation'>,
): StateAgreement {
	const [listed, found] = [constantStates(lists.map(readableMarkets)), constantStates(entries)];
	const both = [...listed].flatMap(([symbol, state]) => {
		const other = found.get(symbol);
		return other === undefined ? [] : [{symbol, listed: state, found: other}];
	});
	const isActive = (state: string) => state.toLowerCase() === activeState;
	const differs = (of: DifferingState) =>
		source === 'legacy' ? isActive(of.listed) !== isActive(of.found) : of.listed !== of.found;
	return {interface: source, operation, compared: both.length, differing: both.filter(differs)};
}

const readableMarkets = (markets: readonly Market[]) => markets.filter(({unreadable}) => !unreadable);

/** The states that every answer with the market has. */
function constantStates(
	answers: ReadonlyArray<ReadonlyArray<Pick<Market, 'symbol' | 'state'>>>,
): ReadonlyMap<string, string> {
	const seen = Map.groupBy(answers.flat(), ({symbol}) => symbol);
	return new Map(
		[...seen].flatMap(([symbol, entries]) => {
			const states = new Set(entries.map(({state}) => state));
			const [state] = states;
			return states.size === 1 && state !== undefined ? [[symbol, state] as const] : [];
		}),
	);
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
