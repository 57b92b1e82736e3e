import {parseWireTime} from '../wire/fields.ts';
import {mostAheadMs} from '../wire/lists.ts';

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

/** The first cryptocurrency began in January 2009. */
const firstTime = Date.UTC(2009, 0);
const lastTime = Date.UTC(2100, 0);

const unitMs: Readonly<Record<string, number>> = {s: 1000, ms: 1, µs: 1e-3, ns: 1e-6};
const withOffset = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i;

/** Whether a market can have had data at `time` (epoch ms). */
export const isPlausible = (time: number): boolean => time >= firstTime && time < lastTime;

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

/** How many have a time that is implausible or later than the answer (`asOf`, epoch ms). */
export const countMisdated = (trades: readonly {readonly time: number}[], asOf?: number): number =>
	trades.filter(({time}) => timeFault(time, understoodUnit, asOf) !== undefined).length;

/** The time of the answer: the exchange's, if it is plausible and later than ours. Epoch ms. */
export const answerTime = (receivedAt: number, serverTime: number | undefined): number =>
	serverTime !== undefined && isPlausible(serverTime) ? Math.max(serverTime, receivedAt) : receivedAt;
