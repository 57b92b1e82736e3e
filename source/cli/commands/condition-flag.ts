import {type Condition, isOfMoments} from '../../alerts/condition.ts';
import {neverKnown} from '../../alerts/never-known.ts';
import {type MarketNames, parseCondition} from '../../alerts/parse-condition.ts';
import {printExpression} from '../../alerts/print-condition.ts';
import {parseRule, printRule, type Rule} from '../../alerts/rule.ts';
import type {InterfaceChoice} from '../../client/exchange.ts';
import {symbolKey} from '../../market/symbol.ts';
import type {Interface} from '../../market/types.ts';
import {interfacesOf} from '../context.ts';
import {UsageError} from '../exit.ts';
import {parsed} from '../options/config-rules.ts';
import type {ExchangeAddress} from '../options/options.ts';

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

/**
 * Throws a `UsageError` if the condition compares what these interfaces never show. `address` undefined: the embedded
 * exchange. `where`: the condition's place, for the user.
 */
export function refuseNeverKnown(
	condition: Condition,
	address: ExchangeAddress | undefined,
	choice: InterfaceChoice,
	where: string,
): void {
	const interfaces = interfacesOf(address);
	const refused = neverKnown(condition, {interfaces, choice});
	if (!refused) return;
	const {quantity, reason, needs} = refused;
	const setting = `set ${addressFlags[needs]}${choice === 'auto' ? '' : ', with --interface auto'}`;
	const advice = interfaces.includes(needs) ? 'use --interface auto' : setting;
	const name = printExpression({...quantity, market: undefined});
	throw new UsageError(`${where}: ${name} is never available: ${reason}; ${advice}`);
}

const addressFlags = {v2: '--base-url', legacy: '--legacy-base-url'} satisfies Record<Interface, string>;
