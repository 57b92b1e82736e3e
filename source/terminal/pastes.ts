const startMark = '\u001B[200~';
const endMark = '\u001B[201~';
export const interrupt = '\u0003';

/** A character more than a prompt takes, so that it can say that it left something out. */
const mostKept = 501;
/** UTF-16 units that have this many characters, whatever they are. */
const mostUnits = 2 * mostKept;
/** Nobody types so many different characters in one piece of input: a terminal that does not mark pastes sent one. */
const leastPasted = 64;
/** Nor as many keys as this, even held down while a slow link stalls. */
const mostTyped = 200;
/** What follows an unmarked paste within this belongs to it. */
const burstMs = 100;
/** After silence of this length in a paste, Ctrl-C alone is a key. */
export const silenceMs = 1000;

const marks = /\u001B\[20[01]~/g;
const beginning = /\u001B(?:\[(?:2(?:0[01]?)?)?)?$/;
/** The longest beginning of a mark that can be keys, Esc and Alt-[, and so cannot wait. */
const mostKeys = 2;
/** A key that sends a sequence, or one character. */
const key = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.)|./gsu;
const sequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gsu;
/** Ink takes an Esc that it still holds as one key with this. It is no key itself. */
const separator = '\0';

/**
 * Finds pasted text among keys. It reaches Ink in one piece between the marks of bracketed paste, without control characters
 * and not longer than a prompt is, so that it neither acts as keys nor keeps the program busy. Times are epoch ms.
 */
export class PasteSieve {
	/** The kept part of a paste that has not ended; undefined: there is none. */
	#paste: string | undefined;
	/** What may be the beginning of a mark. */
	#held = '';
	/** How much of `#held` was passed on as keys. */
	#released = 0;
	#lastAt = 0;
	/** The last piece of an unmarked paste. */
	#burstAt = -Infinity;
	/** How much more of the unmarked paste is kept. */
	#burstRoom = 0;
	/** The last that was passed on is Esc. */
	#escaped = false;

	/** Whether a paste has begun and not ended. */
	get isOpen(): boolean {
		return this.#paste !== undefined;
	}

	/**
	 * What to pass on for `input`. Ctrl-C comes before all other keys, which are then lost. Within a paste it is a key only if it
	 * comes alone after a second of silence, as the end of a paste can be lost.
	 */
	sift(input: string, now: number): string {
		const passed = this.isOpen && input === interrupt ? this.#interrupt(now) : this.#siftText(input, now);
		if (passed !== '') this.#escaped = passed.endsWith('\u001B');
		return passed;
	}

	#interrupt(now: number): string {
		if (now - this.#lastAt < silenceMs) return '';
		this.#paste = undefined;
		this.#held = '';
		return interrupt;
	}

	#siftText(input: string, now: number): string {
		this.#lastAt = now;
		const text = this.#held + input;
		const unreleased = (start: number, end: number) => text.slice(Math.max(start, this.#released), end);
		let passed = '';
		let end = 0;
		for (const {0: mark, index} of text.matchAll(marks)) {
			passed += this.#take(unreleased(end, index), now);
			if (mark === endMark && this.#paste !== undefined) passed += this.#marked(kept(this.#paste), passed);
			this.#paste = mark === startMark ? '' : undefined;
			end = index + mark.length;
		}

		const [held = ''] = beginning.exec(text.slice(end)) ?? [];
		const heldFrom = text.length - held.length;
		const isKeys = !this.isOpen && (held.length <= mostKeys || this.#released > heldFrom);
		passed += this.#take(unreleased(end, isKeys ? text.length : heldFrom), now);
		this.#held = held;
		this.#released = isKeys ? held.length : 0;
		return passed;
	}

	#take(text: string, now: number): string {
		if (this.#paste === undefined) return text === '' ? '' : this.#typed(text, now);
		this.#paste = (this.#paste + text).slice(0, mostUnits);
		return '';
	}

	#typed(keys: string, now: number): string {
		if (keys.includes(interrupt)) return interrupt;
		if (now - this.#burstAt >= burstMs) {
			if (!isPaste(keys)) return keys;
			this.#burstRoom = mostKept;
		}

		this.#burstAt = now;
		const text = kept(keys.replace(sequence, ''), this.#burstRoom);
		this.#burstRoom = Math.max(0, this.#burstRoom - text.length);
		return this.#marked(text, '');
	}

	/** `before`: what is passed on directly before it. */
	#marked(text: string, before: string): string {
		if (text === '') return '';
		const escaped = before === '' ? this.#escaped : before.endsWith('\u001B');
		return (escaped ? separator : '') + startMark + text + endMark;
	}
}

/** The beginning of a text, with a blank for each run of control characters. */
const kept = (text: string, most = mostKept): string =>
	Array.from(text.slice(0, mostUnits).replace(/\p{Cc}+/gu, ' '))
		.slice(0, most)
		.join('');

/** A key that is held down repeats while a slow link stalls, and is no paste. */
function isPaste(keys: string): boolean {
	if (keys.length < leastPasted) return false;
	const text = Array.from(keys.replace(sequence, ''));
	return (text.length >= leastPasted && new Set(text).size > 1) || (keys.match(key)?.length ?? 0) > mostTyped;
}
