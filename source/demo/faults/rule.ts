import {editDistance} from '../../market/symbol.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../../market/units.ts';
import {type OperationName, operationNames} from '../operations.ts';
import {type Fields, isFields} from './data.ts';
import {type FaultName, faultNames} from './table.ts';

/** Which fault hits which requests. */
export type FaultRule = {
	/** An operation, e.g. `v2.depth`, or several: `legacy.*`, `*.trades`, `*`. */
	readonly on: string;
	readonly fault: FaultName;
	/** Fraction of the requests of those operations, above 0 up to 1. Default 1. */
	readonly share?: number | undefined;
	/** Duration. Default: until it is removed. */
	readonly forMs?: number | undefined;
};

/** A rule that cannot be read. The message is one line for the user. */
export class FaultRuleError extends Error {
	override readonly name = 'FaultRuleError';
}

const unitMs: Readonly<Record<string, number>> = {ms: 1, s: secondMs, m: minuteMs, h: hourMs};
/** Timers overflow at 24.8 days. */
const longestMs = dayMs;

/** Reads `ON=FAULT[,share=S][,for=TIME]`, e.g. `legacy.*=status-500,share=0.3,for=30s`. Throws a `FaultRuleError`. */
export function parseFaultRule(text: string): FaultRule {
	const [first = '', ...rest] = text.trim().split(',');
	const [on = '', fault = ''] = halves(first);
	return ruleOf({on, fault, ...Object.fromEntries(rest.map(halves))});
}

/**
 * Reads rules: lines of the text form, or JSON with one rule or a list, each as text or as an object of `on`, `fault`,
 * `share` and `for`. Throws a `FaultRuleError`.
 */
export function parseFaultRules(text: string): readonly FaultRule[] {
	const trimmed = text.trim();
	if (!/^[[{"]/.test(trimmed)) {
		return trimmed.split('\n').flatMap(line => (line.trim() ? [parseFaultRule(line)] : []));
	}

	return [parsedJson(trimmed)]
		.flat()
		.map(value => (typeof value === 'string' ? parseFaultRule(value) : ruleOf(fieldsOf(value))));
}

/** Whether the rule applies to this operation. */
export function isAbout({on}: FaultRule, operation: OperationName): boolean {
	if (on === '*') return true;
	const [source, name] = on.split('.');
	const [ofSource, ofName] = operation.split('.');
	return (source === '*' || source === ofSource) && (name === '*' || name === ofName);
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new FaultRuleError(`invalid JSON: ${error instanceof Error ? error.message : error}`);
	}
}

function fieldsOf(value: unknown): Fields {
	if (isFields(value)) return value;
	throw new FaultRuleError('a fault is text or an object of on, fault, share and for');
}

function ruleOf({on, fault, share, for: time, ...others}: Fields): FaultRule {
	const [unknown] = Object.keys(others);
	if (unknown !== undefined) throw new FaultRuleError(`unknown field ${unknown}; a fault takes share and for`);
	if (!on || !fault) throw new FaultRuleError('expected ON=FAULT, e.g. v2.depth=hang');
	const rule = {on: operationsOf(on), fault: faultOf(fault), share: shareOf(share), forMs: durationOf(time)};
	if (rule.fault === 'refuse' && rule.forMs === undefined) {
		throw new FaultRuleError('refuse needs an end, e.g. for=30s: while the port is closed nothing can remove it');
	}

	return rule;
}

function operationsOf(value: unknown): string {
	const on = String(value);
	const rule: FaultRule = {on, fault: 'hang'};
	if (on.split('.').length <= 2 && operationNames.some(operation => isAbout(rule, operation))) return on;
	throw new FaultRuleError(
		`unknown operation ${on}; choose from ${operationNames.join(', ')}, with * for either part or for all`,
	);
}

function faultOf(value: unknown): FaultName {
	const found = faultNames.find(name => name === value);
	if (found !== undefined) return found;
	const [nearest] = faultNames.toSorted(
		(one, other) => editDistance(one, `${value}`) - editDistance(other, `${value}`),
	);
	throw new FaultRuleError(`unknown fault ${value}; did you mean ${nearest}?`);
}

function shareOf(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const share = value === '' ? Number.NaN : Number(value);
	if (share > 0 && share <= 1) return share;
	throw new FaultRuleError(`share is above 0 and at most 1, e.g. share=0.3, not ${value}`);
}

function durationOf(value: unknown): number | undefined {
	if (value === undefined) return undefined;
	const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(String(value)) ?? [];
	const ms = Number(digits) * (unitMs[unit] ?? Number.NaN);
	if (ms > 0 && ms <= longestMs) return ms;
	throw new FaultRuleError(`for is a time up to 24h, e.g. for=30s, not ${value}`);
}

function halves(text: string): [string, string] {
	const [name = '', ...value] = text.split('=');
	return [name.trim(), value.join('=').trim()];
}
