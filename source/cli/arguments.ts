import {InvalidArgumentError} from 'commander';
import {parseTime} from '../format/time.ts';

/** Parsers of command-line values; each throws what commander turns into one line that names the option. */

export const wholeNumber = (from: number, to: number) => (text: string) => {
	const value = Number(text);
	if (/^\d+$/.test(text) && value >= from && value <= to) return value;
	throw new InvalidArgumentError(`Give a whole number from ${from} to ${to}.`);
};

/** Ms of a number of seconds. */
export function seconds(text: string): number {
	const value = Number(text);
	if (/^\d+(\.\d+)?$/.test(text) && value >= 0.2 && value <= 86_400) return value * 1000;
	throw new InvalidArgumentError('Give seconds from 0.2 to 86400.');
}

export function time(text: string): number {
	const value = parseTime(text);
	if (value !== undefined) return value;
	throw new InvalidArgumentError('Give a UTC time such as 2026-11-20T10:00, or epoch seconds or milliseconds.');
}
