import {formatPeriod} from '../../../format/time.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {dotted, marksFor} from '../../marks.ts';
import {type DateRangeTexts, dateRangeTexts} from '../../plot/time-labels.ts';
import {type ChartState, type ChartType, zoomOf} from './chart-state.ts';
import {type ChartView, isLogarithmic} from './chart-view.ts';

const typeTexts: Readonly<Record<ChartType, string>> = {
	candles: 'candles',
	bars: 'bars',
	'heikin-ashi': 'Heikin-Ashi, averages',
	line: 'line',
	footprint: 'footprint, sold × bought',
};

/** What the candles were built from; empty if they are the exchange's own. */
export function builtFromText({builtFrom}: CandleSeries): readonly string[] {
	if (builtFrom === 'exchange') return [];
	return [`built from ${builtFrom === 'trades' ? builtFrom : formatPeriod(builtFrom)}`];
}

/**
 * The titles of a chart, from long to short. Every one says what changes the meaning: period, Heikin-Ashi, the logarithmic
 * scale, what the candles were built from, how many share a column, and the dates of a view that is panned. `lacksSides`: footprints have
 * totals only.
 */
export function chartTitles(
	series: CandleSeries,
	chart: ChartState,
	range: DateRangeTexts | undefined,
	ascii: boolean,
	lacksSides = false,
): readonly string[] {
	const period = formatPeriod(series.period);
	const {type} = chart;
	const zoom = zoomOf(chart);
	const log = isLogarithmic(chart);
	const built = builtFromText(series);
	const isAverage = type === 'heikin-ashi';
	const logarithmic = log ? ['log'] : [];
	const titled = (types: readonly string[], from: string, dates: string | undefined): string => {
		const sources = built.map(text => text.replace('built from', from));
		const merged = zoom.merged > 1 ? [`${zoom.merged} a column`] : [];
		return dotted([period, ...sources, ...types, ...merged, ...logarithmic, dates], ascii);
	};
	const brief = isAverage ? ['Heikin-Ashi'] : type === 'footprint' ? ['footprint'] : [];
	const full = [typeTexts[type].replace('×', marksFor(ascii).times)];
	const whole = titled(type === 'footprint' && lacksSides ? brief : full, 'built from', range?.full);
	const shortest = [
		`${period}${zoom.merged > 1 ? marksFor(ascii).times + zoom.merged : ''}`,
		...built.map(text => text.replace('built from', 'of')),
		...(isAverage ? ['HA'] : []),
		...logarithmic,
	];
	return [
		dotted(['Chart', whole], ascii),
		whole,
		titled(brief, 'built from', range?.full),
		titled(brief, 'built from', range?.brief),
		titled(brief, 'from', range?.brief),
		titled(brief, 'from', range?.least),
		shortestTitle(shortest, range?.least),
	];
}

/** Cells for a title in the border of a chart of 40 columns. */
const narrowRoom = 32;

/** The longest title that fits into the narrowest chart. Dates fall away last: the time axis has them as well. */
function shortestTitle(parts: readonly string[], dates: string | undefined): string {
	const title = parts.join(' ');
	const dated = [title, ...(dates === undefined ? [] : [dates])].join(' ');
	return [dated, dated.replace(' of trades', ' trades')].find(text => text.length <= narrowRoom) ?? title;
}

/** The dates of a view that does not show the newest candle; undefined: it does. `now` in epoch ms. */
export function pannedRange(view: ChartView, now: number, ascii: boolean): DateRangeTexts | undefined {
	const {candles, timeScale, newer, zone} = view;
	const [first, last] = [candles[Math.max(timeScale.first, 0)], candles[timeScale.last]];
	return newer > 0 && first && last ? dateRangeTexts(first.time, last.time, now, ascii, zone) : undefined;
}
