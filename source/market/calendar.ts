import type {Period} from './types.ts';
import {monthMinutes} from './units.ts';

/** The number of calendar months of a period; 0: it has a fixed length. */
export const monthsIn = (period: Period): number => (period % monthMinutes === 0 ? period / monthMinutes : 0);

/**
 * Start of the stretch of `months` calendar months that `time` falls in, or `by` stretches later, epoch ms. Stretches are
 * counted from a January, so that 3 months are a quarter.
 */
export function monthStart(time: number, months: number, by = 0): number {
	return Date.UTC(1970, (Math.floor(monthOf(time) / months) + by) * months - 12 * 1970);
}

/** How many stretches of `months` calendar months lie between two starts, epoch ms. */
export const monthsBetween = (from: number, to: number, months: number): number =>
	Math.floor((monthOf(to) - monthOf(from)) / months);

/** The number of the calendar month that `time` (epoch ms) falls in, counted from January of the year 0. */
export function monthOf(time: number): number {
	const date = new Date(time);
	return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
