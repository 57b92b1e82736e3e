import {formatDateTime} from '../../format/time.ts';
import {isUtc, localDayOf, toLocal, utc, type Zone, zoneLabel} from '../../format/zone.ts';
import {monthOf, monthsIn} from '../../market/calendar.ts';
import {startAfter} from '../../market/candles.ts';
import type {Candle, Period} from '../../market/types.ts';
import {dayMinutes, minuteMs, monthMinutes} from '../../market/units.ts';
import type {TimeScale} from './time-scale.ts';

export type TimeLabel = {
	/** Start of its candle, epoch ms. */
	readonly time: number;
	/** The candle's column, and the column of the label's first character. */
	readonly column: number;
	readonly start: number;
	readonly text: string;
};

export type TimeLabelInput = {
	readonly candles: ReadonlyArray<Pick<Candle, 'time'>>;
	readonly period: Period;
	readonly timeScale: TimeScale;
	/** Columns per candle, and of the whole axis. */
	readonly zoom: number;
	readonly columns: number;
	/** A column with a mark, which no label may cover. */
	readonly reserved?: number | undefined;
	/** Epoch ms. Dates of this year are written without it. */
	readonly now: number;
	/** Default UTC. */
	readonly zone?: Zone | undefined;
};

/** Day 0 of the epoch was a Thursday; weeks start on Monday. */
const daysSinceMonday = 3;
const minuteSteps = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].concat(
	[1, 2, 7, 14].map(days => days * dayMinutes),
);
const monthSteps = [1, 2, 3, 6, 12, 24, 60, 120];
/** From this many minutes on, labels are years. */
const minutesOfYear = 12 * monthMinutes;
/** Minimum columns from one label to the next: `9 Aug` and space around it. */
const leastSpacing = 12;
const leastAir = 2;

/** A round length of time, and the number of the stretch that a time (epoch ms, as read in its zone) falls into. */
type Step = {readonly minutes: number; readonly numberOf: (local: number) => number};

const steps: readonly Step[] = [
	...minuteSteps.map(minutes => ({
		minutes,
		numberOf: (time: number) =>
			Math.floor((time / minuteMs + (minutes > dayMinutes ? daysSinceMonday * dayMinutes : 0)) / minutes),
	})),
	...monthSteps.map(months => ({
		minutes: months * monthMinutes,
		numberOf: (time: number) => Math.floor(monthOf(time) / months),
	})),
];

/** Fewer labels do not show how much time lies between two columns. */
const leastLabels = 2;

/**
 * Labels of the candles that open a round stretch of time in the zone: of the shortest stretch whose labels are well apart or, where it
 * opens fewer than two times, of the longest one that opens twice.
 */
export function timeLabels(input: TimeLabelInput): readonly TimeLabel[] {
	const {period, zoom} = input;
	const leastMinutes = Math.max((leastSpacing / zoom) * period, period);
	const apart = steps.findIndex(({minutes}) => minutes >= leastMinutes);
	const longestFirst = steps.slice(0, apart < 0 ? undefined : apart + 1).toReversed();
	const all = longestFirst.values().map(step => labelsOf(input, step));
	const {value: usual = []} = all.next();
	return usual.length >= leastLabels ? usual : (all.find(labels => labels.length >= leastLabels) ?? usual);
}

/**
 * The labels of one step, as many as have room. They are placed from left to right, because a label leaves out what the
 * previous one shows: its text, and so its width, depends on the label that was placed last.
 */
function labelsOf(input: TimeLabelInput, step: Step): readonly TimeLabel[] {
	const openers = openersOf(input, step);
	const labels: TimeLabel[] = [];
	for (const [index, opener] of openers.entries()) {
		const before = labels.at(-1);
		const label = placeLabel(opener, before?.time, input, step);
		const fits = label.start >= (before ? endOf(before) + leastAir : 0) && endOf(label) <= input.columns;
		if (fits && !crowdsNewDay(label, openers[index + 1], input, step)) labels.push(label);
	}

	return labels;
}

type Opener = Pick<TimeLabel, 'time' | 'column'>;

/** The visible candles that open a stretch; if none does, the oldest candle of all. */
function openersOf({candles, period, timeScale, zone = utc}: TimeLabelInput, {numberOf}: Step): readonly Opener[] {
	const openers: Opener[] = [];
	for (let index = timeScale.first; index <= timeScale.last; index++) {
		const time = candles[index]?.time;
		if (time === undefined) continue;
		// As if a candle preceded the first one, so that its label stays when older candles are loaded.
		const before = candles[index - 1]?.time ?? startAfter(time, period, -1);
		if (numberOf(toLocal(time, zone)) !== numberOf(toLocal(before, zone)))
			openers.push({time, column: timeScale.columnOf(index)});
	}

	const [oldest] = candles;
	if (openers.length > 0 || !oldest || timeScale.first > 0) return openers;
	return [{time: oldest.time, column: timeScale.columnOf(0)}];
}

const endOf = ({start, text}: TimeLabel): number => start + text.length;

/** Whether the label of an hour would leave no room for the next label with a new day, which is more important. */
function crowdsNewDay(label: TimeLabel, next: Opener | undefined, input: TimeLabelInput, step: Step): boolean {
	const {zone = utc} = input;
	if (!next || step.minutes >= dayMinutes || localDayOf(next.time, zone) === localDayOf(label.time, zone)) return false;
	return endOf(label) + leastAir > placeLabel(next, label.time, input, step).start;
}

/** Places a label below its candle, or just before the reserved column that it would cover. `previous`: the time of the previous label. */
function placeLabel(opener: Opener, previous: number | undefined, input: TimeLabelInput, {minutes}: Step): TimeLabel {
	const {time, column} = opener;
	const {columns, reserved, zone = utc} = input;
	const text = minutes >= minutesOfYear ? yearOf(time, zone) : labelText(time, previous, input, minutes);
	const start = startAround(column, text, columns);
	const covers = reserved !== undefined && start <= reserved && reserved <= start + text.length;
	return {time, column, start: covers ? reserved - 1 - text.length : start, text};
}

/** The start of a text centred at `column`, or as near to it as `columns` allow. */
export const startAround = (column: number, text: string, columns: number): number =>
	Math.max(Math.min(column - Math.floor(text.length / 2), columns - text.length), 0);

const yearOf = (time: number, zone: Zone): string => formatDateTime(time, zone).slice(0, 4);

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `9 Aug 14:00`, by default UTC. */
export const dayTime = (time: number, zone: Zone = utc): string => {
	const text = formatDateTime(time, zone);
	return `${dayName(text)} ${text.slice(11, 16)}`;
};

/** `9 Aug 2024 14:00` in UTC, else with its offset. */
export const fullTime = (time: number, zone: Zone = utc): string => {
	const text = formatDateTime(time, zone);
	const named = isUtc(zone) ? '' : ` ${zoneLabel(zone, time)}`;
	return `${dayName(text)} ${text.slice(0, 4)} ${text.slice(11, 16)}${named}`;
};

/** `9 Aug` of `2024-08-09` and what follows. */
const dayName = (text: string): string => `${Number(text.slice(8, 10))} ${monthName(text)}`;
/** `Aug` of `2024-08-09` and what follows. */
const monthName = (text: string): string => monthNames[Number(text.slice(5, 7)) - 1] ?? '';

/** `14:00`, on another day than the previous label `9 Aug 14:00`, in another year also with the year. Midnight, and a label of a stretch of days, show only the day, those of candles of months only the month. */
function labelText(
	time: number,
	previous: number | undefined,
	{now, period, zone = utc}: TimeLabelInput,
	minutes: number,
): string {
	const text = formatDateTime(time, zone);
	const clock = text.slice(11, 16);
	if (previous !== undefined && localDayOf(previous, zone) === localDayOf(time, zone)) return clock;
	const isOfYear = yearOf(previous ?? now, zone) === yearOf(time, zone);
	const day = monthsIn(period) > 0 ? monthName(text) : dayName(text);
	const date = isOfYear ? day : `${day} ${text.slice(0, 4)}`;
	return clock === '00:00' || minutes >= dayMinutes ? date : `${date} ${clock}`;
}

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
