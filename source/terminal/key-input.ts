import {Readable} from 'node:stream';
import type {Clock} from '../market/clock.ts';
import {AnswerSieve} from './answers.ts';
import type {FlowControl} from './flow-control.ts';

/** What sends keys and answers: `process.stdin` where that is a terminal. */
type Keyboard = NodeJS.EventEmitter & {
	setRawMode(raw: boolean): unknown;
	setEncoding(encoding: BufferEncoding): unknown;
	resume(): unknown;
	pause(): unknown;
	ref(): unknown;
	unref(): unknown;
};

/** So long after Esc the rest of an answer that it began is not waited for: it was the key. */
const escapeMs = 30;
/** Nobody types what begins an answer, but it may be part of another key. */
const beginningMs = 500;
const interrupt = '\u0003';

/**
 * A terminal's input as Ink sees it: only keys, in the order in which they were typed. What the terminal answers goes to
 * the flow control. Input is raw from `listen` to `giveBack`, whatever Ink wants: answers come as long as it draws, and after.
 */
export class KeyInput extends Readable {
	readonly isTTY = true;
	readonly #keyboard: Keyboard;
	readonly #clock: Clock;
	readonly #flow: FlowControl;
	readonly #sieve = new AnswerSieve();
	#cancelRelease = (): void => {};
	/** Keys are for nobody any more. */
	#muted = false;
	#onInterrupt = (): void => {};

	constructor(keyboard: Keyboard, {clock, flow}: {readonly clock: Clock; readonly flow: FlowControl}) {
		super({read() {}});
		this.#keyboard = keyboard;
		this.#clock = clock;
		this.#flow = flow;
		// That it is gone is told by a signal, and by what is written to it.
		keyboard.on('error', this.#end);
		keyboard.on('end', this.#end);
	}

	listen(): void {
		this.#muted = false;
		this.#keyboard.setEncoding('utf8');
		this.#keyboard.setRawMode(true);
		this.#keyboard.on('data', this.#receive);
		this.#keyboard.resume();
	}

	/**
	 * Hands the input to the shell once the answers that are due have come, which would stand at its prompt, after `limitMs`
	 * at the latest. Keys that are typed meanwhile are lost; Ctrl-C, and the end of the input, ends the wait.
	 */
	async giveBack(limitMs: number): Promise<void> {
		this.#muted = true;
		const interrupted = new Promise<void>(resolve => {
			this.#onInterrupt = resolve;
		});
		await Promise.race([this.#flow.settled(limitMs), interrupted]);
		this.#cancelRelease();
		this.#sieve.release();
		this.#keyboard.off('data', this.#receive);
		this.#keyboard.pause();
		this.#keyboard.setRawMode(false);
	}

	setRawMode(): this {
		return this;
	}

	ref(): void {
		this.#keyboard.ref();
	}

	unref(): void {
		this.#keyboard.unref();
	}

	readonly #receive = (input: string): void => {
		this.#cancelRelease();
		const {keys, answers} = this.#sieve.sift(input);
		this.#type(keys);
		for (const answer of answers) this.#flow.answered(answer);
		const {held} = this.#sieve;
		if (held === '') return;
		const release = () => this.#type(this.#sieve.release());
		if (!this.#flow.due) release();
		else this.#cancelRelease = this.#clock.after(held === '\u001B' ? escapeMs : beginningMs, release);
	};

	#type(keys: string): void {
		if (keys === '') return;
		if (!this.#muted) this.push(keys, 'utf8');
		else if (keys.includes(interrupt)) this.#onInterrupt();
		this.#flow.typed();
	}

	readonly #end = (): void => this.#onInterrupt();
}
