import {symbolKey} from '../../../market/symbol.ts';
import {type Typed, typedNumber} from '../../../market/typed-number.ts';
import type {Prompt} from '../../text-edit.ts';
import {type Chosen, standardLengths} from './indicator-table.ts';

/** Heikin-Ashi candles are averages, not traded prices. */
export const chartTypes = ['candles', 'bars', 'heikin-ashi', 'line', 'footprint'] as const;
export type ChartType = (typeof chartTypes)[number];

/** How much of the screen a candle takes: several columns each, or several candles in one column. */
export type Zoom = {
	/** Columns per candle: 1 to 5. */
	readonly columns: number;
	/** Candles merged into one; above 1 only if `columns` is 1. */
	readonly merged: number;
};

/** Fewer columns of a candle have no room for two volumes. */
export const leastFootprintColumns = 16;
const footprintColumnsPerColumn = 4;

const mostColumns = 5;
const mergedCounts = [100, 50, 20, 10, 5, 3, 2];

/** From far to near. */
export const zoomLevels: readonly Zoom[] = [
	...mergedCounts.map(merged => ({columns: 1, merged})),
	...Array.from({length: mostColumns}, (_, index) => ({columns: index + 1, merged: 1})),
];

export const oneColumn: Zoom = {columns: 1, merged: 1};

/** The zoom of a chart of this type: a footprint never merges candles, and they are wider. */
export function zoomOf({type, zoom: {columns}, zoom}: Pick<ChartState, 'type' | 'zoom'>): Zoom {
	if (type !== 'footprint') return zoom;
	return {columns: leastFootprintColumns + footprintColumnsPerColumn * (columns - 1), merged: 1};
}

/** The next nearer or farther level, if there is one. */
export function zoomedBy(zoom: Zoom, by: 1 | -1): Zoom {
	const level = zoomLevels.findIndex(({columns, merged}) => columns === zoom.columns && merged === zoom.merged);
	return zoomLevels[level + by] ?? zoom;
}

/** A place in the chart: the start of a candle, epoch ms, and a price. */
export type Mark = {readonly time: number; readonly price: number};

/** Where anchored VWAPs begin, epoch ms, by the keys of markets. A market whose last one was deleted stays, without any. */
export type Anchors = ReadonlyMap<string, readonly number[]>;

/** Of one market: as many as have a colour. */
export const mostAnchors = 4;

const noAnchors: readonly number[] = [];

/** Those of a market, oldest first; the same list while they do not change. */
export const anchorsOf = (anchors: Anchors, symbol: string | undefined): readonly number[] =>
	(symbol === undefined ? undefined : anchors.get(symbolKey(symbol))) ?? noAnchors;

/** Of the ratio from which a footprint marks an imbalance. */
export const leastImbalance = 1.1;
export const mostImbalance = 100;

/** Reads a typed ratio. */
export function parseImbalance(text: string): Typed<number> {
	const typed = typedNumber(text);
	if ('fault' in typed || (typed.value >= leastImbalance && typed.value <= mostImbalance)) return typed;
	return {fault: `a ratio is from ${leastImbalance} to ${mostImbalance}`};
}

/** The user's view of the chart. */
export type ChartState = Chosen & {
	readonly type: ChartType;
	readonly zoom: Zoom;
	/** Start of the candle at the right edge, epoch ms; absent: always the newest. */
	readonly rightEdge?: number | undefined;
	/**
	 * Epoch ms of a candle to hold in the middle, in place of `rightEdge`. Until it is loaded, older candles are requested and the
	 * view is at the oldest one.
	 */
	readonly centre?: number | undefined;
	/** Start of the candle under the crosshair, epoch ms; absent: no crosshair. */
	readonly cross?: number | undefined;
	/** Price under the crosshair; absent: the closing price of its candle. */
	readonly crossPrice?: number | undefined;
	/** From where the crosshair measures; absent: it does not. */
	readonly mark?: Mark | undefined;
	/** The first end of a line that is being drawn; absent: none is. */
	readonly lineFrom?: Mark | undefined;
	readonly log: boolean;
	readonly anchors: Anchors;
	/** How many times as much as the other side a side of a footprint has to trade for an imbalance. */
	readonly imbalance: number;
	/** Index of the indicator menu's entry under the cursor; absent: the menu is closed. */
	readonly menu?: number | undefined;
	/** The period being typed; absent: none. */
	readonly typing?: Prompt | undefined;
};

export const initialChart: ChartState = {
	type: 'candles',
	zoom: oneColumn,
	log: false,
	anchors: new Map(),
	imbalance: 3,
	indicators: new Set(),
	lengths: standardLengths,
};

/** Columns that one arrow key pans. */
export const panColumns = 5;

/** Neither the menu nor the period prompt is open. */
export const nothingOpen = {menu: undefined, typing: undefined} as const;
/** No crosshair, and so nothing measured or drawn from it. */
export const crossHidden = {cross: undefined, crossPrice: undefined, mark: undefined, lineFrom: undefined} as const;
/** A `centre` before all candles: the oldest one there is. */
export const oldestOfAll = 0;
/** The newest candle is at the right edge, and nothing is open. */
export const atNewest = {...nothingOpen, ...crossHidden, rightEdge: undefined, centre: undefined} as const;
