import type {SQLOutputValue} from 'node:sqlite';
import {stripControl} from '../format/control.ts';
import type {Interface} from '../market/types.ts';

/** A row of a recording. */
export type Columns = Readonly<Record<string, SQLOutputValue>>;

/** Undefined for NULL. A recording may come from anybody: texts are without control characters. */
export const textOf = (value: SQLOutputValue | undefined): string | undefined =>
	value === null || value === undefined ? undefined : stripControl(String(value));

/** Undefined for NULL. */
export const numberIn = (value: SQLOutputValue | undefined): number | undefined =>
	value === null || value === undefined ? undefined : Number(value);

/** `v1` in the first recordings. */
export const interfaceOf = (value: SQLOutputValue | undefined): Interface =>
	value === 'legacy' || value === 'v1' ? 'legacy' : 'v2';

/** JSON, its texts without control characters; undefined for NULL. Throws a SyntaxError if it is damaged. */
export const jsonOf = <T>(value: SQLOutputValue | undefined): T | undefined =>
	value === null || value === undefined
		? undefined
		: JSON.parse(String(value), (key, inner) => {
				if (key === 'interface') return interfaceOf(inner);
				return typeof inner === 'string' ? stripControl(inner) : inner;
			});

/** `record` without the fields that are undefined. */
export function knownFields<T extends object>(record: T): T {
	const known: Partial<T> = {};
	for (const key in record) if (record[key] !== undefined) known[key] = record[key];
	return known as T;
}
