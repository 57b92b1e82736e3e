export const startMark = '\u001B[200~';
export const endMark = '\u001B[201~';
export const interrupt = '\u0003';

/** A character more than a prompt takes, so that it can say that it left something out. */
const mostKept = 501;
/** UTF-16 units that have this many characters, whatever they are. */
export const mostUnits = 2 * mostKept;
/** Nobody types so many different characters in one piece of input: a terminal that does not mark pastes sent one. */
const leastPasted = 64;
/** Nor as many keys as this, even held down while a slow link stalls. */
const mostTyped = 200;
/** What follows an unmarked paste within this belongs to it. */
const burstMs = 100;

/** A key that sends a sequence, or one character. */
const key = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.)|./gsu;
const sequence = /\u001B(?:\[[0-?]*[ -/]*[@-~]|O.|.)?/gsu;

/** As Ink gets a pasted text. */
export const marked = (text: string): string => (text === '' ? '' : startMark + text + endMark);

/**
 * The part of a pasted text that is kept: not longer than a prompt is, with a blank for each run of control characters, so
 * that it neither acts as keys nor keeps the program busy.
 */
export const keptText = (text: string, most = mostKept): string =>
	Array.from(text.slice(0, mostUnits).replace(/\p{Cc}+/gu, ' '))
		.slice(0, most)
		.join('');

/** Finds pastes that the terminal does not mark among keys. */
export class UnmarkedPastes {
	/** Epoch ms: the last piece of a paste. */
	#burstAt = Number.NEGATIVE_INFINITY;
	/** How much more of it is kept. */
	#burstRoom = 0;

	/** The keys, or the text that they are as a marked paste. Ctrl-C comes before all other keys, which are then lost. */
	sift(keys: string, now: number): string {
		if (keys.includes(interrupt)) return interrupt;
		if (now - this.#burstAt >= burstMs) {
			if (!isPaste(keys)) return keys;
			this.#burstRoom = mostKept;
		}

		this.#burstAt = now;
		const text = keptText(keys.replace(sequence, ''), this.#burstRoom);
		this.#burstRoom = Math.max(0, this.#burstRoom - text.length);
		return marked(text);
	}
}

/** A key that is held down repeats while a slow link stalls, and is no paste. */
function isPaste(keys: string): boolean {
	if (keys.length < leastPasted) return false;
	const text = Array.from(keys.replace(sequence, ''));
	return (text.length >= leastPasted && new Set(text).size > 1) || (keys.match(key)?.length ?? 0) > mostTyped;
}
