import {stripControl} from '../../format/control.ts';
import {formatPlain} from '../../format/number.ts';
import type {Holding} from '../../market/holdings.ts';
import {type LinePoint, lineThrough, type TrendLine} from '../../market/trend-line.ts';
import {cleanNote, type DrawnLevel, type DrawnLevels} from '../../view/drawn-levels.ts';
import type {DrawnLine, DrawnLines} from '../../view/drawn-lines.ts';
import {assetName} from '../../view/holding-texts.ts';
import {type Anchors, mostAnchors} from '../../view/panels/chart/chart-state.ts';
import type {Held, Holdings} from '../../view/valuation.ts';
import type {Options} from '../options/options.ts';
import {isRecord, type JsonRecord} from './saved-state.ts';

/** Parts of the state file that are read entry by entry: a broken one is no reason to lose all else, and stays in the file. */

export const notTable = (nouns: string): string => `the ${nouns} in the state file are not a table`;

/** A key of the file, which may be any text. */
export const quoted = (key: string): string => JSON.stringify(stripControl(key).slice(0, 60));

/** One line about entries of the file that are left out, and stay in it; undefined: there are none. */
export function faultText(noun: string, [first, ...others]: readonly string[]): string | undefined {
	const more = others.length > 0 ? `, and ${others.length} more` : '';
	return first === undefined ? undefined : `${noun} in the state file cannot be used: ${first}${more}`;
}

/**
 * Reads the levels of a state: by market, then by price, so that two instances can add to them. `fault`: what is left out, in one
 * line.
 */
export function readLevels(saved: unknown = {}) {
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

/**
 * Reads the lines of a state: by market, then by number, then by ends, so that two instances can add to them. A number without lines
 * was one of a deleted line. `fault`: what is left out, in one line.
 */
export function readLines(saved: unknown = {}) {
	const lines = new Map<string, {lines: readonly DrawnLine[]; used: readonly number[]}>();
	if (!isRecord(saved)) return {lines, fault: notTable('lines')};
	const faults: string[] = [];
	for (const [key, byNumber] of Object.entries(saved)) {
		const all: DrawnLine[] = [];
		const used: number[] = [];
		for (const [text, byEnds] of Object.entries(isRecord(byNumber) ? byNumber : {})) {
			const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
			if (number !== undefined) used.push(number);
			if (number === undefined || !isRecord(byEnds)) faults.push(`${quoted(key)} ${quoted(text)}`);
			else
				for (const [ends, value] of Object.entries(byEnds)) {
					const line = readLine(ends, value);
					if (line) all.push({...line, number});
					else faults.push(`${quoted(key)} ${text} ${quoted(ends)}`);
				}
		}

		if (!isRecord(byNumber)) faults.push(`${quoted(key)} has no table of numbers`);
		if (used.length === 0) continue;
		lines.set(key, {lines: all.sort((a, b) => a.number - b.number), used: used.sort((a, b) => a - b)});
	}

	return {lines, fault: faultText('a line', faults)};
}

/** Undefined: it cannot be read. Only as it is saved, so that deleting it deletes it from the file. */
function readLine(ends: string, value: unknown) {
	const [from = '', first, to = '', second] = ends.split(' ');
	const [one, other] = [readPoint(from, first), readPoint(to, second)];
	if (!one || !other || !isRecord(value)) return undefined;
	const line = lineThrough(one, other, value.scale === 'log');
	return line && endsText(line) === ends ? line : undefined;
}

function readPoint(text: string, digits: string | undefined): LinePoint | undefined {
	const [time, price] = [Date.parse(text), Number(digits)];
	return Number.isFinite(time) && isAmount(price) ? {time, price} : undefined;
}

/** The lines as the state file keeps them. */
export const savedLines = (lines: DrawnLines): JsonRecord =>
	Object.fromEntries(
		[...lines].map(([key, {lines: all, used}]) => {
			const byNumber = Map.groupBy(all, ({number}) => number);
			// The number of a deleted line is not given again.
			const numbers = new Set([...used, ...byNumber.keys()]);
			const savedAs = (number: number) => Object.fromEntries((byNumber.get(number) ?? []).map(savedLine));
			return [key, Object.fromEntries([...numbers].map(number => [number, savedAs(number)]))];
		}),
	);

const savedLine = (line: DrawnLine): readonly [string, JsonRecord] => [endsText(line), line.log ? {scale: 'log'} : {}];

const endsText = ({from, to}: TrendLine): string =>
	[from, to].map(({time, price}) => `${new Date(time).toISOString()} ${formatPlain(price)}`).join(' ');

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

/**
 * The holdings of a state, by asset, and those of the config file, which come first. `fault`: what is left out of the state, in one
 * line.
 */
export function readHoldings(saved: unknown = {}, configured: Options['holdings'] = []) {
	const holdings = new Map<string, Held>();
	const faulty: string[] = [];
	for (const [asset, value] of Object.entries(isRecord(saved) ? saved : {})) {
		const holding = readHolding(asset, value);
		if (holding) holdings.set(asset, {...holding, origin: 'user'});
		else faulty.push(quoted(asset));
	}

	const ofConfig = configured.map(holding => [holding.asset, {...holding, origin: 'config'}] as const);
	const faults = faulty.length > 0 ? [faulty.join(', ')] : [];
	return {
		holdings: new Map<string, Held>([...holdings, ...ofConfig]),
		fault: isRecord(saved) ? faultText('a holding', faults) : notTable('holdings'),
	};
}

/** Undefined: it cannot be read. */
function readHolding(asset: string, value: unknown): Holding | undefined {
	if (!isRecord(value) || asset !== assetName(asset) || !isAmount(value.amount)) return undefined;
	const {amount, price, quote} = value;
	if (price === undefined) return {asset, amount};
	const isCost = isAmount(price) && typeof quote === 'string' && assetName(quote) !== undefined;
	return isCost ? {asset, amount, cost: {price, quote}} : undefined;
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < Infinity;

/** The user's own holdings as the state file keeps them. */
export const savedHoldings = (holdings: Holdings): JsonRecord =>
	Object.fromEntries(
		[...holdings]
			.filter(([, {origin}]) => origin === 'user')
			.map(([asset, {amount, cost}]) => [asset, {amount, ...cost}]),
	);
