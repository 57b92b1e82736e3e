import type {BookSide, PriceStep} from '../../../market/depth.ts';

export const bookViews = ['ladder', 'curve', 'heatmap'] as const;
/** Price rows, cumulative size by price, or the size at each price over the session; in the order of `b`. */
export type BookView = (typeof bookViews)[number];

/** The sum from the best price outwards, in base or in quote asset. */
export type TotalName = 'total' | 'value';

/** The price that a scrolled ladder keeps in its middle, whatever the market does. */
export type Anchor = {readonly side: BookSide; readonly price: number};

/** The amount whose cost to fill the user asks for. */
export type FillQuestion = {
	/** As typed. */
	readonly text: string;
	/** Keys are text for it. */
	readonly editing: boolean;
};

/** How the user looks at the book. */
export type BookState = {
	readonly view: BookView;
	/** Of the curve and the heatmap: steps coarser than they choose, negative: finer. */
	readonly zoom: number;
	/** Width of the ladder's price rows; absent: one row for each level. */
	readonly grouping?: PriceStep | undefined;
	/** Absent: the ladder stays centred on the spread. */
	readonly anchor?: Anchor | undefined;
	readonly total: TotalName;
	readonly fill: FillQuestion;
};
