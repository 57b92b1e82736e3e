import {truncate} from '../../../format/cells.ts';
import {memo} from '../../../market/memo.ts';
import {type PastName, pastNames, pastPeriods, periodOfPast} from '../../../market/past-figures.ts';
import {activeState} from '../../../market/types.ts';
import {hasMarkets, type MarketState, type WantedPast} from '../../../store/state.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {dotted} from '../../marks.ts';
import {type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {UiState} from '../../ui-state.ts';
import {mayShowAge} from './column-plan.ts';
import {basisOf, currencyOf, entryState, isAscending, type PickerEntry} from './entries.ts';
import {cursorOf, pastShown, sortedPast} from './list.ts';
import {listedRows, type PickerInput, pickerBody, pickerSkeleton, shownColumns} from './rows.ts';

type PickerPanelInput = PanelView & {
	readonly state: Pick<MarketState, 'markets' | 'tickers' | 'symbol' | 'priceTrails' | 'past'>;
	readonly list: readonly PickerEntry[];
	readonly picker: UiState['picker'];
	/** The markets with armed alerts by their keys, and whether one is blind. Default: none. */
	readonly alerts?: ReadonlyMap<string, boolean> | undefined;
	/** The digits flash that changed at this time, epoch ms; absent: none do. */
	readonly flashAt?: number | undefined;
};

/** What the body is drawn from. */
function bodyInput(input: PickerPanelInput, now: number): PickerInput {
	const {state, list, picker, focused} = input;
	const {symbol: selected, priceTrails: trails} = state;
	return {
		...input,
		...picker,
		chosen: picker.columns,
		currency: currencyOf(hasMarkets(state.markets) ? state.markets.data : [], picker.currency),
		sorted: sortedPast(picker),
		selected,
		cursor: focused ? cursorOf(list, picker, selected) : undefined,
		trails,
		now,
		list,
		size: bodySize(input.size),
	};
}

function panelBody(input: PickerPanelInput, now: number): readonly Line[] {
	const {markets} = input.state;
	if (markets.status === 'ready' && !hasMarkets(markets)) return [[{text: ' no markets yet', tone: 'muted'}]];
	return pickerBody(bodyInput(input, now));
}

/** The figures from candles that are in columns on the screen or sort the list. Most lists have none. */
const pastIn = memo((input: PickerPanelInput): readonly PastName[] => {
	const {picker} = input;
	if (pastShown(picker).length === 0) return [];
	const columns = shownColumns(bodyInput(input, 0));
	return pastNames.filter(name => name === picker.sort || columns.includes(name));
});

/** Which markets the list shows figures from candles of, active ones only. Undefined: it shows none. */
export function wantedPast(input: PickerPanelInput): WantedPast | undefined {
	const {state, list, picker} = input;
	const names = pastIn(input);
	if (!state.past || state.past.isUnavailable || names.length === 0) return undefined;
	const activeIn = (entries: readonly PickerEntry[]) =>
		entries.flatMap(entry => (entryState(entry) === activeState ? entry.market.symbol : []));
	const others = activeIn(list);
	return {
		periods: pastPeriods.filter(period => names.some(name => periodOfPast(name) === period)),
		shown: activeIn(listedRows(bodyInput(input, 0)).entries),
		favourites: others.filter(symbol => picker.favourites.has(symbol)),
		others,
	};
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
		body: (_, {columns}) =>
			mayShowAge(picker.columns, picker.sort, columns) ? panelBody(input, now) : agelessBody(input),
		skeleton: pickerSkeleton,
	});
}

/** How many markets there are, how many are listed, and for how many the figures from candles are known. */
function titlesOf(input: PickerPanelInput): readonly string[] {
	const {state, list, ascii} = input;
	if (state.markets.status !== 'ready') return ['Markets'];
	const all = state.markets.data.length;
	const shown = list.length;
	const counts = shown === all ? [`Markets ${all}`] : [`Markets ${shown} of ${all}`, `Markets ${shown}`];
	const known = knownTexts(input);
	return [...known.slice(0, 1).map(text => dotted([counts[0], text], ascii)), ...known, ...counts, 'Markets'];
}

/** For how many markets a figure is known, from long to short: the one that sorts the list, else the least known. Empty: none is shown. */
function knownTexts(input: PickerPanelInput): readonly string[] {
	const {state, list, picker} = input;
	const counted = pastIn(input).map(name => ({
		name,
		count: list.filter(({past}) => past?.[name] !== undefined).length,
	}));
	const [least] = counted.toSorted((one, other) => one.count - other.count);
	const {name, count} = counted.find(each => each.name === picker.sort) ?? least ?? {};
	if (name === undefined || !state.past) return [];
	if (state.past.isUnavailable) return [`${name} needs candles of v2`, `${name} needs v2`];
	return [`${name} ${count} of ${list.length} known`, `${name} ${count}/${list.length}`];
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
