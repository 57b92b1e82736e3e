import type {SQLOutputValue} from 'node:sqlite';
import {stripControl} from '../format/control.ts';
import type {Interface} from '../market/types.ts';
import {maxTime} from '../market/units.ts';

/** Why a recording cannot be opened, read or written. The message is one line for the user. */
export class RecordingError extends Error {
	override readonly name = 'RecordingError';
}

/** A row is not as a recorder writes it. */
export class DamagedError extends Error {
	override readonly name = 'DamagedError';

	constructor(expected: string, value: unknown) {
		super(`expected ${expected}, got a value of the type ${value === null ? 'null' : typeof value}`);
	}
}

/** Limits of a JSON column: more than a recorder writes, read in some milliseconds. An answer has no more values either. */
const mostJsonCharacters = 2_000_000;
const mostJsonValues = 40_960;

/** The text of a column with JSON. */
export function jsonTextOf(value: unknown): string {
	if (typeof value !== 'string' || value.length > mostJsonCharacters) throw new DamagedError('JSON', value);
	if (hasMore(value, mostJsonValues)) throw new DamagedError('less JSON', value);
	return value;
}

/** Whether JSON may have more values: marks in its texts count, too. */
function hasMore(text: string, most: number): boolean {
	let count = 1;
	for (const mark of [',', '[', '{']) {
		for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) if (++count > most) return true;
	}

	return false;
}

/** A row of a recording. */
export type Columns = Readonly<Record<string, SQLOutputValue>>;

/** Undefined for NULL. A recording may come from anybody: texts are without control characters. */
export function textOf(value: SQLOutputValue | undefined): string | undefined {
	if (value === null || value === undefined) return undefined;
	if (typeof value !== 'string') throw new DamagedError('a text', value);
	return stripControl(value);
}

/** Reads a number. SQLite keeps a text in a column of numbers. */
const checkedNumber =
	(expected: string, fits: (value: number) => boolean) =>
	(value: unknown): number => {
		if (typeof value !== 'number' || !fits(value)) throw new DamagedError(expected, value);
		return value;
	};

/** Undefined for NULL. */
const unlessNull =
	(read: (value: unknown) => number) =>
	(value: SQLOutputValue | undefined): number | undefined =>
		value === null || value === undefined ? undefined : read(value);

export const requiredNumber = checkedNumber('a number', Number.isFinite);
export const numberIn = unlessNull(requiredNumber);

/** Epoch ms. */
export const requiredTime = checkedNumber('a time', value => Math.abs(value) <= maxTime);

/** A price: no exchange's answer is recorded with another. */
export const requiredPrice = checkedNumber('a number above 0', value => value > 0 && value < Infinity);
export const priceIn = unlessNull(requiredPrice);

/** A quantity or a volume. */
export const requiredQuantity = checkedNumber('0 or more', value => value >= 0 && value < Infinity);
export const quantityIn = unlessNull(requiredQuantity);

/** `v1` in the first recordings. */
export const interfaceOf = (value: unknown): Interface => (value === 'legacy' || value === 'v1' ? 'legacy' : 'v2');

/** JSON, its texts without control characters; undefined for NULL. Throws a SyntaxError if it is damaged. */
export const jsonOf = <T>(value: SQLOutputValue | undefined): T | undefined =>
	value === null || value === undefined ? undefined : (cleaned(JSON.parse(jsonTextOf(value))) as T);

/** Changes what was parsed: a reviver takes ten times as long. */
function cleaned(value: unknown): unknown {
	if (typeof value === 'string') return stripControl(value);
	if (typeof value !== 'object' || value === null) return value;
	const entries = value as Record<string, unknown>;
	for (const key of Object.keys(entries)) {
		const inner = entries[key];
		entries[key] = key === 'interface' ? interfaceOf(inner) : cleaned(inner);
	}

	return value;
}

/** `record` without the fields that are undefined. */
export function definedFields<T extends object>(record: T): T {
	const defined: Partial<T> = {};
	for (const key in record) if (record[key] !== undefined) defined[key] = record[key];
	return defined as T;
}
