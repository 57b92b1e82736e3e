import {closeSync, constants, fstatSync, openSync, readSync} from 'node:fs';
import type {Clock} from '../market/clock.ts';
import {AnswerSieve} from './answers.ts';
import {FlowControl} from './flow-control.ts';
import {KeyInput} from './key-input.ts';
import {allTaken, enterScreen} from './lifecycle.ts';

/** How long a terminal that does not read, or an answer of it, is waited for when it is given back. */
const lastWordsMs = 5000;
/** How long an answer is waited for when the process ends at once: meanwhile not even a signal is heard. */
const atOnceMs = 300;
const pollMs = 10;

/** A terminal that can be asked how far it has got, and what comes from it. */
type Dialogue = {readonly flow: FlowControl; readonly input: KeyInput};

/**
 * A terminal that is asked, unless nobody would hear its answers or mind them: without a keyboard, with output to another
 * terminal than the keyboard's, or in a service (`CI`).
 */
export function openDialogue(
	stdin: NodeJS.ReadStream & {readonly fd: number},
	stdout: NodeJS.WriteStream & {readonly fd: number},
	env: NodeJS.ProcessEnv,
	clock: Clock,
): Dialogue | undefined {
	if (!stdin.isTTY || !stdout.isTTY || env.CI || !sameDevice(stdin.fd, stdout.fd)) return undefined;
	const flow = new FlowControl({clock, write: text => stdout.write(text)});
	return {flow, input: new KeyInput(stdin, {clock, flow})};
}

const sameDevice = (a: number, b: number): boolean => fstatSync(a).rdev === fstatSync(b).rdev;

/**
 * Takes the terminal for a full screen. The returned function gives it back as it was, once however often it is called,
 * and settles when it has taken that and no answer of it is due; a terminal that does not read is not waited for longer than
 * five seconds. What it has not got by then it gets from the system, if that has taken it.
 */
export function takeTerminal(
	stdout: NodeJS.WriteStream,
	clock: Clock,
	dialogue: Dialogue | undefined,
): () => Promise<void> {
	const block = writeInBackground(stdout);
	const leave = enterScreen(stdout);
	dialogue?.input.listen();
	const onExit = (): void => {
		if (dialogue) awaitAnswersNow(dialogue.flow);
	};
	process.on('exit', onExit);
	async function giveBack(): Promise<void> {
		leave();
		await Promise.all([allTaken(stdout, clock, lastWordsMs), dialogue?.input.giveBack(lastWordsMs)]);
		process.off('exit', onExit);
		block();
	}

	let given: Promise<void> | undefined;
	return () => {
		given ??= giveBack();
		return given;
	};
}

/**
 * Lets what is written to a terminal wait in the background while it does not read. As Node has it the whole program
 * would wait: no key, timer or signal would be heard. The returned function undoes it.
 */
export function writeInBackground(terminal: NodeJS.WriteStream): () => void {
	// Node has no public way. Without this one the program only waits as others do.
	const {_handle: handle} = terminal as {_handle?: {setBlocking?(blocking: boolean): void}};
	handle?.setBlocking?.(false);
	return () => handle?.setBlocking?.(true);
}

/** Answers that come after the end of the process would stand at the shell's prompt. */
function awaitAnswersNow(flow: FlowControl): void {
	flow.stop();
	if (!flow.due) return;
	const sieve = new AnswerSieve();
	const buffer = Buffer.alloc(1024);
	const sleeper = new Int32Array(new SharedArrayBuffer(4));
	try {
		const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
		for (let polls = 0; flow.due && polls < atOnceMs / pollMs; polls++) {
			const {answers} = sieve.sift(readNow(terminal, buffer));
			for (const answer of answers) flow.answered(answer);
			if (flow.due) Atomics.wait(sleeper, 0, 0, pollMs);
		}

		closeSync(terminal);
	} catch {
		// The terminal is gone.
	}
}

/** What has come; empty: nothing. */
function readNow(terminal: number, buffer: Buffer): string {
	try {
		return buffer.toString('latin1', 0, readSync(terminal, buffer));
	} catch (error) {
		if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
		throw error;
	}
}
