import * as z from 'zod';
import {panelNames} from '../../view/layout.ts';
import {bookViews} from '../../view/panels/book/views.ts';
import {chartTypes, indicatorNames} from '../../view/panels/chart/chart-state.ts';
import {sortNames} from '../../view/panels/markets/sort.ts';
import {faultPosition, lineOfValue} from './json-lines.ts';

const symbols = z.array(z.string().min(1));

/** Loose: what a later version adds is kept when this one writes. */
const exchangeSchema = z.looseObject({
	/** The last market shown. */
	market: z.string().min(1).optional(),
	/** What its ladder's prices are put together by, in quote asset. */
	bookStep: z.number().positive().optional(),
	favourites: symbols.optional(),
	quote: z.string().min(1).optional(),
	lists: z.record(z.string(), symbols).optional(),
	/** The list that the picker shows. */
	list: z.string().optional(),
	/** The markets that were compared last. */
	compared: symbols.optional(),
});

const viewSchema = z.looseObject({
	period: z.int().positive().optional(),
	chart: z.enum(chartTypes).optional(),
	log: z.boolean().optional(),
	candleZoom: z.looseObject({columns: z.int().positive(), merged: z.int().positive()}).optional(),
	indicators: z.array(z.enum(indicatorNames)).optional(),
	sort: z.enum(sortNames).optional(),
	reversed: z.boolean().optional(),
	activeOnly: z.boolean().optional(),
	focus: z.enum(panelNames).optional(),
	zoomed: z.boolean().optional(),
	book: z.enum(bookViews).optional(),
	total: z.enum(['total', 'value']).optional(),
	mergedFills: z.boolean().optional(),
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

/** The state that `json` holds, or in a few words where in it and why it holds none. */
export function parseState(json: string): {readonly state: State} | {readonly fault: string} {
	let raw: unknown;
	try {
		raw = JSON.parse(json);
	} catch {
		const {line, column} = faultPosition(json);
		return {fault: `line ${line}, column ${column}: it is not valid JSON`};
	}

	const result = stateSchema.safeParse(raw);
	if (result.success) return {state: result.data};
	const [issue] = result.error.issues;
	if (!issue || issue.path.length === 0) return {fault: 'it is not a state of Tapewatch'};
	return {fault: `line ${lineOfValue(json, issue.path)}: ${issue.path.map(String).join('.')}: ${issue.message}`};
}
