import {Readable} from 'node:stream';
import type {Rgb} from '../format/style.ts';
import type {Clock} from '../market/clock.ts';
import {clamp} from '../market/numbers.ts';
import {parseBackground} from './capabilities.ts';
import type {FlowControl} from './flow-control.ts';
import {InputTokenizer, type Token} from './input-tokens.ts';
import type {MouseReport} from './mouse.ts';
import {interrupt, marked, UnmarkedPastes} from './pastes.ts';

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
	/** Whether a network is between: one sequence can then arrive in pieces. */
	readonly isRemote: boolean;
	/** Called when the terminal reports its background. */
	readonly onBackground?: ((color: Rgb) => void) | undefined;
};

/** How long Esc waits for the rest of a sequence: as long as the terminal's answers take, within these limits. */
const leastWaitMs = 50;
export const leastRemoteWaitMs = 150;
const mostWaitMs = 500;

/**
 * A terminal's input as Ink sees it: only keys and pasted texts, in the order in which they were typed. The terminal's
 * answers go to the flow control, if there is one. Input is raw from `listen` to `giveBack`, whatever Ink asks for, as answers
 * can arrive at any time. The event `typed` comes before each key and each report of the mouse, `unfinished` reports a paste
 * that has not ended after a second of silence, and `mouse` carries a `MouseReport` with `at`, when it arrived (epoch ms).
 */
export class KeyInput extends Readable {
	readonly isTTY = true;
	readonly #keyboard: Keyboard;
	readonly #clock: Clock;
	readonly #flow: FlowControl | undefined;
	readonly #leastWaitMs: number;
	#tokenizer = new InputTokenizer();
	#unmarked = new UnmarkedPastes();
	#cancelExpiry = (): void => {};
	/** Whether the terminal was asked to report the mouse. */
	reportsMouse = false;
	/** Keys are discarded. */
	#muted = false;
	#onInterrupt = (): void => {};
	readonly #onBackground: (color: Rgb) => void;

	constructor(keyboard: Keyboard, {clock, flow, isRemote, onBackground = () => {}}: KeyInputOptions) {
		super({read() {}});
		this.#onBackground = onBackground;
		this.#keyboard = keyboard;
		this.#clock = clock;
		this.#flow = flow;
		this.#leastWaitMs = isRemote ? leastRemoteWaitMs : leastWaitMs;
		// Nothing else to do: a signal and failed writes report that the terminal is gone.
		keyboard.on('error', this.#end);
		keyboard.on('end', this.#end);
	}

	listen(): void {
		this.#muted = false;
		this.#tokenizer = new InputTokenizer();
		this.#unmarked = new UnmarkedPastes();
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
		this.#cancelExpiry();
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

	readonly #receive = (input: string): void => {
		const waitMs = clamp(this.#flow?.delayMs ?? 0, this.#leastWaitMs, mostWaitMs);
		this.#pass(this.#tokenizer.take(input, this.#clock.now(), waitMs));
	};

	#pass(tokens: readonly Token[]): void {
		this.#cancelExpiry();
		for (const token of tokens) this.#passOne(token);
		const {pendingUntil} = this.#tokenizer;
		if (pendingUntil === undefined) return;
		// Input that arrived in time, while the program was busy, is read before a second timer runs.
		const expireSoon = (): void => {
			this.#cancelExpiry = this.#clock.after(0, this.#expire);
		};
		this.#cancelExpiry = this.#clock.after(pendingUntil - this.#clock.now(), expireSoon);
	}

	readonly #expire = (): void => {
		if (this.#tokenizer.isPasting) this.emit('unfinished');
		this.#pass(this.#tokenizer.expire());
	};

	#passOne(token: Token): void {
		if (token.kind === 'cursor') this.#flow?.answered(token.column);
		else if (token.kind === 'background') this.#reportBackground(token.color);
		else if (token.kind === 'mouse') this.#report(token.report);
		else this.#type(token.kind === 'paste' ? marked(token.text) : this.#unmarked.sift(token.text, this.#clock.now()));
	}

	#reportBackground(text: string): void {
		const color = parseBackground(text);
		if (color) this.#onBackground(color);
	}

	#report(report: MouseReport): void {
		if (!this.reportsMouse || this.#muted) return;
		this.#announce();
		this.emit('mouse', {...report, at: this.#clock.now()});
	}

	#type(keys: string): void {
		this.#announce();
		if (this.#muted && keys.includes(interrupt)) this.#onInterrupt();
		else if (!this.#muted && keys !== '') this.push(keys, 'utf8');
	}

	#announce(): void {
		this.#flow?.typed();
		this.emit('typed');
	}

	readonly #end = (): void => this.#onInterrupt();
}
