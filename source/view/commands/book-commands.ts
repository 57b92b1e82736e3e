import {formatPlain} from '../../format/number.ts';
import {stepSize} from '../../market/depth.ts';
import {parseAmount} from '../../market/fill.ts';
import {clamp} from '../../market/numbers.ts';
import {typedNumber} from '../../market/typed-number.ts';
import type {Market} from '../../market/types.ts';
import {selectedMarket} from '../../store/state.ts';
import {promptKeys} from '../keys.ts';
import {type BookView, bookViews} from '../panels/book/book-state.ts';
import {scrolledAnchor} from '../panels/book/rows.ts';
import {ladderSteps, nextStep} from '../panels/book/rungs.ts';
import {editedAtEnd} from '../text-edit.ts';
import {type Change, changed, focusedOn, noFill, type UiState} from '../ui-state.ts';
import {type Command, type Control, choice, cycle, type Vocabulary} from './command.ts';

const notLadder = ({book}: UiState): string | undefined =>
	book.view === 'ladder' ? undefined : `the ${book.view} has no price rows`;

export const bookCommands: readonly Command[] = [
	{
		name: 'centre',
		keys: ['m'],
		focused: true,
		help: 'centre the book on the spread',
		hint: {word: 'centre', rank: 19},
		unavailable: notLadder,
		atEnd: 'already centred',
		run: ({ui}) => ui.update(changed('book', {anchor: undefined})),
	},
	{
		name: 'total',
		keys: ['t'],
		focused: true,
		help: 'show totals in base or quote asset, or which of both comes first',
		hint: {word: 'total', rank: 20},
		unavailable: notLadder,
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
				const steps = ladderSteps(state.depth.data, state.decimals);
				const grouping = steps.find(step => stepSize(step) === size.value);
				if (!grouping) return takes;
				ui.update(changed('book', {grouping, anchor: undefined}));
				return undefined;
			},
		},
	},
];

/** Another view starts with its default scale. */
const viewedAs = (view: BookView): Change => changed('book', {view, zoom: 0});

const filling =
	(fill: UiState['book']['fill']): Change =>
	state =>
		changed('book', {fill})(focusedOn('book')(state));

/** Completes a number with each asset of the selected market. */
function completeAmount(text: string, vocabulary: Vocabulary): readonly string[] {
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

/** Scrolls the ladder by rows, down or (negative) up. */
export function scrollBook(by: number, {store, ui, page}: Control): void {
	const {depth, decimals} = store.getSnapshot();
	const {book} = ui.getSnapshot();
	if (depth.status !== 'ready' || book.view !== 'ladder') return;
	const anchor = scrolledAnchor({...book, book: depth.data, decimals}, page.rows, by);
	ui.update(changed('book', {anchor}));
}

/** How many steps the curve and the heatmap can be zoomed from their default, either way. */
const mostZoom = 8;

/** Coarser or finer price rows, within what the market's prices allow. */
export function scaleBook(by: 1 | -1, {store, ui}: Control): void {
	const {book} = ui.getSnapshot();
	if (book.view !== 'ladder') {
		const zoom = clamp(book.zoom + by, -mostZoom, mostZoom);
		return ui.update(changed('book', {zoom}));
	}

	const {depth, decimals} = store.getSnapshot();
	const grouping = depth.status === 'ready' && nextStep(depth.data, decimals, book.grouping, by);
	if (grouping) ui.update(changed('book', {grouping, anchor: undefined}));
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

/** The state without the amount that is typed or shown in the focused book; undefined: there is none. */
export const fillCleared = (state: UiState): UiState | undefined => {
	const {fill} = state.book;
	return fill.editing || (fill.text && state.focus === 'book') ? changed('book', {fill: noFill})(state) : undefined;
};
