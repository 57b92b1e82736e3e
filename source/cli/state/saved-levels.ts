import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import {cleanNote, type DrawnLevel, type DrawnLevels, mostNote} from '../../view/drawn-levels.ts';
import {type Anchors, mostAnchors} from '../../view/panels/chart/chart-state.ts';
import {isRecord, type JsonRecord} from './saved-state.ts';

/**
 * Reads the levels of a state: by market, then by price, so that two instances can add to them. What cannot be read is left
 * out here, and stays in the file.
 */
export function readLevels(levels: unknown): DrawnLevels {
	const markets = isRecord(levels) ? Object.entries(levels) : [];
	return new Map(
		markets.flatMap(([key, byPrice]): ReadonlyArray<readonly [string, readonly DrawnLevel[]]> => {
			const read = isRecord(byPrice)
				? Object.entries(byPrice).flatMap(([price, value]) => readLevel(price, value) ?? [])
				: [];
			return read.length > 0 ? [[key, read.sort((a, b) => b.price - a.price)]] : [];
		}),
	);
}

/** What `readLevels` leaves out, in one line; undefined: nothing. */
export function levelsFault(levels: unknown = {}): string | undefined {
	if (!isRecord(levels)) return 'the levels in the state file are not a table';
	const faults = Object.entries(levels).flatMap(([key, byPrice]) => {
		const market = quoted(key);
		if (!isRecord(byPrice)) return `${market} has no table of prices`;
		return Object.entries(byPrice).flatMap(([price, value]) => {
			if (readLevel(price, value)) return [];
			return `${market} ${quoted(price)}: ${isRecord(value) ? 'not a price such as 61500' : 'not a table'}`;
		});
	});
	const [first, ...others] = faults;
	if (first === undefined) return undefined;
	const more = others.length > 0 ? `, and ${others.length} more` : '';
	return `a level in the state file cannot be used: ${first}${more}`;
}

/** A key of the file, which may be any text. */
const quoted = (key: string): string => JSON.stringify(stripControl(key).slice(0, mostNote));

/** Undefined: it cannot be read. */
function readLevel(text: string, value: unknown): DrawnLevel | undefined {
	const price = Number(text);
	if (!(price > 0) || formatPlain(price) !== text || !isRecord(value)) return undefined;
	const note = typeof value.note === 'string' ? cleanNote(value.note) : undefined;
	return {price, ...(note !== undefined && {note})};
}

/** The levels as the state file keeps them. */
export const savedLevels = (levels: DrawnLevels): JsonRecord =>
	Object.fromEntries(
		[...levels].map(([key, all]) => [
			key,
			Object.fromEntries(all.map(({price, note}) => [formatPlain(price), note === undefined ? {} : {note}])),
		]),
	);

/** Reads the anchors of a state: by market, then by time, so that two instances can add to them. What cannot be read is left out. */
export function readAnchors(anchors: unknown): Anchors {
	const markets = isRecord(anchors) ? Object.entries(anchors) : [];
	return new Map(
		markets.map(([key, byTime]): readonly [string, readonly number[]] => {
			const times = isRecord(byTime) ? Object.keys(byTime).filter(time => isRecord(byTime[time])) : [];
			const read = times.map(Date.parse).filter(Number.isFinite);
			return [key, read.toSorted((a, b) => a - b).slice(0, mostAnchors)];
		}),
	);
}

/** The anchors as the state file keeps them. */
export const savedAnchors = (anchors: Anchors): JsonRecord =>
	Object.fromEntries(
		[...anchors].map(([key, times]) => [
			key,
			Object.fromEntries(times.map(time => [new Date(time).toISOString(), {}])),
		]),
	);
