import type {Command, Control} from './command.ts';

/** Runs `act` on the recording of this screen; returns why there can be none. */
function recording(control: Control, act: (controls: NonNullable<Control['recording']>) => void): string | undefined {
	if (!control.recording) return 'a replay is not recorded';
	act(control.recording);
	return undefined;
}

/** What records the present. */
export const recordingCommands: readonly Command[] = [
	{
		name: 'record',
		keys: ['R'],
		help: 'start / stop recording all polled data to a file',
		hint: {word: 'record', rank: 32},
		withoutPresent: 'already recorded: this is a recording',
		run(control) {
			const notice = recording(control, controls => controls.toggle());
			if (notice !== undefined) control.ui.update(state => ({...state, notice}));
		},
		argument: {
			takes: 'a file name',
			help: 'record all polled data to this file',
			run: (path, control) => recording(control, controls => controls.recordTo(path)),
		},
	},
];
