import {formatPeriod} from '../../format/time.ts';
import type {CandleSeries} from '../../market/candles.ts';
import type {Decimals} from '../../market/precision.ts';
import type {Period} from '../../market/types.ts';
import type {Resource} from '../../store/resource.ts';
import type {Line, Size} from '../line.ts';
import {resourcePanel} from '../resource-panel.ts';
import {type ChartType, chartBody, chartDetail, chartSkeleton} from './chart.ts';

export type ChartPanelInput = {
	readonly candles: Resource<CandleSeries>;
	readonly period: Period;
	readonly decimals: Decimals;
	readonly type: ChartType;
	/** Columns a candle. */
	readonly zoom: number;
	/** Candles panned to the left of the newest. */
	readonly offset: number;
	readonly focused: boolean;
	readonly size: Size;
	readonly now: number;
	readonly ascii: boolean;
};

/** The framed chart; its title names period, type and what the candles were built from. */
export function chartPanel(input: ChartPanelInput): readonly Line[] {
	const {candles, period, decimals, type, zoom, offset, now, ascii} = input;
	const detail = candles.status === 'ready' ? chartDetail(candles.data, type, ascii) : formatPeriod(period);
	const separator = ascii ? '-' : '·';
	const fromTrades =
		candles.status === 'ready' && candles.data.builtFrom === 'trades' ? ` ${separator} from trades` : '';
	const short = `${formatPeriod(period)}${fromTrades}`;
	return resourcePanel({
		...input,
		resource: candles,
		key: '2',
		titles: [`Chart ${separator} ${detail}`, `Chart ${separator} ${short}`, short],
		body: (series, size) => chartBody({series, type, zoom, offset, now, decimals: decimals.price, size, ascii}),
		skeleton: chartSkeleton,
	});
}
