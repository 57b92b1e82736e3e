import type {Clock} from '../market/clock.ts';
import type {TerminalCapabilities} from './capabilities.ts';
import type {Terminal} from './frame-output.ts';
import type {SignalHandlers, Signals} from './lifecycle.ts';
import type {Dialogue, DialogueOptions} from './take-terminal.ts';

/** A terminal that screens are drawn on: the one that the program was started in, or that of a viewer. */
export type Tty = {
	readonly hasKeyboard: boolean;
	/** What Ink reads where there is no dialogue; absent: there always is one. */
	readonly input?: NodeJS.ReadStream | undefined;
	readonly output: Terminal;
	/** The variables that describe the terminal. */
	readonly env: NodeJS.ProcessEnv;
	/** Writes to it beside text that goes elsewhere; absent: no user would see that. */
	readonly beside?: ((text: string) => void) | undefined;
	/** What it can do now. */
	capabilities(): TerminalCapabilities;
	/** Opens its input and flow control; undefined without a keyboard. */
	openDialogue(options: DialogueOptions): Dialogue | undefined;
	/** Takes it for a full screen. The returned function gives it back as it was, once, and settles when that is done. */
	take(clock: Clock, dialogue: Dialogue | undefined): () => Promise<void>;
	/** Handles what ends, stops or changes the terminal, until `off` is called. */
	onSignals(handlers: SignalHandlers): Signals;
	/** Runs `listener` when the process exits, unless the returned function is called before. */
	onExit(listener: () => void): () => void;
	/** Called with how many frames it was too slow for. */
	onDrop?(frames: number): void;
	/** Passes an error to `fail` before the process runs out of memory. The returned function stops that. */
	watchMemory(fail: (error: Error) => void): () => void;
};
