import type {Size} from '../line.ts';

/** Where the parts of a chart stand. Parts that found no room are absent; the price pane always starts at row 0. */
export type ChartLayout = {
	readonly plotColumns: number;
	readonly priceRows: number;
	/** First row of the volume pane; the rule that parts it from the prices is the row above. */
	readonly volume?: {readonly top: number; readonly rows: number} | undefined;
	readonly timeRow?: number | undefined;
	readonly priceAxis?: {readonly column: number; readonly labelColumn: number; readonly labelWidth: number} | undefined;
};

const leastPlotColumns = 8;
const leastRowsWithTimes = 5;
/** Rows of the volume pane by the rows that it shares with the prices, the rule included. */
const volumeShares = [
	{from: 22, rows: 4},
	{from: 16, rows: 3},
	{from: 11, rows: 2},
];

/** Where room is short the volume pane goes first, then the time axis, then the price axis. */
export function chartLayout({columns, rows}: Size, labelWidth: number): ChartLayout {
	const timeRow = rows >= leastRowsWithTimes ? rows - 1 : undefined;
	const shared = timeRow ?? rows;
	const volumeRows = volumeShares.find(({from}) => shared >= from)?.rows ?? 0;
	const volumeTop = shared - volumeRows;
	// The axis line, a blank and the labels.
	const axisColumns = labelWidth + 2;
	const column = columns - axisColumns;
	const hasPrices = column >= leastPlotColumns;
	return {
		plotColumns: hasPrices ? column : columns,
		priceRows: volumeRows > 0 ? volumeTop - 1 : shared,
		volume: volumeRows > 0 ? {top: volumeTop, rows: volumeRows} : undefined,
		timeRow,
		priceAxis: hasPrices ? {column, labelColumn: column + 2, labelWidth} : undefined,
	};
}
