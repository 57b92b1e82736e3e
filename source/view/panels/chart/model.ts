import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Period} from '../../../market/types.ts';
import type {CandleHistory} from '../../../store/candle-history.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import type {Line, Size} from '../../line.ts';
import {createRangeFitter} from '../../plot/price-range.ts';
import {resourcePanel} from '../../resource-panel.ts';
import {builtFromText, chartDetail, drawChart, mergedText} from './chart.ts';
import type {ChartState} from './chart-state.ts';
import {type ChartView, createView, wantsOlder} from './chart-view.ts';
import {indicatorLabels, paneNamesOf} from './indicator-curves.ts';
import {chartSkeleton} from './skeleton.ts';

export type ChartPanelInput = {
	readonly candles: Resource<CandleSeries>;
	readonly history: CandleHistory;
	readonly period: Period;
	readonly decimals: Decimals;
	readonly chart: ChartState;
	readonly bid: number | undefined;
	readonly ask: number | undefined;
	readonly focused: boolean;
	readonly size: Size;
	/** Epoch ms by our clock. */
	readonly now: number;
	readonly ascii: boolean;
};

export type ChartPanel = {
	/** The framed chart; its title names period, type and what the candles were built from. */
	readonly lines: readonly Line[];
	/** The view is near the first candle that is known, or a mean in it needs older ones. */
	readonly wantsOlder: boolean;
};

/** One chart, from frame to frame: it keeps its scale still while the price moves. */
export function createChartPanel(): (input: ChartPanelInput) => ChartPanel {
	const fitRange = createRangeFitter();
	return input => {
		const {candles, chart, decimals, ascii, bid, ask} = input;
		const theirs = exchangeTime(candles, input.now);
		const view = candles.status === 'ready' ? viewOf(input, candles.data) : undefined;
		const lines = resourcePanel({
			...input,
			resource: candles,
			key: '2',
			titles: titlesOf(input),
			footers: view && [footOf(input, view) ?? ''],
			body: (series, inner) => {
				const complete = input.history.status === 'complete';
				const shown = {...chart, series, complete, size: inner, ascii};
				const body = {...shown, decimals: decimals.price, now: theirs, bid, ask};
				return drawChart(body, view ?? createView(body), fitRange);
			},
			skeleton: chartSkeleton,
		});
		return {lines, wantsOlder: view !== undefined && wantsOlder(view)};
	};
}

/** What a chart of this size shows of the series. */
export function viewOf(
	input: Pick<ChartPanelInput, 'candles' | 'chart' | 'decimals' | 'size' | 'now' | 'ascii'>,
	series: CandleSeries,
): ChartView {
	const {candles, chart, decimals, size, ascii} = input;
	const now = exchangeTime(candles, input.now);
	return createView({...chart, series, size: bodySize(size), decimals: decimals.price, now, ascii});
}

function titlesOf({candles, period, chart, ascii}: ChartPanelInput): readonly string[] {
	const separator = ascii ? ' - ' : ' · ';
	if (chart.typing !== undefined) {
		const typed = `period ${chart.typing}_`;
		return [
			`Chart${separator}${typed} minutes, or h d w, then Enter`,
			`${typed} (m h d w) Enter`,
			`${typed} Enter`,
			typed,
		];
	}

	const name = formatPeriod(period);
	if (candles.status !== 'ready') return [`Chart${separator}${name}`, name];
	const short = [name, ...builtFromText(candles.data), ...mergedText(chart)].join(separator);
	const detail = chartDetail(candles.data, chart, ascii);
	return [
		`Chart${separator}${detail}`,
		detail,
		`Chart${separator}${short}`,
		short,
		short.replace('built from', 'from'),
	];
}

function partialText(candles: ChartPanelInput['candles']): readonly string[] {
	const count = (candles.status === 'ready' && candles.data.partial?.size) || 0;
	return count === 0 ? [] : [`${count} ${count === 1 ? 'candle' : 'candles'} may be missing trades`];
}

/** What is known of older candles, once the view is where it matters, and what has no room. */
function footOf({candles, history, chart, ascii}: ChartPanelInput, view: ChartView): string | undefined {
	const atStart = view.timeScale.first <= 0;
	const matters = atStart || view.lacksMean;
	const lacking = paneNamesOf(chart.indicators).slice(view.layout.panes.length);
	const said = [
		...(history.status === 'loading' ? ['loading older candles'] : []),
		...(history.status === 'failed' && matters ? [`older candles: ${history.error.brief}`] : []),
		...(history.status === 'complete' && atStart ? ['the exchange gives no older candles'] : []),
		...(history.status === 'full' && matters ? ['20,000 candles: no more are kept'] : []),
		...partialText(candles),
		...(lacking.length > 0 ? [`no room for ${lacking.map(name => indicatorLabels[name]).join(', ')}`] : []),
	];
	return said.length > 0 ? said.join(ascii ? ' - ' : ' · ') : undefined;
}
