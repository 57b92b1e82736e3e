import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import type {Rgb} from '../format/style.ts';
import type {Clock} from '../market/clock.ts';
import {backgroundQuestion, isOverSsh, takesOsc} from './capabilities.ts';
import {atExit} from './ending.ts';
import {FlowControl} from './flow-control.ts';
import {InputTokenizer} from './input-tokens.ts';
import {KeyInput} from './key-input.ts';
import {allTaken, enterScreen} from './lifecycle.ts';

/** The longest wait for a terminal to read its last output and to answer what it was asked. */
const lastWordsMs = 5000;
/** The longest wait for the answer to a last question, before which all that the mouse did arrives. */
export const lastAnswerMs = 2000;
/** The longest wait for an answer when the process exits at once; meanwhile no signal is handled. */
const atOnceMs = 500;
const pollMs = 10;

/** A terminal's input, and its flow control if it can be asked how much it has processed. */
export type Dialogue = {
	readonly flow?: FlowControl | undefined;
	readonly input: KeyInput;
	/** Asks for the background; does nothing if the terminal may not be asked. */
	askBackground(): void;
};

export type DialogueOptions = {
	readonly clock: Clock;
	/** Called when the terminal reports its background. */
	readonly onBackground?: ((color: Rgb) => void) | undefined;
};

/**
 * Opens input and flow control of the terminal. Undefined without a keyboard.
 * The terminal is not asked anything if keyboard and output are different ones, and in CI, where nobody would read the answers.
 */
export function openDialogue(
	stdin: NodeJS.ReadStream & {readonly fd: number},
	stdout: NodeJS.WriteStream & {readonly fd: number},
	env: NodeJS.ProcessEnv,
	{clock, onBackground}: DialogueOptions,
): Dialogue | undefined {
	if (!stdin.isTTY || !stdout.isTTY) return undefined;
	const canQuery = !env.CI && sameDevice(stdin.fd, stdout.fd);
	const flow = canQuery ? new FlowControl({clock, write: text => stdout.write(text)}) : undefined;
	const askBackground = () => {
		if (canQuery && onBackground && takesOsc(env)) stdout.write(backgroundQuestion);
	};
	const isRemote = isOverSsh(env);
	return {flow, input: new KeyInput(stdin, {clock, flow, isRemote, onBackground}), askBackground};
}

const sameDevice = (a: number, b: number): boolean => fstatSync(a).rdev === fstatSync(b).rdev;

/**
 * Takes the terminal for a full screen. The returned function gives it back as it was, once however often it is called. It
 * settles when the terminal has accepted all output and no answer is due, or after five seconds; the system then delivers
 * what it has accepted.
 */
export function takeTerminal(
	stdout: NodeJS.WriteStream,
	clock: Clock,
	dialogue: Dialogue | undefined,
): () => Promise<void> {
	const block = writeInBackground(stdout);
	// Raw first, as in `enterEarly`.
	dialogue?.input.listen();
	const leave = enterScreen(stdout);
	const forget = atExit('answers', () => {
		if (dialogue?.flow) awaitAnswersNow(dialogue.flow);
	});
	async function giveBack(): Promise<void> {
		leave();
		const limitMs = dialogue?.flow?.due ? lastWordsMs : lastAnswerMs;
		await Promise.all([allTaken(stdout, clock, lastWordsMs), dialogue?.input.giveBack(limitMs)]);
		forget();
		block();
	}

	let returned: Promise<void> | undefined;
	return () => {
		returned ??= giveBack();
		return returned;
	};
}

/**
 * Makes writes to a terminal non-blocking. By default Node blocks the whole program while the terminal does not read: no
 * key, timer or signal is handled. The returned function undoes it.
 */
function writeInBackground(terminal: NodeJS.WriteStream): () => void {
	// Node has no public way. Without this the program only blocks, as others do.
	const {_handle: handle} = terminal as {_handle?: {setBlocking?(blocking: boolean): void}};
	handle?.setBlocking?.(false);
	return () => handle?.setBlocking?.(true);
}

/** Asks a last time and waits for the answers: after the end of the process they would appear at the shell's prompt. */
function awaitAnswersNow(flow: FlowControl): void {
	flow.askLast();
	if (!flow.due) return;
	const tokenizer = new InputTokenizer();
	const buffer = Buffer.alloc(1024);
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	try {
		const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
		for (let polls = 0; flow.due && polls < atOnceMs / pollMs; polls++) {
			for (const token of tokenizer.take(readNow(terminal, buffer), polls * pollMs, 0))
				if (token.kind === 'cursor') flow.answered(token.column);
			if (flow.due) Atomics.wait(sleeper, 0, 0, pollMs);
		}

		closeSync(terminal);
	} catch {
		// The terminal is gone.
	}
}

/** The input that has arrived; empty: none. */
function readNow(terminal: number, buffer: Buffer): string {
	try {
		return buffer.toString('latin1', 0, readSync(terminal, buffer));
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
		throw error;
	}
}
