import {spreadOf} from '../../market/depth.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import type {Condition, Operator, Quantity} from './condition.ts';

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
		spread: spread?.spread,
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
	const keyOf = (state: MarketState) => symbolKey(state.symbol ?? '');
	const values = new Map(states.map(state => [keyOf(state), valuesOf(state, now)]));
	for (const own of values.keys()) {
		const met = marketsThatSatisfy(condition, values, own);
		if (met) return states.filter(state => met.includes(keyOf(state)));
	}

	return undefined;
}

/** The keys of the markets whose values make the condition hold, with `own` for comparisons that name none. */
function marketsThatSatisfy(
	condition: Condition,
	values: ReadonlyMap<string, MarketValues>,
	own: string,
): readonly string[] | undefined {
	if (condition.type === 'comparison') {
		const {market = own, quantity, operator, value} = condition;
		const known = values.get(market)?.[quantity];
		return known !== undefined && compares[operator](known, value) ? [market] : undefined;
	}

	const left = marketsThatSatisfy(condition.left, values, own);
	if (condition.type === 'or') return left ?? marketsThatSatisfy(condition.right, values, own);
	const right = left && marketsThatSatisfy(condition.right, values, own);
	return left && right && [...left, ...right];
}

const compares: Readonly<Record<Operator, (known: number, value: number) => boolean>> = {
	'>': (known, value) => known > value,
	'>=': (known, value) => known >= value,
	'<': (known, value) => known < value,
	'<=': (known, value) => known <= value,
	'=': (known, value) => known === value,
	'!=': (known, value) => known !== value,
};
