import type {Size} from '../../../format/cells.ts';

/** Rows of a pane below the prices. The row above it is a rule. */
export type PaneRows = {readonly top: number; readonly rows: number};

/** The places of the parts of a chart. Parts without room are undefined. */
export type ChartLayout = ReturnType<typeof chartLayout>;

export type LayoutRequest = {
	/** Cells of the widest price. */
	readonly labelWidth: number;
	/** Default 0. */
	readonly legendRows?: number | undefined;
	/** Whether there is a volume profile. Default: there is none. */
	readonly profile?: boolean | undefined;
	/** The height of each indicator's pane, as a share of a full pane. Default: there are none. */
	readonly panes?: readonly number[] | undefined;
};

const leastPlotColumns = 8;
const leastColumnsWithProfile = 32;
const columnsPerProfileColumn = 5;
const mostProfileColumns = 24;
const leastRowsWithTimes = 5;
const leastPriceRows = 6;
const leastPaneRows = 3;
/** A full pane has a row for so many of the rows that it shares with the prices: six of thirty without axis and legend. */
const rowsPerPaneRow = 4.5;
const mostPaneRows = 10;
/** The panes with their rules take at most this share of those rows. */
const mostPaneShare = 0.72;
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
export function chartLayout({columns, rows}: Size, request: LayoutRequest) {
	const {labelWidth, legendRows = 0, panes = [], profile = false} = request;
	const timeRow = rows >= leastRowsWithTimes ? rows - 1 : undefined;
	const end = timeRow ?? rows;
	const heights = paneHeights(panes, end - legendRows);
	const shared = end - legendRows - heights.reduce((sum, height) => sum + height + 1, 0);
	const volumeRows = volumeShares.find(({from}) => shared >= from)?.rows ?? 0;
	const priceRows = Math.max(volumeRows > 0 ? shared - volumeRows - 1 : shared, 0);
	const volumeTop = legendRows + priceRows + 1;
	let paneTop = legendRows + shared + 1;
	// The axis line, a blank and the labels.
	const axisColumns = labelWidth + 2;
	const column = columns - axisColumns;
	const hasPrices = column >= leastPlotColumns;
	const plotColumns = hasPrices ? column : columns;
	const profileColumns = profile ? profileWidth(plotColumns) : 0;
	return {
		plotColumns,
		/** The columns of the candles: the plot without the volume profile at its right end. */
		timeColumns: profileColumns > 0 ? plotColumns - profileColumns - 1 : plotColumns,
		/** Columns of the volume profile's longest bar; 0: there is none. */
		profileColumns,
		/** Rows above the prices for the legend. */
		legendRows,
		/** First row of the prices. */
		priceTop: legendRows,
		priceRows,
		volume: volumeRows > 0 ? {top: volumeTop, rows: volumeRows} : undefined,
		/** Panes of indicators with scales of their own, in the order of the menu. */
		panes: heights.map((height): PaneRows => {
			const pane = {top: paneTop, rows: height};
			paneTop += height + 1;
			return pane;
		}),
		timeRow,
		priceAxis: hasPrices ? {column, labelColumn: column + 2, labelWidth} : undefined,
	};
}

/** A blank column separates the longest bar from the candles. 0: there is no room. */
function profileWidth(plotColumns: number): number {
	if (plotColumns < leastColumnsWithProfile) return 0;
	return Math.min(Math.round(plotColumns / columnsPerProfileColumn), mostProfileColumns);
}

/** The rows of each pane that fits below the prices, from the first. */
function paneHeights(shares: readonly number[], rows: number): readonly number[] {
	const fitting = shares.slice(0, Math.max(Math.floor((rows - leastPriceRows) / (leastPaneRows + 1)), 0));
	const total = fitting.reduce((sum, share) => sum + share, 0);
	const most = (rows * mostPaneShare - fitting.length) / total;
	const full = Math.min(rows / rowsPerPaneRow, most, mostPaneRows);
	return fitting.map(share => Math.max(Math.floor(full * share), leastPaneRows));
}
