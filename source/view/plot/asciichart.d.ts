/** asciichart 1.5.25 ships no types; this is what lines in ASCII use of it. */
declare module 'asciichart' {
	type PlotConfig = {
		readonly min?: number;
		readonly max?: number;
		/** Rows between the lowest and the highest value: the plot has one more. */
		readonly height?: number;
		/** Columns before the first point, its axis included; at least 1. */
		readonly offset?: number;
		readonly format?: (value: number, row: number) => string;
		/** First point, axis, two unused ends, flat, then the corners of a fall, a rise, a fall, a rise, and the upright. */
		readonly symbols?: readonly string[];
	};

	const asciichart: {plot(series: readonly number[], config?: PlotConfig): string};
	export default asciichart;
}
