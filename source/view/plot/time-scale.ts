export type TimeScale = ReturnType<typeof createTimeScale>;

export type TimeScaleInput = {
	/** Number of candles in the series. */
	readonly count: number;
	/** Whether there is a gap before the candle. */
	isGap(index: number): boolean;
	readonly columns: number;
	/** Columns of a slot, 1 to 5. */
	readonly zoom: number;
	/** Number of candles right of the view. The oldest candle always stays visible. */
	readonly offset: number;
};

/** Slots of 4 columns and more have room for a body of three. */
const wideZoom = 4;

/** Columns for slots. No candle touches the price axis: slots of one column have no blank of their own. */
const slotColumns = ({columns, zoom}: Pick<TimeScaleInput, 'columns' | 'zoom'>): number =>
	columns - (zoom === 1 ? 1 : 0);

/** The `offset` that shows the candle at `index` in the middle, or as near to it as the ends of the series allow. */
export function centredOffset(index: number, {count, isGap, ...view}: Omit<TimeScaleInput, 'offset'>): number {
	const slots = Math.floor(slotColumns(view) / view.zoom);
	/** The last candle that has room in so many slots that begin with the candle `from`. */
	const lastFrom = (from: number, room: number): number => {
		let last = from;
		for (let left = room - 1; last + 1 < count; last++) {
			left -= isGap(last + 1) ? 2 : 1;
			if (left < 0) break;
		}

		return last;
	};
	return count - 1 - Math.max(lastFrom(index, Math.ceil(slots / 2)), index < slots ? lastFrom(0, slots) : 0);
}

/** Maps candles to columns. Every candle has a slot of `zoom` columns, and so has a gap in time. */
export function createTimeScale({count, isGap, columns, zoom, offset}: TimeScaleInput) {
	const last = count - 1 - Math.max(Math.min(Math.trunc(offset), count - 1), 0);
	const middle = Math.floor((zoom - 1) / 2);
	const right = slotColumns({columns, zoom});
	/** Middle columns of the visible candles, newest first. */
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
		/** Indexes of the oldest and the newest visible candle in the series; `first > last` if there is none. */
		first: last - centres.length + 1,
		last,
		/** Centre columns of the gaps, newest first. */
		gapColumns: gapColumns as readonly number[],
		/** Columns from the middle of a candle to either side of its body. */
		bodyReach: zoom >= wideZoom ? 1 : 0,
		/** The middle column of a visible candle. */
		columnOf: (index: number): number => centres[last - index] ?? -1,
		/** The index of the candle whose slot covers the column, if there is one. */
		indexAt(column: number): number | undefined {
			const slot = centres.indexOf(right - Math.ceil((right - column) / zoom) * zoom + middle);
			return slot < 0 ? undefined : last - slot;
		},
	};
}
