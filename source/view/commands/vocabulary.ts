import {completeRule} from '../../alerts/complete-rule.ts';
import {lastTradePrice, type MarketState, selectedTicker} from '../../store/state.ts';
import {arrangementFor, type LayoutName, placedPanels} from '../arrangement.ts';
import {drawnLinesOf} from '../drawn-lines.ts';
import {scrolledPrice} from '../panels/book/rungs.ts';
import {cursorPrice} from '../panels/chart/chart-view.ts';
import type {UiState} from '../ui-state.ts';
import type {Vocabulary} from './command.ts';
import {marketsFound} from './markets-commands.ts';

/** The price that the user points at, with the crosshair or by scrolling the ladder; undefined: none. */
export function pointedPrice(
	{candles, depth, decimals}: Pick<MarketState, 'candles' | 'depth' | 'decimals'>,
	{overlay, focus, chart, book}: UiState,
): number | undefined {
	if (overlay) return undefined;
	if (focus === 'chart' && candles.status === 'ready') return cursorPrice(candles.data, chart);
	if (focus !== 'book' || book.view !== 'ladder' || depth.status !== 'ready') return undefined;
	return scrolledPrice(depth.data, decimals, book);
}

/** What the command line can complete to. */
export function vocabularyOf(
	state: Omit<Vocabulary, 'lists' | 'price' | 'lines' | 'panels'>,
	ui: UiState,
	layout: LayoutName,
): Vocabulary {
	const arrangement = arrangementFor(layout, ui.layouts);
	return {
		...state,
		lists: ui.picker.lists,
		lines: drawnLinesOf(ui.drawnLines, state.symbol).map(({number}) => number),
		price: pointedPrice(state, ui) ?? lastTradePrice(state) ?? selectedTicker(state)?.last,
		panels: {placed: placedPanels(layout, arrangement), hidden: arrangement.hidden},
	};
}

/** The rules that a text can go on to. */
export const completeTypedRule = (text: string, vocabulary: Vocabulary): readonly string[] =>
	completeRule(text, {
		marketsFor: word => marketsFound(word, vocabulary),
		lists: [...vocabulary.lists.keys()],
		price: vocabulary.price,
		lines: vocabulary.lines,
	});
