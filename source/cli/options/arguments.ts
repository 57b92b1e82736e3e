import {InvalidArgumentError} from 'commander';
import {type FaultRule, FaultRuleError, parseFaultRule} from '../../demo/faults/rule.ts';
import {parseTime} from '../../format/time.ts';
import {parseDuration} from './duration.ts';

/** Parsers of command-line values; each throws what commander turns into one line that names the option. */

export const wholeNumber = (from: number, to: number) => (text: string) => {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= from && value <= to) return value;
	throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
};

/** Ms of a number of seconds. */
const secondsFrom = (least: number) => (text: string) => {
	const value = Number(text);
	if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= 86_400) return value * 1000;
	throw new InvalidArgumentError(`Give seconds from ${least} to 86400.`);
};

export const seconds = secondsFrom(0.2);

/** The screen's clock turns by the second. */
export const rotation = secondsFrom(1);

/** Ms. */
export function duration(text: string): number {
	const value = parseDuration(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError('Give seconds, or a duration such as 90s, 10m, 2h, 1d, up to 365d.');
}

export function time(text: string): number {
	const value = parseTime(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError('Give a UTC time such as 2026-11-20T10:00, or epoch seconds or milliseconds.');
}

/** One more of a repeated option. */
export function faultRules(text: string, before: readonly FaultRule[] = []): readonly FaultRule[] {
	try {
		return [...before, parseFaultRule(text)];
	} catch (error) {
		if (error instanceof FaultRuleError) throw new InvalidArgumentError(`${error.message}.`);
		throw error;
	}
}
