import type {MarketState} from '../../store/state.ts';
import type {Line, Size} from '../line.ts';
import {resourcePanel} from '../resource-panel.ts';
import type {UiState} from '../ui-state.ts';
import {cursorOf, type PickerEntry} from './list.ts';
import {pickerBody, pickerSkeleton} from './rows.ts';

export type PickerPanelInput = {
	readonly state: Pick<MarketState, 'markets' | 'tickers' | 'symbol'>;
	readonly list: readonly PickerEntry[];
	readonly picker: UiState['picker'];
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed picker. Its age is that of the tickers: the list of markets itself hardly changes. */
export function pickerPanel(input: PickerPanelInput): readonly Line[] {
	const {state, list, picker, focused, size, now, ascii} = input;
	const {markets, tickers, symbol} = state;
	const count = markets.status === 'ready' ? ` ${markets.data.length}` : '';
	const cursor = focused ? cursorOf(list, picker, symbol) : undefined;
	return resourcePanel({
		resource: markets,
		dated: tickers.status === 'waiting' ? markets : tickers,
		key: '1',
		titles: [`Markets${count}`, 'Markets'],
		foot: `by ${picker.filter ? 'match' : picker.sort}`,
		focused,
		size,
		now,
		ascii,
		body: (_, inner) => pickerBody({...picker, list, selected: symbol, cursor, size: inner, ascii}),
		skeleton: pickerSkeleton,
	});
}
