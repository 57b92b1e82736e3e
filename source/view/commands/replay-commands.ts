import {parseMoment} from '../../format/moment.ts';
import {minuteMs, secondMs} from '../../market/units.ts';
import {fastest, parseSpeed, slowest} from '../../recording/replay-controls.ts';
import {beginning, type Command, type Control} from './command.ts';

const skipMs = 10 * secondMs;

const nothing = 'nothing is recorded';
const note = (notice: string, {ui}: Control): void => ui.update(state => ({...state, notice}));

/** Moves the shown moment, or says that there is none in that direction. */
function skip(ms: number): (control: Control) => void {
	return control => {
		const {replay} = control;
		if (!replay) note(nothing, control);
		else if (!replay.skip(ms)) note(ms < 0 ? 'this is the beginning of the recording' : 'this is its end', control);
	};
}

function step(by: 1 | -1): (control: Control) => void {
	return control => {
		const {replay} = control;
		if (!replay) note(nothing, control);
		else if (!replay.step(by)) note(by < 0 ? 'nothing was recorded before' : 'nothing was recorded after', control);
	};
}

/** What moves through recorded time. */
export const replayCommands: readonly Command[] = [
	{
		name: 'rewind',
		keys: ['<'],
		help: 'back and on by 10 s, in a replay or from the present',
		hint: {word: 'rewind', rank: 23},
		run: skip(-skipMs),
	},
	{name: 'forward', keys: ['>'], run: skip(skipMs)},
	{name: 'rewind-minute', keys: ['{'], help: 'back and on by 1 min', run: skip(-minuteMs)},
	{name: 'forward-minute', keys: ['}'], run: skip(minuteMs)},
	{name: 'step-back', keys: [','], help: 'previous and next change of a replay', run: step(-1)},
	{name: 'step-on', keys: ['.'], run: step(1)},
	{
		name: 'goto',
		keys: [],
		help: 'show a recorded moment: 14:03:10, -5m',
		argument: {
			takes: 'a time such as 14:03:10 or -5m',
			run(text, {replay, now}) {
				if (!replay) return nothing;
				const time = parseMoment(text, replay.getSnapshot()?.time ?? now);
				if (time === undefined) return 'goto takes a time such as 14:03:10, 2026-11-20 14:03 or -5m';
				replay.goTo(time);
				return undefined;
			},
		},
	},
	{
		name: 'speed',
		keys: [],
		help: `replay ${slowest} to ${fastest} times as fast, or max`,
		argument: {
			takes: 'a number, or max',
			complete: beginning(['1', '10', '60', 'max']),
			run(text, {replay}) {
				if (!replay) return nothing;
				const speed = parseSpeed(text);
				if (speed === undefined) return `speed takes ${slowest} to ${fastest}, or max`;
				replay.setSpeed(speed);
				return undefined;
			},
		},
	},
];
