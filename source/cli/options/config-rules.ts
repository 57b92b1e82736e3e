import {ConditionError} from '../../alerts/condition-text.ts';
import {parseRule, type Rule} from '../../alerts/rule.ts';
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
