import * as z from 'zod';
import {mostLevels} from '../../market/types.ts';
import {longNumber} from '../body.ts';
import {type ErrorContext, SchemaError} from '../errors.ts';

/** Throws a SchemaError: `path` (e.g. `data.asks`) has the `problem` (e.g. `is not a list`). */
export type Fail = (path: string, problem: string) => never;

export type Decoded<T> = {
	readonly data: T;
	/** Entries of a list that were dropped because a field was missing or wrong, or contradicted an earlier entry. */
	readonly dropped: number;
	/** Entries with a number of more digits than a double holds, which was rounded. Default 0. */
	readonly rounded?: number | undefined;
	/** Entries beyond the maximum length of a list, which were not decoded. Default 0. */
	readonly cut?: number | undefined;
	/** Trades or candles with a time that is implausible or later than the answer. Default 0. */
	readonly misdated?: number | undefined;
	/** Keys of trades next to which some were dropped, as their times are wrong. Default: none. */
	readonly besideDropped?: readonly string[] | undefined;
};

/**
 * Decodes the `data` of an envelope into a domain type. `asOf` (epoch ms) is the time of the answer by the exchange's
 * clock, or by ours if the answer has none; default: unknown.
 */
export type Decoder<T> = (data: unknown, fail: Fail, asOf?: number) => Decoded<T>;

export const failWith =
	(context: ErrorContext): Fail =>
	(path, problem) => {
		throw new SchemaError({...context, path, problem});
	};

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

export function expectRecord(value: unknown, path: string, fail: Fail): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : fail(path, problemOf(value, 'an object'));
}

export function expectList(value: unknown, path: string, fail: Fail): readonly unknown[] {
	return Array.isArray(value) ? value : fail(path, problemOf(value, 'a list'));
}

/** Decodes a wire entry into a domain type; undefined if a field is missing or wrong. Calls `onRounded` if it rounded a number. */
export type EntryDecoder<T> = (entry: unknown, onRounded?: () => void) => T | undefined;

/** An entry decoder that compiles its schema with the first entry, not at start-up. */
export function entryDecoder<Wire, T>(
	schema: z.ZodType<Wire>,
	toDomain: (wire: Wire) => T | undefined,
): EntryDecoder<T> {
	let compiled: z.ZodType<Wire> | undefined;
	const hasFields = fieldTest(schema);
	const rounding = roundingOf(schema);
	return (entry, onRounded) => {
		if (!hasFields(entry)) return undefined;
		compiled ??= z.compile(schema);
		const nearest = rounding(entry);
		const wire = compiled.safeParse(nearest).data;
		const value = wire && toDomain(wire);
		if (value !== undefined && nearest !== entry) onRounded?.();
		return value;
	};
}

/** Whether a value has the fields that the schema needs. Many times faster than the schema is to refuse one that has not. */
function fieldTest(schema: unknown): (value: unknown) => boolean {
	if (schema instanceof z.ZodObject) {
		const fields = Object.entries<z.ZodType>(schema.shape);
		const needed = fields.filter(([, field]) => !field.safeParse(undefined).success).map(([key]) => key);
		return value => isRecord(value) && needed.every(key => key in value);
	}

	if (!(schema instanceof z.ZodTuple)) return () => true;
	const tests = schema.def.items.map(fieldTest);
	return value => Array.isArray(value) && tests.every((test, index) => test(value[index]));
}

/**
 * Puts the nearest double in place of each long number, except where the schema takes anything; a value without them is
 * returned itself. Many times faster than to have the schema find them.
 */
function roundingOf(schema: unknown): (value: unknown) => unknown {
	if (schema instanceof z.ZodUnknown) return value => value;
	if (schema instanceof z.ZodTuple) {
		const parts = schema.def.items.map(roundingOf);
		return value => {
			if (!Array.isArray(value)) return value;
			const rounded = value.map((part: unknown, index) => parts[index]?.(part) ?? part);
			return rounded.some((part, index) => part !== value[index]) ? rounded : value;
		};
	}

	if (!(schema instanceof z.ZodObject)) return nearestNumber;
	const fields = Object.entries<z.ZodType>(schema.shape).map(([key, field]) => [key, roundingOf(field)] as const);
	return value => {
		if (!isRecord(value)) return value;
		let rounded: Record<string, unknown> | undefined;
		for (const [key, round] of fields) {
			const before = value[key];
			const after = round(before);
			if (after === before) continue;
			rounded ??= {...value};
			rounded[key] = after;
		}

		return rounded ?? value;
	};
}

/** The nearest double to a long number; other values as they are. */
export function nearestNumber(value: unknown): unknown {
	const digits = longNumber(value);
	return digits === undefined ? value : Number(digits);
}

/**
 * Decodes the good entries of the list at `path`, in order, and counts the others and the rounded ones. Fails if all are
 * bad, as an unreadable list must not look like an empty one, and if there are more than a side of a book can have.
 */
export function decodeEntries<T>(
	entries: readonly unknown[],
	decode: EntryDecoder<T>,
	path: string,
	fail: Fail,
): Decoded<T[]> {
	if (entries.length > mostLevels) fail(path, `has more than ${mostLevels} entries`);
	const data: T[] = [];
	let rounded = 0;
	const onRounded = () => {
		rounded++;
	};
	for (const entry of entries) {
		const value = decode(entry, onRounded);
		if (value !== undefined) data.push(value);
	}

	if (data.length === 0 && entries.length > 0) fail(path, 'has no readable entry');
	return {data, dropped: entries.length - data.length, ...(rounded && {rounded})};
}

/** The first value of each key, in order. */
export function distinct<T>(values: readonly T[], key: (value: T) => string | number): T[] {
	const keys = new Set<string | number>();
	return values.filter(value => {
		const {size} = keys;
		return keys.add(key(value)).size > size;
	});
}

/** The first value of each key, in order. Later ones with other contents count as dropped. */
export function firstOfEach<T>({data, ...counts}: Decoded<T[]>, key: (value: T) => string | number): Decoded<T[]> {
	const values = distinct(data, key);
	if (values.length === data.length) return {data, ...counts};
	const texts = new Map(values.map(value => [key(value), JSON.stringify(value)]));
	const contradicting = data.filter(value => texts.get(key(value)) !== JSON.stringify(value)).length;
	return {data: values, ...counts, dropped: counts.dropped + contradicting};
}

function problemOf(value: unknown, expected: string): string {
	if (value === undefined) return 'is missing';
	return value === null ? 'is null' : `is not ${expected}`;
}
