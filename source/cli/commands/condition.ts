import {textWidth} from '../../format/cells.ts';
import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {nearestWord, symbolKey} from '../../market/symbol.ts';
import {UsageError} from '../exit.ts';

/** What a condition can speak of. Prices in quote asset, volume in base asset, age in seconds. */
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
	/** Key of the market that is meant; absent: each of the watched ones in turn. */
	readonly market?: string | undefined;
	readonly quantity: Quantity;
	readonly operator: Operator;
	readonly value: number;
};

/** What `--until` waits for. `and` binds closer than `or`, both group from the left. */
export type Condition = Comparison | {readonly type: 'and' | 'or'; readonly left: Condition; readonly right: Condition};

type Token = {
	readonly type: 'word' | 'operator' | 'and' | 'or' | '(' | ')' | 'stray' | 'end';
	readonly text: string;
	/** Index of its first character. */
	readonly at: number;
};

/** Bounds the nesting that the reader follows. */
const longestCondition = 2000;

/**
 * Reads `last > 70000 and (spread < 2 or BTCUSDT.changePercent <= -5)`. Numbers take exponents; `==`, `&&`, `||` and any
 * case are understood. `watched`: the markets that may be named, in any spelling. Throws a `UsageError` with the text and
 * a caret under the fault.
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
		const found = token();
		if (!types.includes(found.type)) return undefined;
		next += 1;
		return found;
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
			if (token().type === 'end') fail('this ( is not closed', open.at);
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
			operator: operators.find(known => known === operator.text) ?? '=',
			value: numberOf(value),
		};
	}

	function quantityNamed(word: string, at: number): Quantity {
		const folded = word.toLowerCase();
		const known = quantities.find(quantity => quantity.toLowerCase() === folded);
		if (known) return known;
		const near = nearestWord(word, quantities);
		const hint = near ? `did you mean ${near}?` : `known are ${quantities.join(', ')}`;
		return fail(word === '' ? `expected a quantity: ${hint}` : `${word} is not known; ${hint}`, at);
	}

	function marketNamed(name: string, at: number): string {
		const key = symbolKey(name);
		if (keys.has(key)) return key;
		const named = watched.length > 0 ? `watched: ${watched.join(', ')}` : `name it: tapewatch watch ${name}`;
		return fail(`${name === '' ? 'a market without a name' : name} is not watched; ${named}`, at);
	}

	function numberOf({text: word, at}: Token): number {
		const plain = word.replace(/^\u2212/, '-');
		if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain)) {
			const value = Number(plain);
			// Without the sign of -0: no comparison tells it.
			return Number.isFinite(value) ? value + 0 : fail(`${word} is too large a number`, at);
		}

		const separator = /^[+-]?\d+([,_'’])[\d,_'’]*(?:\.\d+)?$/.exec(plain)?.[1];
		if (separator === undefined) return fail(`expected a number, ${word} is none`, at);
		const bare = plain.replace(/[,_'’]/g, '');
		return fail(`a number has no thousands separators; write ${bare}`, at + word.indexOf(separator));
	}

	const condition = either();
	if (token().type === ')') fail('this ) closes nothing');
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

/** The text as the terminal can show it, and below it a caret under the character at `at`; nothing of an empty text. */
function caretUnder(text: string, at: number): readonly string[] {
	if (text.trim() === '') return [];
	const before = stripControl(text.slice(0, at));
	return [`  ${before}${stripControl(text.slice(at))}`, `  ${' '.repeat(textWidth(before))}^`];
}

/** The condition as `parseCondition` reads it, with no more parentheses than needed. */
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
