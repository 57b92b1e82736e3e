import type {MarketState} from '../../../store/state.ts';
import type {Line, Size} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {resourcePanel} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {isAscending, isVolumeUnitKnown, type PickerEntry} from './entries.ts';
import {cursorOf} from './list.ts';
import {pickerBody, pickerSkeleton} from './rows.ts';

export type PickerPanelInput = {
	readonly state: Pick<MarketState, 'markets' | 'tickers' | 'symbol' | 'seenPrices'>;
	readonly list: readonly PickerEntry[];
	readonly picker: UiState['picker'];
	/** The digits flash that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed picker. Its age is that of the tickers: the list of markets itself hardly changes. */
export function pickerPanel(input: PickerPanelInput): readonly Line[] {
	const {state, list, picker, flashAt, focused, size, now, ascii} = input;
	const {markets, tickers, symbol, seenPrices: seen} = state;
	const cursor = focused ? cursorOf(list, picker, symbol) : undefined;
	return resourcePanel({
		resource: markets,
		dated: tickers.status === 'waiting' ? markets : tickers,
		key: '1',
		titles: titlesOf(input),
		footers: [footerOf(picker, list, ascii)],
		focused,
		size,
		now,
		ascii,
		body: (_, inner) => pickerBody({...picker, list, selected: symbol, cursor, seen, flashAt, size: inner, ascii}),
		skeleton: pickerSkeleton,
	});
}

/** How many there are, and how many of them are listed where that is not all. */
function titlesOf({state: {markets}, list}: PickerPanelInput): readonly string[] {
	if (markets.status !== 'ready') return ['Markets'];
	const all = markets.data.length;
	const shown = list.length;
	const counts = shown === all ? [`Markets ${all}`] : [`Markets ${shown} of ${all}`, `Markets ${shown}`];
	return [...counts, 'Markets'];
}

/** The order, and what is left out. */
function footerOf(
	{filter, list, quote, activeOnly, ...order}: UiState['picker'],
	shown: readonly PickerEntry[],
	ascii: boolean,
): string {
	const arrows = ascii ? {up: '^', down: 'v'} : {up: '↑', down: '↓'};
	const direction = isAscending(order) ? arrows.up : arrows.down;
	const parts = [
		filter ? 'by match' : `by ${order.sort} ${direction}`,
		...(order.sort === 'volume' && !isVolumeUnitKnown(shown) ? ['unit unknown'] : []),
		...(list === undefined ? [] : [list]),
		...(quote === undefined ? [] : [quote]),
		...(activeOnly ? ['active'] : []),
	];
	return parts.join(` ${marksFor(ascii).separator} `);
}
