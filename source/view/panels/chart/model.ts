import {formatExact} from '../../../format/number.ts';
import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {memo} from '../../../market/memo.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Period} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import {type CandleHistory, mostCandles} from '../../../store/candle-feed.ts';
import {exchangeTime} from '../../../store/clock-skew.ts';
import type {Resource} from '../../../store/resource.ts';
import {bodySize} from '../../frame.ts';
import {type KeyHint, keyLabel, noKeyHint, promptKeys} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {joinedNotes, type Note} from '../../marks.ts';
import {createRangeFitter} from '../../plot/price-scale.ts';
import {type PanelView, type ResourcePanel, resourcePanel} from '../../resource-panel.ts';
import {endOf, faultTexts} from '../../text-edit.ts';
import type {ChartState, ChartType} from './chart-state.ts';
import {type ChartInput, type ChartView, createView, wantsOlder} from './chart-view.ts';
import type {Touch} from './draw-axes.ts';
import {indicatorLabels, missingValues, paneNamesOf} from './indicator-curves.ts';
import {chartBody, chartSkeleton} from './rows.ts';

export type ChartPanelInput = PanelView & {
	readonly candles: Resource<CandleSeries>;
	readonly history: CandleHistory;
	readonly period: Period;
	readonly decimals: Decimals;
	readonly chart: ChartState;
	/** Best bid and ask. */
	readonly touch: Touch;
	/** Prices at which alerts have levels, the same array while they are the same. Default: none. */
	readonly levels?: readonly number[] | undefined;
	/** Price of the last trade; absent: none is known. */
	readonly lastTrade?: number | undefined;
	/** Epoch ms by our clock. */
	readonly now: number;
};

export type ChartPanel = {
	/** The framed chart. Its title shows period, type and what the candles were built from. */
	readonly lines: readonly Line[];
	/** The view is near the first loaded candle, or a mean in it needs older ones. */
	readonly wantsOlder: boolean;
};

/**
 * Draws one chart from frame to frame. It keeps the scale while the price moves, and redraws candles only when they or their
 * view change. Candles begin and end on a minute, so the second does not matter.
 */
export function createChartPanel(): (input: ChartPanelInput) => ChartPanel {
	const fitRange = createRangeFitter();
	// The key that changes most often comes last, so that the rest of the path in the cache is shared.
	const bodyOf = memo(
		(
			keyHint: KeyHint,
			chart: ChartState,
			columns: number,
			rows: number,
			decimals: number,
			complete: boolean,
			ascii: boolean,
			minute: number,
			levels: readonly number[],
			series: CandleSeries,
			touch: Touch,
			lastTrade: number | undefined,
		) => {
			const size = {columns, rows};
			const now = minute * minuteMs;
			const input: ChartInput = {
				...chart,
				series,
				levels,
				touch,
				lastTrade,
				size,
				decimals,
				now,
				complete,
				keyHint,
				ascii,
			};
			const view = createView(input);
			return {view, lines: chartBody(input, fitRange, view)};
		},
	);
	return input => {
		const {
			candles,
			history,
			chart,
			levels = noLevels,
			touch,
			lastTrade,
			decimals,
			keyHint = noKeyHint,
			size,
			now,
			ascii,
		} = input;
		const {columns, rows} = bodySize(size);
		const minute = Math.floor(exchangeTime(candles, now) / minuteMs);
		const complete = history.status === 'complete';
		const body =
			candles.status === 'ready'
				? bodyOf(
						keyHint,
						chart,
						columns,
						rows,
						decimals.price,
						complete,
						ascii,
						minute,
						levels,
						candles.data,
						touch,
						lastTrade,
					)
				: undefined;
		const lines = resourcePanel({
			...input,
			resource: candles,
			command: 'go-to-chart',
			titles: titlesOf(input),
			...footersOf(input, body?.view),
			body: () => body?.lines ?? [],
			skeleton: chartSkeleton,
		});
		return {lines, wantsOlder: body !== undefined && wantsOlder(body.view)};
	};
}

const noLevels: readonly number[] = [];

/** The part of the series that a chart of this size shows. */
export function viewOf(
	input: Pick<ChartPanelInput, 'candles' | 'chart' | 'decimals' | 'size' | 'now' | 'ascii'>,
	series: CandleSeries,
): ChartView {
	const {candles, chart, decimals, size, ascii} = input;
	const now = exchangeTime(candles, input.now);
	return createView({...chart, series, size: bodySize(size), decimals: decimals.price, now, ascii});
}

const typeTexts: Readonly<Record<ChartType, string>> = {
	candles: 'candles',
	bars: 'bars',
	'heikin-ashi': 'Heikin-Ashi, averages',
	line: 'line',
};

/** The title's detail: `1h · candles`, what the candles were built from, and how they are merged. */
export function chartDetail(series: CandleSeries, {type, zoom, log}: ChartState, ascii = false): string {
	const parts = [
		formatPeriod(series.period),
		...builtFromText(series),
		typeTexts[type],
		...mergedText({zoom}),
		...(log ? ['log'] : []),
	];
	return parts.join(ascii ? ' - ' : ' · ');
}

/** Text for merged candles; empty if every candle has a column of its own. */
function mergedText({zoom: {merged}}: Pick<ChartState, 'zoom'>): readonly string[] {
	return merged > 1 ? [`${merged} a column`] : [];
}

/** What the candles were built from; empty if they are the exchange's own. */
export function builtFromText({builtFrom}: CandleSeries): readonly string[] {
	if (builtFrom === 'exchange') return [];
	return [`built from ${builtFrom === 'trades' ? builtFrom : formatPeriod(builtFrom)}`];
}

/** Cells of a typed period where there is no room for all of it. */
const shortPrompt = 8;

function titlesOf({candles, period, chart, ascii}: ChartPanelInput): readonly string[] {
	const separator = ascii ? ' - ' : ' · ';
	if (chart.typing !== undefined) {
		const accept = keyLabel(promptKeys.accept);
		const typed = `period ${chart.typing.text}_`;
		return [
			`Chart${separator}${typed} minutes, or h d w, then ${accept}`,
			`${typed} (m h d w) ${accept}`,
			`${typed} ${accept}`,
			typed,
			`period ${endOf(chart.typing.text, shortPrompt, ascii)}_`,
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

/** Stand for what is wrong with a typed period where there is no room for it. */
const periodExamples = ['not a period: type 45, 4h, 3d or 2w', 'type 45, 4h, 3d or 2w', 'type e.g. 4h', 'e.g. 4h'];

/** What is wrong with the typed period, else what the view lacks. */
function footersOf(
	input: ChartPanelInput,
	view: ChartView | undefined,
): Pick<ResourcePanel<unknown>, 'footers' | 'footerTone'> {
	const fault = input.chart.typing?.fault;
	if (fault !== undefined) {
		const texts = faultTexts(`${fault}; a period is 45 (minutes), 4h, 3d, 2w`);
		return {footers: [...texts, ...periodExamples], footerTone: 'warn'};
	}

	return view ? {footers: footTexts(input, view)} : {};
}

function partialNote(candles: ChartPanelInput['candles']): readonly Note[] {
	const count = (candles.status === 'ready' && candles.data.partial?.size) || 0;
	const counted = `${formatExact(count)} ${count === 1 ? 'candle' : 'candles'}`;
	return count === 0 ? [] : [[`${counted} may be missing trades`, `${counted} partial`]];
}

/** Candles that may lack trades, the state of older candles if the view needs them, and panes without room: from long to short. */
function footTexts({candles, history, chart, ascii}: ChartPanelInput, view: ChartView): readonly string[] {
	const atStart = view.timeScale.first <= 0;
	const matters = atStart || view.lacksMean;
	const hidden = paneNamesOf(chart.indicators).slice(view.layout.panes.length);
	const names = hidden.map(name => indicatorLabels[name]).join(', ');
	const most = formatExact(mostCandles);
	const complete = history.status === 'complete';
	const older = `older candles: ${history.status === 'failed' ? history.error.brief : ''}`;
	const at = view.endOf(view.cross ?? view.timeScale.last);
	const missing = candles.status === 'ready' ? missingValues(candles.data, chart.indicators, complete, at) : [];
	const notes: readonly Note[] = [
		...noteIf(history.status === 'failed' && matters, older, older),
		...noteIf(history.status === 'full' && matters, `limit of ${most} candles reached`, `${most} candles, the limit`),
		...noteIf(history.status === 'loading', 'loading older candles', 'loading older'),
		...noteIf(history.status === 'complete' && atStart, 'no older candles on the exchange', 'no older candles'),
		...missing,
		...noteIf(hidden.length > 0, `no room for ${names}`, `no room: ${names}`),
		// The legend marks the volume of such candles too, so this note is dropped first.
		...partialNote(candles),
	];
	return joinedNotes(notes, ascii ? ' - ' : ' · ');
}

const noteIf = (shown: boolean, full: string, brief: string): readonly Note[] => (shown ? [[full, brief]] : []);
