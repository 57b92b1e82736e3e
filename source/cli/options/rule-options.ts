import {type Condition, isOfMoments} from '../../alerts/condition.ts';
import {ConditionError, type MarketNames, parseCondition} from '../../alerts/parse-condition.ts';
import {parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import {stripControl} from '../../format/control.ts';
import {symbolKey} from '../../market/symbol.ts';
import {UsageError} from '../exit.ts';
import type {ConfigRule} from './option-table.ts';

type Place = {
	/** Epoch ms. */
	readonly now: number;
	/** The rule's place, for the user. */
	readonly where: string;
};

/**
 * A rule of the config file; its end may be past. Throws a `UsageError` with the text and a caret under the fault, also if the
 * rule names no markets: nothing else in the file says which ones are meant.
 */
export function readConfigRule(text: string, {now, where}: Place): Rule {
	const marketNamed = (name: string) => ({key: symbolKey(name)});
	const rule = parsed(where, () => parseRule(text, {marketNamed, now, mayBeOver: true}));
	if (rule.scope.type !== 'watched') return rule;
	throw new UsageError(`${where} names no market: begin with one, with *, or with --list NAME`, {
		details: [`  ${stripControl(text)}`],
	});
}

/** The rules of the config file, which `readConfigRule` has accepted. `now`: epoch ms. */
export const readConfigRules = (rules: readonly ConfigRule[], now: number): readonly Rule[] =>
	rules.map(({rule, where = 'alerts'}) => readConfigRule(rule, {now, where}));

/** What `read` returns. Throws a `UsageError` for a `ConditionError`. */
export function parsed<Read>(where: string, read: () => Read): Read {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof ConditionError)) throw error;
		throw new UsageError(`${where}: ${error.message}`, {details: error.lines.map(line => `  ${line}`)});
	}
}

/**
 * The condition of `--until`. `watched`: the markets that may be named, in any spelling. Throws a `UsageError` with the text
 * and a caret under the fault.
 */
export function readCondition(text: string, watched: readonly string[], {once}: {readonly once: boolean}): Condition {
	const condition = parsed('--until', () => parseCondition(text, namesOf(watched)));
	if (once && isOfMoments(condition)) {
		throw new UsageError('--until: crosses, tradeSize and tradeValue need more than one answer; leave out --once');
	}

	return condition;
}

/** The rules of `--alert`, each once; they may name any market. Throws a `UsageError` as `readCondition` does. */
export function readRules(texts: readonly string[], now: number): readonly Rule[] {
	const marketNamed = (name: string) => ({key: symbolKey(name)});
	const read = texts.map(text => parsed('--alert', () => parseRule(text, {marketNamed, now})));
	return [...new Map(read.map(rule => [printRule(rule), rule])).values()];
}

function namesOf(watched: readonly string[]): MarketNames {
	const keys = new Set(watched.map(symbolKey));
	return name => {
		const key = symbolKey(name);
		if (keys.has(key)) return {key};
		const remedy = watched.length > 0 ? `watched: ${watched.join(', ')}` : `name it: tapewatch watch ${name}`;
		return {fault: `${name} is not watched; ${remedy}`};
	};
}
