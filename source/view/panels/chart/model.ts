import {formatExact} from '../../../format/number.ts';
import {formatDateTime, formatPeriod, formatZonedClock} from '../../../format/time.ts';
import {isUtc, zoneLabel} from '../../../format/zone.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {beginsInside, type IndicatorName, type Session, sessionAt, vwap} from '../../../market/indicators.ts';
import {latest} from '../../../market/memo.ts';
import type {Decimals} from '../../../market/precision.ts';
import type {Tape} from '../../../market/tape.ts';
import {createTradedMinutes, type TradedMinutes} from '../../../market/traded-minutes.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {minuteMs} from '../../../market/units.ts';
import {type CandleHistory, mostCandles} from '../../../store/candle-feed.ts';
import type {Resource} from '../../../store/resource.ts';
import {tradeTime} from '../../../store/trade-time.ts';
import {type MarkedLevels, noLevels} from '../../drawn-levels.ts';
import {bodySize} from '../../frame.ts';
import {keyLabel, promptKeys} from '../../keys.ts';
import type {Line} from '../../line.ts';
import {joinedNotes, marksFor, type Note} from '../../marks.ts';
import {createRangeFitter} from '../../plot/price-scale.ts';
import {isStale, type PanelView, type ResourcePanel, resourcePanel} from '../../resource-panel.ts';
import {endOf, faultTexts} from '../../text-edit.ts';
import {anchorsOf, type ChartState, oldestOfAll, zoomOf} from './chart-state.ts';
import {type ChartInput, type ChartView, createView, wantsOlder} from './chart-view.ts';
import {paneNamesOf, sessionFor} from './indicator-curves.ts';
import {type Chosen, indicatorLabel, namedCurves, settableNames} from './indicator-table.ts';
import {chartBody, chartSkeleton} from './rows.ts';
import {chartTitles, pannedRange} from './title.ts';

/** `now`: by our clock. */
export type ChartPanelInput = PanelView &
	MarkedLevels &
	Pick<ChartInput, 'lastTrade' | 'lines' | 'now' | 'quietTo' | 'touch'> & {
		readonly candles: Resource<CandleSeries>;
		/** Of the trades that move the last candle. Default: none do. */
		readonly tape?: Resource<Tape> | undefined;
		readonly history: CandleHistory;
		readonly period: Period;
		readonly decimals: Decimals;
		readonly chart: ChartState;
		/** Whose anchored VWAPs are drawn. Absent: none are. */
		readonly symbol?: string | undefined;
	};

export type ChartPanel = {
	/** The framed chart. Its title shows period, type and what the candles were built from. */
	readonly lines: readonly Line[];
	/** The view is near the first loaded candle, or a mean in it needs older ones. */
	readonly wantsOlder: boolean;
};

/**
 * Draws one chart from frame to frame. It keeps the scale while the price moves, and redraws candles only when they or their
 * view change. Candles begin and end on a minute, so the second does not matter. `fitRange` keeps the scale.
 */
export function createChartPanel(fitRange = createRangeFitter()): (input: ChartPanelInput) => ChartPanel {
	const tradedIn = createTradedMinutes();
	const bodyOf = latest((input: ChartInput) => {
		const view = createView(input);
		return {view, lines: chartBody(input, fitRange, view)};
	});
	// The same object while the size is the same.
	const innerSize = latest(bodySize);
	return input => {
		const {
			candles,
			chart,
			tape,
			levels = noLevels,
			drawnLevels,
			lines: drawnLines,
			touch,
			lastTrade,
			keyHint,
			zone,
		} = input;
		const drawn = candles.status === 'ready' ? inputOf(input, candles.data) : undefined;
		const traded = chart.type === 'footprint' && tape?.status === 'ready' ? tradedIn(tape.data) : undefined;
		const body =
			drawn &&
			bodyOf({
				...{...chart, ...drawn, levels, drawnLevels, lines: drawnLines, touch, lastTrade, keyHint, zone},
				traded,
				tapeFails: tape !== undefined && isStale(tape),
				size: innerSize(input.size),
				now: Math.floor(drawn.now / minuteMs) * minuteMs,
			});
		const lines = resourcePanel({
			...input,
			resource: candles,
			// While it fails, it moves nothing.
			others: input.tape && !isStale(input.tape) ? [input.tape] : [],
			command: 'go-to-chart',
			titles: titlesOf(input, body?.view, traded),
			...footersOf(input, body?.view, traded),
			body: () => body?.lines ?? [],
			skeleton: chartSkeleton,
		});
		return {lines, wantsOlder: body !== undefined && wantsOlder(body.view)};
	};
}

/** What a chart of this size draws of the series: candles, and the lines of indicators. */
export function inputOf(
	input: Pick<
		ChartPanelInput,
		'candles' | 'history' | 'chart' | 'symbol' | 'decimals' | 'size' | 'quietTo' | 'now' | 'ascii' | 'tape'
	>,
	series: CandleSeries,
): ChartInput {
	const {candles, history, chart, symbol, tape, decimals, size, quietTo, ascii} = input;
	const anchored = anchorsOf(chart.anchors, symbol);
	// Only means that are made of trades move with them.
	const trades = anchored.length > 0 && tape?.status === 'ready' && !tape.failure ? tape.data : undefined;
	const now = tradeTime(candles, input.now);
	const complete = history.status === 'complete';
	const drawn = {...chart, zoom: zoomOf(chart), anchored, series, complete, trades, size: bodySize(size)};
	return {...drawn, decimals: decimals.price, quietTo, now, ascii};
}

/** Cells of a typed period where there is no room for all of it. */
const shortPrompt = 8;

function titlesOf(
	{candles, period, chart, now, ascii}: ChartPanelInput,
	view: ChartView | undefined,
	traded: TradedMinutes | undefined,
): readonly string[] {
	const separator = ` ${marksFor(ascii).separator} `;
	if (chart.typing !== undefined) {
		const accept = keyLabel(promptKeys.accept);
		const typed = `period ${chart.typing.text}_`;
		return [
			`Chart${separator}${typed} minutes, or h d w M, then ${accept}`,
			`${typed} (m h d w M) ${accept}`,
			`${typed} ${accept}`,
			typed,
			`period ${endOf(chart.typing.text, shortPrompt, ascii)}_`,
		];
	}

	if (candles.status === 'ready') {
		const range = view && pannedRange(view, now, ascii);
		const isTotal = view !== undefined && traded !== undefined && lacksSides(traded, view);
		return chartTitles(candles.data, chart, range, ascii, isTotal);
	}

	const name = formatPeriod(period);
	return [`Chart${separator}${name}`, name];
}

/** Stand for what is wrong with a typed period where there is no room for it. */
const periodExamples = ['not a period: type 45, 4h, 2w or 1M', 'type 45, 4h, 2w or 1M', 'type e.g. 4h', 'e.g. 4h'];

/** What is wrong with the typed period, else what the view lacks. */
function footersOf(
	input: ChartPanelInput,
	view: ChartView | undefined,
	traded: TradedMinutes | undefined,
): Pick<ResourcePanel<unknown>, 'footers' | 'footerTone'> {
	const fault = input.chart.typing?.fault;
	if (fault !== undefined) {
		const texts = faultTexts(`${fault}; a period is 45 (minutes), 4h, 2w, 1M`);
		return {footers: [...texts, ...periodExamples], footerTone: 'warn'};
	}

	return view ? {footers: footTexts(input, view, traded)} : {};
}

function partialNote(candles: ChartPanelInput['candles']): readonly Note[] {
	const count = (candles.status === 'ready' && candles.data.partial?.size) || 0;
	const counted = `${formatExact(count)} ${count === 1 ? 'candle' : 'candles'}`;
	return count === 0 ? [] : [[`${counted} may be missing trades`, `${counted} partial`]];
}

/** Candles that may lack trades, the state of older candles if the view needs them, and panes without room: from long to short. */
function footTexts(
	{candles, history, chart, ascii}: ChartPanelInput,
	view: ChartView,
	traded: TradedMinutes | undefined,
): readonly string[] {
	const hidden = withoutRoom(chart, view);
	const names = hidden.map(name => indicatorLabel(name, chart.lengths)).join(', ');
	const complete = history.status === 'complete';
	const at = view.endOf(Math.min(view.cross ?? view.newest, view.newest));
	const missing = candles.status === 'ready' ? missingValues(candles.data, chart, complete, at) : [];
	const notes: readonly Note[] = [
		...historyNotes(history, view),
		...missing,
		...(traded ? footprintNotes(traded, view) : []),
		...noteIf(
			hidden.length > 0,
			`no room for ${names}`,
			`no room for ${hidden.length === 1 ? names : `${hidden.length} indicators`}`,
		),
		// The legend marks the volume of such candles too, so this note is dropped first.
		...partialNote(candles),
	];
	return joinedNotes(notes, ` ${marksFor(ascii).separator} `);
}

/** Whether trades in view have no sides. */
function lacksSides({minutes, after}: TradedMinutes, {candles, timeScale}: ChartView): boolean {
	const oldest = candles[timeScale.first]?.time ?? after;
	return minutes.entries().some(([start, {unknown}]) => start >= oldest && unknown.size > 0);
}

/** Since when a footprint has the trades, where the view begins before that, and what it lacks without their sides. */
function footprintNotes(traded: TradedMinutes, view: ChartView): readonly Note[] {
	const {after} = traded;
	const oldest = view.candles[view.timeScale.first]?.time ?? after;
	const since = `trades since ${formatZonedClock(after, view.zone)}`;
	return [
		...noteIf(lacksSides(traded, view), 'sides unknown, so that footprints have totals only', 'sides unknown'),
		...noteIf(oldest <= after && after < Infinity, since, since),
	];
}

/** Chosen indicators for which there is no pane. */
const withoutRoom = (chart: ChartState, {layout}: ChartView): readonly IndicatorName[] => [
	...paneNamesOf(chart).slice(layout.panes.length),
	...(chart.indicators.has('volume-average') && !layout.volume ? ['volume-average' as const] : []),
	...(chart.indicators.has('profile') && layout.profileColumns === 0 ? ['profile' as const] : []),
];

const noteIf = (shown: boolean, full: string, brief: string): readonly Note[] => (shown ? [[full, brief]] : []);

/** Why chosen indicators have no value at the candle of index `at`, the least obvious reason first. */
export function missingValues(series: CandleSeries, chosen: Chosen, complete: boolean, at: number): readonly Note[] {
	const candle = series.candles[at];
	if (!candle) return [];
	const session = sessionFor(series.period);
	const lacksMean = chosen.indicators.has('vwap') && vwap(series, session, complete).at(at) === undefined;
	const why = lacksMean ? [whyNoMean(series, session, complete, candle)] : [];
	return [...why.map(([full, brief]): Note => [`VWAP: ${full}`, `VWAP: ${brief}`]), ...tooFewCandles(chosen, at + 1)];
}

/** Why indicators have no value after `count` candles, in one note; empty if all have one. */
function tooFewCandles({indicators, lengths}: Chosen, count: number): readonly Note[] {
	const lacking = settableNames
		.filter(name => indicators.has(name))
		.flatMap(name => namedCurves(name, lengths))
		.filter(({candles}) => count < candles);
	const full = lacking.map(({label, candles}) => `${label} needs ${formatExact(candles)} candles`).join(', ');
	if (lacking.length < 2) return lacking.map((): Note => [full, full]);
	return [[full, `${lacking.map(({brief}) => brief).join(', ')}: few candles`]];
}

function whyNoMean(series: CandleSeries, session: Session, complete: boolean, candle: Candle): Note {
	const {candles, builtFrom, partial = new Set()} = series;
	const isOfSession = (time: number | undefined) =>
		time !== undefined && sessionAt(time, session) === sessionAt(candle.time, session);
	if (builtFrom === 'trades' && partial.values().some(isOfSession)) {
		return [`trades of the ${session} may be missing`, 'partial'];
	}

	const startsLate = !complete && isOfSession(candles[0]?.time) && beginsInside(candles, session);
	return startsLate
		? [`start of ${session} not loaded`, 'not loaded']
		: [`no volume in the ${session} yet`, 'no volume'];
}

/** What became of the candles older than those loaded, where the view needs them; empty: it needs none, or they will be loaded. */
function historyNotes(history: CandleHistory, view: ChartView): readonly Note[] {
	const {candles, timeScale, lacksMean, missing, zone} = view;
	const [oldest] = candles;
	const named = isUtc(zone) ? '' : ` ${zoneLabel(zone, oldest?.time ?? 0)}`;
	const first = oldest ? formatDateTime(oldest.time, zone).slice(0, 16) + named : '';
	const atStart = timeScale.first <= 0;
	/** Adds where history ends, if a certain time was looked for. */
	const ended = (full: string, brief: string): Note =>
		missing === undefined || missing === oldestOfAll
			? [full, brief]
			: [`${full}: the first is of ${first}`, `the first is of ${first}`];
	switch (history.status) {
		case 'failed': {
			const text = `older candles: ${history.error.brief}`;
			return atStart || lacksMean ? [[text, text]] : [];
		}

		case 'full': {
			const most = formatExact(mostCandles);
			return atStart || lacksMean ? [ended(`limit of ${most} candles reached`, `${most} candles, the limit`)] : [];
		}

		case 'complete':
			return atStart ? [ended('no older candles on the exchange', 'no older candles')] : [];
		case 'loading':
		case 'more': {
			if (missing !== undefined) return [[`loading older candles, now at ${first}`, `loading older, at ${first}`]];
			return history.status === 'loading' ? [['loading older candles', 'loading older']] : [];
		}
	}
}
