import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import {stripControl} from '../../format/control.ts';
import {monthsIn} from '../../market/calendar.ts';
import {panelNames} from '../../view/layout.ts';
import {bookViews} from '../../view/panels/book/book-state.ts';
import {chartTypes, leastImbalance, mostImbalance} from '../../view/panels/chart/chart-state.ts';
import {indicatorNames} from '../../view/panels/chart/indicator-table.ts';
import {sortNames} from '../../view/panels/markets/entries.ts';
import {paletteNames, themeNames} from '../../view/theme/names.ts';

const symbols = z.array(z.string().check(z.minLength(1)));

/** Loose, so that fields of a later version are kept when this one writes. */
const exchangeSchema = z.looseObject({
	/** The last market shown. */
	market: z.optional(z.string().check(z.minLength(1))),
	/** The price step of its ladder, in quote asset. */
	bookStep: z.optional(z.number().check(z.positive())),
	favourites: z.optional(symbols),
	quote: z.optional(z.string().check(z.minLength(1))),
	lists: z.optional(z.record(z.string(), symbols)),
	/** How the lists are sorted, by their names. */
	sorts: z.catch(
		z.optional(z.record(z.string(), z.object({sort: z.enum(sortNames), reversed: z.boolean()}))),
		undefined,
	),
	/** The list that the picker shows. */
	list: z.optional(z.string()),
	/** The markets in the comparison, in order. */
	compared: z.optional(symbols),
	/** What `readAlerts` reads: a broken rule is no reason to lose all else. */
	alerts: z.optional(z.unknown()),
	/** What `readLevels` reads: a broken level is no reason to lose all else. */
	levels: z.optional(z.unknown()),
	/** What `readLines` reads: a broken line is no reason to lose all else. */
	lines: z.optional(z.unknown()),
	/** What `readAnchors` reads: a broken one is no reason to lose all else. */
	avwaps: z.optional(z.unknown()),
	/** What `readHoldings` reads: a broken holding is no reason to lose all else. */
	holdings: z.optional(z.unknown()),
});

const viewSchema = z.looseObject({
	period: z.optional(
		z.number().check(
			z.positive(),
			z.refine(minutes => Number.isInteger(minutes) || monthsIn(minutes) > 0),
		),
	),
	chart: z.optional(z.enum(chartTypes)),
	log: z.optional(z.boolean()),
	/** The ratio from which footprints mark imbalances. */
	imbalance: z.catch(z.optional(z.number().check(z.gte(leastImbalance), z.lte(mostImbalance))), undefined),
	candleZoom: z.optional(z.looseObject({columns: z.int().check(z.positive()), merged: z.int().check(z.positive())})),
	indicators: z.optional(z.array(z.enum(indicatorNames))),
	/** By indicator, as `savedLengths` reads them: a broken one is no reason to lose all else. */
	lengths: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
	sort: z.catch(z.optional(z.enum(sortNames)), undefined),
	reversed: z.optional(z.boolean()),
	activeOnly: z.optional(z.boolean()),
	/** Of the list of markets, with blanks between them: as a list they would lose their order when merged. */
	columns: z.catch(z.optional(z.string()), undefined),
	focus: z.optional(z.enum(panelNames)),
	zoomed: z.optional(z.boolean()),
	book: z.optional(z.enum(bookViews)),
	total: z.optional(z.enum(['total', 'value'])),
	mergedFills: z.optional(z.boolean()),
	/** What `readLayouts` reads: a broken one is no reason to lose all else. */
	layouts: z.optional(z.unknown()),
	timezone: z.catch(z.optional(z.string()), undefined),
	theme: z.catch(z.optional(z.enum(themeNames)), undefined),
	palette: z.catch(z.optional(z.enum(paletteNames)), undefined),
});

const stateSchema = z.looseObject({
	version: z.literal(1),
	exchanges: z.record(z.string(), exchangeSchema),
	view: viewSchema,
});

/** What the monitor remembers from one run to the next; the user edits the config file instead. */
export type State = z.output<typeof stateSchema>;
export type ExchangeState = z.output<typeof exchangeSchema>;
export type ViewState = z.output<typeof viewSchema>;

export const noState: State = {version: 1, exchanges: {}, view: {}};

/** Parses `json`; `fault` is one line that says what is wrong with it. */
export function parseState(json: string): {readonly state: State} | {readonly fault: string} {
	let raw: unknown;
	try {
		raw = JSON.parse(json);
	} catch (error) {
		// The parser's message quotes the text.
		return {fault: stripControl(error instanceof Error ? error.message : String(error))};
	}

	const result = stateSchema.safeParse(raw, {error: en().localeError});
	if (result.success) return {state: result.data};
	const [issue] = result.error.issues;
	return {fault: [...(issue?.path.length ? [issue.path.join('.')] : []), issue?.message].join(': ')};
}

export type JsonRecord = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);
export const isRecord = (value: unknown): value is JsonRecord =>
	typeof value === 'object' && value !== null && !isList(value);

/** Whether two JSON values are equal; a key whose value is undefined counts as absent. */
export function isEqual(a: unknown, b: unknown): boolean {
	if (isList(a) && isList(b)) return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
	if (!isRecord(a) || !isRecord(b)) return a === b;
	return [...Object.keys(a), ...Object.keys(b)].every(key => isEqual(own(a, key), own(b, key)));
}

export const own = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
	Object.hasOwn(record, key) ? record[key] : undefined;

/**
 * Three-way merge: `theirs` with the changes from `base` to `mine`. Records merge key by key, lists as sets, with additions
 * appended, in the order of `mine` if that is another one than in `base`. When both changed one value, `mine` wins.
 */
export function merged(base: unknown, mine: unknown, theirs: unknown): unknown {
	if (isEqual(base, mine)) return theirs;
	if (isList(mine) && isList(theirs)) {
		const before = isList(base) ? base : [];
		const removed = before.filter(item => !mine.includes(item));
		const added = mine.filter(item => !before.includes(item) && !theirs.includes(item));
		const all = [...theirs.filter(item => !removed.includes(item)), ...added];
		const kept = (list: readonly unknown[], other: readonly unknown[]) => list.filter(item => other.includes(item));
		if (isEqual(kept(before, mine), kept(mine, before))) return all;
		return [...kept(mine, all), ...all.filter(item => !mine.includes(item))];
	}

	if (isRecord(mine) && isRecord(theirs)) {
		const before = isRecord(base) ? base : {};
		const keys = new Set([...Object.keys(theirs), ...Object.keys(mine), ...Object.keys(before)]);
		const pairs = [...keys].map(key => [key, merged(own(before, key), own(mine, key), own(theirs, key))] as const);
		return Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
	}

	return mine;
}
