import {selectedMarket} from '../../store/state.ts';
import {automaticValues, deliveredStart, type Entry, settingEntries} from '../panels/settings/model.ts';
import type {Control} from './command.ts';

/** Every setting with its present value, as the list shows it. */
export function presentSettings({ui, store, layout, settings = deliveredStart}: Control): readonly Entry[] {
	const [state, market] = [ui.getSnapshot(), store.getSnapshot()];
	const place = {layout, assets: selectedMarket(market) ?? {}, automatic: automaticValues(market)};
	return settingEntries({ui: state, market}, settings, place);
}
