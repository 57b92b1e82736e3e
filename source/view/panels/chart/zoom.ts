/** How much of the screen a candle takes: several columns each, or several candles in one column. */
export type Zoom = {
	/** Columns a candle: 1 to 5. */
	readonly columns: number;
	/** Candles gathered in one; above 1 only where `columns` is 1. */
	readonly merged: number;
};

const mostColumns = 5;
const mergedCounts = [100, 50, 20, 10, 5, 3, 2];

/** From far to near. */
export const zoomLevels: readonly Zoom[] = [
	...mergedCounts.map(merged => ({columns: 1, merged})),
	...Array.from({length: mostColumns}, (_, index) => ({columns: index + 1, merged: 1})),
];

export const oneColumn: Zoom = {columns: 1, merged: 1};

/** One level nearer or farther; the ends are the ends. */
export function zoomedBy(zoom: Zoom, by: 1 | -1): Zoom {
	const level = zoomLevels.findIndex(({columns, merged}) => columns === zoom.columns && merged === zoom.merged);
	return zoomLevels[level + by] ?? zoom;
}
