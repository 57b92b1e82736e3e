import {dayChange} from '../../market/day.ts';
import {spreadOf} from '../../market/depth.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Resource} from '../../store/resource.ts';
import type {MarketState} from '../../store/state.ts';
import type {Condition, Operator, Quantity} from './condition.ts';

/** `undefined`: unknown, or stale because a refresh failed. */
export type MarketValues = Readonly<Record<Quantity, number | undefined>>;

/**
 * The values that conditions compare. `last` is the last trade's price, or the delayed ticker's if the exchange has no
 * trades; the change is from the ticker's opening price to it, or where either is unknown the ticker's own; bid, ask and spread are the book's; `age` is that of the oldest answer, in seconds, stale or not.
 */
export function valuesOf(state: MarketState, now: number): MarketValues {
	const {symbol} = state;
	const ticker = symbol === undefined ? undefined : fresh(state.tickers)?.get(symbol);
	const trades = fresh(state.tape)?.trades;
	const book = fresh(state.depth);
	const day = dayChange(ticker, trades?.[0]?.price);
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
		change: day.change,
		changePercent: day.percent,
		volume: ticker?.volume,
		age: received.length === 0 ? undefined : Math.max(now - Math.min(...received), 0) / 1000,
	};
}

const fresh = <T>(resource: Resource<T>): T | undefined =>
	resource.status === 'ready' && !resource.failure ? resource.data : undefined;

/**
 * The markets that satisfy the condition; undefined while it is not met. All quantities that name no market belong to one
 * market: the first watched one for which the condition holds. An unknown value satisfies no comparison.
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
		const actual = values.get(market)?.[quantity];
		return actual !== undefined && compares[operator](actual, value) ? [market] : undefined;
	}

	const left = marketsThatSatisfy(condition.left, values, own);
	if (condition.type === 'or') return left ?? marketsThatSatisfy(condition.right, values, own);
	const right = left && marketsThatSatisfy(condition.right, values, own);
	return left && right && [...left, ...right];
}

const compares: Readonly<Record<Operator, (actual: number, value: number) => boolean>> = {
	'>': (actual, value) => actual > value,
	'>=': (actual, value) => actual >= value,
	'<': (actual, value) => actual < value,
	'<=': (actual, value) => actual <= value,
	'=': (actual, value) => actual === value,
	'!=': (actual, value) => actual !== value,
};
