/** Where the cursor is, as flow-control.ts asks: in the second row. */
const answers = /\u001B\[2;(\d+)R/g;
const beginning = /\u001B(?:\[(?:2(?:;\d*)?)?)?$/;

/** What a piece of input holds: keys, as the bytes that they came as, and the columns of the terminal's answers. */
type Sifted = {readonly keys: string; readonly answers: readonly number[]};

/**
 * Takes a terminal's answers to questions out of what it sends, also those that come in pieces. What may be the beginning
 * of an answer is held back until the rest comes; Esc is such a beginning.
 */
export class AnswerSieve {
	#held = '';
	/** How much of it was handed over as keys, by `release`. */
	#released = 0;

	/** What is held back; empty: nothing is. */
	get held(): string {
		return this.#held.slice(this.#released);
	}

	sift(input: string): Sifted {
		const text = this.#held + input;
		const keysBetween = (start: number, end: number) => text.slice(Math.max(start, this.#released), end);
		const columns: number[] = [];
		let keys = '';
		let end = 0;
		for (const {0: answer, 1: column, index} of text.matchAll(answers)) {
			columns.push(Number(column));
			keys += keysBetween(end, index);
			end = index + answer.length;
		}

		const [held = ''] = beginning.exec(text.slice(end)) ?? [];
		const heldFrom = text.length - held.length;
		keys += keysBetween(end, heldFrom);
		this.#held = held;
		this.#released = Math.max(0, this.#released - heldFrom);
		return {keys, answers: columns};
	}

	/** Hands over what is held back as keys. Should the rest of an answer still come, that is no key. */
	release(): string {
		const {held} = this;
		this.#released = this.#held.length;
		return held;
	}
}
