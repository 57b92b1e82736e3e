import {isPlausible} from '../../market/clock.ts';
import {firstWhere} from '../../market/numbers.ts';
import {compareIds, tradeKey} from '../../market/tape.ts';
import type {Trade} from '../../market/types.ts';
import {hourMs, minuteMs} from '../../market/units.ts';
import type {Decoded} from './decode.ts';

/** How far an entry may be dated after its answer, as the two times need not come from one clock. */
export const mostAheadMs = minuteMs;

type Dated = {readonly time: number};

/** How many have a time that is implausible or later than the answer (`asOf`, epoch ms). */
export const countMisdated = (entries: readonly Dated[], asOf = Infinity): number =>
	entries.filter(({time}) => !isPlausible(time) || time > asOf + mostAheadMs).length;

/**
 * Drops and counts entries whose time is implausible or later than the answer (`asOf`, epoch ms). Where all are implausible
 * or later, or the later ones follow the others as soon as they do each other, a clock is off, and they are kept.
 */
export function dropMisdated<T extends Dated>(decoded: Decoded<T[]>, asOf = Infinity): Decoded<T[]> {
	const plausible = decoded.data.filter(({time}) => isPlausible(time));
	const data = plausible.length > 0 ? plausible : decoded.data;
	const isPast = ({time}: T) => time <= asOf + mostAheadMs;
	if (data.every(isPast)) return withOnly(decoded, data);
	const past = data.filter(isPast);
	const newest = past.reduce((time, entry) => Math.max(time, entry.time), -Infinity);
	const next = data.reduce((time, entry) => (isPast(entry) ? time : Math.min(time, entry.time)), Infinity);
	const kept = past.length === 0 || next - newest <= Math.max(mostAheadMs, 2 * longestPause(past)) ? data : past;
	return withOnly(decoded, kept);
}

/** Drops misdated trades as `dropMisdated` does, but keeps three or more in a row, by id, at an end: the exchange has set its clock. */
export function dropMisdatedTrades(decoded: Decoded<Trade[]>, asOf?: number): Decoded<Trade[]> {
	const past = dropMisdated(decoded, asOf);
	const whole = dropMisdated(decoded);
	if (whole.data.length - past.data.length < fewInRow) return past;
	const isPast = new Set(past.data);
	const byId = whole.data.toSorted((a, b) => compareIds(a.id, b.id));
	const [first, last] = [byId.findIndex(trade => isPast.has(trade)), byId.findLastIndex(trade => isPast.has(trade))];
	const isInRow = last - first + 1 === past.data.length && (first === 0 || last === byId.length - 1);
	return isInRow ? whole : past;
}

const withOnly = <T>(decoded: Decoded<T[]>, kept: T[]): Decoded<T[]> => ({
	...decoded,
	...{data: kept, dropped: decoded.dropped + decoded.data.length - kept.length},
});

/** Pauses that are enough to show how often a market trades. */
const fewPauses = 10;

/** The longest time without an entry among the newest of them. */
function longestPause(entries: readonly Dated[]): number {
	const times = entries.map(({time}) => time).sort((a, b) => b - a);
	const newest = times.slice(0, fewPauses + 1);
	return newest.reduce((longest, time, index) => Math.max(longest, (newest[index - 1] ?? time) - time), 0);
}

/** Fewer trades can look ordered by chance. */
const fewTrades = 12;
/** Fewer trades with a wrong time are single errors. */
const fewInRow = 3;

/**
 * The trades without those that are dated more than an hour from where their ids belong: between the nearest trades, by id,
 * of the longest series in which times follow ids. Of few trades, and where more than a quarter would be dropped, all stay: ids
 * may not follow time. So do three or more in a row at an end, as the exchange has set its clock between.
 */
export function datedAsNumbered(trades: readonly Trade[]): readonly Trade[] {
	const times = trades.map(({time}) => time);
	// Most pages are shorter, and sorting by id takes milliseconds.
	if (trades.length < fewTrades || Math.max(...times) - Math.min(...times) <= hourMs) return trades;
	const byId = trades.toSorted((a, b) => compareIds(a.id, b.id));
	const series = longestSeries(byId);
	const strays = new Set<Trade>();
	let before = -Infinity;
	let next = 0;
	for (const trade of byId) {
		if (trade === series[next]) {
			before = trade.time;
			next++;
		} else if (trade.time < before - hourMs || trade.time > (series[next]?.time ?? Infinity) + hourMs) {
			strays.add(trade);
		}
	}

	for (const ordered of [byId, byId.toReversed()]) {
		const end = ordered.findIndex(trade => !strays.has(trade));
		if (end >= fewInRow) for (const trade of ordered.slice(0, end)) strays.delete(trade);
	}

	return strays.size > trades.length / 4 ? trades : trades.filter(trade => !strays.has(trade));
}

/** The longest part of a list whose times never go back, in order. */
function longestSeries(trades: readonly Trade[]): readonly Trade[] {
	/** Of each length found so far, the series whose last trade is the oldest, linked from its end. */
	const ends: Link[] = [];
	for (const trade of trades) {
		const length = firstWhere(0, ends.length, index => (ends[index]?.trade.time ?? Infinity) > trade.time);
		ends[length] = {trade, before: ends[length - 1]};
	}

	const series: Trade[] = [];
	for (let link = ends.at(-1); link; link = link.before) series.push(link.trade);
	return series.reverse();
}

type Link = {readonly trade: Trade; readonly before: Link | undefined};

/** The keys of trades next to which others were dropped: of those with the next ids, or else of the newest. */
export function keysBeside(trades: readonly Trade[], dropped: readonly Trade[]): readonly string[] {
	const [newest] = trades;
	if (!newest || dropped.length === 0) return [];
	const beside = new Set<string>();
	const isDropped = new Set(dropped);
	let next = newest;
	for (const trade of [...trades, ...dropped].sort((a, b) => compareIds(b.id, a.id))) {
		if (isDropped.has(trade)) beside.add(tradeKey(next));
		else next = trade;
	}

	return [...beside];
}
