import {Readable} from 'node:stream';
import {f1Character} from '../format/control.ts';
import type {Rgb} from '../format/style.ts';
import type {Clock} from '../market/clock.ts';
import {AnswerSieve} from './answers.ts';
import {parseBackground} from './background.ts';
import type {FlowControl} from './flow-control.ts';
import {type MouseReport, MouseSieve} from './mouse.ts';
import {interrupt, PasteSieve, silenceMs} from './pastes.ts';
import {StringSieve} from './strings.ts';

/** The source of keys and answers: `process.stdin` if it is a terminal, or what a viewer types. */
export type Keyboard = NodeJS.EventEmitter & {
	/** Absent: it is always raw. */
	setRawMode?(raw: boolean): unknown;
	setEncoding(encoding: BufferEncoding): unknown;
	resume(): unknown;
	pause(): unknown;
	/** Absent: it never keeps the program running by itself. */
	ref?(): unknown;
	unref?(): unknown;
};

type KeyInputOptions = {
	readonly clock: Clock;
	readonly flow?: FlowControl | undefined;
	/** Called when the terminal reports its background. */
	readonly onBackground?: ((color: Rgb) => void) | undefined;
};

/** What terminals send for F1, which Ink does not tell from other keys without a character: xterm, its kin, rxvt, Linux. */
const f1Sequences = /\u001B(?:OP|\[P|\[11~|\[\[A)/g;

/** After this, an Esc is the key and not the beginning of an answer or of a report of the mouse. */
const escapeMs = 30;
/** Other beginnings of an answer are not typed, but may be part of another key. */
const beginningMs = 500;

/**
 * A terminal's input as Ink sees it: only keys and pasted texts, in the order in which they were typed. The terminal's
 * answers go to the flow control, if there is one. Input is raw from `listen` to `giveBack`, whatever Ink asks for, as answers can arrive at any time.
 * The event `typed` comes before each key and each report of the mouse, `unfinished` reports a paste that has not ended after a second of silence, and `mouse` carries a `MouseReport` with `at`, when it
 * arrived (epoch ms).
 */
export class KeyInput extends Readable {
	readonly isTTY = true;
	readonly #keyboard: Keyboard;
	readonly #clock: Clock;
	readonly #flow: FlowControl | undefined;
	readonly #strings = new StringSieve();
	#cancelDrop = (): void => {};
	readonly #sieve = new AnswerSieve();
	#pastes = new PasteSieve();
	#cancelSilence = (): void => {};
	#cancelRelease = (): void => {};
	readonly #mouse = new MouseSieve();
	#cancelMouseRelease = (): void => {};
	/** Whether the terminal was asked to report the mouse: only then does an Esc wait for the rest of a report. */
	reportsMouse = false;
	/** Keys are discarded. */
	#muted = false;
	#onInterrupt = (): void => {};
	readonly #onBackground: (color: Rgb) => void;

	constructor(keyboard: Keyboard, {clock, flow, onBackground = () => {}}: KeyInputOptions) {
		super({read() {}});
		this.#onBackground = onBackground;
		this.#keyboard = keyboard;
		this.#clock = clock;
		this.#flow = flow;
		// Nothing else to do: a signal and failed writes report that the terminal is gone.
		keyboard.on('error', this.#end);
		keyboard.on('end', this.#end);
	}

	listen(): void {
		this.#muted = false;
		this.#pastes = new PasteSieve();
		this.#keyboard.setEncoding('utf8');
		this.#keyboard.setRawMode?.(true);
		this.#keyboard.on('data', this.#receive);
		this.#keyboard.resume();
	}

	/**
	 * Gives the input back to the shell once no answer is due, at the latest after `limitMs`: a late answer would appear at the
	 * prompt. Keys that are typed meanwhile are lost; Ctrl-C or the end of the input ends the wait.
	 */
	async giveBack(limitMs: number): Promise<void> {
		this.#muted = true;
		const interrupted = new Promise<void>(resolve => {
			this.#onInterrupt = resolve;
		});
		await Promise.race([this.#flow?.settled(limitMs), interrupted]);
		this.#cancelDrop();
		this.#strings.drop();
		this.#cancelRelease();
		this.#cancelMouseRelease();
		this.#cancelSilence();
		this.#sieve.release();
		this.#mouse.release();
		this.#keyboard.off('data', this.#receive);
		this.#keyboard.pause();
		this.#keyboard.setRawMode?.(false);
	}

	setRawMode(): this {
		return this;
	}

	ref(): void {
		this.#keyboard.ref?.();
	}

	unref(): void {
		this.#keyboard.unref?.();
	}

	readonly #receive = (received: string): void => {
		this.#cancelDrop();
		const input = this.#strings.sift(received);
		// The end of a string can be lost, and keys must not be for ever.
		if (this.#strings.isOpen) this.#cancelDrop = this.#clock.after(silenceMs, () => this.#strings.drop());
		if (input === '') return;
		this.#cancelRelease();
		const {keys, answers, background} = this.#sieve.sift(input);
		this.#pass(keys);
		for (const answer of answers) this.#flow?.answered(answer);
		const color = background === undefined ? undefined : parseBackground(background);
		if (color) this.#onBackground(color);
		const {held} = this.#sieve;
		if (held === '') return;
		const release = () => this.#pass(this.#sieve.release());
		// The background is told once, so its beginning may have come without another answer being due.
		if (!this.#flow?.due && !this.#sieve.isBackground) release();
		else this.#cancelRelease = this.#clock.after(held === '\u001B' ? escapeMs : beginningMs, release);
	};

	#pass(input: string): void {
		if (input === '') return;
		this.#cancelMouseRelease();
		for (const item of this.#mouse.sift(input)) {
			if (typeof item === 'string') this.#type(item);
			// Within a paste it is text that looks like one.
			else if (this.reportsMouse && !this.#muted && !this.#pastes.isOpen) this.#report(item);
		}

		if (!this.#mouse.holdsKeys) return;
		const release = () => this.#type(this.#mouse.release());
		if (this.reportsMouse) this.#cancelMouseRelease = this.#clock.after(escapeMs, release);
		else release();
	}

	#report(report: MouseReport): void {
		this.#announce();
		this.emit('mouse', {...report, at: this.#clock.now()});
	}

	#type(input: string): void {
		if (input === '') return;
		this.#announce();
		const keys = this.#pastes.sift(input, this.#clock.now());
		this.#cancelSilence();
		if (this.#pastes.isOpen) this.#cancelSilence = this.#clock.after(silenceMs, () => this.emit('unfinished'));
		if (this.#muted && keys.includes(interrupt)) this.#onInterrupt();
		else if (!this.#muted && keys !== '') this.push(keys.replaceAll(f1Sequences, f1Character), 'utf8');
	}

	#announce(): void {
		this.#flow?.typed();
		this.emit('typed');
	}

	readonly #end = (): void => this.#onInterrupt();
}
