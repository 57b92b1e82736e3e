import type {IndicatorName} from '../../../market/indicators.ts';
import {turned} from '../../turned.ts';
import {oneColumn, type Zoom, zoomedBy} from './zoom.ts';

/** Heikin-Ashi draws averages, which nobody traded at. */
export const chartTypes = ['candles', 'bars', 'heikin-ashi', 'line'] as const;
export type ChartType = (typeof chartTypes)[number];

/** In the order of the menu, the legend and the panes. */
export const indicatorNames = ['sma', 'ema', 'vwap', 'bollinger', 'rsi', 'macd'] as const satisfies IndicatorName[];

/** What the user did to the chart. */
export type ChartState = {
	readonly type: ChartType;
	readonly zoom: Zoom;
	/** Start of the candle at the right edge, epoch ms; absent: the newest, also when another begins. */
	readonly rightEdge?: number | undefined;
	/** Start of the candle under the crosshair, epoch ms; absent: no crosshair. */
	readonly cross?: number | undefined;
	readonly log: boolean;
	readonly indicators: ReadonlySet<IndicatorName>;
	/** The entry of the indicator menu that the cursor is on; absent: closed. */
	readonly menu?: number | undefined;
	/** The period as far as it is typed; absent: keys are keys. */
	readonly typing?: string | undefined;
};

export const initialChart: ChartState = {type: 'candles', zoom: oneColumn, log: false, indicators: new Set()};

export type ChartAction =
	| {readonly type: 'type' | 'log' | 'menu' | 'toggle' | 'close' | 'rewind'}
	| {readonly type: 'draw-as'; readonly as: ChartType}
	| {readonly type: 'indicator'; readonly name: IndicatorName}
	| {readonly type: 'zoom' | 'menu-by'; readonly by: 1 | -1}
	/** Where the view stands; undefined: at the newest candle. */
	| {readonly type: 'edge'; readonly rightEdge: number | undefined}
	| {readonly type: 'cross'; readonly cross: number | undefined; readonly rightEdge: number | undefined}
	| {readonly type: 'typing'; readonly text: string};

export function reduceChart(chart: ChartState, action: ChartAction): ChartState {
	switch (action.type) {
		case 'type':
			return {...chart, type: turned(chartTypes, chart.type, 1)};
		case 'draw-as':
			return {...chart, type: action.as};
		case 'indicator':
			return {...chart, indicators: chart.indicators.symmetricDifference(new Set([action.name]))};
		case 'log':
			return {...chart, log: !chart.log};
		case 'zoom':
			return {...chart, zoom: zoomedBy(chart.zoom, action.by)};
		case 'edge':
			return {...chart, rightEdge: action.rightEdge};
		case 'cross':
			return {...chart, cross: action.cross, rightEdge: action.rightEdge};
		case 'menu':
			return {...closed(chart), menu: 0};
		case 'menu-by':
			return {...chart, menu: Math.min(Math.max((chart.menu ?? 0) + action.by, 0), indicatorNames.length - 1)};
		case 'toggle':
			return {...chart, indicators: toggled(chart)};
		case 'typing':
			return {...closed(chart), typing: action.text};
		case 'close':
			return closed(chart);
		case 'rewind':
			return rewoundChart(chart);
	}
}

/** Keys mean what they always do. */
export const closed = (chart: ChartState): ChartState => ({...chart, menu: undefined, typing: undefined});

/** At the newest candle, with nothing open. */
export const rewoundChart = (chart: ChartState): ChartState => ({
	...closed(chart),
	rightEdge: undefined,
	cross: undefined,
});

function toggled({indicators, menu = 0}: ChartState): ReadonlySet<IndicatorName> {
	const name = indicatorNames[menu];
	return name === undefined ? indicators : indicators.symmetricDifference(new Set([name]));
}
