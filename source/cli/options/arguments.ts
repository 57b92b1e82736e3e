import {InvalidArgumentError} from 'commander';
import type {MarketId} from '../../client/exchange.ts';
import {type FaultRule, FaultRuleError, parseFaultRule} from '../../demo/faults/rule.ts';
import {parseTime} from '../../format/time.ts';
import {splitNumber, typedNumber} from '../../market/typed-number.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../../market/units.ts';
import {UsageError} from '../exit.ts';

/** Parsers of command-line values. Each throws an `InvalidArgumentError`, which commander turns into one line. */

export const wholeNumber = (from: number, to: number) => (text: string) => {
	const expected = `a whole number from ${from} to ${to}`;
	const value = numberIn(text, expected);
	if (Number.isInteger(value) && value >= from && value <= to) return value;
	throw new InvalidArgumentError(`Expected ${expected}.`);
};

/** Throws an `InvalidArgumentError` with what was expected and what is wrong with the text. */
function numberIn(text: string, expected: string): number {
	const number = typedNumber(text);
	if ('value' in number) return number.value;
	throw new InvalidArgumentError(`Expected ${expected}: ${number.fault}.`);
}

export function marketId(id: string): MarketId {
	if (/^\d{1,64}$/.test(id)) return {id};
	throw new InvalidArgumentError('Expected the id of a market, a whole number.');
}

/** Ms of a number of seconds. */
const secondsFrom = (least: number) => (text: string) => {
	const expected = `seconds from ${least} to 86400`;
	const value = numberIn(text, expected);
	if (value >= least && value <= 86_400) return value * 1000;
	throw new InvalidArgumentError(`Expected ${expected}.`);
};

export const seconds = secondsFrom(0.2);

/** At least a second, because the screen's clock ticks once a second. */
export const rotation = secondsFrom(1);

const unitMs: Readonly<Record<string, number>> = {'': secondMs, s: secondMs, m: minuteMs, h: hourMs, d: dayMs};

/** Ms of `90s`, `10m`, `1.5h` or `2d`, from 0.1 s to 365 days; a bare number is seconds. */
export function duration(text: string): number {
	const expected = 'seconds, or a duration such as 90s, 10m, 2h, 1d, up to 365d';
	const [digits, unit] = splitNumber(text);
	const ms = numberIn(digits || text, expected) * (unitMs[unit.toLowerCase()] ?? 0);
	if (ms >= 100 && ms <= 365 * dayMs) return ms;
	throw new InvalidArgumentError(`Expected ${expected}.`);
}

export function time(text: string): number {
	const value = parseTime(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError('Expected a UTC time such as 2026-11-20T10:00, or epoch seconds or milliseconds.');
}

/** Appends to the rules of an option that can be repeated. */
export function faultRules(text: string, before: readonly FaultRule[] = []): readonly FaultRule[] {
	try {
		return [...before, parseFaultRule(text)];
	} catch (error) {
		if (error instanceof FaultRuleError) throw new InvalidArgumentError(`${error.message}.`);
		throw error;
	}
}

const screenFlags = ['--fps', '--palette'];
const exchangeFlags = [
	...['--base-url', '--legacy-base-url', '--exchange', '--interface'],
	...['--timeout', '--rate', '--max-rate', '--log-file'],
];

/** Throws a `UsageError` about the first of `flags` that has no effect on `command`. */
export function refuseUnused(command: string, flags: readonly string[]): void {
	const drawsScreen = command === 'monitor' || command === 'watch';
	const screenFlag = drawsScreen ? undefined : flags.find(flag => screenFlags.includes(flag));
	if (screenFlag !== undefined) {
		throw new UsageError(`${screenFlag} applies to the monitor and watch; ${command} draws no screen`);
	}

	const exchangeFlag = command === 'demo' ? flags.find(flag => exchangeFlags.includes(flag)) : undefined;
	if (exchangeFlag !== undefined)
		throw new UsageError(`${exchangeFlag} does not apply to demo, which serves an exchange`);
}
