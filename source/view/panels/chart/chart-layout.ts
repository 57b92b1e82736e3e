import type {Size} from '../../../format/cells.ts';

/** Rows of a pane below the prices. The row above it is a rule. */
export type PaneRows = {readonly top: number; readonly rows: number};

/** The places of the parts of a chart. Parts without room are absent. */
export type ChartLayout = {
	readonly plotColumns: number;
	/** Rows above the prices for the legend. */
	readonly legendRows: number;
	/** First row of the prices. */
	readonly priceTop: number;
	readonly priceRows: number;
	readonly volume?: PaneRows | undefined;
	/** Panes of indicators with scales of their own, in the order of the menu. */
	readonly panes: readonly PaneRows[];
	readonly timeRow?: number | undefined;
	readonly priceAxis?: {readonly column: number; readonly labelColumn: number; readonly labelWidth: number} | undefined;
};

export type LayoutRequest = {
	/** Cells of the widest price. */
	readonly labelWidth: number;
	/** Default 0. */
	readonly legendRows?: number | undefined;
	/** Panes for indicators. Default 0. */
	readonly panes?: number | undefined;
};

const leastPlotColumns = 8;
const leastRowsWithTimes = 5;
const leastPriceRows = 6;
const leastPaneRows = 3;
/** Rows of the volume pane by the rows that it shares with the prices, including the rule. */
const volumeShares = [
	{from: 22, rows: 4},
	{from: 16, rows: 3},
	{from: 11, rows: 2},
];

/**
 * Lays out a chart. Where room is short, the volume pane is dropped first, then the other panes from the last, then the
 * time axis, then the price axis.
 */
export function chartLayout({columns, rows}: Size, request: LayoutRequest): ChartLayout {
	const {labelWidth, legendRows = 0, panes = 0} = request;
	const timeRow = rows >= leastRowsWithTimes ? rows - 1 : undefined;
	const end = timeRow ?? rows;
	const fitting = Math.min(panes, Math.max(Math.floor((end - legendRows - leastPriceRows) / (leastPaneRows + 1)), 0));
	const paneRows = fitting > 0 ? Math.max(Math.floor((end - legendRows) / (fitting + 4)) - 1, leastPaneRows) : 0;
	const shared = end - legendRows - fitting * (paneRows + 1);
	const volumeRows = volumeShares.find(({from}) => shared >= from)?.rows ?? 0;
	const priceRows = Math.max(volumeRows > 0 ? shared - volumeRows - 1 : shared, 0);
	const volumeTop = legendRows + priceRows + 1;
	const panesTop = legendRows + shared + 1;
	// The axis line, a blank and the labels.
	const axisColumns = labelWidth + 2;
	const column = columns - axisColumns;
	const hasPrices = column >= leastPlotColumns;
	return {
		plotColumns: hasPrices ? column : columns,
		legendRows,
		priceTop: legendRows,
		priceRows,
		volume: volumeRows > 0 ? {top: volumeTop, rows: volumeRows} : undefined,
		panes: Array.from({length: fitting}, (_, index) => ({top: panesTop + index * (paneRows + 1), rows: paneRows})),
		timeRow,
		priceAxis: hasPrices ? {column, labelColumn: column + 2, labelWidth} : undefined,
	};
}
