import {formatDateTime} from '../../format/time.ts';
import type {Candle, Period} from '../../market/types.ts';
import type {TimeScale} from './time-scale.ts';

export type TimeLabel = {
	/** The candle's column, and the column of the label's first character. */
	readonly column: number;
	readonly start: number;
	readonly text: string;
};

export type TimeLabelInput = {
	readonly candles: readonly Candle[];
	readonly period: Period;
	readonly timeScale: TimeScale;
	/** Columns of a candle, and of the whole axis. */
	readonly zoom: number;
	readonly columns: number;
	/** Taken by a mark: no label covers it. */
	readonly reserved?: number | undefined;
	/** Epoch ms; dates of this year go without the year. */
	readonly now: number;
};

const minute = 60_000;
const day = 1440;
const weekDays = 7;
/** Day 0 of the epoch was a Thursday; weeks start on Monday. */
const daysSinceMonday = 3;
const minuteSteps = [1, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, day, 2 * day, weekDays * day, 2 * weekDays * day];
const monthSteps = [1, 3, 6, 12, 24, 60, 120];
const minuteOfMonth = 30 * day;
/** From here on labels are years. */
const yearMinutes = 12 * minuteOfMonth;
/** Columns from one label to the next, at least: `08-08` and air around it. */
const leastSpacing = 12;
const leastAir = 2;

type Step = {readonly minutes: number; readonly bucketOf: (time: number) => number};

const steps: readonly Step[] = [
	...minuteSteps.map(minutes => ({
		minutes,
		bucketOf: (time: number) => Math.floor((time / minute + (minutes > day ? daysSinceMonday * day : 0)) / minutes),
	})),
	...monthSteps.map(months => ({
		minutes: months * minuteOfMonth,
		bucketOf: (time: number) => {
			const date = new Date(time);
			return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / months);
		},
	})),
];

/** The candles that open a round stretch of time, UTC, as far apart as their labels need. */
export function timeLabels(input: TimeLabelInput): readonly TimeLabel[] {
	const {candles, period, timeScale, zoom, columns} = input;
	const leastMinutes = Math.max((leastSpacing / zoom) * period, period);
	const step = steps.find(({minutes}) => minutes >= leastMinutes) ?? steps.at(-1);
	const openers: Opener[] = [];
	for (let index = timeScale.first; step && index <= timeScale.last; index++) {
		const candle = candles[index];
		if (!candle) continue;
		// What comes before the first candle that is known must not change its label when it is loaded.
		const before = candles[index - 1]?.time ?? candle.time - period * minute;
		if (step.bucketOf(candle.time) === step.bucketOf(before)) continue;
		openers.push({time: candle.time, column: timeScale.columnOf(index)});
	}

	const [oldest] = candles;
	if (openers.length === 0 && oldest && timeScale.first === 0) {
		openers.push({time: oldest.time, column: timeScale.columnOf(0)});
	}

	const yearly = step !== undefined && step.minutes >= yearMinutes;
	const labels: TimeLabel[] = [];
	let named: number | undefined;
	let free = 0;
	for (const [index, opener] of openers.entries()) {
		const label = placeLabel(opener, named, input, yearly);
		const end = label.start + label.text.length;
		const next = openers[index + 1];
		// The label that names a new day is worth more than the hour before it.
		const crowdsNewDay =
			next !== undefined &&
			step !== undefined &&
			step.minutes < day &&
			dateOf(next.time) !== dateOf(opener.time) &&
			end + leastAir > placeLabel(next, opener.time, input, yearly).start;
		if (label.start < free || end > columns || crowdsNewDay) continue;
		labels.push(label);
		named = opener.time;
		free = end + leastAir;
	}

	return labels;
}

type Opener = {readonly time: number; readonly column: number};

/** Below its candle, or just before the reserved column that it would cover. */
function placeLabel(
	{time, column}: Opener,
	named: number | undefined,
	input: TimeLabelInput,
	yearly: boolean,
): TimeLabel {
	const {columns, reserved, now} = input;
	const text = yearly ? dateOf(time).slice(0, 4) : labelText(time, named, now);
	const start = Math.max(Math.min(column - Math.floor(text.length / 2), columns - text.length), 0);
	const covers = reserved !== undefined && start <= reserved && reserved <= start + text.length;
	return {column, start: covers ? reserved - 1 - text.length : start, text};
}

const dateOf = (time: number): string => formatDateTime(time).slice(0, 10);

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `9 Aug 14:00`, UTC. */
export const dayTime = (time: number): string => {
	const text = formatDateTime(time);
	return `${dayName(text)} ${text.slice(11, 16)}`;
};

/** `9 Aug 2024 14:00`, UTC. */
export const fullTime = (time: number): string => {
	const text = formatDateTime(time);
	return `${dayName(text)} ${text.slice(0, 4)} ${text.slice(11, 16)}`;
};

/** `9 Aug` of `2024-08-09` and what follows. */
const dayName = (text: string): string => `${Number(text.slice(8, 10))} ${monthNames[Number(text.slice(5, 7)) - 1]}`;

/** `14:00`; where the day differs from that of the label before `9 Aug`, and the year where that does; midnight is its day. */
function labelText(time: number, named: number | undefined, now: number): string {
	const date = dateOf(time);
	const clock = formatDateTime(time).slice(11, 16);
	if (named !== undefined && dateOf(named) === date) return clock;
	const year = date.slice(0, 4);
	const sameYear = dateOf(named ?? now).slice(0, 4) === year;
	const shown = `${dayName(date)}${sameYear ? '' : ` ${year}`}`;
	return clock === '00:00' ? shown : `${shown} ${clock}`;
}
