import {parseMoment} from '../../format/moment.ts';
import {formatZonedDateTime} from '../../format/time.ts';
import {type Zone, zoneOfCandles} from '../../format/zone.ts';
import {candleStart} from '../../market/candles.ts';
import {dayMinutes, minuteMs, secondMs} from '../../market/units.ts';
import {fastest, parseSpeed, type ReplayControls, slowest} from '../../recording/replay-controls.ts';
import {noCandles, showCandle} from './chart-commands.ts';
import {beginning, type Command, type Control, noted, type Situation} from './command.ts';

const skipMs = 10 * secondMs;

const moments = 'a time such as 14:03:10 or -5m';
const nothing = 'nothing is recorded here';
const beginningNote = 'this is the beginning';
const endNote = 'this is the end';

const unrecorded = (_: unknown, {replay}: Situation): string | undefined => (replay ? undefined : nothing);

/** Why nothing can be shown that comes after. */
function newest(_: unknown, {replay}: Situation): string | undefined {
	if (!replay) return nothing;
	return replay.getSnapshot() ? undefined : 'this is the present';
}

/** Says `notice`, and closes an overlay that shows the present alone. */
function note({ui}: Control, notice: string | undefined): void {
	ui.update(state => {
		const isPresent = state.overlay === 'compare' || state.overlay === 'diagnosis';
		return {...state, ...(isPresent && {overlay: undefined}), notice};
	});
}

/** Moves by `act`, which is false where nothing lies in that direction: `atEnd` then says so. */
const moving = (act: (replay: ReplayControls) => boolean, atEnd: string) => (control: Control) => {
	if (control.replay) note(control, act(control.replay) ? undefined : atEnd);
};

const skipping = (ms: number) => moving(replay => replay.skip(ms), ms < 0 ? beginningNote : endNote);
const stepping = (by: 1 | -1) =>
	moving(replay => replay.step(by), by < 0 ? 'nothing was recorded before this' : 'nothing was recorded after this');

/** Hints of a replay stay longest. */
const replayHint =
	(word: string, rank: number) =>
	(_: unknown, {replay}: Situation) =>
		replay?.getSnapshot() ? {word, rank} : undefined;

/** What records the present, and moves through recorded time. */
export const replayCommands: readonly Command[] = [
	{
		name: 'record',
		keys: ['R'],
		help: 'start / stop recording all polled data to a file',
		hint: {word: 'record', rank: 32},
		withoutPresent: 'already recorded: this is a recording',
		run(control) {
			const notice = recording(control, controls => controls.toggle());
			if (notice !== undefined) noted(notice, control);
		},
		argument: {
			takes: 'a file name',
			help: 'record all polled data to this file',
			run: (path, control) => recording(control, controls => controls.recordTo(path)),
		},
	},
	{
		name: 'rewind',
		keys: ['<'],
		help: 'go 10 s back and forward in the recorded data',
		hint: {word: 'rewind', rank: 31},
		hintNow: replayHint('10 s', -2),
		unavailable: unrecorded,
		run: skipping(-skipMs),
	},
	{name: 'forward', keys: ['>'], unavailable: newest, run: skipping(skipMs)},
	{
		name: 'rewind-minute',
		keys: ['{'],
		help: 'go 1 min back and forward in the recorded data',
		unavailable: unrecorded,
		run: skipping(-minuteMs),
	},
	{name: 'forward-minute', keys: ['}'], unavailable: newest, run: skipping(minuteMs)},
	{
		name: 'step-back',
		keys: [','],
		help: 'go to the previous and next recorded change of this market',
		hintNow: replayHint('step', -1),
		unavailable: unrecorded,
		run: stepping(-1),
	},
	{name: 'step-forward', keys: ['.'], unavailable: newest, run: stepping(1)},
	{
		name: 'speed',
		keys: [],
		help: 'set the speed of the recording',
		argument: {
			takes: `${slowest} to ${fastest} times as fast, or max`,
			complete: beginning(['1', '10', '60', 'max']),
			run: setSpeed,
		},
	},
	{
		name: 'goto',
		keys: [],
		help: 'show a time in the chart or the recording',
		argument: {takes: 'a time such as 2026-11-10 14:00, 14:00, -2d', run: goTo},
	},
];

/** Shows a recorded moment. Returns what is wrong with the text; undefined: nothing. */
function goToRecorded(text: string, replay: ReplayControls, control: Control): string | undefined {
	const {now, ui} = control;
	const {zone} = ui.getSnapshot();
	const shown = replay.getSnapshot();
	const time = parseMoment(text, shown?.time ?? now, shown, zone);
	if (time === undefined) return `goto takes ${moments}`;
	replay.goTo(time);
	const {from = time, to = time} = replay.getSnapshot() ?? {};
	const bound =
		time < from
			? `the beginning: recorded from ${formatZonedDateTime(from, zone)}`
			: `the end: recorded until ${formatZonedDateTime(to, zone)}`;
	note(control, from <= time && time <= to ? undefined : bound);
	return undefined;
}

function setSpeed(text: string, {replay}: Control): string | undefined {
	if (!replay) return nothing;
	const speed = parseSpeed(text);
	if (speed === undefined) return `speed takes ${slowest} to ${fastest}, or max`;
	replay.setSpeed(speed);
	return undefined;
}

/** Runs `act` on the recording of this screen; returns why there can be none. */
function recording(control: Control, act: (controls: NonNullable<Control['recording']>) => void): string | undefined {
	if (!control.recording) return 'a replay is not recorded';
	act(control.recording);
	return undefined;
}

/** What the argument is, in the zone that it is read in. */
const examples = (zone: Zone): string => `a time in ${zone.name} such as 2026-11-10 14:00, 14:00 or -2d`;

/** Goes to a time: of the recording while a recorded moment is shown, else of the chart. */
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
