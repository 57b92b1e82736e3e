import {truncate} from '../../../format/cells.ts';
import {memo} from '../../../market/memo.ts';
import {hasMarkets, type MarketState} from '../../../store/state.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {dotted} from '../../marks.ts';
import {type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {mayShowAge} from './column-plan.ts';
import {basisOf, currencyOf, isAscending, type PickerEntry} from './entries.ts';
import {cursorOf} from './list.ts';
import {pickerBody, pickerSkeleton} from './rows.ts';

type PickerPanelInput = PanelView & {
	readonly state: Pick<MarketState, 'markets' | 'tickers' | 'symbol' | 'priceTrails'>;
	readonly list: readonly PickerEntry[];
	readonly picker: UiState['picker'];
	/** The markets with armed alerts by their keys, and whether one is blind. Default: none. */
	readonly alerts?: ReadonlyMap<string, boolean> | undefined;
	/** The digits flash that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
};

function panelBody(input: PickerPanelInput, now: number): readonly Line[] {
	const {state, list, picker, focused} = input;
	if (state.markets.status === 'ready' && !hasMarkets(state.markets))
		return [[{text: ' no markets yet', tone: 'muted'}]];
	const {symbol: selected, priceTrails: trails} = state;
	const {columns: chosen} = picker;
	const cursor = focused ? cursorOf(list, picker, selected) : undefined;
	const currency = currencyOf(hasMarkets(state.markets) ? state.markets.data : [], picker.currency);
	return pickerBody({
		...input,
		...picker,
		chosen,
		currency,
		list,
		selected,
		cursor,
		trails,
		now,
		size: bodySize(input.size),
	});
}

/** For lists that show no ages. */
const agelessBody = memo((input: PickerPanelInput) => panelBody(input, 0));

/**
 * The framed picker. Its age is that of the tickers, as the list of markets rarely changes. For the same `input` only
 * ages are computed again.
 */
export function pickerPanel(input: PickerPanelInput, now: number): readonly Line[] {
	const {state, list, picker, keyHint, focused, size, ascii, zone} = input;
	const {markets, tickers} = state;
	return resourcePanel({
		resource: markets,
		dated: tickers.status === 'waiting' ? markets : tickers,
		command: 'go-to-markets',
		titles: titlesOf(input),
		footers: footersOf(picker, list, ascii),
		...{keyHint, focused, size, now, ascii, zone},
		body: (_, {columns}) => (mayShowAge(picker.columns, columns) ? panelBody(input, now) : agelessBody(input)),
		skeleton: pickerSkeleton,
	});
}

/** How many markets there are, and how many of them are listed. */
function titlesOf({state: {markets}, list}: PickerPanelInput): readonly string[] {
	if (markets.status !== 'ready') return ['Markets'];
	const all = markets.data.length;
	const shown = list.length;
	const counts = shown === all ? [`Markets ${all}`] : [`Markets ${shown} of ${all}`, `Markets ${shown}`];
	return [...counts, 'Markets'];
}

/** Cells of a list's name where room is short. */
const shortList = 7;

/** The footers, from long to short: the order, which is dropped first, and what gives the rows another meaning. */
function footersOf(
	{filter, currency, list, quote, activeOnly, ...order}: UiState['picker'],
	shown: readonly PickerEntry[],
	ascii: boolean,
): readonly string[] {
	const arrows = ascii ? {up: '^', down: 'v'} : {up: '↑', down: '↓'};
	const direction = isAscending(order) ? arrows.up : arrows.down;
	const unconverted = currency !== undefined && shown.length > 0 && shown.every(({worth}) => worth === undefined);
	const notes = unconverted ? [`nothing converts to ${currency}`] : [];
	const basis = order.sort === 'volume' ? basisOf(shown) : 'now';
	const ranking = basis === 'last v2' ? `${basis} ${order.sort}` : order.sort;
	const sort = filter ? 'match' : `${ranking} ${direction}`;
	const ordered = filter || order.sort !== 'manual' ? `by ${sort}` : `manual order ${direction}`;
	const others = [...(quote === undefined ? [] : [quote]), ...(activeOnly ? ['active'] : [])];
	const meaning = [...(list === undefined ? [] : [list]), ...others];
	const short = [...(list === undefined ? [] : [truncate(list, shortList, ascii)]), ...others];
	const [full, brief] = basis === 'unknown' ? [['unit unknown'], ['unit ?']] : [notes, notes];
	const forms = [
		[ordered, ...full, ...meaning],
		[sort, ...brief, ...meaning],
		[...brief, ...meaning],
		[...brief, ...short],
	];
	return [...forms.map(parts => dotted(parts, ascii)), [...brief, ...short].join(' ')];
}
