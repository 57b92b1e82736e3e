import {formatPlain} from '../../format/number.ts';
import {cleanNote, type DrawnLevel, type DrawnLevels} from '../../view/drawn-levels.ts';
import {type Anchors, mostAnchors} from '../../view/panels/chart/chart-state.ts';
import {faultText, isRecord, type JsonRecord, notTable, quoted} from './saved-state.ts';

type ReadLevels = {
	readonly levels: DrawnLevels;
	/** What is left out, in one line; absent: nothing. It stays in the file. */
	readonly fault?: string | undefined;
};

/** Reads the levels of a state: by market, then by price, so that two instances can add to them. */
export function readLevels(saved: unknown = {}): ReadLevels {
	const levels = new Map<string, readonly DrawnLevel[]>();
	if (!isRecord(saved)) return {levels, fault: notTable('levels')};
	const faults: string[] = [];
	for (const [key, byPrice] of Object.entries(saved)) {
		const read = Object.entries(isRecord(byPrice) ? byPrice : {}).flatMap(([price, value]) => {
			const level = readLevel(price, value);
			const fault = isRecord(value) ? 'not a price such as 61500' : 'not a table';
			if (!level) faults.push(`${quoted(key)} ${quoted(price)}: ${fault}`);
			return level ?? [];
		});
		if (!isRecord(byPrice)) faults.push(`${quoted(key)} has no table of prices`);
		if (read.length > 0)
			levels.set(
				key,
				read.sort((a, b) => b.price - a.price),
			);
	}

	return {levels, fault: faultText('a level', faults)};
}

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
