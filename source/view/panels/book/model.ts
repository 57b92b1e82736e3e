import type {Size} from '../../../format/cells.ts';
import {formatFixed, formatSigned} from '../../../format/number.ts';
import {sideChanges} from '../../../market/book-changes.ts';
import {type BookSide, type PriceStep, stepDecimals, stepSize} from '../../../market/depth.ts';
import type {BookHistory} from '../../../market/liquidity.ts';
import {memo, shared} from '../../../market/memo.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import type {DepthBook, Level, Market, Ticker} from '../../../market/types.ts';
import type {Resource} from '../../../store/resource.ts';
import type {MarkedLevels} from '../../drawn-levels.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {dotted} from '../../marks.ts';
import {shortPrice} from '../../price-texts.ts';
import {isStale, type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {BookState} from './book-state.ts';
import {curveBody, curveLegend, curveTitles} from './curve.ts';
import {fillRowCount, fillRows} from './fill-rows.ts';
import {heatmapBody, heatmapNotes} from './heatmap.ts';
import {heatmapOf} from './heatmap-model.ts';
import {type LadderInput, ladderBody, ladderSkeleton} from './rows.ts';
import {tradedFrom} from './rung-rows.ts';
import {ladderStep} from './rungs.ts';

export type BookPanelInput = PanelView &
	BookState &
	MarkedLevels & {
		readonly depth: Resource<DepthBook>;
		readonly history: BookHistory;
		/** Whether changes since the previous book are marked. */
		readonly flashes: boolean;
		/** Ticker of the same market, for the best bid if the interface shows no bids. */
		readonly ticker: Ticker | undefined;
		readonly market: Market | undefined;
		/** Tape of the same market; absent: no traded sizes are shown. */
		readonly tape: Resource<Tape> | undefined;
		readonly decimals: Decimals;
		/** Whether the theme shows heat behind cells. Default false. */
		readonly hasHeat?: boolean | undefined;
	};

/** Whether the view shows trades: the heatmap does, and a ladder wide enough for the volume traded at each price. */
export const showsTrades = ({view, columns}: Pick<BookState, 'view'> & Pick<Size, 'columns'>): boolean =>
	view === 'heatmap' || (view === 'ladder' && bodySize({columns, rows: 0}).columns >= tradedFrom);

/** A view of the book: titles and footers of its frame, and its body. */
type View = {
	readonly titles: readonly string[];
	/** From long to short. */
	readonly footers: readonly string[];
	readonly body: readonly Line[];
};

/** The framed book: ladder, depth curve or heatmap. For the same `input` only its age is computed again. */
export function bookPanel(input: BookPanelInput, now: number): readonly Line[] {
	const view = viewOf(input);
	return resourcePanel({
		...input,
		now,
		resource: input.depth,
		// A tape that fails makes the sums partial, which is marked.
		others: input.tape && !isStale(input.tape) ? [input.tape] : [],
		command: 'go-to-book',
		titles: view?.titles ?? ['Book'],
		footers: view?.footers,
		body: () => view?.body ?? [],
		skeleton: ladderSkeleton,
	});
}

/** Absent while there is no book. */
const viewOf = memo((input: BookPanelInput): View | undefined => {
	if (input.depth.status !== 'ready') return undefined;
	const book = input.depth.data;
	const size = bodySize(input.size);
	const plot = {...input, book, size: plotSize(size, input)};
	switch (input.view) {
		case 'ladder':
			return ladderView(book, input, size);
		case 'curve':
			return {
				titles: curveTitles(plot),
				footers: curveLegend(plot, input.market?.base),
				body: [...curveBody(plot), ...questionRows(book, size, input)],
			};

		case 'heatmap': {
			const {tape} = input;
			const heat = {...plot, trades: tape?.status === 'ready' ? tape.data.trades : []};
			const map = heatmapOf(heat);
			return {
				titles: map ? stepTitles('Heatmap', map.step, input.ascii) : ['Heatmap'],
				footers: map ? heatmapNotes(map, input.market?.base, heat) : [],
				body: [...heatmapBody(map, heat), ...questionRows(book, size, input)],
			};
		}
	}
});

/** The ladder. Its title shows the width of a price row, its footer the net change since the previous book. */
function ladderView(book: DepthBook, input: BookPanelInput, size: Size): View {
	const {ticker, market, decimals, history, tape} = input;
	const step = ladderStep(book, decimals, input.grouping);
	const trades = tape?.status === 'ready' ? tape : undefined;
	const body = sharedLadder({
		...input,
		book,
		size,
		previous: input.flashes ? history.previous : undefined,
		tickerBid: ticker?.bid,
		tickerBidQuantity: ticker?.bidQuantity,
		trades: trades?.data.trades,
		// While the tape fails, it misses trades.
		tradesPartial: trades && (trades.data.gaps.size > 0 || trades.failure !== undefined),
		base: market?.base,
		quote: market?.quote,
		cut: cutOf(input),
	});
	return {titles: stepTitles('Book', step, input.ascii), footers: netTexts(book, input), body};
}

const ladderOf = shared(
	({book}: Omit<LadderInput, 'size' | 'decimals'> & Size & Decimals) => book,
	({price, quantity, columns, rows, ...ladder}) =>
		ladderBody({...ladder, decimals: {price, quantity}, size: {columns, rows}}),
);

/** The rows of `ladderBody`, drawn once for all screens with the same book and view. */
export function sharedLadder({book, decimals, size, ascii, focused, ...input}: LadderInput): readonly Line[] {
	const {grouping, anchor, total = 'total', fill, levels, drawnLevels, previous} = input;
	const {tickerBid, tickerBidQuantity, trades, tradesPartial, base, quote, cut} = input;
	return ladderOf({
		...{book, ...decimals, ...size, ascii, focused, grouping, anchor, total, fill, levels, drawnLevels, previous},
		...{tickerBid, tickerBidQuantity, trades, tradesPartial, base, quote, cut},
	});
}

/** The name of the view with the width of its price rows, from long to short: the name is dropped before the width. */
function stepTitles(name: string, step: PriceStep, ascii: boolean): readonly string[] {
	const [size, decimals] = [stepSize(step), stepDecimals(step)];
	const short = shortPrice(size, decimals, ascii);
	return [`${name} ${formatFixed(size, decimals)}`, `${name} ${short}`, short];
}

const netChange = memo(
	(before: readonly Level[], after: readonly Level[], side: BookSide): number => sideChanges(before, after, side).net,
);

function netTexts(book: DepthBook, {history, decimals, ascii}: BookPanelInput): readonly string[] {
	const {previous} = history;
	if (!previous) return [];
	const net = (side: 'asks' | 'bids'): string[] => {
		const [before, after] = [previous[side], book[side]];
		if (!before || !after) return [];
		const change = netChange(before, after, side === 'asks' ? 'ask' : 'bid');
		return [`${side} ${formatSigned(change, decimals.quantity, {ascii})}`];
	};
	const sides = [...net('asks'), ...net('bids')];
	return [`last change: ${dotted(sides, ascii)}`, `net ${dotted(sides, ascii)}`, sides.join(' ')];
}

/** The size of a curve or a heatmap in a body of this size: without the rows of the cost to fill. */
export const plotSize = ({columns, rows}: Size, {fill}: Pick<BookState, 'fill'>): Size => ({
	columns,
	rows: Math.max(rows - fillRowCount(fill), 0),
});

function questionRows(book: DepthBook, {columns}: Size, input: BookPanelInput): readonly Line[] {
	if (fillRowCount(input.fill) === 0) return [];
	const {base, quote} = input.market ?? {};
	return fillRows({...input, ...input.fill, book, base, quote, cut: cutOf(input), columns});
}

const cutOf = ({depth}: BookPanelInput): number | undefined => (depth.status === 'ready' ? depth.cut : undefined);
