/** Cursor position reports for the second row, which flow-control.ts asks for, and reports of the background. */
const answers = /\u001B\[2;(\d+)R|\u001B\]11;([ -~]{0,64})(?:\u0007|\u001B\\)/g;
const beginning = /\u001B(?:\[(?:2(?:;\d*)?)?|\](?:1(?:1(?:;[ -~]{0,64}\u001B?)?)?)?)?$/;

/** The contents of a piece of input: keys as received, the columns in the terminal's answers, and its background, in its words. */
type Sifted = {readonly keys: string; readonly answers: readonly number[]; readonly background?: string | undefined};

/**
 * Separates a terminal's answers from the keys in its input, even if an answer arrives in pieces. What may be the beginning
 * of an answer, such as Esc, is held back until the rest arrives.
 */
export class AnswerSieve {
	#held = '';
	/** How much of `#held` was passed on as keys by `release`. */
	#released = 0;

	/** The input that is held back; empty: none. */
	get held(): string {
		return this.#held.slice(this.#released);
	}

	/** Whether it is the beginning of a report of the background. */
	get isBackground(): boolean {
		return this.#held.startsWith('\u001B]');
	}

	sift(input: string): Sifted {
		const text = this.#held + input;
		const keysBetween = (start: number, end: number) => text.slice(Math.max(start, this.#released), end);
		const columns: number[] = [];
		let background: string | undefined;
		let keys = '';
		let end = 0;
		for (const {0: answer, 1: column, 2: color, index} of text.matchAll(answers)) {
			if (column !== undefined) columns.push(Number(column));
			background = color ?? background;
			keys += keysBetween(end, index);
			end = index + answer.length;
		}

		const [held = ''] = beginning.exec(text.slice(end)) ?? [];
		const heldFrom = text.length - held.length;
		keys += keysBetween(end, heldFrom);
		this.#held = held;
		this.#released = Math.max(0, this.#released - heldFrom);
		return {keys, answers: columns, background};
	}

	/** Returns the held input as keys. If the rest of an answer still arrives, it does not count as keys. */
	release(): string {
		const {held} = this;
		this.#released = this.#held.length;
		return held;
	}
}
