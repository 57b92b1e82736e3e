import {formatDateTime} from '../../format/time.ts';
import {isUtc, localDayOf, utc, type Zone, zoneLabel} from '../../format/zone.ts';
import {dayName, monthName} from './time-labels.ts';

/** Texts of a stretch of time, for more and less room. */
export type DateRangeTexts = {
	/** `2026-11-08 – 2026-11-10`, within a day `2026-11-08 14:00 – 16:30`. */
	readonly full: string;
	/** `8–10 Nov`, `30 Oct–10 Nov`, `8–10 Nov 2025`, `Dec 2025–Jan 2026`, `8 Nov 14:00–16:30`. */
	readonly brief: string;
	/** `8–10 Nov`, `Oct–Nov`, `Nov 2025`, `2025`, `2025–2026`, `8 Nov`. */
	readonly least: string;
};

/** The texts of the time from `from` to `to`, epoch ms. In brief, the year of `now` is left out. */
export function dateRangeTexts(
	from: number,
	to: number,
	now: number,
	ascii: boolean,
	zone: Zone = utc,
): DateRangeTexts {
	const dash = ascii ? '-' : '–';
	const wideDash = ` ${dash} `;
	const [start, end] = [partsOf(from, zone), partsOf(to, zone)];
	if (localDayOf(from, zone) === localDayOf(to, zone)) {
		const named = isUtc(zone) ? '' : ` ${zoneLabel(zone, to)}`;
		const clocks = (between: string): string => `${start.clock}${between}${end.clock}${named}`;
		const day = start.year === partsOf(now, zone).year ? start.day : `${start.day} ${start.year}`;
		return {full: `${start.date} ${clocks(wideDash)}`, brief: `${day} ${clocks(dash)}`, least: day};
	}

	const full = `${start.date}${wideDash}${end.date}`;
	if (start.year !== end.year) {
		const brief = `${start.month} ${start.year}${dash}${end.month} ${end.year}`;
		return {full, brief, least: `${start.year}${dash}${end.year}`};
	}

	const isThisYear = end.year === partsOf(now, zone).year;
	const year = isThisYear ? '' : ` ${end.year}`;
	if (start.month === end.month) {
		const brief = `${start.dayOfMonth}${dash}${end.day}${year}`;
		return {full, brief, least: isThisYear ? brief : `${end.month}${year}`};
	}

	const brief = `${start.day}${dash}${end.day}${year}`;
	return {full, brief, least: isThisYear ? `${start.month}${dash}${end.month}` : `${end.year}`};
}

function partsOf(time: number, zone: Zone) {
	const text = formatDateTime(time, zone);
	return {
		...{date: text.slice(0, 10), clock: text.slice(11, 16), year: text.slice(0, 4)},
		...{month: monthName(text), dayOfMonth: Number(text.slice(8, 10)), day: dayName(text)},
	};
}
