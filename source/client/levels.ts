import type {Level} from '../market/types.ts';
import {boundedTo, mostLevels} from './bounds.ts';
import {type Decoded, decodeEntries, expectList, type Fail} from './decode.ts';

type Side = Decoded<readonly Level[]> & {readonly cut: number};

/** Cheapest first, at most 5000. Levels without quantity are "none", not wrong. */
export const decodeAsks = (list: unknown, path: string, fail: Fail): Side => decodeSide(list, path, fail, 1);

/** Dearest first, at most 5000. */
export const decodeBids = (list: unknown, path: string, fail: Fail): Side => decodeSide(list, path, fail, -1);

/** `order`: 1 the lowest price is the best one, -1 the highest. */
function decodeSide(list: unknown, path: string, fail: Fail, order: 1 | -1): Side {
	const rankOf = (entry: unknown) => {
		if (!isLevel(entry)) return Infinity;
		const [price, quantity] = entry;
		return quantity > 0 ? price * order : Infinity;
	};
	const {entries, cut} = boundedTo(mostLevels, expectList(list, path, fail), rankOf);
	const {data, dropped} = decodeEntries(entries, decodeLevel, path, fail);
	// Sorting a sorted list costs one pass.
	return {data: data.filter(level => level[1] > 0).sort((a, b) => (a[0] - b[0]) * order), dropped, cut};
}

/** By hand: a book has thousands of these, for which zod is several times slower. */
function isLevel(entry: unknown): entry is Level {
	if (!Array.isArray(entry)) return false;
	const [price, quantity]: readonly unknown[] = entry;
	if (typeof price !== 'number' || !(price > 0 && price < Number.POSITIVE_INFINITY)) return false;
	return typeof quantity === 'number' && quantity >= 0 && quantity < Number.POSITIVE_INFINITY;
}

const decodeLevel = (entry: unknown): Level | undefined => (isLevel(entry) ? [entry[0], entry[1]] : undefined);
