import {textWidth} from '../format/cells.ts';
import {stripControl} from '../format/control.ts';
import {parseDuration, parsePeriod} from '../format/time.ts';
import {monthsIn} from '../market/calendar.ts';
import {nearestWord} from '../market/symbol.ts';
import {type Typed, typedNumber} from '../market/typed-number.ts';
import {secondMs} from '../market/units.ts';
import {
	arithmeticOperators,
	type Condition,
	type Expression,
	formOf,
	longestWindowMs,
	operators,
	type Parameter,
	type Percent,
	type Quantity,
	type QuantityName,
	quantitiesIn,
	quantityNames,
} from './condition.ts';

/** What is wrong with a condition that was typed, and where. */
export class ConditionError extends Error {
	override readonly name = 'ConditionError';
	/** The text around the fault without control characters, and below it a caret; empty for an empty text. */
	readonly lines: readonly string[];
	/** Index of the fault in the text. */
	readonly at: number;

	constructor(message: string, text: string, at: number) {
		super(message);
		this.at = at;
		this.lines = caretUnder(text, at);
	}
}

/** Characters of a long text that are shown on either side of the fault. */
const mostBefore = 120;
const mostAfter = 60;

function caretUnder(text: string, at: number): readonly string[] {
	if (text.trim() === '') return [];
	const from = at > mostBefore + 1 ? at - mostBefore : 0;
	const before = `${from > 0 ? '…' : ''}${stripControl(text.slice(from, at))}`;
	const after = text.length > at + mostAfter + 1 ? `${text.slice(at, at + mostAfter)}…` : text.slice(at);
	return [`${before}${stripControl(after)}`, `${' '.repeat(textWidth(before))}^`];
}

export type Token = {
	readonly text: string;
	/** Index of its first character. */
	readonly at: number;
};

export const longestText = 2000;
/** Bounds the parser's recursion. */
const deepestNesting = 50;

/** Reads a text from left to right. Spaces before what it reads are left out. */
export type Scanner = ReturnType<typeof scan>;

export function scan(text: string) {
	let next = skipSpaces(0);
	let last: Token | undefined;
	let depth = 0;

	function skipSpaces(from: number): number {
		const spaces = /\s*/y;
		spaces.lastIndex = from;
		return from + (spaces.exec(text)?.[0].length ?? 0);
	}

	function peek(pattern: RegExp): Token | undefined {
		pattern.lastIndex = next;
		const match = pattern.exec(text);
		return match?.[0] ? {text: match[0], at: next} : undefined;
	}

	function fail(message: string, at = next): never {
		throw new ConditionError(message, text, at);
	}

	if (text.length > longestText) fail(`a condition has at most ${longestText} characters`, text.length);
	return {
		/** Index of the next character that is no space. */
		at: (): number => next,
		isAtEnd: (): boolean => next >= text.length,
		/** The text that `pattern` (sticky) matches here, which is not read; undefined: it does not match. */
		peek,
		/** The text that `pattern` (sticky) matches here, which is read; undefined: it does not match. */
		accept(pattern: RegExp): Token | undefined {
			const token = peek(pattern);
			if (!token) return undefined;
			next = skipSpaces(token.at + token.text.length);
			last = token;
			return token;
		},
		/** The last token that was accepted; undefined: none was. */
		last: (): Token | undefined => last,
		/** Reads with `read` what is in parentheses that were opened before. */
		nested<Read>(read: () => Read): Read {
			if (depth >= deepestNesting) fail(`more than ${deepestNesting} parentheses are open`);
			depth += 1;
			const result = read();
			depth -= 1;
			return result;
		},
		/** Default place: here. */
		fail,
		/** Says what was expected here, and after what. */
		failExpecting: (what: string): never => fail(`expected ${what}${last ? ` after ${last.text}` : ''}`),
	};
}

/** The key of the market that a condition names, or what is wrong with the name. */
export type MarketNames = (name: string) => {readonly key: string} | {readonly fault: string};

const or = /\|\||or(?![\p{L}\p{N}])/iuy;
const and = /&&|and(?![\p{L}\p{N}])/iuy;
const comparing = /[<>!=]=|[<>=]/y;
const crossing = /crosses(?:\s+(?:above|below))?(?![\p{L}\p{N}])/iuy;
const adding = /[+\-−]/y;
const multiplying = /[*/]/y;
const opening = /\(/y;
const closing = /\)/y;
const percentSign = /%/y;
const percentOfWhat = /%(?=\s*\*)/y;
/** `BTC/USDT.last`, or a sum such as `open/BTC.last`. */
const qualified = /[^\s<>=!&|()+*,%]+\.(?!\d)[^\s<>=!&|()+*/,%\-−.]*/y;
const number = /[+\-−]?(?:\d|\.\d)[\d.,_]*(?:(?<=\d)e[+-]?\d+)?[^\s<>=!&|()+*/%\-−]*/iy;
const percentNumber = /[\d.][\d.,_]*(?=\s*%)/y;
const letters = /\p{L}+(?![\p{L}\p{N}.(])/uy;
const lineNumber = /\d+(?![\d.,_\p{L}])/uy;
const word = /[^\s<>=!&|()+*/,%\-−]+/y;

const mistypedSign = /[=!]==|=[<>]|<>|[≥≤≠]/y;
const mistypedSigns: Readonly<Record<string, string>> = {
	...{'=>': '>=', '=<': '<=', '≥': '>=', '≤': '<=', '===': '=', '<>': '!=', '!==': '!=', '≠': '!='},
};
const mistypedDirections: Readonly<Record<string, 'above' | 'below'>> = {
	...{over: 'above', up: 'above', under: 'below', down: 'below'},
};

const comparisons = '>, >=, <, <=, =, != or crosses';

/**
 * Parses `last > 70000 and (spread < 2 or BTCUSDT.changePercent(1h) <= -5)`, `last crosses above 1.02 * open` or
 * `last > sma(50, 1h)`. Numbers are those of `typedNumber`; `==`, `&&`, `||` and any case are accepted. Throws a
 * `ConditionError`.
 */
export function parseCondition(text: string, marketNamed: MarketNames): Condition {
	const scanner = scan(text);
	const condition = conditionAt(scanner, marketNamed);
	if (!scanner.isAtEnd()) scanner.failExpecting('and, or, or the end');
	return condition;
}

/** Reads the longest condition from here on. */
export function conditionAt(scanner: Scanner, marketNamed: MarketNames): Condition {
	const condition = asCondition(scanner, disjunction(scanner, marketNamed));
	if (scanner.peek(closing)) scanner.fail('unmatched )');
	return condition;
}

type Part = Condition | Expression;

function disjunction(scanner: Scanner, marketNamed: MarketNames): Part {
	const conjunction = () => combined(scanner, 'and', () => comparison(scanner, marketNamed));
	return combined(scanner, 'or', conjunction);
}

const signs = {or, and};

/** Parts with `type` between them, grouped from the left. */
function combined(scanner: Scanner, type: 'or' | 'and', next: () => Part): Part {
	let left = next();
	while (scanner.peek(signs[type])) {
		const condition = asCondition(scanner, left);
		scanner.accept(signs[type]);
		left = {type, left: condition, right: asCondition(scanner, next())};
	}

	return left;
}

function comparison(scanner: Scanner, marketNamed: MarketNames): Part {
	const from = scanner.at();
	const left = sum(scanner, marketNamed);
	refuseMistypedOperator(scanner);
	if (!scanner.peek(comparing) && !scanner.peek(crossing)) return left;
	const compared = asExpression(scanner, left);
	const operator = scanner.accept(comparing)?.text;
	const direction = operator === undefined ? scanner.accept(crossing)?.text.split(/\s+/)[1]?.toLowerCase() : undefined;
	if (operator === undefined && direction === undefined) refuseMistypedDirection(scanner);
	const right = asExpression(scanner, sum(scanner, marketNamed));
	const quantities = [...quantitiesIn(compared), ...quantitiesIn(right)];
	const [first] = quantities;
	if (!first) return scanner.fail('no quantity is compared', from);
	const {market} = first;
	const unnamed = quantities.find(each => each.market === undefined);
	const isOfSeveral = market !== undefined && quantities.some(each => (each.market ?? market) !== market);
	if (isOfSeveral && unnamed) {
		scanner.fail(`which market's ${unnamed.name}? write ${market}.${unnamed.name}`, from);
	}

	const sides = {left: inMarket(compared, market), right: inMarket(right, market)};
	if (operator !== undefined) {
		return {type: 'comparison', operator: operators.find(each => each === operator) ?? '=', ...sides};
	}

	return {type: 'crossing', direction: direction === 'above' || direction === 'below' ? direction : 'any', ...sides};
}

function refuseMistypedOperator(scanner: Scanner): void {
	const {text = ''} = scanner.peek(mistypedSign) ?? scanner.peek(letters) ?? {};
	const isCrossing = !scanner.peek(crossing) && nearestWord(text, ['crosses']) !== undefined;
	const meant = isCrossing ? 'crosses' : mistypedSigns[text];
	if (meant !== undefined) scanner.fail(`unknown operator ${text}; did you mean ${meant}?`);
}

function refuseMistypedDirection(scanner: Scanner): void {
	const {text = ''} = scanner.peek(letters) ?? {};
	if (quantityNamed(text)) return;
	const meant = mistypedDirections[text.toLowerCase()] ?? nearestWord(text, ['above', 'below']);
	if (meant !== undefined) scanner.fail(`unknown direction ${text}; did you mean crosses ${meant}?`);
}

/** In `ETHUSDT.last > sma(50, 1h)` both belong to the market that is named first; in `last > ETHUSDT.last` they do not. */
function inMarket<Side extends Expression | Percent>(side: Side, market: string | undefined): Side {
	if (market === undefined) return side;
	if (side.type === 'quantity') return {market, ...side};
	if (side.type !== 'arithmetic') return side;
	return {...side, left: inMarket(side.left, market), right: inMarket(side.right, market)};
}

function sum(scanner: Scanner, marketNamed: MarketNames): Part {
	return chain(scanner, adding, () => chain(scanner, multiplying, () => operand(scanner, marketNamed)));
}

/** Operands with operators that match `pattern` between them, grouped from the left. */
function chain(scanner: Scanner, pattern: RegExp, next: () => Part): Part {
	let left = next();
	while (scanner.peek(pattern)) {
		const first = asExpression(scanner, left);
		const sign = scanner.accept(pattern)?.text;
		const operator = arithmeticOperators.find(each => each === sign) ?? '-';
		const at = scanner.at();
		const right = asPercent(scanner) ?? asExpression(scanner, next());
		if (operator === '/' && 'value' in right && right.value === 0) scanner.fail('nothing can be divided by 0', at);
		left = {type: 'arithmetic', operator, left: first, right};
	}

	return left;
}

function operand(scanner: Scanner, marketNamed: MarketNames): Part {
	const open = scanner.accept(opening);
	if (open) return scanner.nested(() => group(scanner, marketNamed, open));
	// In `open/BTC.last` and `2-BTC.last` the sign stands for arithmetic, unless there is a market of that name.
	const first = scanner.peek(/[^\s/\-−]+(?=[/\-−])|\d+\.(?=\s|$)/y)?.text ?? '';
	const whole = scanner.peek(qualified)?.text ?? '';
	const isMarket = 'key' in marketNamed(whole.slice(0, Math.max(whole.lastIndexOf('.'), 0)));
	const isSum = !isMarket && (quantityNamed(first) !== undefined || 'value' in typedNumber(first));
	const name = isSum ? undefined : scanner.accept(qualified);
	if (name) return qualifiedQuantity(scanner, marketNamed, name);
	const digits = scanner.accept(number);
	if (digits) return {type: 'number', value: plainNumber(scanner, digits)};
	const isWord = !scanner.peek(and) && !scanner.peek(or) && !scanner.peek(crossing);
	const token = isWord ? scanner.accept(word) : undefined;
	if (token) return quantity(scanner, token, undefined);
	return scanner.failExpecting(expectedOperand(scanner));
}

function expectedOperand(scanner: Scanner): string {
	const last = scanner.last();
	if (!last) return 'a condition such as last > 70000';
	return /^(?:and|or|&&|\|\||\()$/i.test(last.text) ? 'a quantity' : 'a number or a quantity';
}

function group(scanner: Scanner, marketNamed: MarketNames, open: Token): Part {
	const inside = disjunction(scanner, marketNamed);
	if (!scanner.accept(closing)) {
		if (scanner.isAtEnd()) scanner.fail('unclosed (', open.at);
		scanner.failExpecting('and, or, )');
	}

	return inside;
}

/** A number with a percent sign, which only stands after an operator of arithmetic. */
function asPercent(scanner: Scanner): Percent | undefined {
	const digits = scanner.accept(percentNumber);
	if (!digits) return undefined;
	scanner.accept(percentSign);
	return {type: 'percent', value: numberOf(scanner, digits)};
}

function plainNumber(scanner: Scanner, digits: Token): number {
	const value = numberOf(scanner, digits);
	const {text, at} = digits;
	if (!scanner.peek(percentSign)) return value;
	// As in `102% * open`.
	if (scanner.accept(percentOfWhat)) return Number((value / 100).toPrecision(15));
	return scanner.fail(`${text}% of what? write open + ${text}%; for a quantity in percent write ${text}`, at);
}

function numberOf(scanner: Scanner, {text, at}: Token): number {
	const typed = typedNumber(text);
	return 'value' in typed ? typed.value : scanner.fail(typed.fault, at);
}

function qualifiedQuantity(scanner: Scanner, marketNamed: MarketNames, token: Token): Quantity {
	const dot = token.text.lastIndexOf('.');
	const name = {text: token.text.slice(dot + 1), at: token.at + dot + 1};
	checkedName(scanner, name);
	const market = marketNamed(token.text.slice(0, dot));
	if ('fault' in market) return scanner.fail(market.fault, token.at);
	return quantity(scanner, name, market.key);
}

export const quantityNamed = (text: string): QuantityName | undefined =>
	quantityNames.find(each => each.toLowerCase() === text.toLowerCase());

function checkedName(scanner: Scanner, {text, at}: Token): QuantityName {
	const name = quantityNamed(text);
	if (name) return name;
	const near = nearestWord(text, quantityNames);
	const hint = near ? `did you mean ${near}?` : `choose from ${quantityNames.join(', ')}`;
	return scanner.fail(text === '' ? `expected a quantity; ${hint}` : `unknown quantity ${text}; ${hint}`, at);
}

function quantity(scanner: Scanner, token: Token, market: string | undefined): Quantity {
	const name = checkedName(scanner, token);
	const {bare, takes = []} = formOf(name);
	const named = {type: 'quantity', name, ...(market !== undefined && {market})} as const;
	if (name === 'line') return {...named, line: lineAt(scanner)};
	const hasArguments = scanner.peek(opening) !== undefined;
	if (!hasArguments && bare) return named;
	return {...named, ...parseArguments(scanner, name, takes)};
}

function lineAt(scanner: Scanner): number {
	const number = Number(scanner.accept(lineNumber)?.text);
	return number > 0 && number <= mostLine
		? number
		: scanner.fail('line takes the number of a line that you drew: line 1');
}

const isCondition = (part: Part): part is Condition =>
	part.type !== 'number' && part.type !== 'quantity' && part.type !== 'arithmetic';

function asCondition(scanner: Scanner, part: Part): Condition {
	return isCondition(part) ? part : scanner.failExpecting(comparisons);
}

function asExpression(scanner: Scanner, part: Part): Expression {
	return isCondition(part) ? scanner.failExpecting('and, or, or the end') : part;
}

const mostLine = 999_999_999;
/** Maximum count of an average: smoothed figures need several times as many candles, and an exchange sends at most 1,000. */
const mostCandles = 250;
/** Its smoothing reaches back twice as far. */
const mostOfRsi = 100;

type Arguments = Pick<Quantity, 'windowMs' | 'count' | 'period' | 'distance'>;

type Kind = {
	readonly name: string;
	readonly example: string;
	read(text: string, of: QuantityName): Typed<Arguments>;
};

const kinds: Readonly<Record<Parameter, Kind>> = {
	window: {
		name: 'a time',
		example: '5m',
		read(text) {
			const typed = parseDuration(text);
			if ('fault' in typed) return typed;
			const fits = typed.value >= secondMs && typed.value <= longestWindowMs;
			if (!fits) return {fault: 'a time here is from 1s to 7d'};
			return typed.value % secondMs === 0
				? {value: {windowMs: typed.value}}
				: {fault: 'a time here is in whole seconds'};
		},
	},
	count: {
		name: 'a number of candles',
		example: '50',
		read(text, of) {
			const typed = typedNumber(text);
			if ('fault' in typed) return typed;
			const most = of === 'rsi' ? mostOfRsi : mostCandles;
			const fits = Number.isInteger(typed.value) && typed.value >= 1 && typed.value <= most;
			return fits ? {value: {count: typed.value}} : {fault: `a number of candles is a whole number from 1 to ${most}`};
		},
	},
	period: {
		name: 'a period',
		example: '1h',
		read(text) {
			const typed = parsePeriod(text);
			if ('fault' in typed) return {fault: typed.fault.replace(', w or M', ' or w')};
			if (monthsIn(typed.value) > 0) return {fault: 'a rule takes no calendar months: use m, h, d or w'};
			return {value: {period: typed.value}};
		},
	},
	distance: {
		name: 'a distance from the mid',
		example: '0.5%',
		read(text) {
			const [, digits] = /^(.*?)\s*%$/.exec(text) ?? [];
			if (digits === undefined) return {fault: `a distance from the mid is in percent: ${text || '0.5'}%`};
			const typed = typedNumber(digits);
			if ('fault' in typed) return typed;
			const fits = typed.value > 0 && typed.value <= 100;
			return fits ? {value: {distance: typed.value}} : {fault: 'a distance is above 0% and up to 100%'};
		},
	},
};

const argumentText = /[^,()]+/y;
const comma = /,/y;

/** Reads `(50, 1h)` behind the name of a quantity that takes `parameters`. */
function parseArguments(scanner: Scanner, name: QuantityName, parameters: readonly Parameter[]): Arguments {
	if (parameters.length === 0) return scanner.fail(`${name} takes nothing in parentheses`);
	const taken = parameters.map(each => kinds[each]);
	const usage = `${name} takes ${taken.map(each => each.name).join(' and ')}: ${exampleOf(name, parameters)}`;
	if (!scanner.accept(/\(/y)) return scanner.fail(usage);
	const read = taken.map((kind, index): Arguments => {
		if (index > 0 && !scanner.accept(comma)) scanner.fail(usage);
		const argument = scanner.accept(argumentText) ?? scanner.fail(usage);
		const typed = kind.read(argument.text.trim(), name);
		const [first = ''] = /^\S+\s+(?=\S)/.exec(argument.text) ?? [];
		const lacksComma = 'fault' in typed && index < taken.length - 1 && 'value' in kind.read(first.trim(), name);
		if (lacksComma) scanner.fail(`a comma is missing: ${exampleOf(name, parameters)}`, argument.at + first.length);
		return 'fault' in typed ? scanner.fail(typed.fault, argument.at) : typed.value;
	});
	if (!scanner.accept(/\)/y)) scanner.fail(usage);
	return Object.assign({}, ...read);
}

const exampleOf = (name: QuantityName, parameters: readonly Parameter[]): string =>
	`${name}(${parameters.map(each => kinds[each].example).join(', ')})`;
