import {monthsIn} from '../market/calendar.ts';
import {nearestWord} from '../market/symbol.ts';
import type {Typed} from '../market/typed-number.ts';
import type {Period} from '../market/types.ts';
import {dayMinutes, dayMs, dayOf, minuteMs} from '../market/units.ts';

/** A time zone for what a person reads. Data is in UTC. */
export type Zone = {
	/** As the user names it: `local`, `UTC` or `Europe/Berlin`. */
	readonly word: string;
	/** `UTC`, or its name in the IANA database such as `Europe/Berlin`. */
	readonly name: string;
	/** How far its clocks are ahead of UTC at a time (epoch ms), in ms. */
	offsetAt(time: number): number;
};

const utcName = 'UTC';
export const utc: Zone = {word: utcName, name: utcName, offsetAt: () => 0};

/** The word for the computer's own zone. */
const localWord = 'local';

export const isUtc = ({name}: Zone): boolean => name === utcName;

/** What `time` (epoch ms) reads in a zone, as if that were UTC: epoch ms. */
export const toLocal = (time: number, zone: Zone): number => time + zone.offsetAt(time);

/**
 * The inverse of `toLocal`. Of two such times, as when clocks are set back, the earlier one; a time that clocks skip counts from
 * before they were set forward: 02:30 is 03:30.
 */
export function fromLocal(local: number, zone: Zone): number {
	const [before, after] = [zone.offsetAt(local - dayMs), zone.offsetAt(local + dayMs)];
	const times = [local - before, local - after].filter(time => toLocal(time, zone) === local);
	return times.length > 0 ? Math.min(...times) : local - before;
}

/** Days from 1970-01-01 to the date that `time` (epoch ms) has in a zone. */
export const localDayOf = (time: number, zone: Zone): number => dayOf(toLocal(time, zone));

/** The zone of the times of candles: UTC for those of whole days and of months, as the exchange's days are dates in UTC. `zone`: default UTC. */
export const zoneOfCandles = (period: Period, zone: Zone = utc): Zone =>
	period % dayMinutes === 0 || monthsIn(period) > 0 ? utc : zone;

/**
 * Names a zone beside the times (epoch ms) from `from` to `to`, by default one, from long to short: `UTC`, or `UTC+01:00` and
 * `+01:00`, with every offset where they differ: `UTC+01:00/+02:00`, and in short `+01/+02`.
 */
export function zoneLabels(zone: Zone, from: number, to = from): readonly string[] {
	if (isUtc(zone)) return [utcName];
	const offsets = offsetsWithin(zone, from, to).map(offsetText).join('/');
	return [utcName + offsets, offsets, offsets.replaceAll(':00', '')];
}

/** Names a zone beside a time, in as few cells as are unambiguous: `UTC` or `+01:00`. */
export const zoneLabel = (zone: Zone, time: number): string =>
	isUtc(zone) ? utcName : offsetText(zone.offsetAt(time));

/** The offsets in use from `from` to `to`, in the order of their first use. */
function offsetsWithin(zone: Zone, from: number, to: number): readonly number[] {
	const offsets = new Set([zone.offsetAt(from)]);
	for (let time = from + blockMs; time < to; time += blockMs) offsets.add(zone.offsetAt(time));
	return [...offsets.add(zone.offsetAt(to))];
}

/** `+01:00`, `-03:30`. */
function offsetText(offset: number): string {
	const minutes = Math.abs(Math.round(offset / minuteMs));
	const parts = [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0'));
	return (offset < 0 ? '-' : '+') + parts.join(':');
}

const zones = new Map<string, Zone>([[utcName, utc]]);

/** The zone that a user names: `local`, `UTC`, or a name of the IANA database in any case. The same one again for the same word. */
export function zoneNamed(text: string): Typed<Zone> {
	const typed = text.trim();
	const isLocal = typed.toLowerCase() === localWord;
	const name = canonicalName(isLocal ? new Intl.DateTimeFormat().resolvedOptions().timeZone : typed);
	if (name === undefined) return {fault: isLocal ? unknownLocal : unknownZone(typed)};
	const word = isLocal ? localWord : name;
	const zone = zones.get(word) ?? (name === utcName ? {...utc, word} : createZone(word, name));
	zones.set(word, zone);
	return {value: zone};
}

const unknownLocal = 'the time zone of this computer is unknown: name one, such as Europe/Berlin';

/** In the spelling of the database, but not by a former name; undefined: it names no zone. */
function canonicalName(text: string): string | undefined {
	try {
		const {timeZone} = new Intl.DateTimeFormat('en', {timeZone: text}).resolvedOptions();
		if (/^(Etc\/)?(UTC|UCT|GMT|Zulu|Universal|Greenwich)$/.test(timeZone)) return utcName;
		return timeZone.toLowerCase() === text.toLowerCase() ? timeZone : text;
	} catch {
		return undefined;
	}
}

/** How many names an error suggests. */
const mostSuggested = 3;

function unknownZone(text: string): string {
	if (text === '') return `a time zone is missing: local, UTC or a zone such as Europe/Berlin`;
	const likely = zoneWords(text).slice(0, mostSuggested);
	const near = likely.length > 0 ? undefined : nearestWord(placeOf(text), allNames().map(placeOf));
	const names = near === undefined ? likely : allNames().filter(name => placeOf(name) === near);
	const advice =
		names.length > 0 ? `did you mean ${names.join(', ')}?` : 'it is local, UTC or a zone such as Europe/Berlin';
	return `there is no time zone ${text}; ${advice}`;
}

/** What a zone can be named that begins with `text`, then what has a city that does. */
export function zoneWords(text: string): readonly string[] {
	const wanted = keyOf(text);
	const words = [localWord, utcName, ...allNames()];
	const begins = words.filter(word => keyOf(word).startsWith(wanted));
	return [...begins, ...words.filter(word => !begins.includes(word) && placeOf(word).startsWith(wanted))];
}

const keyOf = (text: string): string => text.trim().toLowerCase().replaceAll(' ', '_');

/** The city of a name: `new_york` of `America/New_York`. */
const placeOf = (name: string): string => keyOf(name.slice(name.lastIndexOf('/') + 1));

/** Current IANA names by legacy alias. */
const renamed: ReadonlyMap<string, string> = new Map([
	['Africa/Asmera', 'Africa/Asmara'],
	['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
	['America/Godthab', 'America/Nuuk'],
	['America/Indianapolis', 'America/Indiana/Indianapolis'],
	['America/Louisville', 'America/Kentucky/Louisville'],
	['Asia/Calcutta', 'Asia/Kolkata'],
	['Asia/Katmandu', 'Asia/Kathmandu'],
	['Asia/Rangoon', 'Asia/Yangon'],
	['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
	['Atlantic/Faeroe', 'Atlantic/Faroe'],
	['Europe/Kiev', 'Europe/Kyiv'],
	['Pacific/Ponape', 'Pacific/Pohnpei'],
	['Pacific/Truk', 'Pacific/Chuuk'],
]);

const allNames = (): readonly string[] =>
	Intl.supportedValuesOf('timeZone')
		.filter(name => name !== utcName)
		.map(name => renamed.get(name) ?? name)
		.sort();

/** Within this time, clocks change at most once: in Morocco they do so twice in a month. */
const blockMs = 7 * dayMs;
/** As many years as anybody can see; then all are read again. */
const mostBlocks = 2000;
/** Rules of zones are known for this time; the offset at its ends counts for what is before and after. */
const [firstTime, lastTime] = [0, Date.UTC(2200, 0)];

/** The offsets at both ends of a block, and when the first becomes the second. */
type Block = {readonly index: number; readonly before: number; readonly after: number; readonly changesAt: number};

/** Reads offsets from the runtime's database once a block, as that takes microseconds. */
function createZone(word: string, name: string): Zone {
	const offsetOf = offsetReader(name);
	const blocks = new Map<number, Block>();
	let last: Block | undefined;

	function blockAt(index: number): Block {
		const [start, end] = [index * blockMs, (index + 1) * blockMs];
		const [before, after] = [offsetOf(start), offsetOf(end)];
		let [low, high] = [start, end];
		while (before !== after && high - low > minuteMs) {
			const middle = low + Math.floor((high - low) / minuteMs / 2) * minuteMs;
			if (offsetOf(middle) === before) low = middle;
			else high = middle;
		}

		return {index, before, after, changesAt: high};
	}

	return {
		word,
		name,
		offsetAt(time) {
			// A time that no Date can hold has no index.
			const index = Math.floor(Math.min(Math.max(time, firstTime), lastTime) / blockMs) || 0;
			if (last?.index !== index) {
				last = blocks.get(index) ?? blockAt(index);
				if (blocks.size >= mostBlocks) blocks.clear();
				blocks.set(index, last);
			}

			return time < last.changesAt ? last.before : last.after;
		},
	};
}

/** Reads the offset (ms) of a zone at a time (epoch ms). */
function offsetReader(timeZone: string): (time: number) => number {
	const format = new Intl.DateTimeFormat('en', {timeZone, timeZoneName: 'longOffset'});
	return time => {
		const text = format.formatToParts(time).find(({type}) => type === 'timeZoneName')?.value ?? '';
		const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):(\d\d)/.exec(text) ?? [];
		const offset = (Number(hours) * 60 + Number(minutes)) * minuteMs;
		return sign === '-' ? -offset : offset;
	};
}
