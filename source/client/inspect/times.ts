import {isPlausible} from '../../market/clock.ts';
import {mostAheadMs} from '../wire/dating.ts';
import {parseWireTime} from '../wire/fields.ts';

/** How the specification writes a time: epoch milliseconds, epoch seconds, or ISO 8601 with UTC offset. */
export type TimeUnit = 'ms' | 's' | 'ISO 8601';

/** The unit in which every time is read, whatever the specification says. */
export const understoodUnit: TimeUnit = 'ms';

/**
 * What is wrong with a time. `unit`: it is plausible in another unit. `implausible`: in none.
 * `future`: dated after the answer. `offset`: ISO 8601 without UTC offset.
 */
export type TimeFault = {
	readonly problem: 'unit' | 'implausible' | 'future' | 'offset';
	/** The unit in which it is plausible. */
	readonly found?: string | undefined;
};

const unitMs: Readonly<Record<string, number>> = {s: 1000, ms: 1, µs: 1e-3, ns: 1e-6};
const withOffset = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** `asOf`: the time of the answer, epoch ms; absent: `value` is the time of the answer itself. */
export function timeFault(value: number | string, unit: TimeUnit, asOf = Infinity): TimeFault | undefined {
	const digits = typeof value === 'number' || /^\s*\d+\s*$/.test(value) ? Number(value) : undefined;
	if (digits !== undefined && !(unit !== 'ISO 8601' && isPlausible(digits * (unitMs[unit] ?? 1)))) {
		const [found] = Object.entries(unitMs).find(([, ms]) => isPlausible(digits * ms)) ?? [];
		return found === undefined ? {problem: 'implausible'} : {problem: 'unit', found};
	}

	const time = digits === undefined ? parseWireTime(value) : digits * (unitMs[unit] ?? 1);
	if (time === undefined || !isPlausible(time)) return {problem: 'implausible'};
	if (time > asOf + mostAheadMs) return {problem: 'future'};
	return unit === 'ISO 8601' && typeof value === 'string' && !withOffset.test(value.trim())
		? {problem: 'offset'}
		: undefined;
}

/** The time of the answer: the exchange's, if it is plausible and later than ours. Epoch ms. */
export const answerTime = (receivedAt: number, serverTime: number | undefined): number =>
	serverTime !== undefined && isPlausible(serverTime) ? Math.max(serverTime, receivedAt) : receivedAt;
