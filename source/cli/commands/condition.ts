import {textWidth} from '../../format/cells.ts';
import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {nearestWord, symbolKey} from '../../market/symbol.ts';
import {typedNumber} from '../../market/typed-number.ts';
import {UsageError} from '../exit.ts';

/** What a condition can compare: prices in quote asset, volume in base asset, age in seconds. */
export const quantities = [
	'last',
	'bid',
	'ask',
	'spread',
	'spreadPercent',
	'change',
	'changePercent',
	'volume',
	'age',
] as const;
export type Quantity = (typeof quantities)[number];

export const operators = ['>', '>=', '<', '<=', '=', '!='] as const;
export type Operator = (typeof operators)[number];

export type Comparison = {
	readonly type: 'comparison';
	/** Key of the market; absent: any watched market. */
	readonly market?: string | undefined;
	readonly quantity: Quantity;
	readonly operator: Operator;
	readonly value: number;
};

/** What `--until` waits for. `and` binds closer than `or`, both group from the left. */
export type Condition = Comparison | {readonly type: 'and' | 'or'; readonly left: Condition; readonly right: Condition};

export const comparisonsIn = (condition: Condition): readonly Comparison[] =>
	condition.type === 'comparison'
		? [condition]
		: [condition.left, condition.right].flatMap(part => comparisonsIn(part));

type Token = {
	readonly type: 'word' | 'operator' | 'and' | 'or' | '(' | ')' | 'stray' | 'end';
	readonly text: string;
	/** Index of its first character. */
	readonly at: number;
};

/** Bounds the parser's recursion. */
const longestCondition = 2000;

/**
 * Parses `last > 70000 and (spread < 2 or BTCUSDT.changePercent <= -5)`. Numbers are those of `typedNumber`; `==`, `&&`,
 * `||` and any case are accepted. `watched`: the markets that may be named, in any spelling. Throws a `UsageError` with the text and a
 * caret under the fault.
 */
export function parseCondition(text: string, watched: readonly string[]): Condition {
	if (text.length > longestCondition) {
		throw new UsageError(`--until: a condition has at most ${longestCondition} characters`);
	}

	const tokens = tokensOf(text);
	const keys = new Set(watched.map(symbolKey));
	let next = 0;

	const token = (): Token => tokens[next] ?? {type: 'end', text: '', at: text.length};
	const accept = (...types: readonly Token['type'][]): Token | undefined => {
		const current = token();
		if (!types.includes(current.type)) return undefined;
		next += 1;
		return current;
	};

	const fail = (message: string, at = token().at): never => {
		throw new UsageError(`--until: ${message}`, {details: caretUnder(text, at)});
	};

	const afterLast = () => (next === 0 ? '' : ` after ${tokens[next - 1]?.text}`);
	const failExpecting = (what: string): never => fail(`expected ${what}${afterLast()}`);

	function either(): Condition {
		let left = both();
		while (accept('or')) left = {type: 'or', left, right: both()};
		return left;
	}

	function both(): Condition {
		let left = primary();
		while (accept('and')) left = {type: 'and', left, right: primary()};
		return left;
	}

	function primary(): Condition {
		const open = accept('(');
		if (!open) return comparison();
		const inside = either();
		if (!accept(')')) {
			if (token().type === 'end') fail('unclosed (', open.at);
			failExpecting('and, or, )');
		}

		return inside;
	}

	function comparison(): Comparison {
		const subject = accept('word') ?? failExpecting(next === 0 ? 'a condition such as last > 70000' : 'a quantity');
		const dot = subject.text.lastIndexOf('.');
		const quantity = quantityNamed(subject.text.slice(dot + 1), subject.at + dot + 1);
		const market = dot < 0 ? undefined : marketNamed(subject.text.slice(0, dot), subject.at);
		const operator = accept('operator') ?? failExpecting('>, >=, <, <=, = or !=');
		const value = accept('word') ?? failExpecting('a number');
		return {
			type: 'comparison',
			market,
			quantity,
			operator: operators.find(each => each === operator.text) ?? '=',
			value: numberOf(value),
		};
	}

	function quantityNamed(word: string, at: number): Quantity {
		const folded = word.toLowerCase();
		const quantity = quantities.find(each => each.toLowerCase() === folded);
		if (quantity) return quantity;
		const near = nearestWord(word, quantities);
		const hint = near ? `did you mean ${near}?` : `choose from ${quantities.join(', ')}`;
		return fail(word === '' ? `expected a quantity; ${hint}` : `unknown quantity ${word}; ${hint}`, at);
	}

	function marketNamed(name: string, at: number): string {
		const key = symbolKey(name);
		if (keys.has(key)) return key;
		const remedy = watched.length > 0 ? `watched: ${watched.join(', ')}` : `name it: tapewatch watch ${name}`;
		return fail(name === '' ? 'expected a market before the dot' : `${name} is not watched; ${remedy}`, at);
	}

	function numberOf({text: word, at}: Token): number {
		const number = typedNumber(word);
		return 'value' in number ? number.value : fail(number.fault, at);
	}

	const condition = either();
	if (token().type === ')') fail('unmatched )');
	if (token().type !== 'end') failExpecting('and, or, or the end');
	return condition;
}

const tokenPattern = /\s*(?:(&&|\|\||[<>!=]=|[<>=()]|[&|!])|([^\s<>=!&|()]+))/y;

function tokensOf(text: string): readonly Token[] {
	return [...text.matchAll(new RegExp(tokenPattern, 'gy'))].map(match => {
		const [whole, symbol, word = ''] = match;
		const at = match.index + whole.length - (symbol ?? word).length;
		return symbol === undefined ? wordToken(word, at) : {...symbolToken(symbol), at};
	});
}

function wordToken(text: string, at: number): Token {
	const folded = text.toLowerCase();
	return {type: folded === 'and' || folded === 'or' ? folded : 'word', text, at};
}

function symbolToken(text: string): Omit<Token, 'at'> {
	if (text === '&&') return {type: 'and', text};
	if (text === '||') return {type: 'or', text};
	if (text === '(' || text === ')') return {type: text, text};
	if (text === '&' || text === '|' || text === '!') return {type: 'stray', text};
	return {type: 'operator', text: text === '==' ? '=' : text};
}

/** The text without control characters, and below it a caret under the character at `at`; no lines for an empty text. */
function caretUnder(text: string, at: number): readonly string[] {
	if (text.trim() === '') return [];
	const before = stripControl(text.slice(0, at));
	return [`  ${before}${stripControl(text.slice(at))}`, `  ${' '.repeat(textWidth(before))}^`];
}

/** The condition in the syntax of `parseCondition`, with as few parentheses as possible. */
export function printCondition(condition: Condition): string {
	if (condition.type === 'comparison') {
		const {market, quantity, operator, value} = condition;
		return `${market === undefined ? '' : `${market}.`}${quantity} ${operator} ${formatPlain(value)}`;
	}

	const {type, left, right} = condition;
	const grouped = (part: Condition, inGroup: readonly Condition['type'][]) =>
		inGroup.includes(part.type) ? `(${printCondition(part)})` : printCondition(part);
	return type === 'or'
		? `${grouped(left, [])} or ${grouped(right, ['or'])}`
		: `${grouped(left, ['or'])} and ${grouped(right, ['or', 'and'])}`;
}
