import {monthsIn} from '../market/calendar.ts';
import {splitNumber, type Typed, typedNumber} from '../market/typed-number.ts';
import {dayMs, hourMs, minuteMs, monthMinutes, secondMs} from '../market/units.ts';
import {fromLocal, isUtc, toLocal, utc, type Zone, zoneLabel} from './zone.ts';

/** Units of periods, largest first. */
const periodUnits = [
	{minutes: 7 * 24 * 60, name: 'w'},
	{minutes: 24 * 60, name: 'd'},
	{minutes: 60, name: 'h'},
	{minutes: 1, name: 'm'},
];

/** Smaller numbers are epoch seconds (until the year 5138), others epoch ms. */
const firstEpochMs = 1e11;

/** `23:54:59`, by default UTC. `time` in epoch ms. */
export function formatClock(time: number, zone: Zone = utc): string {
	return isoText(toLocal(time, zone)).slice(11, 19);
}

/** `23:54:59.042`, by default UTC. `time` in epoch ms. */
export function formatClockMs(time: number, zone: Zone = utc): string {
	return isoText(toLocal(time, zone)).slice(11, 23);
}

/** `2026-11-20 23:54:59`, by default UTC. `time` in epoch ms. */
export function formatDateTime(time: number, zone: Zone = utc): string {
	return isoText(toLocal(time, zone)).slice(0, 19).replace('T', ' ');
}

/** `23:54:59` in UTC, which goes without saying where a time stands alone, else with its offset: `00:54:59 +01:00`. */
export const formatZonedClock = (time: number, zone: Zone = utc): string => zoned(formatClock(time, zone), time, zone);

/** `2026-11-20 23:54:59` in UTC, which goes without saying where a time stands alone, else with its offset. */
export const formatZonedDateTime = (time: number, zone: Zone = utc): string =>
	zoned(formatDateTime(time, zone), time, zone);

const zoned = (text: string, time: number, zone: Zone): string =>
	isUtc(zone) ? text : `${text} ${zoneLabel(zone, time)}`;

/** `2026-11-20 23:54:59 UTC` or `2026-11-21 00:54:59 +01:00`. */
export const formatFullTime = (time: number, zone: Zone = utc): string =>
	`${formatDateTime(time, zone)} ${zoneLabel(zone, time)}`;

/** Stands for a length of time that is none. */
const unknownSpan = '?';

/** `0.4 s` up to ten seconds, then `12 s`, `3 min`, `2 h`, `5 d`, rounded down. Below 0, as after a clock step: 0. */
export function formatAge(ms: number): string {
	if (!Number.isFinite(ms)) return unknownSpan;
	const age = Math.max(0, ms);
	if (age < 10 * secondMs) return `${(Math.floor(age / 100) / 10).toFixed(1)} s`;
	if (age < minuteMs) return `${Math.floor(age / secondMs)} s`;
	if (age < hourMs) return `${Math.floor(age / minuteMs)} min`;
	if (age < dayMs) return `${Math.floor(age / hourMs)} h`;
	return `${Math.floor(age / dayMs)} d`;
}

/** `00:12:44`, `123:00:00`: hours, minutes and whole seconds, rounded down. Below 0: 0. */
export function formatElapsed(ms: number): string {
	if (!Number.isFinite(ms)) return unknownSpan;
	const seconds = Math.floor(Math.max(0, ms) / secondMs);
	const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
	return parts.map(part => String(part).padStart(2, '0')).join(':');
}

/** `waiting 6 s`: in whole seconds, then as an age. */
export function formatWaiting(ms: number): string {
	const rounded = Math.round(ms / secondMs) * secondMs;
	return `waiting ${formatAge(rounded).replace('.0 s', ' s')}`;
}

/** `45 s ahead`, `2 h behind`, `3 d 4 h ahead`: as `formatSpan`. `ms` above 0: ahead. */
export const formatOffset = (ms: number): string => `${formatSpan(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'}`;

/** `45 s`, `2 h`, `3 d 4 h`: at most two units, rounded. `ms` is not below 0. */
export function formatSpan(ms: number): string {
	if (!Number.isFinite(ms)) return unknownSpan;
	const seconds = Math.round(ms / secondMs);
	if (seconds < 60) return `${seconds} s`;
	const minutes = Math.round(ms / minuteMs);
	if (minutes < 60) return `${minutes} min`;
	const hours = Math.round(ms / hourMs);
	const [large, small] =
		minutes < 24 * 60
			? ([
					[Math.floor(minutes / 60), 'h'],
					[minutes % 60, 'min'],
				] as const)
			: ([
					[Math.floor(hours / 24), 'd'],
					[hours % 24, 'h'],
				] as const);
	return [large, small].flatMap(([count, unit]) => (count > 0 ? `${count} ${unit}` : [])).join(' ');
}

/** `last trade 2 h 24 min ago`: at most two units, rounded down. */
export const lastTradeText = (ms: number): string => `last trade ${formatAgo(ms)}`;

/** `2 h 24 min ago`: at most two units, rounded down. `ms` is not below 0. */
export function formatAgo(ms: number): string {
	const unitMs = ms < minuteMs ? secondMs : ms < dayMs ? minuteMs : hourMs;
	return `${formatSpan(Math.floor(ms / unitMs) * unitMs)} ago`;
}

/** `1m`, `15m`, `4h`, `1d`, `1w`: the largest unit that goes in whole times; `5s` if none does. Calendar months: `1M`. */
export function formatPeriod(minutes: number): string {
	if (!Number.isFinite(minutes)) return unknownSpan;
	const months = monthsIn(minutes);
	if (months > 0) return `${months}M`;
	const unit = periodUnits.find(candidate => minutes % candidate.minutes === 0);
	return unit ? `${minutes / unit.minutes}${unit.name}` : `${Math.round(minutes * 60)}s`;
}

const durationUnits = [
	{ms: secondMs, name: 's'},
	...periodUnits.map(({minutes, name}) => ({ms: minutes * minuteMs, name})).reverse(),
];

/** `5m`, `90s`, `1h`, `7d`: the largest unit that goes in whole times, but no weeks. Milliseconds are cut off. */
export function formatDuration(ms: number): string {
	const seconds = Math.floor(ms / secondMs) * secondMs;
	const unit = durationUnits.findLast(each => each.name !== 'w' && seconds % each.ms === 0);
	return unit ? `${seconds / unit.ms}${unit.name}` : '';
}

const durationPart = /\s*([\d.,_]+)\s*([a-z]*)/giy;

/** Reads `30s`, `5m`, `1.5h` or `1h30m` as ms. */
export function parseDuration(text: string): Typed<number> {
	const word = text.trim();
	const parts = [...word.matchAll(durationPart)];
	const isRead = parts.length > 0 && parts.reduce((length, [part]) => length + part.length, 0) === word.length;
	if (!isRead) return {fault: word === '' ? 'a time is missing' : `${word} is not a time such as 30s, 5m or 1h30m`};
	let ms = 0;
	for (const [, digits = '', name = ''] of parts) {
		const number = typedNumber(digits);
		if ('fault' in number) return number;
		if (name === '') return {fault: `${digits} has no unit: write ${digits}s, ${digits}m, ${digits}h or ${digits}d`};
		const unit = durationUnits.find(each => each.name === (name === 'M' ? name : name.toLowerCase()));
		if (!unit) return {fault: `${name} is not a unit: use s, m, h, d or w`};
		ms += number.value * unit.ms;
	}

	return {value: ms};
}

/** A year, in minutes: longer periods would give a handful of candles or an error. */
const longestPeriod = 525_600;

const mostMonths = 12;

/** Reads a period (`60`, `1,440`, `15m`, `1h`, `1h30m`, `1d`, `1w`, and `1M` to `12M`: calendar months) as minutes. */
export function parsePeriod(text: string): Typed<number> {
	const [digits, name] = splitNumber(text);
	if (digits === '') return {fault: text.trim() === '' ? 'a period is missing' : `${text.trim()} is not a period`};
	const number = typedNumber(digits);
	if ('fault' in number) return number;
	if (name === 'M') return monthsOf(number.value);
	if (/\d/.test(name)) {
		const sum = parseDuration(text);
		return 'value' in sum ? periodOf(sum.value / minuteMs) : sum;
	}

	const unit = periodUnits.find(each => each.name === (name.toLowerCase() || 'm'));
	if (!unit) return {fault: `${name} is not a unit: use m, h, d, w or M`};
	const minutes = number.value * unit.minutes;
	const period = periodOf(minutes);
	if ('fault' in period) return period;
	if (!Number.isInteger(number.value)) return {fault: `write ${formatPeriod(minutes)} for ${text.trim()}`};
	return {value: minutes};
}

function periodOf(minutes: number): Typed<number> {
	if (!Number.isInteger(minutes)) return {fault: 'a period is in whole minutes'};
	return minutes < 1 || minutes > longestPeriod ? {fault: 'a period is from 1m to 365d'} : {value: minutes};
}

const monthsOf = (count: number): Typed<number> =>
	Number.isInteger(count) && count >= 1 && count <= mostMonths
		? {value: count * monthMinutes}
		: {fault: `a period of months is from 1M to ${mostMonths}M`};

const isoTime =
	/^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s?(?:([Zz])|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?)?$/;

/**
 * Parses a time into epoch ms: an epoch number (seconds or ms, by its size), or an ISO 8601 date or date-time with any
 * offset (default: that of `zone`, by default UTC) and any number of fraction digits (cut to ms). Undefined: not a time. Four or eight digits are
 * refused: they look like a year or a date, and would be a time in 1970.
 */
export function parseTime(text: string, zone: Zone = utc): number | undefined {
	const trimmed = text.trim();
	if (/^\d+$/.test(trimmed)) return parseEpoch(trimmed);

	const match = isoTime.exec(trimmed);
	if (!match) return undefined;
	const [year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = match.slice(1, 8);
	const [z, sign, offsetHours = '0', offsetMinutes = '0'] = match.slice(8);
	const whole = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
	const time = Date.parse(`${whole}.${fraction.slice(0, 3).padEnd(3, '0')}Z`);
	// Date.parse turns 30 February into a day in March: a date that does not exist does not read back.
	if (Number.isNaN(time) || isoText(time).slice(0, 19) !== whole) return undefined;
	if (z === undefined && sign === undefined) return fromLocal(time, zone);
	const offset = Number(offsetHours) * hourMs + Number(offsetMinutes) * minuteMs;
	return time - (sign === '-' ? -offset : offset);
}

function parseEpoch(digits: string): number | undefined {
	if (digits.length === 4 || digits.length === 8) return undefined;
	const number = Number(digits);
	const time = number < firstEpochMs ? number * secondMs : number;
	return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}

/** A year that Date cannot hold reads as dashes of the same shape. */
function isoText(time: number): string {
	const date = new Date(time);
	const text = Number.isNaN(date.getTime()) ? '' : date.toISOString();
	return text.length === 24 ? text : '----------T--:--:--';
}
