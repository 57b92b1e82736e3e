import type {BookSide, PriceStep} from '../../../market/depth.ts';
import type {Prompt} from '../../text-edit.ts';
import type {TimeWindow} from './book-columns.ts';

export const bookViews = ['ladder', 'curve', 'heatmap'] as const;
/** Price rows, cumulative size by price, or size at each price over the session; in the order of `b`. */
export type BookView = (typeof bookViews)[number];

/** The sum from the best price outwards, in base or in quote asset. */
export type TotalName = 'total' | 'value';

/** The price that stays in the middle of a scrolled ladder, however the market moves. */
export type Anchor = {readonly side: BookSide; readonly price: number};

/** The amount whose cost to fill the user asks for. */
export type FillQuestion = Prompt & {
	/** Whether keys edit it. */
	readonly editing: boolean;
};

/** A place on the heatmap: the time of a column (epoch ms) and the price of a row. */
export type MapCursor = {readonly time: number; readonly price: number};

/** The user's view of the book. */
export type BookState = {
	readonly view: BookView;
	/** Zoom of the curve and the heatmap: steps coarser than their default; negative: finer. */
	readonly zoom: number;
	/** The part of the session that the heatmap shows. */
	readonly window: TimeWindow;
	/** Absent: the heatmap has no cursor. */
	readonly cursor?: MapCursor | undefined;
	/** Width of the ladder's price rows; absent: one row for each level. */
	readonly grouping?: PriceStep | undefined;
	/** Absent: the ladder stays centred on the spread. */
	readonly anchor?: Anchor | undefined;
	readonly total: TotalName;
	readonly fill: FillQuestion;
};

/** The heatmap of the whole session without a cursor. */
export const wholeSession: Pick<BookState, 'window' | 'cursor'> = {window: {}, cursor: undefined};
