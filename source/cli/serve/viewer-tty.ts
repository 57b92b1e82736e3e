import {constants} from 'node:os';
import type {Clock} from '../../market/clock.ts';
import type {Viewer} from '../../serve/viewer.ts';
import {backgroundQuestion, takesOsc, terminalCapabilities} from '../../terminal/capabilities.ts';
import {FlowControl} from '../../terminal/flow-control.ts';
import {KeyInput} from '../../terminal/key-input.ts';
import {allTaken, enterSequence, leaveSequence} from '../../terminal/lifecycle.ts';
import {type Dialogue, type DialogueOptions, lastAnswerMs} from '../../terminal/take-terminal.ts';
import type {Tty} from '../../terminal/tty.ts';

/** The exit status of a screen whose viewer is gone. */
export const goneStatus = 128 + constants.signals.SIGHUP;

/**
 * The terminal of a viewer. `ended`: resolves with the exit status when its screen has to end. `keyClock`: of its keys and answers,
 * which do not wait until all screens are drawn.
 */
export function viewerTty({input, output, env, gone}: Viewer, ended: Promise<number>, keyClock: Clock): Tty {
	const write = (text: string) => void output.write(text);

	function openDialogue({onBackground}: Pick<DialogueOptions, 'onBackground'>): Dialogue {
		const flow = new FlowControl({clock: keyClock, write});
		return {
			flow,
			input: new KeyInput(input, {clock: keyClock, flow, isRemote: true, onBackground}),
			askBackground() {
				if (onBackground && takesOsc(env)) write(backgroundQuestion);
			},
		};
	}

	function take(clock: Clock, dialogue: Dialogue | undefined): () => Promise<void> {
		dialogue?.input.listen();
		write(enterSequence);
		let returned: Promise<void> | undefined;
		async function giveBack(): Promise<void> {
			write(leaveSequence);
			const waitMs = gone.aborted ? 0 : lastAnswerMs;
			await Promise.all([allTaken(output, clock, waitMs), dialogue?.input.giveBack(waitMs)]);
		}

		return () => {
			returned ??= giveBack();
			return returned;
		};
	}

	return {
		hasKeyboard: true,
		output,
		env,
		capabilities: () => terminalCapabilities(env, {isTTY: output.isTTY}, output),
		openDialogue,
		take,
		onSignals: () => ({async suspend() {}, off() {}, ended}),
		onExit: () => () => {},
		watchMemory: () => () => {},
	};
}
