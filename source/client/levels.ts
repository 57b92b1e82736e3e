import type {Level} from '../market/types.ts';
import {type Decoded, decodeEntries, expectList, type Fail} from './decode.ts';

/** Cheapest first. Levels without quantity are "none", not wrong. */
export const decodeAsks = (list: unknown, path: string, fail: Fail): Decoded<readonly Level[]> =>
	decodeSide(list, path, fail, (a, b) => a[0] - b[0]);

/** Dearest first. */
export const decodeBids = (list: unknown, path: string, fail: Fail): Decoded<readonly Level[]> =>
	decodeSide(list, path, fail, (a, b) => b[0] - a[0]);

function decodeSide(
	list: unknown,
	path: string,
	fail: Fail,
	order: (a: Level, b: Level) => number,
): Decoded<readonly Level[]> {
	const {data, dropped} = decodeEntries(expectList(list, path, fail), decodeLevel, path, fail);
	// Sorting a sorted list costs one pass.
	return {data: data.filter(level => level[1] > 0).sort(order), dropped};
}

/** By hand: a book has thousands of these, for which zod is several times slower. */
function decodeLevel(entry: unknown): Level | undefined {
	if (!Array.isArray(entry)) return undefined;
	const [price, quantity]: readonly unknown[] = entry;
	if (typeof price !== 'number' || !(price > 0 && price < Number.POSITIVE_INFINITY)) return undefined;
	if (typeof quantity !== 'number' || !(quantity >= 0 && quantity < Number.POSITIVE_INFINITY)) return undefined;
	return [price, quantity];
}
