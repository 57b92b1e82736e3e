import {spreadOf} from '../market/depth.ts';
import {sumDecimals} from '../market/precision.ts';
import {symbolKey} from '../market/symbol.ts';
import type {Resource} from '../store/resource.ts';
import type {MarketState} from '../store/state.ts';
import type {Comparison, Condition, Operator, Quantity} from './condition.ts';

/** `undefined`: not known, or known only from before a refresh that failed. */
export type MarketValues = Readonly<Record<Quantity, number | undefined>>;

/**
 * What a condition is held against. `last` is the last trade's price, the delayed ticker's only where the exchange shows
 * no trades; bid, ask and spread are the book's; `age` is that of the oldest answer, in seconds, stale or not.
 */
export function valuesOf(state: MarketState, now: number): MarketValues {
	const {symbol} = state;
	const ticker = symbol === undefined ? undefined : fresh(state.tickers)?.get(symbol);
	const trades = fresh(state.tape)?.trades;
	const book = fresh(state.depth);
	const spread = book && spreadOf(book);
	const [bid, ask] = [book?.bids?.[0]?.[0], book?.asks[0]?.[0]];
	const received = [state.tickers, state.depth, state.tape].flatMap(resource =>
		resource.status === 'ready' ? [resource.receivedAt] : [],
	);
	return {
		last: trades && (trades[0]?.price ?? ticker?.last),
		bid,
		ask,
		// As decimals subtract: 0.3, not 0.30000000000000004.
		spread: bid === undefined || ask === undefined ? undefined : sumDecimals([ask, -bid]),
		spreadPercent: spread && spread.basisPoints / 100,
		change: ticker?.change,
		changePercent: ticker?.changePercent,
		volume: ticker?.volume,
		age: received.length === 0 ? undefined : Math.max(now - Math.min(...received), 0) / 1000,
	};
}

const fresh = <T>(resource: Resource<T>): T | undefined =>
	resource.status === 'ready' && !resource.failure ? resource.data : undefined;

/**
 * The markets that satisfy the condition; undefined while it is not met. Quantities without a market are all of one and
 * the same market: the first watched one for which the condition holds. What is not known satisfies nothing.
 */
export function metBy(
	condition: Condition,
	states: readonly MarketState[],
	now: number,
): readonly MarketState[] | undefined {
	const values = new Map(states.map(state => [symbolKey(state.symbol ?? ''), valuesOf(state, now)]));
	const markets = comparisonsOf(condition).map(({market}) => market);
	const named = (state: MarketState) => markets.includes(symbolKey(state.symbol ?? ''));
	if (!markets.includes(undefined)) {
		return holds(condition, market => values.get(market ?? '')) ? states.filter(named) : undefined;
	}

	const met = states.find(state => {
		const own = symbolKey(state.symbol ?? '');
		return holds(condition, (market = own) => values.get(market));
	});
	return met && states.filter(state => state === met || named(state));
}

function comparisonsOf(condition: Condition): readonly Comparison[] {
	if (condition.type === 'comparison') return [condition];
	return [...comparisonsOf(condition.left), ...comparisonsOf(condition.right)];
}

function holds(condition: Condition, valuesFor: (market?: string) => MarketValues | undefined): boolean {
	switch (condition.type) {
		case 'and':
			return holds(condition.left, valuesFor) && holds(condition.right, valuesFor);
		case 'or':
			return holds(condition.left, valuesFor) || holds(condition.right, valuesFor);
		case 'comparison': {
			const known = valuesFor(condition.market)?.[condition.quantity];
			return known !== undefined && compares[condition.operator](known, condition.value);
		}
	}
}

const compares: Readonly<Record<Operator, (known: number, value: number) => boolean>> = {
	'>': (known, value) => known > value,
	'>=': (known, value) => known >= value,
	'<': (known, value) => known < value,
	'<=': (known, value) => known <= value,
	'=': (known, value) => known === value,
	'!=': (known, value) => known !== value,
};
