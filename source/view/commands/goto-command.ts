import {parseMoment} from '../../format/moment.ts';
import {formatZonedDateTime} from '../../format/time.ts';
import {type Zone, zoneOfCandles} from '../../format/zone.ts';
import {candleStart} from '../../market/candles.ts';
import {dayMinutes, minuteMs} from '../../market/units.ts';
import {noCandles, showCandle} from './chart-commands.ts';
import type {Command, Control} from './command.ts';
import {goToRecorded} from './replay-commands.ts';

/** What the argument is, in the zone that it is read in. */
const examples = (zone: Zone): string => `a time in ${zone.name} such as 2026-11-10 14:00, 14:00 or -2d`;

/** Goes to a time: of the recording while a recorded moment is shown, else of the chart. */
export const gotoCommand: Command = {
	name: 'goto',
	keys: [],
	help: 'show a time in the chart or the recording',
	argument: {takes: 'a time such as 2026-11-10 14:00, 14:00, -2d', run: goTo},
};

function goTo(text: string, control: Control): string | undefined {
	const {replay, store, ui, now} = control;
	if (replay?.getSnapshot()) return goToRecorded(text, replay, control);
	const {candles, period} = store.getSnapshot();
	const zone = zoneOfCandles(period, ui.getSnapshot().zone);
	const time = parseMoment(text, now, {from: 0, to: now}, zone);
	if (time === undefined) return `goto takes ${examples(zone)}`;
	if (time > now) return `${formatZonedDateTime(time, zone)} is in the future; goto takes ${examples(zone)}`;
	// So little back there is no other candle to go to, but a moment that may be recorded.
	const recordedMinutes = Math.min(period, dayMinutes);
	if (replay && text.startsWith('-') && now - time < recordedMinutes * minuteMs) {
		return goToRecorded(text, replay, control);
	}

	const [oldest] = candles.status === 'ready' ? candles.data.candles : [];
	if (!oldest) return candles.status === 'waiting' ? 'the candles are still loading' : noCandles;
	showCandle(candleStart(time, period, oldest.time), control);
	return undefined;
}
