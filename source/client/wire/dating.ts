import {compareIds} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';
import {hourMs, minuteMs} from '../../market/units.ts';
import type {Decoded} from './decode.ts';

/** How far an entry may be dated after its answer, as the two times need not come from one clock. */
export const mostAheadMs = minuteMs;

/** The first cryptocurrency began in January 2009. */
const firstTime = Date.UTC(2009, 0);
const lastTime = Date.UTC(2100, 0);

/** Whether a market can have had data at `time` (epoch ms). */
export const isPlausible = (time: number): boolean => time >= firstTime && time < lastTime;

type Dated = {readonly time: number};

/** How many have a time that is implausible or later than the answer (`asOf`, epoch ms). */
export const countMisdated = (entries: readonly Dated[], asOf = Infinity): number =>
	entries.filter(({time}) => !isPlausible(time) || time > asOf + mostAheadMs).length;

/**
 * Drops and counts entries whose time is implausible or later than the answer (`asOf`, epoch ms). Where all are implausible
 * or later, or the later ones follow the others without a gap, a clock is off, and they are kept.
 */
export function dropMisdated<T extends Dated>(decoded: Decoded<T[]>, asOf = Infinity): Decoded<T[]> {
	const plausible = decoded.data.filter(({time}) => isPlausible(time));
	const data = plausible.length > 0 ? plausible : decoded.data;
	const isPast = ({time}: T) => time <= asOf + mostAheadMs;
	const past = data.filter(isPast);
	const newest = past.reduce((time, entry) => Math.max(time, entry.time), -Infinity);
	const next = data.reduce((time, entry) => (isPast(entry) ? time : Math.min(time, entry.time)), Infinity);
	const kept = past.length === 0 || next - newest <= mostAheadMs ? data : past;
	return {...decoded, data: kept, dropped: decoded.dropped + decoded.data.length - kept.length};
}

/**
 * The trades without those dated more than an hour before the trade with the next lower id and the one with the next higher
 * id, or after both. Where more than a tenth are, ids do not follow time, and all stay.
 */
export function datedAsNumbered(trades: readonly Trade[]): readonly Trade[] {
	const times = trades.map(({time}) => time);
	// Most pages are shorter, and sorting by id takes milliseconds.
	if (Math.max(...times) - Math.min(...times) <= hourMs) return trades;
	const byId = trades.toSorted((a, b) => compareIds(a.id, b.id));
	const strays = new Set(
		byId.filter(({time}, index) => {
			const lower = byId[index - 1]?.time ?? -Infinity;
			const higher = byId[index + 1]?.time ?? Infinity;
			return time < Math.min(lower, higher) - hourMs || time > Math.max(lower, higher) + hourMs;
		}),
	);
	return strays.size > trades.length / 10 ? trades : trades.filter(trade => !strays.has(trade));
}
