import {mostLevels} from '../../market/types.ts';
import {type ErrorContext, SchemaError} from '../errors.ts';
import {Fields, isRecord} from './fields.ts';

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

export function expectRecord(value: unknown, path: string, fail: Fail): Readonly<Record<string, unknown>> {
	return isRecord(value) ? value : fail(path, problemOf(value, 'an object'));
}

export function expectList(value: unknown, path: string, fail: Fail): readonly unknown[] {
	return Array.isArray(value) ? value : fail(path, problemOf(value, 'a list'));
}

/** Decodes a wire entry into a domain type, all of whose fields it reads by `read`. */
export type EntryDecoder<T, Entry = unknown> = (entry: Entry, read: Fields) => T;

/**
 * Decodes the good entries of the list at `path`, in order, and counts the others and the rounded ones. Fails if all are
 * bad, as an unreadable list must not look like an empty one, and if there are more than a side of a book can have.
 */
export function decodeEntries<T, Entry>(
	entries: readonly Entry[],
	decode: EntryDecoder<T, Entry>,
	path: string,
	fail: Fail,
): Decoded<T[]> {
	if (entries.length > mostLevels) fail(path, `has more than ${mostLevels} entries`);
	const data: T[] = [];
	const fields = new Fields();
	let rounded = 0;
	for (const entry of entries) {
		fields.next();
		const value = decode(entry, fields);
		if (fields.isWrong) continue;
		data.push(value);
		if (fields.isRounded) rounded++;
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
