/** Which candle stands in which column. Every candle has a slot of `zoom` columns; a gap in time takes one too. */
export type TimeScale = {
	/** The oldest and the newest candle in sight, as indexes into the series; `first > last` when there is none. */
	readonly first: number;
	readonly last: number;
	/** Centre columns of the gaps, newest first. */
	readonly gapColumns: readonly number[];
	/** Columns from the middle of a candle to either side of its body. */
	readonly bodyReach: number;
	/** The middle column of a candle in sight. */
	columnOf(index: number): number;
	/** The candle whose slot covers the column, if one does. */
	indexAt(column: number): number | undefined;
};

export type TimeScaleInput = {
	/** Candles in the series. */
	readonly count: number;
	/** Whether the candle does not follow the one before directly. */
	isGap(index: number): boolean;
	readonly columns: number;
	/** Columns of a slot, 1 to 5. */
	readonly zoom: number;
	/** Candles between the newest and the one at the right edge; the oldest candle stays in sight. */
	readonly offset: number;
};

/** Slots of 4 columns and more have room for a body of three. */
const wideZoom = 4;

export function createTimeScale({count, isGap, columns, zoom, offset}: TimeScaleInput): TimeScale {
	const last = count - 1 - Math.max(Math.min(Math.trunc(offset), count - 1), 0);
	const middle = Math.floor((zoom - 1) / 2);
	// A candle never touches the price axis: the slots of zoom 1 have no blank column of their own.
	const right = columns - (zoom === 1 ? 1 : 0);
	/** Of the candles in sight, newest first. */
	const centres: number[] = [];
	const gapColumns: number[] = [];
	let left = right - zoom;
	for (let index = last; index >= 0 && left >= 0; index--, left -= zoom) {
		centres.push(left + middle);
		if (!isGap(index) || left < zoom) continue;
		left -= zoom;
		gapColumns.push(left + middle);
	}

	return {
		first: last - centres.length + 1,
		last,
		gapColumns,
		bodyReach: zoom >= wideZoom ? 1 : 0,
		columnOf: index => centres[last - index] ?? -1,
		indexAt(column) {
			const slot = centres.indexOf(right - Math.ceil((right - column) / zoom) * zoom + middle);
			return slot < 0 ? undefined : last - slot;
		},
	};
}
