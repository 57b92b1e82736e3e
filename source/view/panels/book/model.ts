import type {Size} from '../../../format/cells.ts';
import {formatFixed, formatSigned} from '../../../format/number.ts';
import {sideChanges} from '../../../market/book-changes.ts';
import {stepDecimals, stepSize} from '../../../market/depth.ts';
import type {BookHistory} from '../../../market/liquidity.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import type {DepthBook, Market, Ticker} from '../../../market/types.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import type {Line} from '../../line.ts';
import {marksFor} from '../../marks.ts';
import {type PanelView, resourcePanel} from '../../resource-panel.ts';
import type {BookState} from './book-state.ts';
import {curveBody, curveHeight, curveScale} from './curve.ts';
import {fillRowCount, fillRows} from './fill-rows.ts';
import {heatmapBody, heatmapOf, heatmapScale} from './heatmap.ts';
import {ladderBody, ladderSkeleton} from './rows.ts';
import {tradedFrom} from './rung-rows.ts';
import {ladderStep} from './rungs.ts';

export type BookPanelInput = PanelView &
	BookState & {
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
	};

/** Whether the panel is wide enough to show the volume traded at each price. */
export const showsTrades = ({view, columns}: Pick<BookState, 'view'> & Pick<Size, 'columns'>): boolean =>
	view === 'ladder' && bodySize({columns, rows: 0}).columns >= tradedFrom;

/** A view of the book: titles and footers of its frame, and its body. */
type View = {
	readonly titles: readonly string[];
	/** From long to short. */
	readonly footers: readonly string[];
	body(size: Size): readonly Line[];
};

/** The framed book: ladder, depth curve or heatmap. */
export function bookPanel(input: BookPanelInput): readonly Line[] {
	const {depth} = input;
	const view = depth.status === 'ready' ? viewOf(depth.data, input) : undefined;
	return resourcePanel({
		...input,
		resource: depth,
		command: 'go-to-book',
		titles: view?.titles ?? ['Book'],
		footers: view?.footers,
		body: (_, inner) => view?.body(inner) ?? [],
		skeleton: ladderSkeleton,
	});
}

function viewOf(book: DepthBook, input: BookPanelInput): View {
	switch (input.view) {
		case 'ladder':
			return ladderView(book, input);
		case 'curve': {
			const plot = (size: Size) => ({...input, book, size: plotSize(size, input)});
			return {
				titles: ['Depth curve', 'Depth'],
				footers: curveScale(curveHeight(plot(bodySize(input.size))), input.market?.base, input.ascii),
				body: size => [...curveBody(plot(size)), ...questionRows(book, size, input)],
			};
		}

		case 'heatmap': {
			const plot = (size: Size) => ({...input, book, size: plotSize(size, input)});
			const map = heatmapOf(plot(bodySize(input.size)));
			return {
				titles: [`Heatmap${map ? ` ${formatFixed(stepSize(map.step), stepDecimals(map.step))}` : ''}`, 'Heatmap'],
				footers: map ? heatmapScale(map, input.market?.base, input.ascii) : [],
				body: size => [...heatmapBody(plot(size)), ...questionRows(book, size, input)],
			};
		}
	}
}

/** The ladder. Its title shows the width of a price row, its footer the net change since the previous book. */
function ladderView(book: DepthBook, input: BookPanelInput): View {
	const {ticker, market, decimals, history} = input;
	const step = ladderStep(book, decimals, input.grouping);
	const {tape} = input;
	const trades = tape?.status === 'ready' ? tape : undefined;
	const ladder = {
		...input,
		book,
		previous: input.flashes ? history.previous : undefined,
		tickerBid: ticker?.bid,
		tickerBidQuantity: ticker?.bidQuantity,
		trades: trades?.data.trades,
		// While the tape fails, it misses trades.
		tradesPartial: trades && (trades.data.gaps.size > 0 || trades.failure !== undefined),
		base: market?.base,
		quote: market?.quote,
	};
	return {
		titles: [`Book ${formatFixed(stepSize(step), stepDecimals(step))}`, 'Book'],
		footers: netTexts(book, input),
		body: size => ladderBody({...ladder, size}),
	};
}

function netTexts(book: DepthBook, {history, decimals, ascii}: BookPanelInput): readonly string[] {
	const {previous} = history;
	if (!previous) return [];
	const net = (side: 'asks' | 'bids'): string[] => {
		const [before, after] = [previous[side], book[side]];
		if (!before || !after) return [];
		const {net: change} = sideChanges(before, after, side === 'asks' ? 'ask' : 'bid');
		return [`${side} ${formatSigned(change, decimals.quantity, {ascii})}`];
	};
	const {separator} = marksFor(ascii);
	const sides = [...net('asks'), ...net('bids')];
	return [`last change: ${sides.join(` ${separator} `)}`, `net ${sides.join(` ${separator} `)}`, sides.join(' ')];
}

const plotSize = ({columns, rows}: Size, {fill}: BookPanelInput): Size => ({
	columns,
	rows: Math.max(rows - fillRowCount(fill), 0),
});

function questionRows(book: DepthBook, {columns}: Size, input: BookPanelInput): readonly Line[] {
	if (fillRowCount(input.fill) === 0) return [];
	const {base, quote} = input.market ?? {};
	return fillRows({...input, ...input.fill, book, base, quote, columns});
}
