import {memo} from '../market/memo.ts';
import {emptyTape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {
	type Condition,
	type Crossing,
	calculated,
	crossingsIn,
	type Expression,
	formOf,
	isJudgedOnTrades,
	type Operator,
	printExpression,
	type Quantity,
	quantitiesIn,
} from './condition.ts';
import type {MarketsData, News} from './market-data.ts';
import {type Facts, factsAt, type MarketData, type Moment} from './quantity-values.ts';

/** −1: below, 1: above, 0: neither, or unknown. */
export type Side = -1 | 0 | 1;

/** The moment at which a condition holds. */
export type Holding = {
	/** Keys of the markets whose values make it hold. */
	readonly markets: readonly string[];
	/** The trade that made it hold, if it is judged on each. */
	readonly trade?: Trade | undefined;
	/** What all quantities of the condition were then, by their text; null: unknown. */
	readonly values: Readonly<Record<string, number | null>>;
};

export type Judgement = {
	/** All moments that were judged, in order: the last one is now. */
	readonly moments: readonly JudgedMoment[];
	/** Whether it holds of what is known now. */
	readonly holdsNow: boolean;
	/** What is not known now. */
	readonly unknown: readonly Quantity[];
	/** Whether something was not known at a trade. */
	readonly wasUnknown: boolean;
	/** Where the left sides of its crossings are then, from left to right. */
	readonly sides: readonly Side[];
};

type JudgedMoment = {
	/** Present: the condition holds. */
	readonly holding?: Holding | undefined;
	/** It does not; what is not known may hold. */
	readonly isFalse: boolean;
};

/** A condition for one market. */
export type MarketCondition = {
	readonly condition: Condition;
	/** Key of the market for quantities that name none. */
	readonly own: string;
	/** Whether the delayed ticker stands in where the last trade is not known. */
	readonly byTicker: boolean;
};

/**
 * Judges a condition on the new trades, in order, and on what is known now. `before`: where its crossings were when it was judged
 * last; undefined: it was not, and all trades happened before. `onEach`: whether it is judged on each trade.
 */
export function judge(
	of: MarketCondition,
	news: News,
	before: readonly Side[] | undefined,
	onEach = isJudgedOnTrades(of.condition),
): Judgement {
	const {data, now} = news;
	const {condition, own} = of;
	const [crossings, named] = [crossingsIn(condition), marketsIn(condition, own)];
	const sides: Sides = new Map(crossings.map((crossing, index) => [crossing, before?.[index] ?? 0] as const));
	const unknown: Quantity[] = [];
	const moments: JudgedMoment[] = [];
	const judgeAt = (evaluation: Evaluation, from: Sides, trade?: Trade): boolean => {
		const unknownBefore = evaluation.unknown.length;
		const markets = hold(condition, evaluation, from);
		const holding = markets && holdingOf(condition, markets, evaluation, trade);
		moments.push({holding, isFalse: !holding && evaluation.unknown.length === unknownBefore});
		return holding !== undefined;
	};
	for (const {market, trade, index, lateBetween} of onEach && before ? news.trades : []) {
		if (!named.includes(market)) continue;
		const at = (newest: number, isTrade = true): Evaluation =>
			evaluationOf(data, own, isTrade ? unknown : [], (of, key) =>
				key === market ? {now, newest, isTrade} : momentAt(of, trade, now),
			);
		const sidesAt = (newest: number): Sides => {
			const found: Sides = new Map();
			hold(condition, {...at(newest), unknown: []}, found);
			return found;
		};
		const from = lateBetween ? shared(sidesAt(lateBetween[0]), sidesAt(lateBetween[1])) : sides;
		if (!judgeAt(at(index), from, trade)) continue;
		// It can be false after a trade at which it holds, as one with a crossing is.
		const after = at(index, false);
		if (!hold(condition, after, new Map(from)) && after.unknown.length === 0) moments.push({isFalse: true});
	}

	const latest = latestOf(news, of);
	const holdsNow = judgeAt(latest, sides);
	const after = crossings.map(crossing => sides.get(crossing) ?? 0);
	return {moments, holdsNow, unknown: latest.unknown, wasUnknown: unknown.length > 0, sides: after};
}

/** What all quantities of the condition are now, by their text; null: unknown. */
export const valuesNow = (of: MarketCondition, news: Pick<News, 'data' | 'now'>): Holding['values'] =>
	valuesIn(of.condition, latestOf(news, of));

/** Most of the values are not read. */
function holdingOf(
	condition: Condition,
	markets: readonly string[],
	evaluation: Evaluation,
	trade: Trade | undefined,
): Holding {
	return {
		...{markets, trade},
		get values() {
			return valuesIn(condition, {...evaluation, unknown: []});
		},
	};
}

const latestOf = ({data, now}: Pick<News, 'data' | 'now'>, {own, byTicker}: MarketCondition): Evaluation =>
	evaluationOf(data, own, [], () => ({now, newest: 0, isTrade: false, byTicker}));

function evaluationOf(
	data: MarketsData,
	own: string,
	unknown: Quantity[],
	momentOf: (data: MarketData, market: string) => Moment,
): Evaluation {
	const factsOf = (market: string) => {
		const of = data.get(market);
		return of && factsAt(of, momentOf(of, market));
	};
	return {own, facts: factsOf(own), factsOf, unknown};
}
const valuesIn = (condition: Condition, evaluation: Evaluation): Holding['values'] =>
	Object.fromEntries(quantitiesIn(condition).map(each => [printExpression(each), evaluate(each, evaluation) ?? null]));

/** The moment of another market's trade. */
function momentAt({state: {trades: tape}}: MarketData, {time}: Trade, now: number): Moment {
	const {trades, gaps} = tape.status === 'ready' ? tape.data : emptyTape;
	const newest = trades.findIndex(trade => trade.time <= time);
	const next = trades[newest - 1];
	// The trade before that moment may be missing.
	const isComplete = newest >= 0 && !(next && gaps.has(tradeKey(next)));
	return {now, newest: isComplete ? newest : trades.length, isTrade: false, time};
}

/** Where each crossing was. */
type Sides = Map<Crossing, Side>;

/** A late trade crosses what the trades on both sides of it are on one side of; else that was a crossing before. */
const shared = (one: Sides, other: Sides): Sides => new Map([...one].filter(([key, side]) => other.get(key) === side));

/**
 * The keys of the markets whose values make the condition hold. Crossings remember in `sides` where they were: all parts are
 * judged, whatever the others say.
 */
function hold(condition: Condition, evaluation: Evaluation, sides: Sides): readonly string[] | undefined {
	if (condition.type === 'and' || condition.type === 'or') {
		const left = hold(condition.left, evaluation, sides);
		const right = hold(condition.right, evaluation, sides);
		if (condition.type === 'or') return left ?? right;
		return left && right && [...new Set([...left, ...right])];
	}

	const left = evaluate(condition.left, evaluation);
	const right = evaluate(condition.right, evaluation);
	const isMet =
		condition.type === 'crossing' ? crosses(condition, left, right, sides) : compare(condition.operator, left, right);
	return isMet ? marketsIn(condition, evaluation.own) : undefined;
}

/** The keys of the markets that a condition compares. */
export const marketsIn = memo((condition: Condition, own: string): readonly string[] => [
	...new Set(quantitiesIn(condition).map(({market = own}) => market)),
]);

function crosses(crossing: Crossing, left: number | undefined, right: number | undefined, sides: Sides): boolean {
	if (left === undefined || right === undefined || left === right) return false;
	const side = left > right ? 1 : -1;
	const before = sides.get(crossing) ?? 0;
	sides.set(crossing, side);
	if (before === 0 || before === side) return false;
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

type Evaluation = {
	readonly own: string;
	/** Of that market. */
	readonly facts: Facts | undefined;
	/** Of another one. */
	readonly factsOf: (market: string) => Facts | undefined;
	/** What could not be evaluated is added to it, but for what only a single trade has. */
	readonly unknown: Quantity[];
};

/** Undefined: a value is unknown, or is divided by 0. */
function evaluate(expression: Expression, evaluation: Evaluation): number | undefined {
	if (expression.type === 'number') return expression.value;
	if (expression.type === 'quantity') {
		const {market, name} = expression;
		const facts = market === undefined ? evaluation.facts : evaluation.factsOf(market);
		const value = facts?.value(expression);
		if (value === undefined && !formOf(name).ofOneTrade) evaluation.unknown.push(expression);
		return value;
	}

	const {operator, right} = expression;
	const left = evaluate(expression.left, evaluation);
	const isShare = right.type === 'percent' && (operator === '+' || operator === '-');
	const amount = right.type === 'percent' ? right.value / 100 : evaluate(right, evaluation);
	if (left === undefined || amount === undefined) return undefined;
	const value = calculated(operator, left, isShare ? left * amount : amount);
	return Number.isNaN(value) ? undefined : value;
}

/** The value of an expression of numbers; undefined: it has a quantity. */
export const constantValue = (expression: Expression): number | undefined =>
	evaluate(expression, {own: '', facts: undefined, factsOf: () => undefined, unknown: []});
