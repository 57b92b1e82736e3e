import type {CandleSeries} from '../../../market/candles.ts';
import {
	beginsInside,
	bollinger,
	ema,
	type IndicatorName,
	macd,
	rsi,
	type Session,
	sessionAt,
	sma,
	type Values,
	vwap,
} from '../../../market/indicators.ts';
import type {Candle, Period} from '../../../market/types.ts';
import {dayMinutes} from '../../../market/units.ts';
import type {Note} from '../../marks.ts';
import type {CurveStyle} from '../../plot/curves.ts';

export type Curve = {readonly values: Values; readonly style: CurveStyle};

/** Curves drawn over the prices, in the same scale. */
export type Overlay = {
	readonly label: string;
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
	/** The ends of the scale; absent: as the values need, with zero in the middle. */
	readonly range?: {readonly low: number; readonly high: number} | undefined;
	/** Values that are marked by a line. */
	readonly levels: readonly number[];
};

const intervals = {sma: 50, ema: 20, bollinger: 20, deviations: 2, rsi: 14, short: 12, long: 26, signal: 9};
const rsiLevels = [70, 30];

/** Names with parameters, as menu and legend show them. */
export const indicatorLabels: Readonly<Record<IndicatorName, string>> = {
	sma: `SMA ${intervals.sma}`,
	ema: `EMA ${intervals.ema}`,
	vwap: 'VWAP',
	bollinger: `Bollinger ${intervals.bollinger} ${intervals.deviations}`,
	rsi: `RSI ${intervals.rsi}`,
	macd: `MACD ${intervals.short} ${intervals.long} ${intervals.signal}`,
};

/** A name without parameters. */
export const briefLabel = (label: string): string => label.replace(/ .*/, '');

/** Descriptions for the menu. */
export const indicatorMeanings: Readonly<Record<IndicatorName, string>> = {
	sma: 'mean of closing prices',
	ema: 'exponential mean of closing prices',
	vwap: 'volume-weighted mean of the day; month, year',
	bollinger: 'mean ± 2 standard deviations',
	rsi: 'relative strength, below the prices',
	macd: 'two exponential means, below the prices',
};

const styles = {
	sma: {tone: 'series1', dash: [1, 0], letter: 's'},
	ema: {tone: 'series2', dash: [3, 1], letter: 'e'},
	vwap: {tone: 'series3', dash: [1, 1], letter: 'v'},
	band: {tone: 'series4', dash: [1, 2], letter: 'b'},
	middle: {tone: 'series4', dash: [1, 5], letter: 'm'},
	value: {tone: 'series1', dash: [1, 0], letter: 'o'},
	signal: {tone: 'series2', dash: [1, 1], letter: 's'},
} as const satisfies Record<string, CurveStyle>;

const overlayNames = ['sma', 'ema', 'vwap', 'bollinger'] as const;
const paneNames = ['rsi', 'macd'] as const;

/** The letters of each overlay's curves, from the top down. */
const overlayLetters: Readonly<Record<(typeof overlayNames)[number], string>> = {
	sma: styles.sma.letter,
	ema: styles.ema.letter,
	vwap: styles.vwap.letter,
	bollinger: styles.band.letter + styles.middle.letter + styles.band.letter,
};
const longestSession = ' month'.length;

/** The space that each chosen overlay takes in the legend: cells of its letters and its longest name, and how many values follow. */
export const overlayShapes = (chosen: ReadonlySet<IndicatorName>) =>
	overlayNames
		.filter(name => chosen.has(name))
		.map(name => ({
			letters: overlayLetters[name].length,
			label: indicatorLabels[name].length + (name === 'vwap' ? longestSession : 0),
			values: name === 'bollinger' ? 2 : 1,
		}));

export const paneNamesOf = (chosen: ReadonlySet<IndicatorName>): ReadonlyArray<(typeof paneNames)[number]> =>
	paneNames.filter(name => chosen.has(name));

/** The session of the VWAP. A mean over a day is useless if a candle is a day. */
const sessionFor = (period: Period): Session =>
	period < dayMinutes / 2 ? 'day' : period <= dayMinutes ? 'month' : 'year';

/**
 * Whether the series begins inside a session whose mean is shown: one that contains `from` (epoch ms, the oldest visible
 * candle) or later candles.
 */
export function lacksSessionStart(
	{candles, period}: CandleSeries,
	chosen: ReadonlySet<IndicatorName>,
	from: number,
): boolean {
	const session = sessionFor(period);
	const [first] = candles;
	const isSeen = first !== undefined && sessionAt(from, session) <= sessionAt(first.time, session);
	return isSeen && chosen.has('vwap') && beginsInside(candles, session);
}

/** The chosen curves over the prices, in the menu's order. `complete`: no candles are older than the first. */
export function overlaysOf(
	series: CandleSeries,
	chosen: ReadonlySet<IndicatorName>,
	complete: boolean,
): readonly Overlay[] {
	return overlayNames.filter(name => chosen.has(name)).map(name => overlayOf(series, name, complete));
}

function overlayOf(series: CandleSeries, name: (typeof overlayNames)[number], complete: boolean): Overlay {
	const {candles, period} = series;
	const label = indicatorLabels[name];
	const letters = overlayLetters[name];
	const single = (values: Values, style: CurveStyle): Overlay => ({
		...{label, letters},
		curves: [{values, style}],
		listed: [values],
	});
	switch (name) {
		case 'sma':
			return single(sma(candles, intervals.sma), styles.sma);
		case 'ema':
			return single(ema(candles, intervals.ema), styles.ema);
		case 'vwap': {
			const session = sessionFor(period);
			return {...single(vwap(series, session, complete), styles.vwap), label: `${label} ${session}`};
		}

		case 'bollinger': {
			const {lower, middle, upper} = bollinger(candles, intervals.bollinger, intervals.deviations);
			const band = (values: Values): Curve => ({values, style: styles.band});
			return {
				...{label, letters},
				curves: [{values: middle, style: styles.middle}, band(upper), band(lower)],
				listed: [lower, upper],
			};
		}
	}
}

/** Candles that an indicator needs for its first value. */
const candlesNeeded: Readonly<Record<Exclude<IndicatorName, 'vwap'>, number>> = {
	sma: intervals.sma,
	ema: intervals.ema,
	bollinger: intervals.bollinger,
	rsi: intervals.rsi + 1,
	macd: intervals.long,
};

/** Why chosen indicators have no value at the candle of index `at`, the least obvious reason first. */
export function missingValues(
	series: CandleSeries,
	chosen: ReadonlySet<IndicatorName>,
	complete: boolean,
	at: number,
): readonly Note[] {
	const candle = series.candles[at];
	if (!candle) return [];
	const session = sessionFor(series.period);
	const lacksMean = chosen.has('vwap') && vwap(series, session, complete).at(at) === undefined;
	const why = lacksMean ? [whyNoMean(series, session, complete, candle)] : [];
	return [...why.map(([full, brief]): Note => [`VWAP: ${full}`, `VWAP: ${brief}`]), ...tooFewCandles(chosen, at + 1)];
}

/** Why indicators have no value after `count` candles, in one note; empty if all have one. */
function tooFewCandles(chosen: ReadonlySet<IndicatorName>, count: number): readonly Note[] {
	const lacking = [...overlayNames, ...paneNames].flatMap(name =>
		name !== 'vwap' && chosen.has(name) && count < candlesNeeded[name] ? [name] : [],
	);
	const full = lacking.map(name => `${indicatorLabels[name]} needs ${candlesNeeded[name]} candles`).join(', ');
	if (lacking.length < 2) return lacking.map((): Note => [full, full]);
	return [[full, `${lacking.map(name => briefLabel(indicatorLabels[name])).join(', ')}: few candles`]];
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

/** The chosen panes below the prices, in the menu's order. */
export function panesOf(candles: readonly Candle[], chosen: ReadonlySet<IndicatorName>): readonly IndicatorPane[] {
	return paneNamesOf(chosen).map(name => {
		const label = indicatorLabels[name];
		if (name === 'rsi') {
			const curves = [{values: rsi(candles, intervals.rsi), style: styles.value}];
			return {label, curves, range: {low: 0, high: 100}, levels: rsiLevels};
		}

		const values = macd(candles, intervals.short, intervals.long, intervals.signal);
		const curves = [
			{values: values.macd, style: styles.value},
			{values: values.signal, style: styles.signal},
		];
		return {label, curves, histogram: values.histogram, levels: [0]};
	});
}
