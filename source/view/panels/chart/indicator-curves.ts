import type {Zone} from '../../../format/zone.ts';
import {zoneOfCandles} from '../../../format/zone.ts';
import {type AnchoredVwap, anchoredVwap, tradedIn} from '../../../market/anchored-vwap.ts';
import {indexAtTime} from '../../../market/candle-groups.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {
	atr,
	beginsInside,
	bollinger,
	ema,
	macd,
	rsi,
	type Session,
	sessionAt,
	sma,
	type Values,
	volumeAverage,
	vwap,
} from '../../../market/indicators.ts';
import type {Tape} from '../../../market/tape.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {dayMinutes} from '../../../market/units.ts';
import type {CurveStyle} from '../../plot/curves.ts';
import {dayTime} from '../../plot/time-labels.ts';
import {briefLabel, type Chosen, type IndicatorLengths, indicatorLabel, namedCurves} from './indicator-table.ts';

export type Curve = {readonly values: Values; readonly style: CurveStyle};

/** Curves drawn over the prices, in the same scale. */
export type Overlay = {
	readonly label: string;
	/** The label where room is short: still different from all others. */
	readonly brief: string;
	readonly curves: readonly Curve[];
	/** The curves whose values are in the legend. */
	readonly listed: readonly Values[];
	/** The letters of its curves, from the top down. */
	readonly letters: string;
};

/** An indicator with a scale of its own, below the prices. */
export type IndicatorPane = {
	readonly label: string;
	readonly curves: readonly Curve[];
	/** Drawn as bars from zero. */
	readonly histogram?: Values | undefined;
	/** The ends of the scale, or what it encloses: the visible values, alone or with zero between two rows. */
	readonly range: {readonly low: number; readonly high: number} | 'values' | 'around zero';
	/** Decimals of its values; absent: as many as an amount has. */
	readonly decimals?: number | undefined;
	/** Values that are marked by a line. */
	readonly levels: readonly number[];
	/** Values that are labelled if the pane has so many rows; absent: round ones. */
	ticks?(rows: number): readonly number[];
};

const rsiLevels = [70, 30];
const rsiTicks = {few: [70, 50, 30], many: [90, 70, 50, 30, 10]};
/** Rows of a pane with room for many labels. */
const tallRows = 9;

const solid = [1, 0] as const;
const styles = {
	vwap: {tone: 'series3', dash: [1, 1], letter: 'v'},
	band: {tone: 'series4', dash: [1, 2], letter: 'b'},
	middle: {tone: 'series4', dash: [1, 5], letter: 'm'},
	value: {tone: 'series1', dash: solid, letter: 'o'},
	signal: {tone: 'series2', dash: [1, 1], letter: 's'},
	volume: {tone: 'series2', dash: solid, letter: 'a'},
} as const satisfies Record<string, CurveStyle>;

/** The styles of several averages: no two curves over the prices have one dot pattern. */
const averageStyles: Readonly<Record<'sma' | 'ema', readonly CurveStyle[]>> = {
	sma: [
		{tone: 'series1', dash: solid, letter: 's'},
		{tone: 'series5', dash: [4, 2], letter: 't'},
		{tone: 'series6', dash: [3, 3], letter: 'u'},
		{tone: 'series2', dash: [5, 1], letter: 'x'},
	],
	ema: [
		{tone: 'series2', dash: [3, 1], letter: 'e'},
		{tone: 'series6', dash: [2, 2], letter: 'f'},
		{tone: 'series5', dash: [2, 1], letter: 'g'},
		{tone: 'series1', dash: [2, 4], letter: 'h'},
	],
};

/** The styles of several anchored VWAPs: of each, of the bands of one and of two standard deviations. */
const anchoredStyles: ReadonlyArray<readonly CurveStyle[]> = (
	['series2', 'series6', 'series1', 'series5'] as const
).map((tone, index) => {
	const letter = String(index + 1);
	return [
		{tone, dash: solid, letter},
		{tone, dash: [1, 1], letter: '.'},
		{tone, dash: [1, 3], letter: '.'},
	];
});
/** `AVWAP 28 Nov 14:00 `. */
const longestAnchor = 'AVWAP 28 Nov 14:00 '.length;
const longestSource = 'of candles and trades'.length;

const overlayNames = ['sma', 'ema', 'vwap', 'bollinger'] as const;
const paneNames = ['rsi', 'macd', 'atr'] as const;

const bandLetters = styles.band.letter + styles.middle.letter + styles.band.letter;
const longestSession = ' month'.length;

/** The space that each chosen overlay takes in the legend: cells of its letters and its longest name, and how many values follow. */
export const overlayShapes = ({indicators, lengths, anchored = []}: Chosen) => [
	...overlayNames
		.filter(name => indicators.has(name))
		.flatMap(name => {
			if (name === 'vwap') return {letters: 1, label: briefLabel(name).length + longestSession, values: 1};
			const [letters, values] = name === 'bollinger' ? [bandLetters.length, 2] : [1, 1];
			return namedCurves(name, lengths).map(({label}) => ({letters, label: label.length, values}));
		}),
	...anchored.map(() => ({letters: 1, label: longestAnchor + longestSource, values: 1})),
];

export const paneNamesOf = ({indicators}: Chosen): ReadonlyArray<(typeof paneNames)[number]> =>
	paneNames.filter(name => indicators.has(name));

/** The height of each chosen pane, as a share of a full one. */
export const paneShares = (chosen: Chosen): readonly number[] =>
	paneNamesOf(chosen).map(name => (name === 'atr' ? 0.5 : 1));

/** The session of the VWAP. A mean over a day is useless if a candle is a day. */
export const sessionFor = (period: Period): Session =>
	period < dayMinutes / 2 ? 'day' : period <= dayMinutes ? 'month' : 'year';

/**
 * Whether the series begins after the start of a mean that is shown: an anchored one, or one of a session that contains `from` (epoch
 * ms, the oldest visible candle) or later candles.
 */
export function lacksSessionStart({candles, period}: CandleSeries, chosen: Chosen, from: number): boolean {
	const {indicators, anchored = []} = chosen;
	const session = sessionFor(period);
	const [first] = candles;
	if (first === undefined) return false;
	if (anchored.some(time => time < first.time)) return true;
	const isSeen = sessionAt(from, session) <= sessionAt(first.time, session);
	return isSeen && indicators.has('vwap') && beginsInside(candles, session);
}

type Overlaid = Chosen & {
	/** Of which anchored VWAPs are made where they reach back. Default: none are. */
	readonly trades?: Tape | undefined;
	readonly zone?: Zone | undefined;
};

/**
 * The chosen curves over the prices, in the menu's order, then the anchored VWAPs, oldest first. `complete`: no candles are older than
 * the first.
 */
export function overlaysOf(series: CandleSeries, chosen: Overlaid, complete: boolean): readonly Overlay[] {
	const {indicators, lengths} = chosen;
	const named = overlayNames
		.filter(name => indicators.has(name))
		.flatMap(name => {
			if (name === 'vwap') return vwapOverlay(series, complete);
			if (name === 'bollinger') return bandsOverlay(series.candles, lengths);
			return averageOverlays(series.candles, name, lengths);
		});
	return [...named, ...anchoredOverlays(series, chosen, complete)];
}

function anchoredOverlays(series: CandleSeries, chosen: Overlaid, complete: boolean): readonly Overlay[] {
	const {candles, period} = series;
	const {anchored = [], trades, zone} = chosen;
	const [first] = candles;
	// Without the candles since its anchor, it would be the mean of another stretch of time.
	const starts = anchored.map(time =>
		first && (first.time <= time || complete) ? Math.max(indexAtTime(candles, time), 0) : candles.length,
	);
	const traded = trades && tradedIn(candles, period, Math.min(...starts), trades);
	return starts.map((from, index) => {
		const begins = dayTime(candles[from]?.time ?? anchored[index] ?? 0, zoneOfCandles(period, zone));
		return anchoredOverlay(anchoredVwap(candles, from, traded), begins, index);
	});
}

/** `begins`: when, for the label. */
function anchoredOverlay(vwap: AnchoredVwap, begins: string, index: number): Overlay {
	const [style, ...bandStyles] = anchoredStyles[index] ?? [];
	const values = valuesOf(vwap.mean);
	const bands = bandStyles.flatMap((band, count) =>
		[-1, 1].map(sign => ({values: valuesOf(bandOf(vwap, sign * (count + 1))), style: band})),
	);
	return {
		...{label: `AVWAP ${begins} of ${vwap.of}`, brief: `AVWAP ${begins}`, letters: style?.letter ?? ''},
		// The mean is drawn last, over its bands, and is what the legend shows.
		curves: style ? [...bands, {values, style}] : [],
		listed: [values],
	};
}

const valuesOf = (values: ReadonlyArray<number | undefined>): Values => ({
	length: values.length,
	at: index => values[index],
});

/** The mean and so many standard deviations. */
const bandOf = ({mean, deviation}: AnchoredVwap, deviations: number): ReadonlyArray<number | undefined> =>
	mean.map((value, index) => {
		const spread = deviation[index];
		return value === undefined || spread === undefined ? undefined : value + deviations * spread;
	});

function averageOverlays(
	candles: readonly Candle[],
	name: 'sma' | 'ema',
	lengths: IndicatorLengths,
): readonly Overlay[] {
	const mean = {sma, ema}[name];
	return namedCurves(name, lengths).flatMap(({label, brief, candles: length}, index): readonly Overlay[] => {
		const style = averageStyles[name][index];
		const values = mean(candles, length);
		return style ? [{label, brief, letters: style.letter, curves: [{values, style}], listed: [values]}] : [];
	});
}

function vwapOverlay(series: CandleSeries, complete: boolean): Overlay {
	const session = sessionFor(series.period);
	const values = vwap(series, session, complete);
	const {vwap: style} = styles;
	return {
		...{label: `${briefLabel('vwap')} ${session}`, brief: briefLabel('vwap'), letters: style.letter},
		...{curves: [{values, style}], listed: [values]},
	};
}

function bandsOverlay(candles: readonly Candle[], lengths: IndicatorLengths): Overlay {
	const [length = 0, deviations = 0] = lengths.bollinger;
	const {lower, middle, upper} = bollinger(candles, length, deviations);
	const band = (values: Values): Curve => ({values, style: styles.band});
	return {
		...{label: indicatorLabel('bollinger', lengths), brief: briefLabel('bollinger'), letters: bandLetters},
		curves: [{values: middle, style: styles.middle}, band(upper), band(lower)],
		listed: [lower, upper],
	};
}

/** The chosen panes below the prices, in the menu's order. */
export const panesOf = (candles: readonly Candle[], chosen: Chosen): readonly IndicatorPane[] =>
	paneNamesOf(chosen).map(name => paneOf[name](candles, chosen.lengths[name], indicatorLabel(name, chosen.lengths)));

type MakePane = (candles: readonly Candle[], lengths: readonly number[], label: string) => IndicatorPane;

const paneOf: Readonly<Record<(typeof paneNames)[number], MakePane>> = {
	rsi: (candles, [length = 0], label) => ({
		...{label, curves: [{values: rsi(candles, length), style: styles.value}]},
		...{range: {low: 0, high: 100}, levels: rsiLevels, decimals: 2},
		ticks: rows => (rows < tallRows ? rsiTicks.few : rsiTicks.many),
	}),
	macd: macdPane,
	atr: (candles, [length = 0], label) => ({
		...{label, curves: [{values: atr(candles, length), style: styles.value}]},
		...{range: 'values', levels: []},
	}),
};

function macdPane(
	candles: readonly Candle[],
	[short = 0, long = 0, signal = 0]: readonly number[],
	label: string,
): IndicatorPane {
	const values = macd(candles, short, long, signal);
	const curves = [
		{values: values.macd, style: styles.value},
		{values: values.signal, style: styles.signal},
	];
	return {label, curves, histogram: values.histogram, range: 'around zero', levels: [0]};
}

/** A curve over the volume bars. */
export type VolumeCurve = Curve & {readonly label: string};

/** The curve over the volume bars of these candles; undefined: it is not chosen. */
export function volumeAverageOf(candles: readonly Candle[], {indicators, lengths}: Chosen): VolumeCurve | undefined {
	if (!indicators.has('volume-average')) return undefined;
	const [length = 0] = lengths['volume-average'];
	return {label: `average ${length}`, values: volumeAverage(candles, length), style: styles.volume};
}
