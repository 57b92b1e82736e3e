import {formatExact} from '../../../format/number.ts';
import {formatDateTime} from '../../../format/time.ts';
import {isUtc, zoneLabel} from '../../../format/zone.ts';
import {type CandleHistory, mostCandles} from '../../../store/candle-feed.ts';
import type {Note} from '../../marks.ts';
import {oldestOfAll} from './chart-state.ts';
import type {ChartView} from './chart-view.ts';

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
