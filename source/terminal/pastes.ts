const startMark = '\u001B[200~';
const endMark = '\u001B[201~';
export const interrupt = '\u0003';

/** As many characters as a prompt takes. */
const mostKept = 200;
/** UTF-16 units that have this many characters, whatever they are. */
const mostUnits = 2 * mostKept;
/** More keys than this in one piece of input are no typing, but a paste into a terminal that does not mark it. */
const mostTyped = 200;
/** What follows an unmarked paste within this belongs to it. */
const burstMs = 100;
/** After a pause of this length the end mark of a paste is lost. */
const lostMs = 1000;

const beginningOfStart = /\u001B\[20?0?$/;
const beginningOfEnd = /\u001B(?:\[(?:2(?:0(?:1)?)?)?)?$/;
/** A key that sends a sequence, or one character. */
const key = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.)|./gsu;
const sequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gsu;

/**
 * Finds pasted text among keys. It reaches Ink in one piece between the marks of bracketed paste, without control characters
 * and not longer than a prompt is, so that it neither acts as keys nor keeps the program busy. Times are epoch ms.
 */
export class PasteSieve {
	/** The kept part of a paste that has not ended; undefined: there is none. */
	#paste: string | undefined;
	/** What may be the beginning of a mark. */
	#held = '';
	#lastAt = 0;
	/** The last unmarked paste. */
	#burstAt = -Infinity;

	/** What to pass on for `input`. Ctrl-C comes before all other keys, which are then lost. */
	sift(input: string, now: number): string {
		if (this.#paste !== undefined && now - this.#lastAt >= lostMs) this.#paste = undefined;
		this.#lastAt = now;
		let rest = this.#held + input;
		this.#held = '';
		let passed = '';
		while (rest !== '') {
			const mark = this.#paste === undefined ? startMark : endMark;
			const at = rest.indexOf(mark);
			const [beginning = ''] = (mark === startMark ? beginningOfStart : beginningOfEnd).exec(rest) ?? [];
			if (at < 0) this.#held = beginning;
			const part = rest.slice(0, at < 0 ? rest.length - beginning.length : at);
			if (this.#paste === undefined) passed += this.#typed(part, now);
			else this.#paste = (this.#paste + part).slice(0, mostUnits);
			if (at < 0) break;
			if (mark === endMark) passed += marked(kept(this.#paste ?? ''));
			this.#paste = mark === startMark ? '' : undefined;
			rest = rest.slice(at + mark.length);
		}

		return passed;
	}

	#typed(keys: string, now: number): string {
		if (keys.includes(interrupt)) return interrupt;
		if (now - this.#burstAt >= burstMs && !isLong(keys)) return keys;
		this.#burstAt = now;
		return keys === '' ? '' : marked(kept(keys.replace(sequence, '')));
	}
}

const marked = (text: string): string => (text === '' ? '' : startMark + text + endMark);

/** The beginning of a text, with a blank for each run of control characters. */
const kept = (text: string): string =>
	Array.from(text.slice(0, mostUnits).replace(/\p{Cc}+/gu, ' '))
		.slice(0, mostKept)
		.join('');

const isLong = (keys: string): boolean => keys.length > mostTyped && (keys.match(key)?.length ?? 0) > mostTyped;
