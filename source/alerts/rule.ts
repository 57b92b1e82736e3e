import {formatDateTime, formatDuration, parseDuration, parseTime} from '../format/time.ts';
import {nearestWord} from '../market/symbol.ts';
import {dayMs, secondMs} from '../market/units.ts';
import {
	type Condition,
	type Expression,
	isJudgedOnTrades,
	type Percent,
	printCondition,
	quantitiesIn,
	quantityNames,
} from './condition.ts';
import {conditionAt, longestText, type MarketNames, quantityNamed, type Scanner, scan} from './parse-condition.ts';
import {dataOf} from './quantity-values.ts';
import {callAt, printCall, type RuleCall} from './rule-call.ts';

/** The markets that a rule is judged for. */
export type Scope =
	| {readonly type: 'watched'}
	| {readonly type: 'market'; readonly key: string}
	| {readonly type: 'favourites'}
	/** A list of the user's. */
	| {readonly type: 'list'; readonly name: string};

/** When to call the user. */
export type Rule = {
	readonly scope: Scope;
	readonly condition: Condition;
	/** Calls again, but not within this time, ms, and only after the condition was false. Absent: it calls once. */
	readonly everyMs?: number | undefined;
	/** Epoch ms. Absent: it has no end. */
	readonly until?: number | undefined;
	/** Absent: as the options say. */
	readonly call?: RuleCall | undefined;
	readonly note?: string | undefined;
	/** The delayed ticker stands in for the last trade, as no trades are known. Default: only in a rule of many markets. */
	readonly byTicker?: boolean | undefined;
};

const anyMarket = /\*(?=\s)/y;
const list = /--list(?=\s)/y;
const listName = /\S+/y;
/** A word that is followed by an operand instead of an operator. */
const leadingMarket = /[^\s<>=!&|()+*,%]+(?=\s+(?:(?!(?:crosses|and|or)\b)[^\s<>=!&|)+*/,%\-−]|[-−][\d.]))/iy;
const onlyWord = /[^\s<>=!&|()+*,%.]+(?=\s*$)/y;
const every = /every(?![\p{L}\p{N}])/iuy;
const until = /until(?![\p{L}\p{N}])/iuy;
const call = /call(?![\p{L}\p{N}])/iuy;
const note = /note(?![\p{L}\p{N}])/iuy;
const duration = /\S+/y;
const time = /\d\S*(?:\s+\d\d:\d\d(?::\d\d)?)?/y;
const ofRules = /(?:every|until|call|note)(?=\s|$)/iy;
const anyWord = /[\p{L}\p{N}]+/uy;
const rest = /.+/sy;

type RuleOptions = {
	readonly marketNamed: MarketNames;
	/** Epoch ms. */
	readonly now: number;
	/** Whether its end may be past. Default: no. */
	readonly mayBeOver?: boolean | undefined;
};

/**
 * Parses `ETHUSDT changePercent(5m) < -2 every 10m until 2026-11-30 call bell,title note support`. The market (`*`: each favourite;
 * `--list NAME`: each of that list; absent: each that is watched) and what follows the condition may be absent. Times are UTC;
 * `18:00` is the next one after `now` (epoch ms). Throws a `ConditionError`.
 */
export function parseRule(text: string, {marketNamed, now, mayBeOver = false}: RuleOptions): Rule {
	const scanner = scan(text);
	const stated = scopeAt(scanner, marketNamed);
	const lacksCondition = stated.type !== 'watched' && (scanner.isAtEnd() || scanner.peek(ofRules) !== undefined);
	if (lacksCondition) scanner.failExpecting('a condition such as last > 70000');
	const condition = conditionAt(scanner, marketNamed);
	const scope = stated.type === 'watched' ? (scopeOf(condition) ?? stated) : stated;
	let everyMs: number | undefined;
	let end: number | undefined;
	let calls: RuleCall | undefined;
	for (;;) {
		if (everyMs === undefined && scanner.accept(every)) everyMs = durationAt(scanner);
		else if (end === undefined && scanner.accept(until)) end = timeAt(scanner, mayBeOver ? -Infinity : now, now);
		else if (calls === undefined && scanner.accept(call)) calls = callAt(scanner);
		else break;
	}

	const words = scanner.accept(note) && (scanner.accept(rest) ?? scanner.failExpecting('a text')).text;
	if (!scanner.isAtEnd()) failAfterCondition(scanner);
	const rule: Rule = {
		scope,
		condition: shortened(condition, scope),
		...(everyMs !== undefined && {everyMs}),
		...(end !== undefined && {until: end}),
		...(calls && {call: calls}),
		...(words !== undefined && {note: words.trim()}),
	};
	// What is printed and saved is read again.
	if (printRule(rule).length > longestText)
		scanner.fail(`a rule has at most ${longestText} characters, written in full`);
	return rule;
}

function failAfterCondition(scanner: Scanner): never {
	const {text = ''} = scanner.peek(anyWord) ?? {};
	const near = scanner.peek(ofRules) ? undefined : nearestWord(text, ['and', 'every', 'until', 'call', 'note']);
	if (near !== undefined) scanner.fail(`unknown word ${text}; did you mean ${near}?`);
	return scanner.failExpecting('and, or, every, until, call, note, or the end');
}

/** A condition whose quantities all name their markets is judged once, for the first of them. */
function scopeOf(condition: Condition): Scope | undefined {
	const keys = keysIn(condition);
	const [key] = keys;
	return key === undefined || keys.includes(undefined) ? undefined : {type: 'market', key};
}

/** The market of each quantity; undefined: it names none. */
const keysIn = (condition: Condition) => quantitiesIn(condition).map(({market}) => market);

/** Leaves out the name of the market if it is the one that the rule is judged for and the only one. */
const shortened = (condition: Condition, scope: Scope): Condition =>
	scope.type === 'market' && keysIn(condition).every(key => key === scope.key) ? withoutMarkets(condition) : condition;

function withoutMarkets<Part extends Condition | Expression | Percent>(part: Part): Part {
	if (part.type === 'number' || part.type === 'percent') return part;
	if (part.type === 'quantity') return {...part, market: undefined};
	return {...part, left: withoutMarkets(part.left), right: withoutMarkets(part.right)};
}

/** The keys of the markets that the rule names. */
export function namedMarkets({scope, condition}: Rule): readonly string[] {
	const own = scope.type === 'market' ? [scope.key] : [];
	return [...new Set([...own, ...keysIn(condition).flatMap(key => key ?? [])])];
}

function scopeAt(scanner: Scanner, marketNamed: MarketNames): Scope {
	if (scanner.accept(anyMarket)) return {type: 'favourites'};
	if (scanner.accept(list)) {
		return {type: 'list', name: (scanner.accept(listName) ?? scanner.failExpecting('the name of a list')).text};
	}

	const key = marketAt(scanner, marketNamed) ?? onlyMarketAt(scanner, marketNamed);
	return key === undefined ? {type: 'watched'} : {type: 'market', key};
}

function marketAt(scanner: Scanner, marketNamed: MarketNames): string | undefined {
	const misplaced = scanner.peek(ofRules);
	const word = scanner.peek(leadingMarket);
	if (misplaced && word) scanner.fail(`${misplaced.text} comes after the condition`);
	if (!word || !/[\p{L}\p{N}]/u.test(word.text) || word.text.includes('.') || quantityNamed(word.text))
		return undefined;
	const market = marketNamed(word.text);
	if ('fault' in market) return scanner.fail(market.fault, word.at);
	scanner.accept(leadingMarket);
	return market.key;
}

/** The market that is all there is; a word that is like a quantity is no market. */
function onlyMarketAt(scanner: Scanner, marketNamed: MarketNames): string | undefined {
	const word = scanner.peek(onlyWord);
	if (!word || nearestWord(word.text, quantityNames) !== undefined) return undefined;
	const market = marketNamed(word.text);
	if ('fault' in market) return undefined;
	scanner.accept(onlyWord);
	return market.key;
}

function durationAt(scanner: Scanner): number {
	const word = scanner.accept(duration) ?? scanner.failExpecting('a time such as 10m');
	const typed = parseDuration(word.text);
	if ('fault' in typed) return scanner.fail(typed.fault, word.at);
	if (typed.value < secondMs) scanner.fail('a rule alerts at most once a second', word.at);
	return typed.value % secondMs === 0 ? typed.value : scanner.fail('a time here is in whole seconds', word.at);
}

function timeAt(scanner: Scanner, earliest: number, now: number): number {
	const word = scanner.accept(time) ?? scanner.failExpecting('a UTC time such as 18:00 or 2026-11-30 18:00');
	const end = /^\d\d?:\d\d(?::\d\d)?$/.test(word.text) ? nextTime(word.text, now) : parseTime(word.text);
	if (end === undefined)
		return scanner.fail(`${word.text} is not a UTC time such as 18:00 or 2026-11-30 18:00`, word.at);
	return end > earliest ? end - (end % secondMs) : scanner.fail(`${word.text} is in the past`, word.at);
}

function nextTime(clock: string, now: number): number | undefined {
	const today = new Date(now).toISOString().slice(0, 10);
	const time = parseTime(`${today}T${clock.padStart(clock.length < 6 ? 5 : 8, '0')}`);
	return time === undefined || time > now ? time : time + dayMs;
}

/** The rule in the syntax of `parseRule`. */
export function printRule({scope, condition, everyMs, until: end, call: calls, note: words}: Rule): string {
	return [
		...scopeText(scope),
		printCondition(condition),
		...(everyMs === undefined ? [] : [`every ${formatDuration(everyMs)}`]),
		...(end === undefined ? [] : [`until ${formatDateTime(end)}`]),
		...(calls === undefined ? [] : [`call ${printCall(calls)}`]),
		...(words === undefined ? [] : [`note ${words}`]),
	].join(' ');
}

function scopeText(scope: Scope): readonly string[] {
	if (scope.type === 'market') return [scope.key];
	if (scope.type === 'list') return ['--list', scope.name];
	return scope.type === 'favourites' ? ['*'] : [];
}

/**
 * Whether the delayed ticker stands in for the last trade: one poll serves many markets, and a rule that asks for no single
 * trade can wait.
 */
export const isByTicker = ({scope, condition, byTicker = isOfMany(scope)}: Rule): boolean =>
	byTicker && !isJudgedOnTrades(condition);

/** Whether a scope names many markets, which are not on screen. */
export const isOfMany = ({type}: Scope): boolean => type === 'favourites' || type === 'list';

/** Whether a quantity of the rule is only known from the delayed ticker. */
export const isDelayed = (rule: Rule): boolean =>
	quantitiesIn(rule.condition).some(quantity => dataOf(quantity, isByTicker(rule)).some(({ask}) => ask === 'tickers'));

export const delayedText = 'by the 24 h ticker, delayed';

/** Why the rule may call late; undefined: it is judged on what the exchange knows at once. */
export const delayedNote = (rule: Rule): string | undefined => (isDelayed(rule) ? delayedText : undefined);
