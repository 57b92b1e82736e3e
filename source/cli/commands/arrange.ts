import type {Level, Market} from '../../market/types.ts';
import {UsageError} from '../exit.ts';

/** Which entries of a list are printed, in which order. */
export type Arrangement = {
	/** The field, `-` before it: descending. Default: the order of the exchange. */
	readonly sort?: string | undefined;
	/** Only markets of this quote asset, in any case. */
	readonly quote?: string | undefined;
	/** Only the first so many, after the sort. */
	readonly limit?: number | undefined;
};

/** Notes that a sort has no effect, as no entry has a value of its field. */
export function unsortedTexts(entries: readonly object[], {sort}: Arrangement, noun: string): readonly string[] {
	const field = sort?.replace(/^-/, '');
	if (field === undefined || entries.length === 0 || entries.some(entry => isKnown(fieldOf(entry, field)))) return [];
	return [`not sorted: no ${noun} has a value of ${field}`];
}

/** Unknown values come last in both directions; equal ones keep their order. */
export function arranged<T extends object>(entries: readonly T[], {sort, limit}: Arrangement): readonly T[] {
	const sorted = sort === undefined ? entries : sortedBy(entries, sort);
	return limit === undefined ? sorted : sorted.slice(0, limit);
}

function sortedBy<T extends object>(entries: readonly T[], sort: string): readonly T[] {
	const name = sort.replace(/^-/, '');
	const sign = sort === name ? 1 : -1;
	const rows = entries.map(entry => ({entry, value: fieldOf(entry, name)}));
	// Made here, as it takes milliseconds, and few runs sort.
	const {compare} = new Intl.Collator('en', {numeric: true});
	const order = (a: unknown, b: unknown): number =>
		typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
	const known = rows.filter(({value}) => isKnown(value)).toSorted((a, b) => sign * order(a.value, b.value));
	return [...known, ...rows.filter(({value}) => !isKnown(value))].map(({entry}) => entry);
}

const fieldOf = (entry: object, field: string): unknown => new Map<string, unknown>(Object.entries(entry)).get(field);
const isKnown = (value: unknown): boolean => value !== undefined && value !== null;

/** The levels of one side of a book by `price` or `quantity`, each side by itself. */
export const arrangedLevels = (levels: readonly Level[], arrangement: Arrangement): readonly Level[] =>
	arranged(
		levels.map(([price, quantity]) => ({price, quantity})),
		arrangement,
	).map(({price, quantity}) => [price, quantity]);

/** The markets of a quote asset. Throws a `UsageError` with the assets that there are when it is none of them. */
export function quotedIn(markets: readonly Market[], quote: string): readonly Market[] {
	const asset = quote.toUpperCase();
	const found = markets.filter(market => market.quote?.toUpperCase() === asset);
	if (found.length > 0 || markets.length === 0) return found;
	const counts = Map.groupBy(markets, market => market.quote);
	const assets = [...counts].toSorted(([, a], [, b]) => b.length - a.length).flatMap(([each]) => each ?? []);
	throw new UsageError(`no market has the quote asset ${quote}; the exchange has ${assets.slice(0, 12).join(', ')}`);
}
