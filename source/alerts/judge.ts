import {createNewTrades, type NewTrades} from '../market/new-trades.ts';
import type {Trade} from '../market/types.ts';
import {
	type Condition,
	type Crossing,
	type Expression,
	formOf,
	isJudgedOnTrades,
	type Operator,
	type Quantity,
	quantitiesIn,
} from './condition.ts';
import {printExpression} from './print-condition.ts';
import {type KnownMarket, type Moment, quantityValue} from './quantity-values.ts';

/** Markets by their keys. */
export type KnownMarkets = ReadonlyMap<string, KnownMarket>;

/** The moment at which a condition holds. */
export type Holding = {
	/** Keys of the markets whose values make it hold. */
	readonly markets: readonly string[];
	/** The trade that made it hold, if it is judged on each. */
	readonly trade?: Trade | undefined;
	/** What all quantities of the condition were then, by their text; null: unknown. */
	readonly values: Readonly<Record<string, number | null>>;
};

/** Judges a condition for one market. */
export type Judge = {
	/**
	 * To be called whenever something is known anew, at `now` (epoch ms). A condition that is judged on each trade is judged on
	 * those since the last call, any condition on what is known now.
	 */
	judge(known: KnownMarkets, now: number): Judgement;
};

export type Judgement = {
	/** The first moment since the last judgement at which the condition holds. */
	readonly held?: Holding | undefined;
	/** Whether it holds of what is known now. */
	readonly holdsNow: boolean;
	/** What cannot be judged now. */
	readonly unknown: readonly Quantity[];
};

/** `own`: key of the market for quantities that name none. */
export function createJudge(condition: Condition, own: string): Judge {
	const named = new Set(quantitiesIn(condition).map(({market = own}) => market));
	/** But for those of a single trade, which are unknown between trades. */
	const quantities = quantitiesIn(condition).filter(({name}) => !formOf(name).ofOneTrade);
	const sides = new Map<Crossing, number>();
	const onTrades = isJudgedOnTrades(condition);
	const newTrades = new Map<string, NewTrades>();

	/** The new trades of the markets named, oldest first. Of the first tape none is new. */
	function tradesSince(known: KnownMarkets): ReadonlyArray<{readonly market: string; readonly trade: Trade}> {
		const all = [...named].flatMap(market => {
			const tape = known.get(market)?.state.tape;
			if (tape?.status !== 'ready') return [];
			const find = newTrades.get(market);
			if (find) return find(tape.data.trades).map(trade => ({market, trade}));
			const first = createNewTrades();
			newTrades.set(market, first);
			first(tape.data.trades);
			return [];
		});
		return all.toSorted((a, b) => a.trade.time - b.trade.time);
	}

	return {
		judge(known, now) {
			let held: Holding | undefined;
			const judgeAt = (momentOf: MomentOf, trade?: Trade): boolean => {
				const valueAt = (expression: Expression) => evaluate(expression, known, own, momentOf);
				const markets = hold(condition, valueAt, own, sides);
				held ??= markets && {markets, trade, values: valuesIn(condition, valueAt)};
				return markets !== undefined;
			};
			for (const {market, trade} of onTrades ? tradesSince(known) : []) {
				judgeAt(({state}, key) => momentOf(state.tape, trade, key === market, now), trade);
			}

			const latest: MomentOf = () => ({now, newest: 0, isTrade: false});
			const holdsNow = judgeAt(latest);
			const unknown = quantities.filter(each => evaluate(each, known, own, latest) === undefined);
			return {held, holdsNow, unknown};
		},
	};
}

const valuesIn = (condition: Condition, valueAt: ValueAt): Holding['values'] =>
	Object.fromEntries(quantitiesIn(condition).map(each => [printExpression(each), valueAt(each) ?? null]));

/** The moment of `trade`, in a market that is its own or another. */
function momentOf(tape: KnownMarket['state']['tape'], trade: Trade, isOwn: boolean, now: number): Moment {
	const trades = tape.status === 'ready' ? tape.data.trades : [];
	const newest = isOwn ? trades.indexOf(trade) : trades.findIndex(({time}) => time <= trade.time);
	return {now, newest: newest < 0 ? trades.length : newest, isTrade: isOwn};
}

type ValueAt = (expression: Expression) => number | undefined;
type MomentOf = (known: KnownMarket, market: string) => Moment;

/**
 * The keys of the markets whose values make the condition hold. Crossings remember in `sides` where they were: all parts are
 * judged, whatever the others say.
 */
function hold(
	condition: Condition,
	valueAt: ValueAt,
	own: string,
	sides: Map<Crossing, number>,
): readonly string[] | undefined {
	if (condition.type === 'and' || condition.type === 'or') {
		const left = hold(condition.left, valueAt, own, sides);
		const right = hold(condition.right, valueAt, own, sides);
		if (condition.type === 'or') return left ?? right;
		return left && right && [...new Set([...left, ...right])];
	}

	const [left, right] = [valueAt(condition.left), valueAt(condition.right)];
	const isMet =
		condition.type === 'crossing' ? crosses(condition, left, right, sides) : compare(condition.operator, left, right);
	if (!isMet) return undefined;
	return [...new Set(quantitiesIn(condition).map(({market = own}) => market))];
}

function crosses(
	crossing: Crossing,
	left: number | undefined,
	right: number | undefined,
	sides: Map<Crossing, number>,
): boolean {
	const side = left === undefined || right === undefined ? 0 : Math.sign(left - right);
	if (side === 0) return false;
	const before = sides.get(crossing) ?? side;
	sides.set(crossing, side);
	if (before === side) return false;
	return crossing.direction === 'any' || (crossing.direction === 'above') === side > 0;
}

const compares: Readonly<Record<Operator, (left: number, right: number) => boolean>> = {
	'>': (left, right) => left > right,
	'>=': (left, right) => left >= right,
	'<': (left, right) => left < right,
	'<=': (left, right) => left <= right,
	'=': (left, right) => left === right,
	'!=': (left, right) => left !== right,
};

/** An unknown value satisfies no comparison. */
const compare = (operator: Operator, left: number | undefined, right: number | undefined): boolean =>
	left !== undefined && right !== undefined && compares[operator](left, right);

/** Undefined: a value is unknown, or is divided by 0. */
function evaluate(expression: Expression, known: KnownMarkets, own: string, momentOf: MomentOf): number | undefined {
	if (expression.type === 'number') return expression.value;
	if (expression.type === 'quantity') {
		const {market = own} = expression;
		const of = known.get(market);
		return of && quantityValue(expression, of, momentOf(of, market));
	}

	const {operator, right} = expression;
	const left = evaluate(expression.left, known, own, momentOf);
	if (left === undefined) return undefined;
	const isShare = right.type === 'percent' && (operator === '+' || operator === '-');
	const amount = right.type === 'percent' ? right.value / 100 : evaluate(right, known, own, momentOf);
	if (amount === undefined) return undefined;
	return rounded(calculates[operator](left, isShare ? left * amount : amount));
}

const calculates = {
	'+': (left: number, right: number) => left + right,
	'-': (left: number, right: number) => left - right,
	'*': (left: number, right: number) => left * right,
	'/': (left: number, right: number) => left / right,
};

/** What is beyond 15 digits is a rounding error: 1.1 × 70,000 is 77,000. */
const rounded = (value: number): number | undefined =>
	Number.isFinite(value) ? Number(value.toPrecision(15)) : undefined;
