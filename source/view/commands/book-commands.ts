import {formatPlain} from '../../format/number.ts';
import {stepOf, stepSize} from '../../market/depth.ts';
import {parseAmount} from '../../market/fill.ts';
import {clamp} from '../../market/numbers.ts';
import {typedNumber} from '../../market/typed-number.ts';
import type {Market} from '../../market/types.ts';
import {selectedMarket} from '../../store/state.ts';
import {promptKeys} from '../keys.ts';
import {type BookView, bookViews, wholeSession} from '../panels/book/book-state.ts';
import {curveRange} from '../panels/book/curve.ts';
import {anchorInRow, scrolledAnchor} from '../panels/book/rows.ts';
import {ladderSteps, nextStep} from '../panels/book/rungs.ts';
import {editedAtEnd} from '../text-edit.ts';
import {type Change, changed, focusedOn, type UiState} from '../ui-state.ts';
import {type Command, type Control, choice, cycle, noted, type Vocabulary} from './command.ts';
import {finestText, moveMapCursor, scaledMap} from './heatmap-commands.ts';

const onlyInLadder =
	(reason: string) =>
	({book}: UiState): string | undefined =>
		book.view === 'ladder' ? undefined : reason;

export const bookCommands: readonly Command[] = [
	{
		name: 'centre',
		keys: ['m'],
		focused: true,
		help: 'centre the book on the spread',
		hint: {word: 'centre', rank: 19},
		unavailable: onlyInLadder('only the ladder can be centred'),
		atEnd: 'already centred',
		run: ({ui}) => ui.update(changed('book', {anchor: undefined})),
	},
	{
		name: 'total',
		keys: ['t'],
		focused: true,
		help: 'show totals in base or quote asset; of two columns, swap them',
		hint: {word: 'total', rank: 20},
		unavailable: onlyInLadder('only the ladder shows totals'),
		run: ({ui}) => ui.update(changed('book', {total: cycle(['total', 'value'], ui.getSnapshot().book.total)})),
	},
	{
		...choice('book-view', 'show the book as', bookViews, (view, {ui}) => ui.update(viewedAs(view))),
		keys: ['b'],
		hint: {word: 'view', rank: 21},
		run: ({ui}) => ui.update(viewedAs(cycle(bookViews, ui.getSnapshot().book.view))),
	},
	{
		name: 'fill',
		keys: ['a'],
		help: 'show the cost to fill an amount: 2, 2 btc, 5000 usdt',
		hint: {word: 'cost to fill', rank: 22},
		run: ({ui}) => ui.update(filling({...ui.getSnapshot().book.fill, editing: true})),
		argument: {
			takes: '2, 2 btc, 5000 usdt',
			complete: completeAmount,
			run(text, {store, ui}) {
				const market = selectedMarket(store.getSnapshot());
				// Its assets have names once the market list is loaded.
				const fault = market && amountFault(text, market);
				if (fault !== undefined) return `${fault}; fill takes ${amountsOf(market ?? {}).join(', ')}`;
				ui.update(filling({text, editing: false}));
				return undefined;
			},
		},
	},
	{
		name: 'grouping',
		keys: [],
		help: 'group the ladder by a price step',
		argument: {
			takes: 'a price step of the book',
			complete: (text, vocabulary) => stepTexts(vocabulary).filter(step => step.startsWith(text)),
			run(text, {store, ui}) {
				const state = store.getSnapshot();
				if (state.depth.status !== 'ready') return 'the book is still loading';
				const size = typedNumber(text);
				const takes = `grouping takes ${stepTexts(state).join(', ')}`;
				if ('fault' in size) return `${size.fault}; ${takes}`;
				const steps = ladderSteps(state.depth.data, state.decimals).map(stepSize);
				const grouping = stepOf(size.value);
				if (!grouping || size.value < Math.min(...steps) || size.value > Math.max(...steps)) return takes;
				ui.update(changed('book', {grouping, anchor: undefined}));
				return undefined;
			},
		},
	},
];

/** Another view starts with its default scale. */
const viewedAs = (view: BookView): Change => changed('book', {view, zoom: 0, ...wholeSession});

const filling =
	(fill: UiState['book']['fill']): Change =>
	state =>
		changed('book', {fill})(focusedOn('book')(state));

/** Completes a number with each asset of the selected market. */
export function completeAmount(text: string, vocabulary: Vocabulary): readonly string[] {
	const [, amount, unit = ''] = /^([\d.,_]+[km]?)\s*([a-z\d]*)$/i.exec(text) ?? [];
	const {base, quote} = selectedMarket(vocabulary) ?? {};
	if (amount === undefined) return [];
	return [base, quote]
		.flatMap(asset => asset?.toLowerCase() ?? [])
		.filter(asset => asset.startsWith(unit.toLowerCase()))
		.map(asset => `${amount} ${asset}`);
}

/** Examples of amounts. */
const amountsOf = ({base, quote}: Partial<Market>): readonly string[] => [
	'2',
	...(base ? [`2 ${base.toLowerCase()}`] : []),
	...(quote ? [`5000 ${quote.toLowerCase()}`] : []),
];

/** The steps that the ladder can be grouped by, finest first. */
function stepTexts({depth, decimals}: Pick<Vocabulary, 'depth' | 'decimals'>): readonly string[] {
	if (depth.status !== 'ready') return [];
	return ladderSteps(depth.data, decimals).map(step => formatPlain(stepSize(step)));
}

/** Scrolls the ladder, or moves the heatmap's cursor, by rows: down or (negative) up. */
export function scrollBook(by: number, control: Control): void {
	const {store, ui, page} = control;
	const {depth, decimals} = store.getSnapshot();
	const {book} = ui.getSnapshot();
	if (book.view === 'heatmap') moveMapCursor({column: 0, row: by}, control);
	if (depth.status !== 'ready' || book.view !== 'ladder') return;
	const anchor = scrolledAnchor({...book, book: depth.data, decimals}, page.rows, by);
	ui.update(changed('book', {anchor}));
}

/** Marks the price in a row of the ladder's body, from 0, as scrolling to it does; at the spread, centres the ladder. */
export function goToLadderRow(row: number, {store, ui, page}: Control): void {
	const {depth, decimals} = store.getSnapshot();
	const {book} = ui.getSnapshot();
	if (depth.status !== 'ready' || book.view !== 'ladder') return;
	const anchor = anchorInRow({...book, book: depth.data, decimals}, page.rows, row);
	ui.update(changed('book', {anchor}));
}

/** How many steps the curve can be zoomed from its default, either way. */
const mostZoom = 8;

/** A scale, or why there is none further in that direction; undefined: there is no book. */
type Scaled = Partial<Pick<UiState['book'], 'zoom' | 'grouping' | 'anchor'>> | {readonly end: string} | undefined;

/** Coarser or finer price rows, in the curve a wider or narrower range of prices; at an end, the status line says why. */
export function scaleBook(by: 1 | -1, control: Control): void {
	const {ui} = control;
	const scaled: Scaled = {ladder: scaledLadder, curve: scaledCurve, heatmap: scaledMap}[ui.getSnapshot().book.view](
		by,
		control,
	);
	if (!scaled) return;
	if ('end' in scaled) noted(scaled.end, control);
	else ui.update(changed('book', scaled));
}

/** From the book's own step to at least ten rows. */
function scaledLadder(by: 1 | -1, {store, ui}: Control): Scaled {
	const {depth, decimals} = store.getSnapshot();
	if (depth.status !== 'ready') return undefined;
	const grouping = nextStep(depth.data, decimals, ui.getSnapshot().book.grouping, by);
	if (grouping) return {grouping, anchor: undefined};
	return {end: by > 0 ? 'coarser steps would leave fewer than ten rows' : finestText(depth.data, decimals)};
}

/** Up to prices from 0. */
function scaledCurve(by: 1 | -1, {store, ui}: Control): Scaled {
	const {depth} = store.getSnapshot();
	if (depth.status !== 'ready') return undefined;
	const before = ui.getSnapshot().book.zoom;
	const zoom = clamp(before + by, -mostZoom, mostZoom);
	const [range, scaled] = [curveRange(depth.data, before), curveRange(depth.data, zoom)];
	if (!range || !scaled) return undefined;
	return scaled.to === range.to ? {end: `this is the ${by > 0 ? 'widest' : 'narrowest'} range of prices`} : {zoom};
}

/** Handles a key while the amount is typed. False: it acts as a command. */
export function pressInFill(key: string, {store, ui}: Control): boolean {
	const {fill} = ui.getSnapshot().book;
	if (!fill.editing) return false;
	const put = (next: UiState['book']['fill']) => ui.update(changed('book', {fill: next}));
	if (key === promptKeys.accept) {
		const text = fill.text.trim();
		const market = selectedMarket(store.getSnapshot());
		const fault = text && market ? amountFault(text, market) : undefined;
		put({text, editing: fault !== undefined, fault});
		return true;
	}

	const text = editedAtEnd(fill.text, key);
	if (text === undefined) return false;
	put({text, editing: true});
	return true;
}

/** What is wrong with an amount; undefined: nothing. */
function amountFault(text: string, market: Market): string | undefined {
	const amount = parseAmount(text, market);
	return 'fault' in amount ? amount.fault : undefined;
}
