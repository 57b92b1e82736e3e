import {memo} from '../market/memo.ts';
import {emptyTape, tradeKey} from '../market/tape.ts';
import type {Trade} from '../market/types.ts';
import {calculated} from './arithmetic.ts';
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
import type {KnownMarkets, News} from './news.ts';
import {crossingsIn, type Side} from './price-range.ts';
import {printExpression} from './print-condition.ts';
import {type Facts, factsAt, type KnownMarket, type Moment} from './quantity-values.ts';

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
	 * To be called with all news, in order. A condition that is judged on each trade is judged on the new ones, any condition on
	 * what is known now. The trades that are new at the first call happened before. `onEach`: any condition is judged on each.
	 */
	judge(news: News, onEach?: boolean): Judgement;
	/** Where the left sides of the crossings are, from left to right. */
	sides(): readonly Side[];
	/** What all quantities of the condition are now, by their text; null: unknown. */
	values(news: Pick<News, 'known' | 'now'>): Holding['values'];
};

export type Judgement = {
	/** The first moment since the last judgement at which the condition holds. */
	readonly held?: Holding | undefined;
	/** All moments since then, in order. */
	readonly moments: readonly JudgedMoment[];
	/** Whether it holds of what is known now. */
	readonly holdsNow: boolean;
	/** What is not known now. */
	readonly unknown: readonly Quantity[];
	/** Whether something was not known at a trade. */
	readonly wasUnknown: boolean;
};

type JudgedMoment = {
	/** Present: the condition holds. */
	readonly holding?: Holding | undefined;
	/** It does not; what is not known may hold. */
	readonly isFalse: boolean;
};

type JudgeOptions = {
	/** Where the crossings were when it was judged last; absent: it was not. */
	readonly sides?: readonly Side[] | undefined;
	/** Whether the delayed ticker stands in where the last trade is not known. Default: no. */
	readonly byTicker?: boolean | undefined;
};

/** `own`: key of the market for quantities that name none. */
export function createJudge(condition: Condition, own: string, options: JudgeOptions = {}): Judge {
	const {byTicker = false, sides: restored} = options;
	const named = marketsIn(condition, own);
	const crossings = crossingsIn(condition);
	const sides: Sides = new Map(crossings.map((crossing, index) => [crossing, restored?.[index] ?? 0] as const));
	const onTrades = isJudgedOnTrades(condition);
	let isFirst = restored === undefined;
	return {
		judge(news, onEach = onTrades) {
			const {known, now} = news;
			const unknown: Quantity[] = [];
			const moments: JudgedMoment[] = [];
			const judgeAt = (evaluation: Evaluation, before: Sides, trade?: Trade): boolean => {
				const unknownBefore = evaluation.unknown.length;
				const markets = hold(condition, evaluation, before);
				const holding = markets && holdingOf(markets, evaluation, trade);
				moments.push({holding, isFalse: !holding && evaluation.unknown.length === unknownBefore});
				return holding !== undefined;
			};
			for (const each of onEach && !isFirst ? news.trades : []) {
				const {market, trade, index, lateBetween} = each;
				if (!named.includes(market)) continue;
				const at = (newest: number, isTrade = true): Evaluation =>
					evaluationOf(known, isTrade ? unknown : [], (of, key) =>
						key === market ? {now, newest, isTrade} : momentAt(of, trade, now),
					);
				const before = lateBetween ? shared(sidesAt(at(lateBetween[0])), sidesAt(at(lateBetween[1]))) : sides;
				if (judgeAt(at(index), before, trade) && isOver(at(index, false), before)) moments.push({isFalse: true});
			}

			isFirst = false;
			const latest = latestOf(news);
			const holdsNow = judgeAt(latest, sides);
			const held = moments.find(({holding}) => holding)?.holding;
			return {held, moments, holdsNow, unknown: latest.unknown, wasUnknown: unknown.length > 0};
		},
		sides: () => crossings.map(crossing => sides.get(crossing) ?? 0),
		values: news => valuesIn(condition, latestOf(news)),
	};

	/** Whether the condition is false after a trade at which it holds, as one with a crossing is. */
	function isOver(after: Evaluation, sides: Sides): boolean {
		return !hold(condition, after, new Map(sides)) && after.unknown.length === 0;
	}

	/** Most of the values are not read. */
	function holdingOf(markets: readonly string[], evaluation: Evaluation, trade?: Trade): Holding {
		return {
			...{markets, trade},
			get values() {
				return valuesIn(condition, {...evaluation, unknown: []});
			},
		};
	}

	function latestOf({known, now}: Pick<News, 'known' | 'now'>): Evaluation {
		return evaluationOf(known, [], () => ({now, newest: 0, isTrade: false, byTicker}));
	}

	function evaluationOf(known: KnownMarkets, unknown: Quantity[], momentOf: MomentOf): Evaluation {
		const factsOf = (market: string) => {
			const of = known.get(market);
			return of && factsAt(of, momentOf(of, market));
		};
		return {own, facts: factsOf(own), factsOf, unknown};
	}

	function sidesAt(evaluation: Evaluation): Sides {
		const found: Sides = new Map();
		hold(condition, {...evaluation, unknown: []}, found);
		return found;
	}
}

const valuesIn = (condition: Condition, evaluation: Evaluation): Holding['values'] =>
	Object.fromEntries(quantitiesIn(condition).map(each => [printExpression(each), evaluate(each, evaluation) ?? null]));

/** The moment of another market's trade. */
function momentAt({state: {trades: tape}}: KnownMarket, {time}: Trade, now: number): Moment {
	const {trades, gaps} = tape.status === 'ready' ? tape.data : emptyTape;
	const newest = trades.findIndex(trade => trade.time <= time);
	const next = trades[newest - 1];
	// The trade before that moment may be missing.
	const isKnown = newest >= 0 && !(next && gaps.has(tradeKey(next)));
	return {now, newest: isKnown ? newest : trades.length, isTrade: false, time};
}

/** Where each crossing was. */
type Sides = Map<Crossing, Side>;

/** A late trade crosses what the trades on both sides of it are on one side of; else that was a crossing before. */
const shared = (one: Sides, other: Sides): Sides => new Map([...one].filter(([key, side]) => other.get(key) === side));

type MomentOf = (known: KnownMarket, market: string) => Moment;

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

const marketsIn = memo((condition: Condition, own: string): readonly string[] => [
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
