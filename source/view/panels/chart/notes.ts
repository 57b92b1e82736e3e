import {formatExact} from '../../../format/number.ts';
import {formatDateTime} from '../../../format/time.ts';
import {isUtc, zoneLabel} from '../../../format/zone.ts';
import type {CandleSeries} from '../../../market/candles.ts';
import {beginsInside, type Session, sessionAt, vwap} from '../../../market/indicators.ts';
import type {Candle} from '../../../market/types.ts';
import {type CandleHistory, mostCandles} from '../../../store/candle-feed.ts';
import type {Note} from '../../marks.ts';
import {oldestOfAll} from './chart-state.ts';
import type {ChartView} from './chart-view.ts';
import {briefLabel, indicatorLabel, sessionFor} from './indicator-curves.ts';
import {type Chosen, type IndicatorLengths, type SettableName, settableNames} from './indicator-lengths.ts';

/** Why chosen indicators have no value at the candle of index `at`, the least obvious reason first. */
export function missingValues(series: CandleSeries, chosen: Chosen, complete: boolean, at: number): readonly Note[] {
	const candle = series.candles[at];
	if (!candle) return [];
	const session = sessionFor(series.period);
	const lacksMean = chosen.indicators.has('vwap') && vwap(series, session, complete).at(at) === undefined;
	const why = lacksMean ? [whyNoMean(series, session, complete, candle)] : [];
	return [...why.map(([full, brief]): Note => [`VWAP: ${full}`, `VWAP: ${brief}`]), ...tooFewCandles(chosen, at + 1)];
}

type Need = {readonly label: string; readonly brief: string; readonly candles: number};

/** The candles that an indicator needs for its first values: each average for itself. */
function needsOf(name: SettableName, lengths: IndicatorLengths): readonly Need[] {
	const [first = 0, second = 0] = lengths[name];
	const need = (candles: number): Need => ({
		...{label: indicatorLabel(name, lengths), brief: briefLabel(name)},
		candles,
	});
	switch (name) {
		case 'sma':
		case 'ema':
			return lengths[name].map(length => {
				const label = `${briefLabel(name)} ${length}`;
				return {label, brief: lengths[name].length > 1 ? label : briefLabel(name), candles: length};
			});
		case 'rsi':
			return [need(first + 1)];
		case 'macd':
			return [need(second)];
		default:
			return [need(first)];
	}
}

/** Why indicators have no value after `count` candles, in one note; empty if all have one. */
function tooFewCandles({indicators, lengths}: Chosen, count: number): readonly Note[] {
	const lacking = settableNames
		.filter(name => indicators.has(name))
		.flatMap(name => needsOf(name, lengths))
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
export function historyNotes(history: CandleHistory, view: ChartView): readonly Note[] {
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
