import type {Answer} from './receipts.ts';

/** Of status: 0 well, 3 not; of attributes: what the terminal can do. */
const answers = /\u001B\[(?:[03]n|\?[\d;]*c)/g;
const beginning = /\u001B(?:\[(?:[03]|\?[\d;]*)?)?$/;

/** What a piece of input holds: keys, as the bytes that they came as, and the terminal's answers, each in its order. */
type Sifted = {readonly keys: string; readonly answers: readonly Answer[]};

/**
 * Takes a terminal's answers to questions out of what it sends, also those that come in pieces. What may be the beginning
 * of an answer is held back until the rest shows; Esc is such a beginning.
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
		const found: Answer[] = [];
		let keys = '';
		let end = 0;
		for (const {0: answer, index} of text.matchAll(answers)) {
			found.push(answer.endsWith('n') ? 'status' : 'attributes');
			keys += keysBetween(end, index);
			end = index + answer.length;
		}

		const [held = ''] = beginning.exec(text.slice(end)) ?? [];
		const heldFrom = text.length - held.length;
		keys += keysBetween(end, heldFrom);
		this.#held = held;
		this.#released = Math.max(0, this.#released - heldFrom);
		return {keys, answers: found};
	}

	/** Hands over what is held back as keys. Should the rest of an answer still come, that is no key. */
	release(): string {
		const {held} = this;
		this.#released = this.#held.length;
		return held;
	}
}
