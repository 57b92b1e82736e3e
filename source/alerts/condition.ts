import {formatPlain} from '../format/number.ts';
import {formatDuration} from '../format/time.ts';
import {memo} from '../market/memo.ts';
import type {Period} from '../market/types.ts';
import {dayMs, minuteMs} from '../market/units.ts';

export const longestWindowMs = 7 * dayMs;

/** What a quantity takes in parentheses. */
export type Parameter =
	/** A time that ends now, ms. */
	| 'window'
	/** A number of closed candles. */
	| 'count'
	/** The period of those candles, minutes. */
	| 'period'
	/** Percent of the mid. */
	| 'distance';

type Form = {
	/** Whether it can stand without parentheses, and without the number that a line has. */
	readonly bare: boolean;
	/** Absent: nothing. */
	readonly takes?: readonly Parameter[];
	/** Whether it belongs to one trade, so that a condition with it is judged on each. */
	readonly ofOneTrade?: true;
};

const bare = {bare: true} as const;
const windowed = {bare: false, takes: ['window']} as const;
const either = {bare: true, takes: ['window']} as const;
const nearMid = {bare: false, takes: ['distance']} as const;
const ofCandles = {bare: false, takes: ['count', 'period']} as const;
const ofOneTrade = {bare: true, ofOneTrade: true} as const;

const forms = {
	last: bare,
	bid: bare,
	ask: bare,
	mid: bare,
	spread: bare,
	spreadPercent: bare,
	open: bare,
	high: either,
	low: either,
	change: either,
	changePercent: either,
	volume: either,
	age: bare,
	trades: windowed,
	buyVolume: windowed,
	sellVolume: windowed,
	bidDepth: nearMid,
	askDepth: nearMid,
	imbalance: bare,
	tradeSize: ofOneTrade,
	tradeValue: ofOneTrade,
	sma: ofCandles,
	ema: ofCandles,
	rsi: ofCandles,
	vwap: ofCandles,
	line: {bare: false},
} satisfies Readonly<Record<string, Form>>;

/**
 * What a condition can compare: prices in quote asset, sizes, volumes and depths in base asset, `tradeValue` in quote asset,
 * `age` in seconds, `imbalance` from −1 (asks alone) to 1 (bids alone).
 */
export type QuantityName = keyof typeof forms;

export const quantityNames = Object.keys(forms) as readonly QuantityName[];

export const formOf = (name: QuantityName): Form => forms[name];

/** A quantity without parentheses that every market has at any moment. */
export type PlainQuantity = {
	[Name in QuantityName]: (typeof forms)[Name] extends {bare: true; ofOneTrade?: never} ? Name : never;
}[QuantityName];

export const isPlain = (name: QuantityName): name is PlainQuantity => formOf(name).bare && !formOf(name).ofOneTrade;

export type Quantity = {
	readonly type: 'quantity';
	/** Key of the market; absent: any that the condition is judged for. */
	readonly market?: string | undefined;
	readonly name: QuantityName;
	readonly windowMs?: number | undefined;
	readonly count?: number | undefined;
	readonly period?: Period | undefined;
	/** Percent. */
	readonly distance?: number | undefined;
	/** The number of a line that the user drew. */
	readonly line?: number | undefined;
};

export const arithmeticOperators = ['+', '-', '*', '/'] as const;
export type ArithmeticOperator = (typeof arithmeticOperators)[number];

export type Expression =
	| {readonly type: 'number'; readonly value: number}
	| Quantity
	| {
			readonly type: 'arithmetic';
			readonly operator: ArithmeticOperator;
			readonly left: Expression;
			readonly right: Expression | Percent;
	  };

/** After `+` and `-` a part of the left side, after `*` and `/` hundredths. */
export type Percent = {readonly type: 'percent'; readonly value: number};

export const operators = ['>', '>=', '<', '<=', '=', '!='] as const;
export type Operator = (typeof operators)[number];

export type Comparison = {
	readonly type: 'comparison';
	readonly operator: Operator;
	readonly left: Expression;
	readonly right: Expression;
};

/** True at the moment when the left side goes from one side of the right side to the other. To touch it is not to cross it. */
export type Crossing = {
	readonly type: 'crossing';
	readonly direction: 'any' | 'above' | 'below';
	readonly left: Expression;
	readonly right: Expression;
};

type Combined<Type> = {readonly type: Type; readonly left: Condition; readonly right: Condition};

/** `and` binds closer than `or`, both group from the left. */
export type Condition = Comparison | Crossing | Combined<'and'> | Combined<'or'>;

/** All quantities, from left to right. */
export function quantitiesIn(part: Condition | Expression | Percent): readonly Quantity[] {
	if (part.type === 'quantity') return [part];
	if (part.type === 'number' || part.type === 'percent') return [];
	return [...quantitiesIn(part.left), ...quantitiesIn(part.right)];
}

/** Whether the condition is judged on each new trade, not only on what is known when it is looked at. */
export const isJudgedOnTrades = memo((condition: Condition): boolean => {
	if (condition.type === 'and' || condition.type === 'or') {
		return isJudgedOnTrades(condition.left) || isJudgedOnTrades(condition.right);
	}

	return condition.type === 'crossing' || quantitiesIn(condition).some(isBesideTrades);
});

/** The highest and lowest price of a window are those before a trade, which is compared with them. */
const isBesideTrades = ({name, windowMs}: Quantity): boolean =>
	formOf(name).ofOneTrade === true || (windowMs !== undefined && (name === 'high' || name === 'low'));

/** Whether the condition can only become true at a change, never on the first data. */
export function isOfMoments(condition: Condition): boolean {
	if (condition.type === 'and') return isOfMoments(condition.left) || isOfMoments(condition.right);
	if (condition.type === 'or') return isOfMoments(condition.left) && isOfMoments(condition.right);
	return condition.type === 'crossing' || quantitiesIn(condition).some(({name}) => formOf(name).ofOneTrade === true);
}

/** Whether nothing but the last price of one market, beside its lines, can make the condition true or false. */
export function isOfLast(condition: Condition): boolean {
	const quantities = quantitiesIn(condition);
	const markets = new Set(quantities.map(({market}) => market));
	const names = new Set(quantities.map(({name}) => name));
	return markets.size === 1 && names.has('last') && names.isSubsetOf(lastAndLines);
}

const lastAndLines: ReadonlySet<QuantityName> = new Set(['last', 'line']);

/** The lines that it names, from left to right. */
export const linesNamedIn = (condition: Condition): readonly Quantity[] =>
	quantitiesIn(condition).filter(({name}) => name === 'line');

/** All crossings, from left to right. */
export const crossingsIn = memo((condition: Condition): readonly Crossing[] => {
	if (condition.type === 'crossing') return [condition];
	if (condition.type === 'comparison') return [];
	return [...crossingsIn(condition.left), ...crossingsIn(condition.right)];
});

const calculates: Readonly<Record<ArithmeticOperator, (left: number, right: number) => number>> = {
	'+': (left, right) => left + right,
	'-': (left, right) => left - right,
	'*': (left, right) => left * right,
	'/': (left, right) => left / right,
};

/** NaN: divided by 0, or too large. What is beyond 15 digits is a rounding error: 1.1 × 70,000 is 77,000. */
export function calculated(operator: ArithmeticOperator, left: number, right: number): number {
	const value = calculates[operator](left, right);
	return Number.isFinite(value) ? rounded(value, 15) : Number.NaN;
}

/** The mean of hundreds of equal prices is that price: what is beyond 13 digits adds up from rounding errors. */
export const roundedMean = (value: number): number => rounded(value, 13);

const rounded = (value: number, digits: number): number => Number(value.toPrecision(digits));

/** The condition in the syntax of `parseCondition`, with as few parentheses as possible. */
export function printCondition(condition: Condition): string {
	const {type, left, right} = condition;
	if (type === 'comparison') return `${printExpression(left)} ${condition.operator} ${printExpression(right)}`;
	if (type === 'crossing') {
		const direction = condition.direction === 'any' ? '' : ` ${condition.direction}`;
		return `${printExpression(left)} crosses${direction} ${printExpression(right)}`;
	}

	const grouped = (part: Condition, inGroup: readonly Condition['type'][]) =>
		inGroup.includes(part.type) ? `(${printCondition(part)})` : printCondition(part);
	return type === 'or'
		? `${grouped(left, [])} or ${grouped(right, ['or'])}`
		: `${grouped(left, ['or'])} and ${grouped(right, ['or', 'and'])}`;
}

export function printExpression(part: Expression | Percent): string {
	if (part.type === 'number') return formatPlain(part.value);
	if (part.type === 'percent') return `${formatPlain(part.value)}%`;
	if (part.type === 'quantity') {
		const market = part.market === undefined ? '' : `${part.market}.`;
		const taken = argumentsText(part);
		if (part.line !== undefined) return `${market}${part.name} ${part.line}`;
		return `${market}${part.name}${taken.length === 0 ? '' : `(${taken.join(', ')})`}`;
	}

	const {operator, left, right} = part;
	const grouped = (side: Expression | Percent, isRight: boolean) =>
		side.type === 'arithmetic' && rank(side.operator) < rank(operator) + (isRight ? 1 : 0)
			? `(${printExpression(side)})`
			: printExpression(side);
	return `${grouped(left, false)} ${operator} ${grouped(right, true)}`;
}

const rank = (operator: ArithmeticOperator): number => (operator === '+' || operator === '-' ? 0 : 1);

/** What stands in parentheses behind the quantity; empty: nothing. */
function argumentsText({windowMs, count, period, distance}: Quantity): readonly string[] {
	return [
		...(windowMs === undefined ? [] : [formatDuration(windowMs)]),
		...(count === undefined ? [] : [String(count)]),
		...(period === undefined ? [] : [formatDuration(period * minuteMs)]),
		...(distance === undefined ? [] : [`${formatPlain(distance)}%`]),
	];
}
